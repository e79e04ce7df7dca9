"""Velocity and frequency: how fast, and whether it changes."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import cos, pi, sin

import numpy as np

from annotations.demo.clip import clip
from annotations.demo.drawing.figure import limb
from annotations.demo.drawing.record_player import record
from annotations.demo.drawing.scene import Canvas, Image, darker, gradient, lighter, rgb
from annotations.demo.drawing.shapes import (
    arc,
    at,
    box,
    curve,
    disc,
    oval,
    placed,
    poly,
    pulse,
    star,
)

FASTER, SLOWER, STEADY = "It speeds up.", "It slows down.", "It stays the same."
STILL = "Nothing moves at all."


@cache
def _valley() -> Image:
    c = Canvas(gradient(rgb("#fbd3b3"), rgb("#f8f0e0")))
    c.fill(disc((500, 92), 42), rgb("#fff2d8"))
    for points, color in ((((-20, 210), (110, 120), (230, 190), (370, 110), (520, 190),
                            (660, 130)), "#d9a5b3"),
                          (((-20, 260), (140, 190), (300, 250), (450, 200), (660, 250)),
                           "#b0779c"), (((-20, 330), (150, 300), (330, 335), (520, 300),
                                         (660, 330)), "#74507c")):
        c.fill(np.concatenate((curve(*points), poly((660, 400), (-20, 400)))), rgb(color))
    for x in range(-10, 700, 96):
        c.fill(box((x, 300), 18, 150), rgb("#e9e1e7"))
        c.fill(np.concatenate((arc((x + 48, 262), 39, 180, 360), poly((x + 96, 232), (x, 232)))),
               rgb("#e9e1e7"))
    c.fill(box((320, 230), 700, 14), rgb("#cdbfcd"))
    c.fill(box((320, 222), 700, 4), rgb("#5c4266"))
    return c.pixels


def train_place(t: float) -> float:
    """Where the train's nose is, px: it brakes evenly and stops at 4 s."""
    return 560 - 38 * max(0.0, 4.0 - t) ** 2


def train(t: float) -> Image:
    """A train that brakes on a viaduct."""
    c = Canvas(_valley())
    nose = train_place(t)
    for k, color in enumerate(("#d1495b", "#30638e", "#30638e", "#30638e")):
        x = nose - 56 - 116 * k
        c.soft(oval((x, 221), 52, 4), (30, 16, 40), 3, 0.4)
        body = box((x, 190), 110, 46, 9)
        if k == 0:
            body = poly((x - 55, 167), (x + 22, 167), (x + 46, 182), (x + 55, 208), (x + 50, 213),
                        (x - 55, 213))
        c.shaded(body, lighter(rgb(color), 0.2), darker(rgb(color), 0.1))
        c.fill(box((x - 4, 204), 100, 5), rgb("#edae49"))
        for w in range(-36, 34, 22):
            c.fill(box((x + w, 183), 15, 15, 3), rgb("#fff3cf"))
        for w in (-32, 32):
            c.fill(disc((x + w, 216), 7), rgb("#3b2a45"))
    return c.frame()


def swing(t: float) -> float:
    """The metronome's phase in radians: half a beat a second at first, 2.6 after 4.5 s."""
    return 2 * pi * (0.5 * t + 0.233 * t * t)


@cache
def _desk() -> Image:
    c = Canvas(gradient(rgb("#e7ecef"), rgb("#a3bcc9")))
    c.fill(box((320, 344), 760, 60), rgb("#6096ba"))
    c.contact((330, 330), 240, 0.4)
    body = poly((268, 62), (372, 62), (418, 328), (222, 328))
    c.shadow(body, 12, 6, 0.3)
    c.shaded(body, rgb("#a9714b"), rgb("#6f3f25"))
    c.shaded(poly((282, 80), (358, 80), (380, 262), (260, 262)), rgb("#f8e8cf"), rgb("#ecd0a4"))
    for k in range(8):
        y = 96 + 20 * k
        c.line(poly((312, y), (328, y)), 2, rgb("#a9714b"))
    c.fill(box((320, 296), 130, 34, 6), rgb("#54301c"))
    return c.pixels


def metronome(t: float) -> Image:
    """A metronome that ticks faster and faster."""
    c = Canvas(_desk())
    angle = -90 + 27 * sin(swing(t))
    pivot = (320.0, 286.0)
    tip, bob = at(pivot, angle, 232), at(pivot, angle, 158)
    c.line(poly((pivot[0] + 6, pivot[1]), (tip[0] + 8, tip[1] + 8)), 4, rgb("#4a2d1c"), False, 0.25)
    c.line(poly(pivot, tip), 4, rgb("#3a3f4b"))
    c.fill(placed(poly((-14, -11), (-14, 11), (14, 16), (14, -16)), bob, angle), rgb("#d64550"))
    c.fill(disc(pivot, 8), rgb("#ffd166"))
    c.fill(box((320, 302), 130, 22, 6), rgb("#54301c"))
    return c.frame()


def _flashes() -> tuple[float, ...]:
    times, gap = [0.25], 0.16
    while times[-1] + gap < 4.7:
        times.append(times[-1] + gap)
        gap *= 1.28
    return tuple(times)


FLASHES = _flashes()  # s: every pause a quarter longer than the one before


@cache
def _coast() -> Image:
    c = Canvas(gradient(rgb("#141e3c"), rgb("#44517f")))
    rng = np.random.default_rng(21)
    for x, y in rng.uniform((0, 0), (640, 170), (70, 2)):
        c.fill(disc((x, y), rng.uniform(0.4, 1.2)), (230, 235, 255), rng.uniform(0.2, 0.8))
    c.soft(disc((110, 74), 34), rgb("#8d97d8"), 24, 0.35)
    c.fill(np.concatenate((arc((110, 74), 30, 35, 255), arc((121, 66), 24, 265, 25))),
           rgb("#e8e6ff"))
    c.shaded(box((320, 316), 700, 130), rgb("#22406b"), rgb("#0c1c3b"))
    for k in range(24):
        c.line(poly((25.0 * k, 262 + 11 * (k % 7)), (25.0 * k + 34, 262 + 11 * (k % 7))), 1.5,
               rgb("#6f8fc4"), False, 0.4)
    c.fill(curve((380, 366), (420, 288), (470, 262), (520, 268), (570, 300), (650, 320),
                 (700, 380), closed=True), rgb("#0a1228"))
    c.shaded(poly((472, 266), (482, 132), (508, 132), (518, 266)), rgb("#fbf4ee"), rgb("#cbbfd0"))
    for y in (158, 204, 246):
        half = 13 + (y - 132) * 0.075
        c.fill(poly((495 - half, y - 12), (495 + half, y - 12), (495 + half + 1.6, y + 10),
                    (495 - half - 1.6, y + 10)), rgb("#d1495b"))
    c.fill(box((495, 130), 44, 7, 3), rgb("#2b2745"))
    c.fill(box((495, 114), 26, 28, 4), rgb("#584f7a"))
    c.fill(arc((495, 100), 17, 180, 360), rgb("#d1495b"))
    return c.pixels


def lighthouse(t: float) -> Image:
    """A lighthouse that flashes less and less often."""
    c = Canvas(_coast())
    light = pulse(t, FLASHES, 0.03, 0.16)
    if light > 0:
        c.soft(poly((486, 112), (-40, 40), (-40, 190)), rgb("#ffeeb0"), 12, 0.45 * light)
        c.glow((495, 114), 110, rgb("#ffe08a"), light)
        c.fill(box((495, 114), 22, 24, 4), rgb("#fff8dc"), light)
        c.glow((400, 290), 90, rgb("#ffe08a"), 0.25 * light)
    return c.frame()


SPEEDS = (505.0, 395.0, 450.0)  # px per second of the comets, from the top


@cache
def _night() -> Image:
    c = Canvas(gradient(rgb("#1a0b2e"), rgb("#3b1c5a")))
    for k in range(3):
        c.soft(box((320, 84 + 96.0 * k), 760, 40), rgb("#5a2f86"), 16, 0.4)
        for x in range(8, 640, 24):
            c.fill(disc((x, 84 + 96.0 * k), 1), rgb("#b79ce0"), 0.7)
    return c.pixels


def comets(t: float) -> Image:
    """Three comets that cross the picture again and again, each at its own speed."""
    c = Canvas(_night())
    for k, (speed, color) in enumerate(zip(SPEEDS, ("#ffd166", "#06d6a0", "#ff5d8f"), strict=True)):
        paint, y = rgb(color), 84 + 96.0 * k
        x = (speed * t + 250 * k) % 780 - 60
        c.soft(poly((x - 110, y), (x, y - 10), (x + 4, y), (x, y + 10)), paint, 7, 0.6)
        c.glow((x, y), 38, paint, 0.7)
        c.fill(star((x, y), 19, 0.5, 5, 200 * t), lighter(paint, 0.35))
    return c.frame()


def stride(t: float) -> float:
    """The runner's phase in radians: one step pair a second at first, three after 4.4 s."""
    return 2 * pi * (0.9 * t + 0.24 * t * t)


@cache
def _gym() -> Image:
    c = Canvas(gradient(rgb("#cfe8ef"), rgb("#f5f3ea")))
    for x in (70, 230, 390, 550):
        c.shaded(box((x, 110), 128, 150, 8), rgb("#eaf7fb"), rgb("#b6dbe8"))
        c.fill(poly((x - 44, 185), (x + 6, 35), (x + 26, 35), (x - 24, 185)), (255, 255, 255), 0.5)
    c.fill(box((320, 350), 760, 60), rgb("#88a9b5"))
    c.contact((320, 344), 380, 0.35)
    c.line(poly((444, 316), (424, 176)), 11, rgb("#3a4a63"))
    c.line(poly((430, 180), (394, 190)), 9, rgb("#3a4a63"))
    c.fill(box((430, 166), 44, 30, 6, -10), rgb("#27344a"))
    c.fill(box((320, 330), 300, 20, 10), rgb("#3a4a63"))
    return c.pixels


def runner(t: float) -> Image:
    """A person on a treadmill who runs faster and faster, seen from the side."""
    c = Canvas(_gym())
    phase = stride(t)
    for k in range(7):
        x = 190 + (k * 42 - 24 * phase) % 280
        c.line(poly((x, 322), (x - 8, 322)), 3, rgb("#8fa3bf"))
    x, y = 306.0, 206 - 5 * abs(sin(phase))
    neck, hip = (x + 12, y - 52), (x, y + 12)
    skin, shirt, short = rgb("#f2c6a0"), rgb("#ff7f51"), rgb("#2a4d69")
    for side, shade in ((-1, 0.25), (1, 0.0)):
        swing_leg = phase + (pi if side < 0 else 0)
        foot = (hip[0] + 44 * cos(swing_leg), 314 - 34 * max(0.0, -sin(swing_leg)))
        leg = limb(hip, foot, 54, -1)
        c.line(leg, 15, darker(skin, shade))
        c.line(leg[:2], 19, darker(short, shade))
        c.fill(box((foot[0] + 6, foot[1] + 4), 30, 12, 6), darker(rgb("#ffffff"), shade))
        hand = (neck[0] + 12 - 40 * cos(swing_leg), neck[1] + 42 - 10 * cos(swing_leg))
        arm = limb((neck[0], neck[1] + 8), hand, 34, 1)
        if side < 0:
            c.line(arm, 12, darker(skin, shade))
        else:
            c.line(poly(neck, hip), 34, shirt)
            c.line(arm, 12, darker(skin, 0.06))
            c.line(arm[:2], 15, darker(shirt, 0.12))
    head = (neck[0] + 10, neck[1] - 30)
    c.fill(disc(head, 22), skin)
    c.fill(arc((head[0] - 2, head[1] - 2), 24, 150, 335), rgb("#5b3a29"))
    tail = 12 * sin(2 * phase)
    c.line(curve((head[0] - 20, head[1] - 6), (head[0] - 36, head[1] - 4 + tail / 2),
                 (head[0] - 48, head[1] + 4 + tail)), 9, rgb("#5b3a29"))
    c.fill(disc((head[0] + 13, head[1] + 1), 2.4), rgb("#2b1d1a"))
    return c.frame()


CLIPS = (
    clip("0301-00", "train", "object", 4.2, train,
         ("velocity&frequency/0", "What happens to the speed of the train?",
          (FASTER, STEADY, SLOWER, STILL), SLOWER)),
    clip("0302-00", "metronome", "object", 4.5, metronome,
         ("velocity&frequency/1", "How does the ticking rate of the metronome change?",
          (STEADY, SLOWER, STILL, FASTER), FASTER)),
    clip("0303-00", "lighthouse", "simulated", 5.0, lighthouse,
         ("velocity&frequency/2", "What happens to how often the lighthouse flashes?",
          ("It flashes more and more often.", "It flashes less and less often.",
           "It flashes at an even rate.", "It does not flash."),
          "It flashes less and less often.")),
    clip("0304-00", "comets", "simulated", 4.0, comets,
         ("velocity&frequency/3", "Which star crosses the screen fastest?",
          ("The pink one.", "The yellow one.", "The green one.", "All three are equally fast."),
          "The yellow one.")),
    clip("0305-00", "treadmill", "human", 4.4, runner,
         ("velocity&frequency/4", "How does the pace of the runner change?",
          (SLOWER, FASTER, STILL, STEADY, "It speeds up, then slows down."), FASTER)),
    clip("0306-00", "record player", "simulated", 4.0, record,
         ("velocity&frequency/5", "What happens to the speed of the record?",
          (FASTER, SLOWER, STEADY), STEADY)),
)
