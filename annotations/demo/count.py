"""Action count: how many times, faster than sixteen pictures can follow."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import cos, pi, sin

import numpy as np

from annotations.demo.clip import clip
from annotations.demo.drawing.figure import Outfit, stand
from annotations.demo.drawing.frog import frog
from annotations.demo.drawing.scene import Canvas, Image, gradient, lighter, rgb
from annotations.demo.drawing.shapes import (
    Point,
    at,
    box,
    curve,
    disc,
    oval,
    placed,
    poly,
    pulse,
    smooth,
    star,
)

CLAPS = (0.42, 0.72, 1.02, 1.50, 1.80, 2.30, 2.58, 2.86, 3.40)  # s, when the hands meet


@cache
def _hall() -> Image:
    c = Canvas(gradient(rgb("#fff1c1"), rgb("#ffc98b")))
    rng = np.random.default_rng(12)
    for k, (x, y) in enumerate(rng.uniform((20, 20), (620, 200), (34, 2))):
        color = rgb(("#ff7b9c", "#60d394", "#5aa9e6", "#ffd97d")[k % 4])
        c.fill(box((x, y), 12, 6, 1, 37 * k), color, 0.75)
    c.fill(box((320, 346), 760, 50), rgb("#e07a5f"))
    c.contact((320, 336), 170, 0.35)
    return c.pixels


def clapping(t: float) -> Image:
    """A person who claps; between two claps the hands part for about a quarter second."""
    c = Canvas(_hall())
    near = min(abs(t - s) for s in CLAPS)
    open_ = smooth(near / 0.15)
    apart, y = 8 + 82 * open_, 192 - 26 * open_
    elbow = 60 + 10 * open_
    hop = 3 * pulse(t, CLAPS, 0.03, 0.12)
    stand(c, (320, 334), 1.3, Outfit("#f0c08f", "#3d5a80", "#293241", "#6b2d1a"),
          hands=((320 - apart, y), (320 + apart, y)), lift=hop,
          elbows=((320 - elbow, 216 - hop), (320 + elbow, 216 - hop)))
    flash = pulse(t, CLAPS, 0.01, 0.14)
    for k in range(6):
        turn = -150 + 24 * k
        c.line(poly(at((320, y), turn, 22), at((320, y), turn, 22 + 16 * flash)), 3,
               rgb("#ee6c4d"), False, flash)
    return c.frame()


SKIPS, SKIP_S, FIRST_SKIP = 6, 0.58, 0.35  # jumps, seconds each, when the first one begins


@cache
def _park() -> Image:
    c = Canvas(gradient(rgb("#a9def9"), rgb("#e4f6d4")))
    for x, y, r in ((70, 210, 62), (150, 226, 48), (520, 214, 58), (600, 222, 50)):
        c.fill(box((x, y + 50), 12, 90, 4), rgb("#8d6748"))
        c.shaded(disc((x, y), r), rgb("#81c784"), rgb("#4c9f70"))
    c.fill(np.concatenate((curve((-20, 280), (320, 262), (660, 280)),
                           poly((660, 400), (-20, 400)))), rgb("#95d47a"))
    c.fill(oval((320, 326), 190, 26), rgb("#e8d8a8"))
    return c.pixels


def skipping(t: float) -> Image:
    """A person who skips a rope; the rope passes under the feet once a jump."""
    c = Canvas(_park())
    going = FIRST_SKIP <= t <= FIRST_SKIP + SKIPS * SKIP_S
    share = (t - FIRST_SKIP) / SKIP_S % 1 if going else 0.0
    lift = 34 * sin(pi * share) if going else 0.0
    # Overhead when a jump begins, under the feet in the middle of it.
    height = -cos(2 * pi * share) if going else -1.0
    c.contact((320, 328), 130 - lift, 0.35 - lift / 250)
    y = 230 - lift * 0.6
    hands: tuple[Point, Point] = ((240, y), (400, y))
    reach = (128 if height > 0 else 196) * height
    turn = np.linspace(pi, 0, 40)
    rope = np.stack((320 + (80 + 20 * np.sin(turn)) * np.cos(turn), y + reach * np.sin(turn)), 1)
    rope = rope if abs(reach) > 1 else poly(*hands)
    behind = height < 0
    if behind:
        c.line(rope, 4, rgb("#d62828"))
    tuck = lift * 0.22
    stand(c, (320, 328), 1.06, Outfit("#a9714b", "#f77f00", "#003049", "#22171a"), hands=hands,
          feet=((306, 328 - lift - tuck), (334, 328 - lift - tuck)), lift=lift, bends=(-1, 1))
    if not behind:
        c.line(rope, 4, rgb("#d62828"))
    for hand, side in zip(hands, (-1, 1), strict=True):
        c.line(poly(hand, (hand[0] + side * 12, hand[1])), 7, rgb("#fcbf49"))
    return c.frame()


FLOOR = 292.0
BOUNCES = 7


@cache
def bounce_times() -> tuple[float, ...]:
    """When the ball touches the floor, s: each flight 0.92 times as long as the one before."""
    times, flight = [0.45], 0.62
    while len(times) < BOUNCES:
        times.append(times[-1] + flight)
        flight *= 0.92
    return tuple(times)


def ball_at(t: float) -> Point:
    """Where the ball's centre is: parabolas between the bounces, then off to the right."""
    times = bounce_times()
    x = 40 + 158 * t
    if t < times[0]:
        return x, FLOOR - 26 - 160 * (1 - (t / times[0]) ** 2)
    for k, start in enumerate(times):
        flight = 0.62 * 0.92**k
        if t < start + flight or k == len(times) - 1:
            u = (t - start) / flight
            return x, FLOOR - 26 - 520 * flight * flight * 4 * u * (1 - u) / 1.3
    return x, FLOOR


@cache
def _court() -> Image:
    c = Canvas(gradient(rgb("#14213d"), rgb("#2a4a7f")))
    for k in range(7):
        x = 90.0 * k
        c.soft(poly((x, -10), (x + 40, -10), (x - 60, 300), (x - 140, 300)), rgb("#5b8bd0"), 16,
               0.18)
    c.shaded(box((320, 332), 700, 90), rgb("#fca311"), rgb("#d17a00"))
    c.fill(box((320, 288), 700, 5), rgb("#ffd27d"))
    return c.pixels


def bouncing(t: float) -> Image:
    """A ball that bounces across the picture."""
    c = Canvas(_court())
    x, y = ball_at(t)
    high = max(0.0, FLOOR - 26 - y)
    c.contact((x, FLOOR + 8), max(20.0, 74 - high / 4), max(0.1, 0.5 - high / 400))
    squash = max(0.0, 1 - min(abs(t - s) for s in bounce_times()) / 0.07)
    wide, tall = 26 * (1 + 0.24 * squash), 26 * (1 - 0.26 * squash)
    y += 26 - tall
    c.fill(oval((x, y), wide, tall), rgb("#b3203a"))
    c.fill(oval((x - 2, y - 2), wide * 0.9, tall * 0.9), rgb("#e5383b"))
    for turn in (0, 60, 120):
        stripe = curve(at((0, 0), 260 * t + turn, 23), (0, 0), at((0, 0), 260 * t + turn + 180, 23))
        c.line(stripe * (wide / 26, tall / 26) + (x, y), 3, rgb("#ffe5d9"))
    c.fill(oval((x - 9, y - 11), 7, 4, -35), (255, 255, 255), 0.6)
    return c.frame()


BLINKS = (0.30, 0.52, 0.74, 1.10, 1.32, 1.70, 1.92, 2.14, 2.36, 2.80, 3.02)  # s


@cache
def _sill() -> Image:
    c = Canvas(gradient(rgb("#2b1b3d"), rgb("#6b3f5b")))
    c.shaded(box((320, 120), 330, 250, 10), rgb("#28386b"), rgb("#7d5a86"))
    c.line(box((320, 120), 330, 250, 10), 8, rgb("#3c2438"), True)
    c.line(poly((320, 0), (320, 246)), 6, rgb("#3c2438"))
    c.fill(disc((230, 60), 18), rgb("#f5eedc"), 0.9)
    c.shaded(box((320, 318), 700, 90), rgb("#8c5a52"), rgb("#5c3640"))
    c.contact((320, 300), 190, 0.6)
    return c.pixels


def jar(t: float) -> Image:
    """A glow-worm in a jar that blinks."""
    c = Canvas(_sill())
    level = pulse(t, BLINKS, 0.02, 0.12)
    glow = rgb("#ffe169")
    x, y = 320 + 26 * sin(1.9 * t), 206 + 18 * sin(2.7 * t + 1)
    c.soft(disc((x, y), 74), glow, 40, 0.62 * level)
    c.fill(box((320, 218), 150, 168, 34), (220, 235, 255), 0.16)
    for k in range(5):
        c.fill(oval((276 + 22.0 * k, 288 - 9 * (k % 2)), 20, 7, -30 + 20 * k), rgb("#7fb069"))
    c.soft(disc((x, y), 17), rgb("#fffbe0"), 8, level)
    c.fill(oval((x, y), 8, 11, 20), lighter(rgb("#7a6240"), 0.85 * level))
    c.fill(disc((x + 3, y - 10), 5), rgb("#2a1c20"))
    c.line(box((320, 218), 150, 168, 34), 3, (235, 244, 255), True, 0.65)
    c.line(poly((262, 166), (262, 250)), 6, (255, 255, 255), False, 0.35)
    c.shaded(box((320, 128), 128, 26, 8), rgb("#f28482"), rgb("#c8553d"))
    for k in range(3):
        c.fill(oval((292.0 + 28 * k, 124), 5, 2.5), rgb("#6d2f2b"))
    return c.frame()








STROKES = (0.5, 0.84, 1.18, 1.70, 2.04, 2.38, 2.72, 3.24)  # s, when the hammer meets the nail


@cache
def _bench() -> Image:
    c = Canvas(gradient(rgb("#dfe7fd"), rgb("#b8c0e8")))
    for k in range(7):
        c.fill(disc((60 + 88.0 * k, 66), 5), rgb("#8d99d0"))
        c.fill(box((60 + 88.0 * k, 104), 12 + 4 * (k % 3), 66, 5), rgb("#8d99d0"), 0.6)
    c.shadow(box((300, 292), 470, 64, 6), 6, 8, 0.35)
    c.shaded(box((300, 292), 470, 64, 6), rgb("#e5b181"), rgb("#c98f58"))
    for y in (276, 292, 308):
        c.line(curve((70, y), (200, y - 4), (340, y + 5), (530, y)), 2, rgb("#a97340"), False, 0.5)
    return c.pixels


def hammer(t: float) -> Image:
    """A hammer that drives a nail in."""
    c = Canvas(_bench())
    sunk = sum(7.5 * smooth((t - s) / 0.05) for s in STROKES)
    top = 186 + sunk
    c.line(poly((222, top), (222, 262)), 6, rgb("#7d8597"))
    c.fill(box((222, top), 24, 6, 3), rgb("#5c6577"))
    near = min(abs(t - s) for s in STROKES)
    turn = 30 * smooth(near / 0.17)
    grip = (512.0, top - 18)

    def part(points: np.ndarray) -> np.ndarray:
        return placed(points, grip, turn)

    c.shadow(part(box((-150, 0), 270, 18, 8)), 6, 16, 0.18)
    c.fill(part(box((-150, 0), 290, 17, 8)), rgb("#d62839"))
    c.fill(part(box((-40, 0), 110, 21, 10)), rgb("#22223b"))
    c.fill(part(poly((-306, -30), (-270, -30), (-272, 12), (-304, 12))), rgb("#6c7a91"))
    c.fill(part(box((-290, 10), 42, 12, 3)), rgb("#4c566a"))
    c.fill(part(box((-288, -38), 30, 16, 5)), rgb("#4c566a"))
    c.fill(part(box((-298, -8), 5, 34, 2)), (255, 255, 255), 0.35)
    hit = pulse(t, STROKES, 0.01, 0.13)
    if hit > 0:
        c.fill(star((222, top - 2), 26 * hit, 0.5, 8, 10), rgb("#ffd60a"), hit)
    return c.frame()


CLIPS = (
    clip("0601-00", "clapping", "human", 4.0, clapping,
         ("count/1", "How many times does the person clap?", ("7", "9", "10", "6", "8", "11"),
          "9")),
    clip("0602-00", "skipping rope", "human", 4.4, skipping,
         ("count/2", "How many times does the rope pass under the person's feet?",
          ("5", "8", "6", "4", "7"), "6")),
    clip("0603-00", "bouncing ball", "simulated", 3.75, bouncing,
         ("count/3", "How many times does the ball hit the floor?",
          ("6", "5", "8", "9", "7", "4"), "7"), ("shape&trend/5",
                                                 "What happens to the height of the bounces?",
                                                 ("They become higher.", "They become lower.",
                                                  "They stay equally high."),
                                                 "They become lower.")),
    clip("0604-00", "glow-worm", "simulated", 3.6, jar,
         ("count/4", "How many times does the glow-worm blink?",
          ("9", "12", "8", "10", "13", "7", "11"), "11")),
    clip("0605-00", "frog", "simulated", 4.4, frog,
         ("count/5", "How many hops does the frog make?", ("5", "6", "7", "4", "8"), "7")),
    clip("0606-00", "hammer", "object", 3.8, hammer,
         ("count/6", "How many times does the hammer hit the nail?", ("6", "9", "7", "10", "8"),
          "8")),
)
