"""Rotation: which way things turn, where one picture cannot tell."""

# The many coordinates read better packed.
# fmt: off

from functools import cache

import numpy as np

from annotations.demo.clip import clip
from annotations.demo.drawing.figure import Outfit, stand
from annotations.demo.drawing.scene import Canvas, Image, darker, gradient, lighter, mix, rgb
from annotations.demo.drawing.shapes import (
    Point,
    arc,
    at,
    box,
    curve,
    disc,
    oval,
    placed,
    poly,
    star,
    track,
)

CW, CCW = "Clockwise throughout.", "Counter-clockwise throughout."
CW_CCW, CCW_CW = "Clockwise, then counter-clockwise.", "Counter-clockwise, then clockwise."
NONE = "It does not turn."

FAN_TURNS = 0.7  # per second: four blades seen every 0.26 s seem to turn the other way


@cache
def _fan_room() -> Image:
    c = Canvas(gradient(rgb("#ffe3c9"), rgb("#f7b98f")))
    c.fill(box((320, 345), 760, 70), rgb("#c9805c"))
    c.fill(box((320, 312), 760, 5), rgb("#e09c74"))
    c.contact((330, 326), 210, 0.35)
    c.fill(box((320, 270), 16, 100, 6), rgb("#2f4858"))
    c.shaded(box((320, 318), 130, 18, 9), rgb("#41627a"), rgb("#263b48"))
    c.shadow(disc((320, 160), 128), 10, 12, 0.25)
    c.fill(disc((320, 160), 130), rgb("#2f4858"))
    c.shaded(disc((320, 160), 124), rgb("#fff4e6"), rgb("#f3d3b6"))
    return c.pixels


def fan(t: float) -> Image:
    """A desk fan with four equal blades."""
    c = Canvas(_fan_room())
    turned = 360 * FAN_TURNS * t
    blade = curve((14, -8), (50, -34), (98, -30), (112, 4), (84, 24), (40, 14), closed=True)
    for k in range(4):
        shape = placed(blade, (320, 160), turned + 90 * k)
        c.fill(shape + np.array((3, 5)), rgb("#e6c5a6"))
        c.fill(shape, rgb("#1d8a99"))
        c.line(placed(curve((22, -10), (52, -24), (96, -20)), (320, 160), turned + 90 * k), 2,
               rgb("#63bfc9"))
    for radius in (52, 78, 104):
        c.line(disc((320, 160), radius), 1, rgb("#5d7580"), True)
    for k in range(12):
        c.line(poly(at((320, 160), 30 * k, 24), at((320, 160), 30 * k, 126)), 1, rgb("#5d7580"))
    c.fill(disc((320, 160), 24), rgb("#2f4858"))
    c.fill(disc((317, 157), 17), rgb("#f28f3b"))
    return c.frame()


WHEEL = ((0.3, 0.0), (2.1, 150.0), (4.4, -40.0))  # degrees turned at these times


@cache
def _fair() -> Image:
    c = Canvas(gradient(rgb("#2b1e5a"), rgb("#f2778a"), 0.05))
    rng = np.random.default_rng(3)
    for x, y in rng.uniform((0, 0), (640, 170), (60, 2)):
        c.fill(disc((x, y), rng.uniform(0.5, 1.3)), (255, 240, 230), rng.uniform(0.3, 0.9))
    c.soft(disc((520, 300), 70), rgb("#ffd09b"), 30, 0.8)
    c.fill(curve((-20, 310), (90, 268), (220, 300), (360, 262), (500, 296), (660, 262),
                 (660, 380), (-20, 380)), rgb("#5b2a6e"))
    c.fill(curve((-20, 330), (140, 312), (320, 326), (520, 308), (660, 328), (660, 400),
                 (-20, 400)), rgb("#331a52"))
    for side in (-1, 1):
        c.line(poly((320, 168), (320 + side * 78, 334)), 7, rgb("#22123d"))
    return c.pixels


def ferris(t: float) -> Image:
    """A Ferris wheel at dusk."""
    c = Canvas(_fair())
    center, turned = (320.0, 168.0), track(t, *WHEEL)
    c.line(disc(center, 132), 4, rgb("#fbd1a2"), True)
    c.line(disc(center, 116), 2, rgb("#dfae98"), True)
    for k in range(12):
        c.line(poly(center, at(center, turned + 30 * k, 132)), 2, rgb("#dfae98"))
    colors = ("#ff5d73", "#ffd166", "#4cc9c0")
    for k in range(12):
        x, y = at(center, turned + 30 * k, 132)
        color = rgb(colors[k % 3])
        c.glow((x, y + 8), 26, color, 0.35)
        c.fill(arc((x, y + 8), 13, 0, 180), color)
        c.fill(arc((x, y + 3), 13, 180, 360, 9), lighter(color, 0.45))
        c.line(poly((x - 10, y + 4), (x - 10, y + 9)), 1.5, rgb("#22123d"))
        c.line(poly((x + 10, y + 4), (x + 10, y + 9)), 1.5, rgb("#22123d"))
    c.glow(center, 50, rgb("#ffb26b"), 0.8)
    c.fill(disc(center, 12), rgb("#fff1d6"))
    return c.frame()


@cache
def _space() -> Image:
    c = Canvas(gradient(rgb("#0b1030"), rgb("#23204f")))
    rng = np.random.default_rng(11)
    c.soft(oval((180, 90), 190, 46, -20), rgb("#4b3c8f"), 40, 0.5)
    c.soft(oval((500, 290), 170, 40, -20), rgb("#1d5c7a"), 40, 0.5)
    for x, y in rng.uniform((0, 0), (640, 360), (120, 2)):
        c.fill(disc((x, y), rng.uniform(0.4, 1.3)), (225, 230, 255), rng.uniform(0.25, 0.9))
    for radius in (92, 150):
        c.line(disc((320, 180), radius), 1, rgb("#8790d8"), True, 0.4)
    return c.pixels


def orbits(t: float) -> Image:
    """Two planets around a sun, against each other."""
    c = Canvas(_space())
    sun = (320.0, 180.0)
    c.glow(sun, 105 + 3 * np.sin(3 * t), rgb("#ff9d42"), 0.9)
    c.ball(sun, 32, rgb("#ffc857"))
    amber, blue = at(sun, 40 + 62 * t, 92), at(sun, 200 - 47 * t, 150)
    for planet, radius, color in ((amber, 13, rgb("#ef6f6c")), (blue, 20, rgb("#3fa7f0"))):
        c.glow(planet, radius * 2.4, color, 0.35)
        c.ball(planet, radius, color)
    c.line(oval(blue, 33, 9, -24), 2.5, rgb("#bfe3ff"), True, 0.85)
    return c.frame()


@cache
def _clock_wall() -> Image:
    c = Canvas(gradient(rgb("#d9efe4"), rgb("#8fc7b3")))
    for k in range(17):
        c.fill(box((k * 40.0, 180), 14, 380), rgb("#ffffff"), 0.12)
    c.shadow(disc((320, 178), 140), 12, 16, 0.3)
    c.fill(disc((320, 178), 142), rgb("#1f4d45"))
    c.fill(disc((320, 178), 130), rgb("#fffaf0"))
    for k in range(60):
        long = k % 5 == 0
        c.line(poly(at((320, 178), 6 * k, 108 if long else 117), at((320, 178), 6 * k, 122)),
               4 if long else 1.5, rgb("#1f4d45"))
    return c.pixels


def clock(t: float) -> Image:
    """A clock whose hands run backwards, then forwards."""
    c = Canvas(_clock_wall())
    center, turned = (320.0, 178.0), -60 + track(t, (0.3, 0), (2.6, -250), (4.2, -130))
    for angle, long, width, color in ((turned / 6 + 30, 66, 10, rgb("#1f4d45")),
                                      (turned, 100, 7, rgb("#1f4d45"))):
        c.soft(poly(center, at(center, angle, long), at(center, angle + 3, long)) + 5,
               (20, 40, 40), 3, 0.3)
        c.line(poly(at(center, angle, -16), at(center, angle, long)), width, color)
    c.fill(disc(center, 11), rgb("#e76f51"))
    c.fill(disc((318, 175), 4), rgb("#ffd9c7"))
    return c.frame()


def _gear(c: Canvas, center: Point, teeth: int, turn: float, color: str) -> None:
    size, paint = teeth * PITCH, rgb(color)
    step = 360 / teeth
    edge = [at(center, turn + step * (k + share), size + rise) for k in range(teeth) for share,
            rise in ((-0.3, -9), (-0.15, 8), (0.15, 8), (0.3, -9))]
    c.fill(poly(*edge) + np.array((0, 3)), darker(paint, 0.35))
    c.fill(poly(*edge), paint)
    c.line(disc(center, size * 0.74), 3, lighter(paint, 0.3), True)
    for k in range(6):
        c.fill(disc(at(center, turn + 60 * k, size * 0.47), size * 0.14), darker(paint, 0.55))
    c.fill(disc(center, size * 0.17), lighter(paint, 0.6))


def meshed(turn: float, teeth: int, other_teeth: int, toward: float) -> float:
    """How far a gear with ``other`` teeth is turned whose neighbour lies in a direction from it."""
    tooth = (toward - turn) * teeth / 360
    return toward + 180 - 360 / other_teeth * (0.5 - tooth)


PITCH = 5.6  # px of radius a tooth
SLOPE = 14.0  # of the line from the left gear to the middle one
LEFT = (168.0, 160.0)
MIDDLE = at(LEFT, SLOPE, PITCH * 28)
RIGHT = at(MIDDLE, -SLOPE, PITCH * 28)


@cache
def _works() -> Image:
    c = Canvas(gradient(rgb("#46325c"), rgb("#1c1830")))
    for (x, y), teeth in ((LEFT, 16), (MIDDLE, 12), (RIGHT, 16)):
        c.soft(disc((x + 7, y + 12), teeth * PITCH), (14, 10, 30), 10, 0.5)
    return c.pixels


def gears(t: float) -> Image:
    """Three gears in mesh: the outer two turn together, the middle one against them."""
    c = Canvas(_works())
    turned = 40 * t
    against = meshed(turned, 16, 12, SLOPE)
    _gear(c, LEFT, 16, turned, "#f4a259")
    _gear(c, RIGHT, 16, meshed(against, 12, 16, -SLOPE), "#ef476f")
    _gear(c, MIDDLE, 12, against, "#5bc0be")
    return c.frame()


POI_TURNS = 2.3  # per second; more than half a turn between two of 16 frames


@cache
def _stage() -> Image:
    c = Canvas(gradient(rgb("#101935"), rgb("#564787")))
    c.soft(oval((320, 322), 250, 26), rgb("#8a6fc0"), 26, 0.55)
    c.contact((302, 328), 130, 0.5)
    return c.pixels


def poi(t: float) -> Image:
    """A person swings a glowing ball on a cord overhead."""
    c = Canvas(_stage())
    angle = -360 * POI_TURNS * t + 40
    hand = at((322, 100), angle, 9)
    ball = at((322, 100), angle, 88)
    lean = 3 * np.sin(np.radians(angle))
    stand(c, (300 + lean, 326), 1.1, Outfit("#ffb997", "#f67e7d", "#3f5494", "#b5533c"),
          hands=((252, 238), hand), bends=(1, 1))
    for k in range(5):
        trail = at((322, 100), angle + 5 * k, 88)
        c.glow(trail, 24 - 3 * k, mix(rgb("#ffe066"), rgb("#ff6b6b"), k / 5), 0.55 - 0.1 * k)
    c.line(poly(hand, ball), 1.5, rgb("#f8edeb"))
    c.glow(ball, 46, rgb("#ffb347"), 0.6)
    c.ball(ball, 10, rgb("#ffe066"))
    return c.frame()


def bloom(t: float) -> Image:
    """A flower pattern that breathes in and out and does not turn."""
    c = Canvas(gradient(rgb("#fdf0f5"), rgb("#e7c6e8")))
    center = (320.0, 180.0)
    colors = ("#7b2d8b", "#c64191", "#f0729a", "#f9a68c", "#ffd6a5")
    for ring, color in enumerate(colors):
        breath = 1 + 0.14 * np.sin(4.2 * t - 0.8 * ring)
        size = (158 - 30 * ring) * breath
        shape = star(center, size, 0.72, 10, -90 + 18 * ring)
        petals = curve(*[(float(x), float(y)) for x, y in shape], closed=True)
        c.fill(petals + np.array((0, 4)), mix(darker(rgb(color), 0.35), rgb("#e7c6e8"), 0.4))
        c.fill(petals, rgb(color))
        c.fill(placed(petals - center, center, 0, 0.86), lighter(rgb(color), 0.12))
    c.fill(disc(center, 12 + 3 * np.sin(4.2 * t - 4)), rgb("#fff7e6"))
    return c.frame()


CLIPS = (
    clip("0101-00", "desk fan", "object", 4.0, fan,
         ("rotation/0", "In which direction do the blades of the fan turn?",
          (CCW, NONE, CW_CCW, CW, CCW_CW), CW)),
    clip("0102-00", "Ferris wheel", "simulated", 4.6, ferris,
         ("rotation/1", "Which way does the Ferris wheel turn over the whole clip?",
          (CW, CCW_CW, NONE, CCW, CW_CCW), CW_CCW), variation="composite"),
    clip("0103-00", "two planets", "simulated", 4.0, orbits,
         ("rotation/2", "Which way does the blue ringed planet travel around the sun?",
          (CW_CCW, CW, CCW, CCW_CW, "It stays where it is."), CCW)),
    clip("0104-00", "clock", "object", 4.5, clock,
         ("rotation/3", "In which direction does the longer hand of the clock move?",
          (NONE, CW, CW_CCW, CCW, CCW_CW), CCW_CW), variation="counterfactual"),
    clip("0105-00", "gears", "simulated", 4.0, gears,
         ("rotation/4", "Which of the gears turn clockwise?",
          ("Only the turquoise one.", "The orange and the pink one.", "All three.",
           "None of them."), "The orange and the pink one.")),
    clip("0106-00", "swinging a ball", "human", 4.0, poi,
         ("rotation/5", "As seen on the screen, which way does the person swing the ball?",
          (CCW_CW, CCW, CW, CW_CCW, NONE), CCW)),
    clip("0107-00", "flower pattern", "simulated", 4.0, bloom,
         ("rotation/6", "In which direction does the flower pattern turn?",
          (CW, CCW, CW_CCW, CCW_CW, NONE), NONE)),
)
