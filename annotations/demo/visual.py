"""Visual cues: who was first, what came next, where it went."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import cos, pi, sin

import numpy as np

from annotations.demo.clip import clip
from annotations.demo.drawing.band import band
from annotations.demo.drawing.scene import Canvas, Image, darker, gradient, lighter, mix, rgb
from annotations.demo.drawing.shapes import (
    Point,
    arc,
    box,
    curve,
    disc,
    oval,
    placed,
    poly,
    pulse,
    smooth,
    track,
)

LANTERNS = (  # colour, place, flashes (s)
    ("#ff5d5d", (118.0, 146.0), (1.16, 3.30)),
    ("#ffc857", (252.0, 176.0), (0.80, 3.48)),
    ("#4cd4b0", (388.0, 176.0), (1.34, 2.94)),
    ("#6fa8ff", (522.0, 146.0), (0.98, 3.12)),
)


@cache
def _porch() -> Image:
    c = Canvas(gradient(rgb("#191333"), rgb("#4b2f5e")))
    rng = np.random.default_rng(9)
    for x, y in rng.uniform((0, 0), (640, 220), (50, 2)):
        c.fill(disc((x, y), rng.uniform(0.4, 1.1)), (240, 230, 255), rng.uniform(0.2, 0.7))
    c.fill(curve((-20, 330), (120, 296), (320, 318), (520, 292), (660, 324), (660, 400),
                 (-20, 400), closed=True), rgb("#150f2b"))
    c.line(curve((-10, 60), (118, 96), (252, 124), (388, 124), (522, 96), (650, 60)), 2.5,
           rgb("#c9a77c"))
    return c.pixels


def lanterns(t: float) -> Image:
    """Four paper lanterns that light up one after the other, 0.18 s apart, in two rounds."""
    c = Canvas(_porch())
    for k, (text, (x, y), times) in enumerate(LANTERNS):
        x += 3 * sin(1.6 * t + k)
        level, color = pulse(t, times, 0.03, 0.24), rgb(text)
        c.line(poly((x, y - 52), (x, y - 34)), 2, rgb("#c9a77c"))
        c.glow((x, y), 96, color, 0.85 * level)
        dim = mix(darker(color, 0.5), lighter(color, 0.25), level)
        c.shaded(oval((x, y), 32, 38), lighter(dim, 0.08), darker(dim, 0.18))
        for width in (12, 24):
            c.line(oval((x, y), width, 38), 1, darker(dim, 0.22), True)
        if level > 0:
            c.glow((x, y), 44, lighter(color, 0.5), 0.6 * level)
        for side in (-36, 36):
            c.fill(box((x, y + side), 26, 7, 3), rgb("#3a2440"))
        c.line(poly((x, y + 40), (x, y + 58)), 3, rgb("#d8b48a"))
    return c.frame()


BARS = ("#ef476f", "#f78c6b", "#ffd166", "#06d6a0", "#118ab2", "#8e5bd0")
TUNE = ((0.5, 2), (0.9, 4), (1.3, 1), (1.7, 5), (2.1, 0), (2.5, 3))  # s, bar struck


def _bar(index: int) -> Point:
    return 130 + 76.0 * index, 214.0


@cache
def _music_table() -> Image:
    c = Canvas(gradient(rgb("#e9f5f9"), rgb("#bcd7e8")))
    c.soft(oval((320, 300), 300, 40), rgb("#7d9fb8"), 24, 0.6)
    for y in (160, 268):
        c.shadow(box((320, y), 480, 16, 8), 4, 6, 0.3)
        c.shaded(box((320, y), 480, 16, 8), rgb("#c08a5b"), rgb("#9a6a41"))
    for k in range(6):
        c.shadow(box(_bar(k), 56, 196 - 14 * k, 10), 4, 6, 0.3)
    return c.pixels


def xylophone(t: float) -> Image:
    """A mallet that strikes six bars, one after the other."""
    c = Canvas(_music_table())
    for k, text in enumerate(BARS):
        x, y = _bar(k)
        age = next((t - s for s, bar in TUNE if bar == k and t >= s), 9.0)
        shake = 4 * sin(70 * age) * max(0.0, 1 - age / 0.35)
        c.shaded(box((x, y + shake), 56, 196 - 14 * k, 10), lighter(rgb(text), 0.22), rgb(text))
        for side in (-1, 1):
            c.fill(disc((x, y + shake + side * (84 - 7 * k)), 4), darker(rgb(text), 0.4))
    stops = [(s - 0.06 + d, _bar(b)[0]) for s, b in TUNE for d in (0, 0.12)]
    x = track(t, (0.05, 700), *stops, (3.1, 700))
    near = min(abs(t - s) for s, _ in TUNE)
    y = 214 - 66 * smooth(near / 0.2)
    c.soft(oval((x + 6, 224), 16, 8), (20, 30, 50), 5, 0.3)
    c.line(poly((x, y), (x + 86, y - 128)), 7, rgb("#b07c4f"))
    c.ball((x, y), 17, rgb("#5a4fcf"))
    return c.frame()


PLACES = (160.0, 320.0, 480.0)
SWAPS = ((1.25, 0, 1), (1.68, 1, 2), (2.11, 0, 2), (2.54, 0, 1), (2.97, 1, 2), (3.40, 0, 1))  # s
SWAP_S = 0.38
HIDDEN = 1  # the cup, by where it stands at first, that the ball is put under


def cups_at(t: float) -> list[tuple[float, float]]:
    """Where the three cups are (x and how near they come, -1 to 1), by their first order."""
    where = [0, 1, 2]  # place of each cup
    spots = [(PLACES[k], 0.0) for k in where]
    for start, a, b in SWAPS:
        if t < start:
            break
        share = smooth((t - start) / SWAP_S)
        slot_a, slot_b = where.index(a), where.index(b)
        middle, half = (PLACES[a] + PLACES[b]) / 2, (PLACES[b] - PLACES[a]) / 2
        spots[slot_a] = (middle - half * cos(pi * share), sin(pi * share))
        spots[slot_b] = (middle + half * cos(pi * share), -sin(pi * share))
        where[slot_a], where[slot_b] = b, a
    return spots


@cache
def _green_table() -> Image:
    c = Canvas(gradient(rgb("#7a1f3d"), rgb("#4a1230")))
    c.soft(oval((320, 250), 300, 90), rgb("#d1495b"), 40, 0.5)
    c.shaded(np.concatenate((curve((-20, 220), (320, 196), (660, 220)),
                             poly((660, 400), (-20, 400)))), rgb("#2a9d8f"), rgb("#1b6f68"))
    c.soft(oval((320, 290), 220, 46), rgb("#5fd4bf"), 30, 0.35)
    return c.pixels


def cups(t: float) -> Image:
    """Three equal cups that change places quickly; a ball lies under one."""
    c = Canvas(_green_table())
    spots = cups_at(t)
    up = track(t, (0.15, 0), (0.45, 74), (0.75, 74), (1.05, 0))
    for index in sorted(range(3), key=lambda i: spots[i][1]):
        x, near = spots[index]
        y, size = 262 + 26 * near, 1 + 0.09 * near
        rise = up if index == HIDDEN else 0
        c.contact((x, y + 38 * size), 112 * size, 0.45)
        if index == HIDDEN and t < 1.1:
            c.ball((x, y + 22), 15, rgb("#ffd166"))
        cup = poly((-30, -52), (30, -52), (44, 40), (-44, 40))
        body = placed(cup, (x, y - rise), -0.12 * rise * (index == HIDDEN), size)
        c.shaded(body, rgb("#ff9f5a"), rgb("#d9532c"))
        c.fill(oval((x, y - rise - 52 * size), 30 * size, 7 * size), rgb("#ffb983"))
        c.fill(box((x, y - rise + 34 * size), 92 * size, 14 * size, 7), rgb("#ffe0b5"))
        c.line(poly((x - 22 * size, y - rise - 38 * size), (x - 30 * size, y - rise + 18 * size)),
               5, (255, 255, 255), False, 0.3)
    return c.frame()


# y, when it starts (s), colour
DUCKS = ((96.0, 1.42, "#ffd23f"), (186.0, 1.20, "#ff8c61"), (276.0, 1.31, "#f7f3e3"))


@cache
def _pond() -> Image:
    c = Canvas(gradient(rgb("#7fd1d8"), rgb("#3f8fb5")))
    for k in range(40):
        x, y = (k * 173) % 640, 60 + (k * 71) % 290
        c.line(curve((x, y), (x + 16, y - 3), (x + 32, y)), 1.6, (255, 255, 255), False, 0.35)
    c.fill(box((320, 14), 700, 60), rgb("#8ac926"))
    for k in range(40):
        x = 17.0 * k
        c.fill(curve((x - 7, 46), (x, 16 - 8 * sin(2.1 * k)), (x + 7, 46)), rgb("#6aa61c"))
    for x, y in ((540, 330), (600, 250), (588, 140)):
        c.fill(arc((x, y), 26, 30, 330, 14), rgb("#55a630"))
        c.fill(disc((x - 4, y - 3), 6), rgb("#ffafcc"))
    return c.pixels


def ducks(t: float) -> Image:
    """Three ducks that set off one after the other, a tenth of a second apart."""
    c = Canvas(_pond())
    for k, (y, start, text) in enumerate(DUCKS):
        gone = max(0.0, t - start)
        # Later ducks are faster, so that they are level again before the picture ends.
        x = 120 + (150 + 24 * (start - 1.2) / 0.11) * gone * smooth(gone / 0.7)
        bob = y + 2 * sin(5 * t + 2 * k)
        color = rgb(text)
        c.soft(oval((x, y + 26), 46, 7), (10, 50, 80), 5, 0.4)
        for side in (1, 2):
            wake = min(1.0, gone) * 22 * side
            c.line(poly((x - 40, y + 20), (x - 40 - wake, y + 20 + wake / 3)), 2, (255, 255, 255),
                   False, 0.5)
        body = curve((x - 46, bob - 12), (x - 30, bob + 2), (x, bob - 4), (x + 34, bob + 2),
                     (x + 30, bob + 22), (x, bob + 27), (x - 32, bob + 20), closed=True)
        c.shaded(body, lighter(color, 0.15), darker(color, 0.12))
        c.fill(oval((x - 6, bob + 9), 20, 10, 12 * sin(9 * t)), darker(color, 0.16))
        c.fill(disc((x + 30, bob - 18), 18), color)
        c.fill(poly((x + 45, bob - 22), (x + 64, bob - 15), (x + 45, bob - 9)), rgb("#ff6b35"))
        c.fill(disc((x + 35, bob - 22), 3), rgb("#1d1d2b"))
    return c.frame()
















CLIPS = (
    clip("0501-00", "lanterns", "simulated", 4.2, lanterns,
         ("visual_cues/0", "Which lantern lights up second in the first round?",
          ("The yellow one.", "The green one.", "The red one.", "The blue one.",
           "All four light up together."), "The blue one.")),
    clip("0502-00", "xylophone", "object", 3.6, xylophone,
         ("visual_cues/1", "Which bar of the xylophone is struck last?",
          ("The red one.", "The yellow one.", "The blue one.", "The green one.",
           "The purple one.", "The orange one."), "The green one.")),
    clip("0503-00", "three cups", "object", 4.3, cups,
         ("visual_cues/2", "Under which cup is the ball at the end?",
          ("The middle one.", "The right one.", "The left one."), "The left one.")),
    clip("0504-00", "ducks", "simulated", 4.0, ducks,
         ("visual_cues/3", "Which duck starts to swim first?",
          ("The yellow one.", "The orange one.", "The white one.",
           "They all start at the same moment."), "The orange one.")),
    clip("0505-00", "band", "object", 4.6, band, ("visual_cues/4",
                                                  "Which instrument plays first?",
                                                  ("The drum.", "The bell.", "The guitar.",
                                                   "The trumpet.", "All play at once."),
                                                  "The trumpet."),
         ("visual_cues/5", "Which instrument plays the last note?",
          ("The guitar.", "The trumpet.", "The drum.", "The bell."), "The bell.")),
)
