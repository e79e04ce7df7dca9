"""Directions, speeds, shapes and orders, measured in the decoded pictures by colour."""

from itertools import pairwise

import cv2
import numpy as np

from annotations.demo.visual import HIDDEN, SWAPS


def legs(path, least=25):
    """The path as words: left, right, up, down, one for each straight stretch."""
    words = []
    anchor = path[0]
    for point in path:
        dx, dy = point - anchor
        if max(abs(dx), abs(dy)) >= least:
            word = (
                ("right" if dx > 0 else "left")
                if abs(dx) > abs(dy)
                else ("down" if dy > 0 else "up")
            )
            if not words or words[-1] != word:
                words.append(word)
            anchor = point
    return ", then ".join(words).capitalize() + "."


def test_the_car_goes_left(film, answer):
    path = film("car in reverse").path("#e4572e", near=60)
    assert legs(path) == "Left."
    assert answer("direction/0") == "To the left."


def test_most_dots_drift_to_the_top_left(film, answer):
    frames = [cv2.cvtColor(f, cv2.COLOR_RGB2GRAY) for f in film("drifting plankton").frames]
    moves = [
        cv2.phaseCorrelate(a.astype(np.float32), b.astype(np.float32))[0]
        for a, b in pairwise(frames[::2])
    ]
    x, y = np.median(np.array(moves), axis=0)
    # 64 px a second both ways, seen every 1/15 s: 4.3 px.
    assert abs(x + 4.3) < 1
    assert abs(y + 4.3) < 1
    assert answer("direction/1") == "Towards the top left."


def test_the_glove_goes_down_then_left(film, answer):
    assert legs(film("yellow glove").path("#ffb627")) == answer("direction/2")


def test_the_bee_flies_down_right_up(film, answer):
    assert legs(film("bee").path("#2b2118", near=50), 40) == answer("direction/3")


def test_the_puck_hits_the_sides_in_the_order_of_the_key(film, answer):
    x, y = film("air hockey").path("#e63950", near=60).T
    when = {"top": y.argmin(), "right": x.argmax(), "bottom": y.argmax(), "left": x.argmin()}
    order = ", ".join(sorted(when, key=lambda side: when[side])).capitalize() + "."
    assert order == answer("direction/4")


def test_the_lift_goes_up_down_up(film, answer):
    path = film("lift").path("#c3cbe6", (285, 50, 355, 330), near=50)
    path[:, 0] = 0
    assert legs(path) == answer("direction/5")


def test_the_train_slows_down(film, answer):
    clip = film("train")
    front = np.array([np.nonzero(clip.mask(f, "#edae49", 70).any(axis=0))[0].max(initial=0)
                      for f in clip.frames])  # fmt: skip
    seen = front[front > 40]
    third = len(seen) // 3
    steps = [seen[k + third - 1] - seen[k] for k in (0, third, 2 * third)]
    assert steps[0] > steps[1] > steps[2]
    assert answer("velocity&frequency/0") == "It slows down."


def crossings(values):
    middle = values - (values.max() + values.min()) / 2
    return np.nonzero(np.diff(np.sign(middle)))[0]


def test_the_metronome_speeds_up(film, answer):
    gaps = np.diff(crossings(film("metronome").path("#d64550")[:, 0]))
    half = len(gaps) // 2
    assert gaps[:half].mean() > 1.5 * gaps[half:].mean()
    assert answer("velocity&frequency/1") == "It speeds up."


def test_the_lighthouse_flashes_less_and_less_often(film, begins, answer):
    light = film("lighthouse").light((480, 100, 510, 128))
    gaps = np.diff(begins(light > light.min() + 60))
    assert len(gaps) >= 4
    assert all(later > earlier for earlier, later in pairwise(gaps))
    assert answer("velocity&frequency/2") == "It flashes less and less often."


def test_the_yellow_star_is_the_fastest(film, answer):
    speed = {}
    for name, color, y in (("yellow", "#ffe1a0", 84), ("green", "#5de4c1", 180),
                           ("pink", "#ff96b6", 276)):  # fmt: skip
        x = film("comets").path(color, (0, y - 25, 640, y + 25), near=70)[:, 0]
        steps = np.diff(x)
        speed[name] = np.nanmedian(steps[steps > 0])
    assert max(speed, key=lambda name: speed[name]) == "yellow"
    assert answer("velocity&frequency/3") == "The yellow one."


def test_the_runner_speeds_up(film, answer):
    # The shirt bobs twice a stride.
    y = film("treadmill").path("#ff7f51", (270, 120, 350, 240), near=50)[:, 1]
    smooth = np.convolve(y, np.ones(3) / 3, "valid")
    low = [k for k in range(1, len(smooth) - 1) if smooth[k - 1] < smooth[k] >= smooth[k + 1]]
    gaps = np.diff(low)
    assert gaps[: len(gaps) // 2].mean() > gaps[len(gaps) // 2 :].mean() * 1.2
    assert answer("velocity&frequency/4") == "It speeds up."


def corners(path):
    line = np.array(path, np.float32).reshape(-1, 1, 2)
    hull = cv2.convexHull(line)
    return cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True).reshape(-1, 2)


def test_the_fingertip_draws_a_triangle(film, answer):
    # The cuff moves as the fingertip does, but leaves the picture at the bottom: the tip is the
    # upper left end of the skin.
    clip = film("finger in the air")
    tips = []
    for frame in clip.frames:
        y, x = np.nonzero(clip.mask(frame, "#f3c9a5", 45))
        k = (x + y).argmin()
        tips.append((x[k], y[k]))
    assert len(corners(tips)) == 3
    assert answer("shape&trend/0") == "Triangle."


def test_the_firefly_flies_a_figure_eight(film, answer):
    path = film("firefly").path("#f4ff8a", near=70)
    # Once around takes 3.6 s: 108 frames.
    path = path[:108][~np.isnan(path[:108]).any(axis=1)]
    x, y = path.T - path.mean(axis=0)[:, None]
    # The two loops run in opposite senses, so that their areas cancel; those of a circle do not.
    area = 0.5 * np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])
    assert abs(area) < 0.1 * np.ptp(x) * np.ptp(y)
    # On either side of the middle it goes up and down once.
    assert len(crossings(y)) >= 3
    assert answer("shape&trend/1") == "A figure eight."


def test_the_robot_drives_a_trapezoid(film, answer):
    found = corners(film("robot vacuum").path("#495063", near=36))
    assert len(found) == 4
    rows = sorted(found.tolist(), key=lambda p: p[1])
    upper, lower = rows[:2], rows[2:]
    assert abs(upper[0][1] - upper[1][1]) < 12
    assert abs(lower[0][1] - lower[1][1]) < 12
    assert abs(lower[0][0] - lower[1][0]) > 2 * abs(upper[0][0] - upper[1][0])
    assert answer("shape&trend/2") == "Trapezoid."


def test_the_balloon_rises_sinks_rises(film, answer):
    path = film("hot-air balloon").path("#e63946", near=50)
    path[:, 0] = 0
    assert legs(path) == "Up, then down, then up."
    assert answer("shape&trend/3") == "It rises, sinks, then rises."


def test_the_blob_takes_its_shapes_in_order(film, contour, answer):
    clip = film("blob")
    counts = []
    for moment, color in ((0.1, "#ff6b6b"), (1.2, "#f7b801"), (2.4, "#3d9bd9"), (3.7, "#9b5de5")):
        line = cv2.convexHull(contour(clip, moment, color))
        counts.append(len(cv2.approxPolyDP(line, 0.02 * cv2.arcLength(line, True), True)))
    # Corners of the hull: many for a circle, five for a star, four, three.
    assert counts[0] > 6
    assert counts[1:] == [5, 4, 3]
    assert answer("shape&trend/4") == "Circle, star, diamond, triangle."


def test_the_blue_lantern_is_second(film, answer):
    clip = film("lanterns")
    first = {}
    for name, x, y in (("red", 118, 146), ("yellow", 252, 176), ("green", 388, 176),
                       ("blue", 522, 146)):  # fmt: skip
        light = clip.light((x - 20, y - 24, x + 20, y + 24))
        first[name] = int(np.argmax(light > light.min() + 50))
    assert sorted(first, key=lambda name: first[name])[1] == "blue"
    assert answer("visual_cues/0") == "The blue one."


def test_the_green_bar_is_struck_last(film, answer):
    clip = film("xylophone")
    x, y = clip.path("#5a4fcf", near=60).T
    there = clip.amounts("#5a4fcf", near=60) > 400
    low = [k for k in range(1, len(y) - 1)
           if there[k] and y[k - 1] < y[k] >= y[k + 1] and y[k] > 200]  # fmt: skip
    r, g, b = (int(c) for c in clip.frames[0][270, round(x[low[-1]])])
    assert g > 1.5 * r
    assert g > b
    assert answer("visual_cues/1") == "The green one."


def test_the_ball_ends_under_the_left_cup(answer):
    place = HIDDEN
    for _, a, b in SWAPS:
        place = {a: b, b: a}.get(place, place)
    assert answer("visual_cues/2") == ("The left one.", "The middle one.", "The right one.")[place]


def test_the_orange_duck_starts_first(film, answer):
    clip = film("ducks")
    start = {}
    for name, color, y in (("yellow", "#ffd23f", 96), ("orange", "#ff8c61", 186),
                           ("white", "#f7f3e3", 276)):  # fmt: skip
        x = clip.path(color, (0, y - 45, 640, y + 30), near=60)[:, 0]
        start[name] = int(np.argmax(x > x[0] + 3))
    assert min(start, key=lambda name: start[name]) == "orange"
    assert answer("visual_cues/3") == "The orange one."


def test_the_trumpet_begins_and_the_bell_ends(film, begins, answer):
    clip = film("band")
    notes = {
        name: begins(clip.light((x - 45, 190, x + 45, 290)) > clip.light(
            (x - 45, 190, x + 45, 290)).min() + 6)
        for name, x in (("drum", 112), ("guitar", 252), ("trumpet", 392), ("bell", 532))
    }  # fmt: skip
    assert answer("visual_cues/4") == f"The {min(notes, key=lambda n: notes[n][0])}."
    assert answer("visual_cues/5") == f"The {max(notes, key=lambda n: notes[n][-1])}."
