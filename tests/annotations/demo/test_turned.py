"""Turns measured in the decoded pictures: how far a repeating pattern is round its centre."""

import numpy as np

CW, CCW = "Clockwise throughout.", "Counter-clockwise throughout."


def test_the_fan_turns_clockwise_and_sixteen_frames_show_the_opposite(film, answer):
    clip = film("desk fan")
    blades = {"color": "#1d8a99", "center": (320, 160), "radii": (30, 110), "fold": 4}
    every = clip.turned(**blades)
    assert np.all(np.diff(every) > 0)
    assert answer("rotation/0") == CW
    # 0.264 s apart the blades turn by 67 degrees, which looks like 23 back.
    assert np.all(np.diff(clip.turned(**blades, only=clip.sixteen())) < 0)


def test_the_ferris_wheel_turns_clockwise_then_back(film, answer):
    turned = film("Ferris wheel").turned("#dfae98", (320, 168), (60, 105), 12, near=70)
    top = int(np.argmax(turned))
    assert 0.3 < top / len(turned) < 0.7
    assert turned[top] > 100
    assert turned[-1] < turned[top] - 100
    assert answer("rotation/1") == "Clockwise, then counter-clockwise."


def test_the_blue_planet_goes_counter_clockwise(film, answer):
    turned = film("two planets").turned("#3fa7f0", (320, 180), (125, 175), 1)
    assert turned[-1] - turned[0] < -150
    assert answer("rotation/2") == CCW


def test_the_long_hand_runs_backwards_first(film, answer):
    turned = film("clock").turned("#1f4d45", (320, 178), (76, 98), 1, near=60)
    low = int(np.argmin(turned))
    assert turned[low] - turned[0] < -200
    assert turned[-1] - turned[low] > 100
    assert answer("rotation/3") == "Counter-clockwise, then clockwise."


def test_the_outer_gears_turn_clockwise(film, answer):
    clip = film("gears")
    # The holes in a gear are darker than it; six around each axle, found on the first picture.
    ways = {}
    for name, body, (x, y) in (
        ("orange", "#f4a259", (168, 160)),
        ("turquoise", "#5bc0be", (320, 198)),
        ("pink", "#ef476f", (472, 160)),
    ):
        ways[name] = clip.turned(body, (x, y), (26, 50), 6, near=90)[-1]
    assert {name for name, way in ways.items() if way > 20} == {"orange", "pink"}
    assert ways["turquoise"] < -20
    assert answer("rotation/4") == "The orange and the pink one."


def test_the_ball_is_swung_counter_clockwise_and_sixteen_frames_show_the_opposite(film, answer):
    clip = film("swinging a ball")
    ball = {"color": "#ffe066", "center": (322, 100), "radii": (60, 110), "fold": 1, "near": 60}
    turned = clip.turned(**ball)
    assert turned[-1] - turned[0] < -2500
    assert answer("rotation/5") == CCW
    assert np.all(np.diff(clip.turned(**ball, only=clip.sixteen())) > 0)


def test_the_flower_does_not_turn(film, answer):
    turned = film("flower pattern").turned("#7b2d8b", (320, 180), (60, 175), 10, near=60)
    assert np.abs(turned - turned[0]).max() < 2
    assert answer("rotation/6") == "It does not turn."


def test_the_record_turns_evenly(film, answer):
    turned = film("record player").turned("#f7b267", (276, 180), (26, 44), 3, near=60)
    steps = np.diff(turned)
    # 0.72 turns a second at 30 frames a second: 8.64 degrees a frame.
    assert abs(steps.mean() - 8.64) < 0.1
    assert steps.std() < 0.5
    assert answer("velocity&frequency/5") == "It stays the same."
