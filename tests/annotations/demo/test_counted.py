"""Counts taken again from the decoded pictures, by colour and brightness alone."""

from itertools import pairwise

import numpy as np


def lowest(y):
    """Frames where the ball is lower than before and after, near the floor at 292 px."""
    return [k for k in range(1, len(y) - 1) if y[k - 1] < y[k] >= y[k + 1] and y[k] > 245]


def test_claps(film, begins, answer):
    # The marks of a clap appear above the hands, on the shirt.
    marks = film("clapping").amounts("#ee6c4d", (285, 140, 355, 190), near=90)
    assert answer("count/1") == str(len(begins(marks > 40)))


def test_rope_passes(film, begins, answer):
    # The rope is red; under the feet its lowest point lies below the grass line at 318 px.
    rope = film("skipping rope").amounts("#d62828", (230, 316, 410, 350), near=120)
    assert answer("count/2") == str(len(begins(rope > 8)))


def test_bounces(film, answer):
    y = film("bouncing ball").path("#e5383b", near=70)[:, 1]
    assert answer("count/3") == str(len(lowest(y)))


def test_bounces_become_lower(film, answer):
    y = film("bouncing ball").path("#e5383b", near=70)[:, 1]
    tops = [y[a:b].min() for a, b in pairwise(lowest(y))]
    assert all(later > earlier for earlier, later in pairwise(tops))
    assert answer("shape&trend/5") == "They become lower."


def test_blinks(film, begins, answer):
    light = film("glow-worm").light((260, 160, 380, 250))
    assert answer("count/4") == str(len(begins(light > light.min() + 25)))


def test_hops(film, begins, answer):
    # In the air the frog is in front of the reeds, above every pad.
    clip = film("frog")
    path = clip.path("#a7d129", near=45)
    moving = np.concatenate(([0.0], np.abs(np.diff(path[:, 0]))))
    assert answer("count/5") == str(len(begins(moving > 2.5)))


def test_strokes(film, begins, answer):
    y = film("hammer").path("#d62839", near=60)[:, 1]
    raised = y - np.interp(np.arange(len(y)), [0, len(y)], [y.max() - 60, y.max()])
    low = np.array([a < b >= c for a, b, c in zip(y, y[1:], y[2:], strict=False)])
    assert answer("count/6") == str(len(begins(low & (raised[1:-1] > 0))))


def test_open_doors(film, begins, answer):
    # The passenger's red head is seen only through open doors.
    head = film("lift").amounts("#e56b6f", (300, 60, 340, 320), near=60)
    assert answer("count/0") == str(len(begins(head > 60)))


def test_sixteen_frames_show_too_few_blinks(film, begins, answer):
    clip = film("glow-worm")
    light = clip.light((260, 160, 380, 250))
    seen = light[clip.sixteen()] > light.min() + 25
    assert len(begins(seen)) < int(answer("count/4"))


def test_sixteen_frames_show_too_few_claps(film, begins, answer):
    clip = film("clapping")
    marks = clip.amounts("#ee6c4d", (285, 140, 355, 190), near=90)
    assert len(begins(marks[clip.sixteen()] > 40)) < int(answer("count/1"))
