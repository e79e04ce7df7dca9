"""Direction: where things go, when what they look like does not say it."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import sin

import numpy as np

from annotations.demo.clip import clip
from annotations.demo.drawing.figure import Outfit, stand
from annotations.demo.drawing.scene import Canvas, Image, darker, gradient, lighter, rgb
from annotations.demo.drawing.shapes import (
    box,
    curve,
    disc,
    oval,
    placed,
    poly,
    regular,
    route,
    smooth,
    track,
)


@cache
def _hills() -> Image:
    c = Canvas(gradient(rgb("#bfe6f2"), rgb("#fdf3d8")))
    c.soft(disc((120, 80), 52), rgb("#ffe9a8"), 26, 0.9)
    c.fill(disc((120, 80), 34), rgb("#ffcf5c"))
    for points, color in (
        (((-20, 250), (120, 190), (270, 232), (430, 176), (660, 240)), "#a8d5a2"),
        (((-20, 282), (160, 236), (330, 270), (520, 226), (660, 264)), "#78b97c"),
    ):
        c.fill(np.concatenate((curve(*points), poly((660, 400), (-20, 400)))), rgb(color))
    for x, y, size in ((60, 254, 1.0), (210, 248, 0.8), (470, 236, 1.0), (560, 244, 1.25)):
        c.fill(box((x, y + 14 * size), 5 * size, 30 * size), rgb("#7a5b45"))
        c.fill(regular((x, y - 8 * size), 22 * size, 3), rgb("#3e8e6e"))
        c.fill(regular((x, y - 24 * size), 17 * size, 3), rgb("#4aa27d"))
    c.fill(box((320, 332), 700, 80), rgb("#4d5569"))
    c.fill(box((320, 294), 700, 5), rgb("#e8e3d6"))
    for x in range(-10, 660, 60):
        c.fill(box((x, 332), 32, 5, 2), rgb("#f5efdf"))
    return c.pixels


def car(t: float) -> Image:
    """A car that drives backwards: its front points right, it goes left."""
    c = Canvas(_hills())
    x = track(t, (0.2, 490), (3.7, 135))
    y = 300 + 1.2 * sin(9 * t)
    red = rgb("#e4572e")
    c.soft(oval((x, 322), 74, 8), (20, 20, 40), 5, 0.45)
    roof = curve((x - 48, y - 20), (x - 32, y - 46), (x + 2, y - 50), (x + 26, y - 40),
                 (x + 42, y - 18), (x, y - 14), closed=True)
    c.fill(roof, darker(red, 0.1))
    c.fill(poly((x - 36, y - 20), (x - 25, y - 41), (x - 4, y - 43), (x - 4, y - 20)),
           rgb("#d9f1fa"))
    c.fill(poly((x + 2, y - 20), (x + 2, y - 43), (x + 18, y - 37), (x + 31, y - 20)),
           rgb("#d9f1fa"))
    c.shaded(box((x, y - 4), 138, 34, 14), lighter(red, 0.18), darker(red, 0.08))
    c.fill(box((x + 40, y - 12), 58, 22, 10), lighter(red, 0.1))
    c.fill(oval((x + 64, y - 8), 5, 6), rgb("#fff6cf"))
    c.fill(box((x - 66, y - 8), 5, 12, 2), rgb("#7a1f1f"))
    for side in (-42, 42):
        c.fill(disc((x + side, y + 14), 17), rgb("#22263a"))
        c.fill(disc((x + side, y + 14), 9), rgb("#cfd6e0"))
        spoke = poly((-7, 0), (7, 0))
        for k in range(3):
            c.line(placed(spoke, (x + side, y + 14), 60 * k + np.degrees(x / 17)), 2.5,
                   rgb("#6d7688"))
    return c.frame()


DRIFT = (-64.0, -64.0)  # px per second that most of the plankton moves
LIFE = 0.75  # s until a dot starts anew elsewhere, so that no dot can be followed for long


@cache
def _dots() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    return rng.uniform(0, 1, (100, 8, 2)), rng.uniform(0, LIFE, 100), rng.uniform(0, 360, 100)


def plankton(t: float) -> Image:
    """Many short-lived lights; three of four drift the same way, the others anywhere."""
    c = Canvas(gradient(rgb("#06283d"), rgb("#0f6478")))
    starts, ages, strays = _dots()
    for k, (start_points, age, stray) in enumerate(zip(starts, ages, strays, strict=True)):
        life, young = divmod(t + age, LIFE)
        move = np.array(DRIFT)
        if k % 4 == 0:
            move = 90 * np.array((np.cos(np.radians(stray)), np.sin(np.radians(stray))))
        x, y = start_points[int(life)] * (720, 440) - 40 + move * (young - LIFE / 2)
        level = smooth(young / 0.12) * smooth((LIFE - young) / 0.12)
        size = 2.2 + 1.6 * (k % 5) / 4
        color = rgb(("#7df9c1", "#b8f2e6", "#ffe066")[k % 3])
        c.glow((x, y), 5 * size, color, 0.5 * level)
        c.glow((x, y), 1.6 * size, (255, 255, 255), level)
    return c.frame()


HAND = ((0.4, (438.0, 112.0)), (1.6, (438.0, 228.0)), (2.0, (438.0, 228.0)), (3.3, (272.0, 228.0)))


@cache
def _studio() -> Image:
    c = Canvas(gradient(rgb("#f7d6bf"), rgb("#e9a6a6")))
    for k in range(9):
        c.soft(disc((80.0 * k, 40 + 26 * (k % 2)), 34), rgb("#fff0e5"), 22, 0.35)
    c.fill(box((320, 352), 760, 40), rgb("#b56576"))
    c.contact((320, 338), 150, 0.35)
    return c.pixels


def glove(t: float) -> Image:
    """A person's gloved hand goes down, then across to the left of the screen."""
    c = Canvas(_studio())
    hand = route(t, *HAND)
    # The elbow changes sides while the arm is straight, where nobody sees it.
    stand(c, (320, 336), 1.22, Outfit("#8d5a3b", "#355070", "#6d597a", "#2b1d26"),
          hands=((272, 236), hand), bends=(1, 1 if t < 1.8 else -1))
    c.shadow(disc(hand, 19), 3, 5, 0.25)
    c.fill(disc(hand, 19), rgb("#ffb627"))
    c.fill(oval((hand[0] - 15, hand[1] - 3), 6, 10, 25), rgb("#ffb627"))
    c.fill(box((hand[0], hand[1] + 17), 26, 8, 4), rgb("#e09f00"))
    return c.frame()


BEE = ((0.3, (170.0, 92.0)), (1.4, (170.0, 222.0)), (1.9, (170.0, 222.0)), (3.0, (430.0, 222.0)),
       (3.3, (430.0, 222.0)), (4.2, (430.0, 96.0)))


@cache
def _meadow() -> Image:
    c = Canvas(gradient(rgb("#d8f3dc"), rgb("#95d5b2")))
    c.soft(disc((520, 60), 60), rgb("#fffbe0"), 36, 0.8)
    for k in range(26):
        x = 26.0 * k
        c.fill(curve((x - 16, 372), (x - 5 + 6 * sin(k), 300 - 18 * sin(2.3 * k)), (x + 12, 372)),
               rgb(("#52b788", "#40916c", "#74c69d")[k % 3]))
    for x, y, color in ((80, 284, "#ff6f91"), (265, 306, "#ffffff"), (335, 292, "#c77dff"),
                        (560, 280, "#ff9671")):
        c.line(poly((x, y), (x + 4, 372)), 4, rgb("#2d6a4f"))
        for k in range(7):
            turn = np.radians(360 / 7 * k)
            c.fill(oval((x + 15 * np.cos(turn), y + 15 * np.sin(turn)), 12, 7.5, 360 / 7 * k),
                   rgb(color))
        c.fill(disc((x, y), 9), rgb("#ffd60a"))
    return c.pixels


def bee(t: float) -> Image:
    """A bee that always faces right, whichever way it flies."""
    c = Canvas(_meadow())
    x, y = route(t, *BEE)
    y += 4 * sin(11 * t)
    c.soft(oval((x, y + 46), 34, 6), (20, 60, 40), 5, 0.2)
    flap = 26 * sin(60 * t)
    for angle in (-118 + flap, -78 - flap):
        c.fill(placed(oval((24, 0), 24, 11), (x - 2, y - 14), angle), (255, 255, 255), 0.7)
    c.fill(poly((x - 42, y + 1), (x - 28, y - 6), (x - 28, y + 8)), rgb("#2b2118"))
    body = oval((x, y), 34, 22)
    c.shaded(body, rgb("#ffd95a"), rgb("#f2a900"))
    for shift, tall in ((-17, 17), (-2, 21), (13, 19)):
        c.line(poly((x + shift, y - tall + 3), (x + shift, y + tall - 3)), 7, rgb("#2b2118"))
    c.fill(disc((x + 30, y - 3), 14), rgb("#2b2118"))
    c.fill(disc((x + 35, y - 7), 4), (255, 255, 255))
    for lean in (0, 8):
        c.line(curve((x + 34, y - 15), (x + 39 + lean, y - 27), (x + 47 + lean, y - 28)), 2,
               rgb("#2b2118"))
    return c.frame()


PUCK = ((0.2, (320.0, 180.0)), (0.9, (320.0, 66.0)), (1.7, (554.0, 166.0)), (2.6, (380.0, 294.0)),
        (3.8, (86.0, 190.0)), (4.2, (150.0, 160.0)))


@cache
def _table() -> Image:
    c = Canvas(gradient(rgb("#2d3250"), rgb("#1b1d33")))
    c.shadow(box((320, 180), 560, 320, 40), 0, 10, 0.5)
    c.fill(box((320, 180), 556, 316, 40), rgb("#f6b17a"))
    c.shaded(box((320, 180), 500, 260, 20), rgb("#f4f9ff"), rgb("#d3e3f5"))
    c.line(poly((320, 52), (320, 308)), 4, rgb("#ef8354"))
    c.line(disc((320, 180), 56), 4, rgb("#7aa6d8"), True)
    for x in (70, 570):
        c.fill(box((x, 180), 10, 96, 5), rgb("#424769"))
    return c.pixels


def puck(t: float) -> Image:
    """A puck bounces off the top, the right, the bottom and the left side of a table."""
    c = Canvas(_table())
    times = [stop[0] for stop in PUCK]
    x = float(np.interp(t, times, [stop[1][0] for stop in PUCK]))
    y = float(np.interp(t, times, [stop[1][1] for stop in PUCK]))
    c.shadow(disc((x, y), 16), 4, 7, 0.35)
    c.fill(disc((x, y), 16), rgb("#b3243a"))
    c.fill(disc((x - 1, y - 2), 14), rgb("#e63950"))
    c.line(disc((x - 1, y - 2), 8), 2, rgb("#ff8a98"), True)
    for start, corner in PUCK[1:-1]:
        age = t - start
        if 0 <= age < 0.35:
            c.line(disc(corner, 14 + 70 * age), 3, rgb("#ffd166"), True, 1 - age / 0.35)
    return c.frame()


FLOORS = (292.0, 226.0, 160.0, 94.0)  # the lift's heights, ground floor first, px
LIFT = ((0.5, FLOORS[1]), (1.4, FLOORS[3]), (2.0, FLOORS[3]), (3.1, FLOORS[0]), (3.7, FLOORS[0]),
        (4.6, FLOORS[2]))
OPEN = (1.7, 3.4)  # when the doors are widest open


@cache
def _house() -> Image:
    c = Canvas(gradient(rgb("#ffd6a5"), rgb("#fdb5a6")))
    for x, tall, color in ((60, 150, "#f29e8e"), (150, 220, "#ee8f86"), (520, 190, "#f29e8e"),
                           (600, 250, "#ee8f86")):
        c.fill(box((x, 360 - tall / 2), 84, tall, 4), rgb(color))
        for row in range(int(tall / 34)):
            for column in (-22, 0, 22):
                c.fill(box((x + column, 376 - tall + 34 * row), 11, 16, 2), rgb("#ffe8d2"), 0.55)
    c.shadow(box((320, 196), 300, 330, 8), 10, 4, 0.3)
    c.fill(box((320, 206), 300, 330, 8), rgb("#4f5d8a"))
    for k, y in enumerate(FLOORS):
        for side in (-1, 1):
            c.shaded(box((320 + side * 94, y), 96, 52, 3), rgb("#fff3d9"), rgb("#f9d9a8"))
            c.fill(box((320 + side * (70 + 14 * k), y + 10), 18, 32, 8), rgb("#7d8fc4"), 0.6)
    c.fill(box((320, 193), 78, 276, 4), rgb("#232a47"))
    return c.pixels


def lift(t: float) -> Image:
    """A lift that goes up, down and up again, its doors opening at two stops."""
    c = Canvas(_house())
    y = track(t, *LIFT)
    c.line(poly((320, 56), (320, y - 26)), 3, rgb("#8f9bc8"))
    c.glow((320, y), 74, rgb("#ffcf70"), 0.35)
    c.fill(box((320, y), 64, 54, 4), rgb("#fff6d6"))
    c.fill(disc((320, y - 6), 8), rgb("#e56b6f"))
    c.fill(box((320, y + 14), 20, 26, 9), rgb("#355070"))
    gap = max(smooth(1 - abs(t - moment) / 0.3) for moment in OPEN)
    for side in (-1, 1):
        wide = 32 - 24 * gap
        c.fill(box((320 + side * (32 - wide / 2), y), wide, 54, 2), rgb("#c3cbe6"))
        c.line(poly((320 + side * (33 - wide), y - 26), (320 + side * (33 - wide), y + 26)), 1.5,
               rgb("#6f7bab"))
    return c.frame()


def turns(*directions: str) -> str:
    """A sequence of directions as an option, such as ``Up, then left.``."""
    return ", then ".join(directions).capitalize() + "."


CLIPS = (
    clip("0201-00", "car in reverse", "object", 4.0, car,
         ("direction/0", "In which direction does the car move?",
          ("To the right.", turns("right", "left"), "It stands still.", "To the left.",
           turns("left", "right")), "To the left."), variation="counterfactual"),
    clip("0202-00", "drifting plankton", "simulated", 4.0, plankton,
         ("direction/1", "Which way do most of the glowing dots drift?",
          ("Towards the top right.", "Straight down.", "Towards the bottom right.",
           "Straight up.", "Towards the top left.", "Towards the bottom left.",
           "Most of them stay in place."), "Towards the top left.")),
    clip("0203-00", "yellow glove", "human", 3.8, glove,
         ("direction/2", "On the screen, how does the yellow glove move?",
          (turns("left", "up"), turns("up", "left"), turns("down", "left"), turns("up", "right"),
           turns("left", "down"), turns("right", "up")), turns("down", "left")),
         variation="composite"),
    clip("0204-00", "bee", "simulated", 4.6, bee,
         ("direction/3", "What path does the bee fly?",
          (turns("up", "right", "down"), turns("down", "right", "up"),
           turns("down", "left", "up"), turns("right", "down", "left"),
           turns("up", "left", "down")), turns("down", "right", "up")), variation="composite"),
    clip("0205-00", "air hockey", "object", 4.4, puck,
         ("direction/4", "In which order does the puck hit the four sides of the table?",
          ("Top, left, bottom, right.", "Right, top, left, bottom.", "Top, right, bottom, left.",
           "Bottom, right, top, left.", "Left, bottom, right, top.", "Top, bottom, right, left."),
          "Top, right, bottom, left."), variation="composite"),
    clip("0206-00", "lift", "simulated", 5.0, lift,
         ("direction/5", "How does the lift travel?",
          (turns("down", "up"), turns("up", "down"), turns("up", "down", "up"),
           turns("down", "up", "down"), "Up all the way."), turns("up", "down", "up")),
         ("count/0", "How many times do the doors of the lift open?", ("4", "1", "3", "0", "2"),
          "2"), variation="composite"),
)
