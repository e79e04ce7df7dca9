"""A record player whose record turns at an even speed."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import pi, sin

import numpy as np

from annotations.demo.drawing.scene import Canvas, Image, gradient, rgb
from annotations.demo.drawing.shapes import arc, at, box, curve, disc, poly

RECORD_TURNS = 0.72  # per second, throughout


@cache
def _player() -> Image:
    c = Canvas(gradient(rgb("#f6e7d8"), rgb("#d9b8a0")))
    c.shadow(box((320, 184), 460, 300, 22), 8, 14, 0.4)
    c.shaded(box((320, 180), 460, 300, 22), rgb("#8a5a44"), rgb("#6b4030"))
    c.shaded(box((320, 180), 440, 280, 16), rgb("#ab7254"), rgb("#8d5a41"))
    c.shadow(disc((276, 180), 128), 4, 6, 0.5)
    c.fill(disc((276, 180), 128), rgb("#1d1b22"))
    for radius in range(58, 124, 6):
        c.line(disc((276, 180), radius), 1, rgb("#3b3842"), True, 0.8)
    c.fill(disc((480, 84), 26), rgb("#4a2c21"))
    return c.pixels


def record(t: float) -> Image:
    """A record that turns at one speed while the arm sways."""
    c = Canvas(_player())
    turned, middle = 360 * RECORD_TURNS * t, (276.0, 180.0)
    for k in (0, 180):
        c.fill(np.concatenate((arc(middle, 122, k - 52, k - 32),
                               arc(middle, 56, k - 32, k - 52))), (255, 255, 255), 0.13)
    c.fill(disc(middle, 46), rgb("#f2545b"))
    for k in range(3):
        wedge = arc(middle, 46, turned + 120 * k, turned + 120 * k + 60)
        c.fill(np.concatenate((wedge, poly(middle))), rgb("#f7b267"))
    c.fill(disc(middle, 22), rgb("#fff1e0"))
    c.fill(disc(middle, 4), rgb("#1d1b22"))
    sway = 1.2 * sin(2 * pi * RECORD_TURNS * t)
    tip = at((480, 84), 138 + sway, 178)
    elbow = at((480, 84), 112 + sway, 112)
    arm = curve((480, 84), elbow, tip)
    c.line(arm + 5, 6, (20, 10, 10), False, 0.3)
    c.line(arm, 6, rgb("#e8e4dc"))
    c.fill(box(tip, 26, 14, 3, 150), rgb("#e8e4dc"))
    c.fill(disc((480, 84), 16), rgb("#d8d2c6"))
    return c.frame()
