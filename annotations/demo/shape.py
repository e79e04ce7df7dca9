"""Shape and trend: what a path or a change adds up to."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import cos, degrees, pi, sin

import numpy as np

from annotations.demo.clip import clip
from annotations.demo.drawing.scene import Canvas, Image, darker, gradient, lighter, mix, rgb
from annotations.demo.drawing.shapes import (
    Points,
    along,
    arc,
    at,
    box,
    curve,
    disc,
    oval,
    placed,
    poly,
    regular,
    smooth,
    star,
    track,
)

TRIANGLE = poly((318, 62), (444, 246), (192, 246), (318, 62))


def drawn(path: Points, t: float, start: float, seconds: float) -> tuple[float, float]:
    """Where on its path something is that follows it evenly from a start time on."""
    return along(path, (t - start) / seconds)


@cache
def _board() -> Image:
    c = Canvas(gradient(rgb("#3a1c71"), rgb("#d76d77")))
    c.soft(disc((140, 80), 60), rgb("#7b3fa0"), 50, 0.6)
    c.soft(disc((540, 260), 80), rgb("#ffaf7b"), 60, 0.55)
    return c.pixels


def air(t: float) -> Image:
    """A hand that draws a triangle in the air; the trail fades at once."""
    c = Canvas(_board())
    tip = drawn(TRIANGLE, t, 0.35, 3.1)
    for k in range(12, 0, -1):
        past = t - 0.026 * k
        if 0.35 <= past <= 3.5:
            level = 1 - k / 13
            c.glow(drawn(TRIANGLE, past, 0.35, 3.1), 6 + 13 * level, rgb("#ffd27a"), 0.3 * level)
    if 0.35 <= t <= 3.5:
        c.glow(tip, 30, rgb("#ffdf9e"), 0.7)
    x, y = tip
    skin = rgb("#f3c9a5")
    sleeve = poly((x + 78, y + 104), (x + 118, y + 76), (x + 330, y + 330), (x + 250, y + 380))
    c.shadow(sleeve, -6, 10, 0.3)
    c.shaded(sleeve, rgb("#2fb5a5"), rgb("#1c7f86"))
    c.line(poly((x + 62, y + 62), (x + 100, y + 96)), 32, skin)
    c.line(poly((x + 6, y + 7), (x + 44, y + 46)), 13, skin)
    c.fill(oval((x + 58, y + 58), 30, 25, 42), skin)
    for k in range(3):
        c.line(curve((x + 50 + 10 * k, y + 34 + 2 * k), (x + 38 + 9 * k, y + 48 + 7 * k),
                     (x + 46 + 8 * k, y + 60 + 6 * k)), 11, darker(skin, 0.05 + 0.04 * k))
    c.line(poly((x + 92, y + 112), (x + 124, y + 84)), 12, rgb("#fff6ea"))
    return c.frame()


def eight(t: float) -> tuple[float, float]:
    """Where the firefly is: a lying figure eight, once around in 3.6 s."""
    turn = 2 * pi * (t - 0.2) / 3.6
    return 320 + 190 * cos(turn), 158 + 84 * sin(2 * turn)


@cache
def _garden() -> Image:
    c = Canvas(gradient(rgb("#10213a"), rgb("#26594f")))
    rng = np.random.default_rng(4)
    for x, y in rng.uniform((0, 0), (640, 150), (50, 2)):
        c.fill(disc((x, y), rng.uniform(0.4, 1.1)), (220, 240, 255), rng.uniform(0.2, 0.7))
    c.soft(oval((320, 330), 360, 40), rgb("#3f8f6d"), 40, 0.5)
    for k in range(46):
        x = 14.5 * k
        tall = 46 + 26 * sin(1.7 * k) + 18 * sin(0.6 * k)
        c.fill(curve((x - 9, 370), (x - 2 + 5 * sin(k), 364 - tall), (x + 9, 370)),
               mix(rgb("#0c2b26"), rgb("#143d33"), (k % 4) / 3))
    return c.pixels


def firefly(t: float) -> Image:
    """A firefly on a figure-eight path at night."""
    c = Canvas(_garden())
    for k in range(9, 0, -1):
        c.glow(eight(t - 0.022 * k), 17 - k, rgb("#d8ff6b"), 0.28 - 0.025 * k)
    x, y = eight(t)
    c.glow((x, y), 54, rgb("#c9f24b"), 0.55)
    c.glow((x, y), 20, rgb("#fdffd0"), 1)
    for side in (-1, 1):
        c.fill(oval((x + side * 8, y - 9), 9, 4.5, side * (-35 + 25 * sin(50 * t))),
               (255, 255, 255), 0.6)
    c.fill(oval((x, y - 3), 4.5, 6), rgb("#3d2b1f"))
    c.fill(disc((x, y + 3), 4.5), rgb("#f4ff8a"))
    return c.frame()


TRAPEZOID = poly((240, 82), (400, 82), (520, 278), (120, 278), (240, 82))


@cache
def _floor() -> Image:
    c = Canvas(gradient(rgb("#e6c199"), rgb("#d0a374")))
    for row in range(8):
        y = 45.0 * row
        c.line(poly((-5, y), (645, y)), 1.5, rgb("#b58555"), False, 0.7)
        for k in range(5):
            x = 160.0 * k + (row * 67) % 160
            c.line(poly((x, y), (x, y + 45)), 1.5, rgb("#b58555"), False, 0.7)
            c.line(curve((x + 30, y + 20), (x + 70, y + 14), (x + 120, y + 24)), 1,
                   rgb("#b58555"), False, 0.4)
    c.shadow(box((590, 60), 150, 90, 10), -8, 8, 0.35)
    c.shaded(box((600, 52), 150, 104, 12), rgb("#7fb3c8"), rgb("#5b93ab"))
    c.fill(box((612, 40), 96, 60, 10), rgb("#9ccadb"))
    c.shadow(disc((36, 330), 44), 6, 6, 0.35)
    c.fill(disc((36, 330), 44), rgb("#c8553d"))
    for k in range(9):
        c.fill(oval(at((36, 330), 40 * k, 30), 28, 9, 40 * k), rgb(("#588157", "#6a994e")[k % 2]))
    return c.pixels


def vacuum(t: float) -> Image:
    """A cleaning robot that drives around a trapezoid and leaves no trace."""
    c = Canvas(_floor())
    robot = drawn(TRAPEZOID, t, 0.3, 3.8)
    ahead, behind = drawn(TRAPEZOID, t + 0.12, 0.3, 3.8), drawn(TRAPEZOID, t - 0.12, 0.3, 3.8)
    heading = degrees(np.arctan2(ahead[1] - behind[1], ahead[0] - behind[0]))
    c.shadow(disc(robot, 34), 5, 8, 0.4)
    for side in (-1, 1):
        hub = at(robot, heading + side * 48, 33)
        for k in range(3):
            c.line(poly(hub, at(hub, 500 * t * side + 120 * k, 14)), 2, rgb("#6c757d"))
    c.fill(disc(robot, 34), rgb("#343a46"))
    c.fill(disc((robot[0] - 1, robot[1] - 2), 30), rgb("#495063"))
    c.fill(disc(robot, 17), rgb("#2b303b"))
    c.fill(disc(at(robot, heading, 9), 4), mix(rgb("#2de2a6"), rgb("#b5ffe4"), abs(sin(6 * t))))
    return c.frame()


HEIGHT = ((0.3, 268.0), (1.7, 124.0), (3.0, 236.0), (4.6, 106.0))  # of the balloon, y in px


@cache
def _dawn() -> Image:
    c = Canvas(gradient(rgb("#7fc8f8"), rgb("#ffe45e")))
    c.soft(oval((320, 360), 420, 60), rgb("#fff3b0"), 50, 0.7)
    for points, color in ((((-20, 320), (130, 270), (290, 306), (440, 262), (660, 318)),
                           "#7cb518"), (((-20, 346), (200, 320), (420, 344), (660, 322)),
                                        "#5c940d")):
        c.fill(np.concatenate((curve(*points), poly((660, 400), (-20, 400)))), rgb(color))
    return c.pixels


def _cloud(c: Canvas, x: float, y: float, size: float) -> None:
    for dx, dy, r in ((-34, 4, 20), (-10, -10, 27), (20, -4, 23), (40, 8, 15)):
        c.fill(disc((x + dx * size, y + dy * size), r * size), (255, 255, 255), 0.85)
    c.fill(box((x + 2 * size, y + 14 * size), 92 * size, 20 * size, 10), (255, 255, 255), 0.85)


def balloon(t: float) -> Image:
    """A hot-air balloon that rises, sinks and rises again."""
    c = Canvas(_dawn())
    _cloud(c, 110 + 9 * t, 92, 0.8)
    y = track(t, *HEIGHT) - 30
    x = 320 + 10 * sin(1.4 * t)
    envelope = curve((0, -52), (52, -4), (9, 56), (-9, 56), (-52, -4), closed=True)
    for color, narrow in (("#e63946", 1.0), ("#f8f4e3", 0.62), ("#e63946", 0.24)):
        c.fill(envelope * (narrow, 1) + (x, y), rgb(color))
    c.glow((x, y + 64), 20, rgb("#ffb703"), 0.5 + 0.4 * sin(23 * t))
    for side in (-8, 8):
        c.line(poly((x + side, y + 56), (x + side * 1.1, y + 76)), 1.5, rgb("#6b4226"))
    c.shaded(box((x, y + 84), 24, 18, 4), rgb("#a0703f"), rgb("#7a5230"))
    _cloud(c, 560 - 16 * t, 214, 1.05)
    return c.frame()


COUNT = 96  # points of each outline that the blob runs through


def _outline(points: Points) -> Points:
    closed = np.concatenate((points, points[:1]))
    return np.array([along(closed, k / COUNT) for k in range(COUNT)])


@cache
def _forms() -> tuple[Points, ...]:
    center = (320.0, 176.0)
    shapes = (regular(center, 96, 60), star(center, 118, 0.42, 5), regular(center, 124, 4, -90),
              regular(center, 112, 3))
    return tuple(_outline(shape) for shape in shapes)


MORPH = ((0.35, 0.0), (0.85, 1.0), (1.55, 1.0), (2.05, 2.0), (2.75, 2.0), (3.25, 3.0))


def blob(t: float) -> Image:
    """A blob that is a circle, then a star, a diamond and a triangle."""
    c = Canvas(gradient(rgb("#fefae0"), rgb("#cdeac0")))
    where = track(t, *MORPH)
    form = min(2, int(where))
    share = where - form
    colors = ("#ff6b6b", "#f7b801", "#3d9bd9", "#9b5de5")
    color = mix(rgb(colors[form]), rgb(colors[form + 1]), share)
    points = _forms()[form] * (1 - share) + _forms()[form + 1] * share
    squash = 1 + 0.06 * sin(9 * t) * (1 - abs(2 * smooth(share) - 1) + 0.25)
    points = placed(points - (320, 176), (320, 176 + 5 * sin(3 * t)), 0, squash)
    c.contact((320, 316), 200 * squash, 0.25)
    c.shadow(points, 4, 9, 0.25)
    c.shaded(points, lighter(color, 0.25), darker(color, 0.05))
    blink = 1.0 if t % 1.4 > 0.12 else 0.15
    for side in (-1, 1):
        c.fill(oval((320 + side * 17, 170 + 5 * sin(3 * t)), 5.5, 8 * blink), rgb("#2f2f3f"))
    c.line(arc((320, 186 + 5 * sin(3 * t)), 10, 20, 160), 3, rgb("#2f2f3f"))
    return c.frame()


DRAWN = "What shape does the fingertip draw in the air?"

CLIPS = (
    clip("0401-00", "finger in the air", "human", 3.9, air,
         ("shape&trend/0", DRAWN, ("Circle.", "Square.", "Triangle.", "Trapezoid.", "Diamond.",
                                   "It draws nothing."), "Triangle.")),
    clip("0402-00", "firefly", "simulated", 4.0, firefly,
         ("shape&trend/1", "Which figure does the firefly trace as it flies?",
          ("A heart.", "A circle.", "A star.", "A square.", "A figure eight."),
          "A figure eight.")),
    clip("0403-00", "robot vacuum", "object", 4.4, vacuum,
         ("shape&trend/2", "The cleaning robot drives around the edge of which shape?",
          ("Trapezoid.", "Triangle.", "Square.", "Circle.", "Diamond."), "Trapezoid.")),
    clip("0404-00", "hot-air balloon", "simulated", 5.0, balloon,
         ("shape&trend/3", "How does the height of the balloon develop?",
          ("It rises all the time.", "It rises, then sinks.", "It sinks, rises, then sinks.",
           "It rises, sinks, then rises.", "It sinks, then rises."),
          "It rises, sinks, then rises."), variation="composite"),
    clip("0405-00", "blob", "simulated", 4.0, blob,
         ("shape&trend/4", "In which order does the blob take its shapes?",
          ("Circle, diamond, star, triangle.", "Star, circle, diamond, triangle.",
           "Triangle, diamond, star, circle.", "Circle, star, diamond, triangle.",
           "Circle, triangle, star, diamond.", "Circle, star, triangle, diamond."),
          "Circle, star, diamond, triangle."), variation="composite"),
)
