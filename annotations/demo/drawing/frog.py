"""A frog that hops from pad to pad."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import pi, sin

from annotations.demo.drawing.scene import Canvas, Image, darker, gradient, lighter, rgb
from annotations.demo.drawing.shapes import arc, box, curve, disc, oval, placed, poly

PADS = ((66.0, 262.0), (168.0, 216.0), (258.0, 274.0), (356.0, 222.0), (448.0, 278.0),
        (556.0, 230.0))
HOPS = ((0.45, 0, 1), (1.05, 1, 2), (1.5, 2, 1), (2.1, 1, 2), (2.65, 2, 3), (3.2, 3, 4),
        (3.75, 4, 5))
HOP_S = 0.34  # each hop: when it starts, from which pad to which


@cache
def _lake() -> Image:
    c = Canvas(gradient(rgb("#cdeffd"), rgb("#8fd3d1")))
    c.shaded(box((320, 268), 700, 230), rgb("#5fb7c4"), rgb("#2c7f95"))
    for k in range(30):
        x, y = (k * 149) % 640, 168 + (k * 53) % 190
        c.line(poly((x, y), (x + 26, y)), 1.5, (255, 255, 255), False, 0.3)
    for k in range(26):
        x = 25.0 * k
        top = (x + 9 * sin(2.2 * k), 84 - 22 * sin(1.3 * k))
        c.line(curve((x, 176), (x + 4 * sin(k), 130), top), 4, rgb(("#4f9d69", "#68b684")[k % 2]))
        if k % 4 == 1:
            c.fill(oval(top, 5, 15), rgb("#7a4b2a"))
    for x, y in PADS:
        c.soft(oval((x + 4, y + 12), 46, 15), (10, 60, 70), 5, 0.4)
        c.fill(arc((x, y + 6), 46, 24, 336, 16), rgb("#4f9d3c"))
        c.fill(arc((x, y + 4), 44, 26, 334, 14), rgb("#7cc653"))
    return c.pixels


def frog(t: float) -> Image:
    """A frog that hops from pad to pad, one pad twice."""
    c = Canvas(_lake())
    (x, y), high, ahead = PADS[HOPS[0][1]], 0.0, 1
    for start, a, b in HOPS:
        if t >= start:
            share = min(1.0, (t - start) / HOP_S)
            x = PADS[a][0] + (PADS[b][0] - PADS[a][0]) * share
            y = PADS[a][1] + (PADS[b][1] - PADS[a][1]) * share
            high, ahead = sin(pi * share), (1 if b > a else -1)
    c.contact((x, y + 4), 56 - 20 * high, 0.3)
    y -= 14 + 74 * high
    green, stretch = rgb("#a7d129"), 1 + 0.22 * high
    for side in (-1, 1):
        knee = (x - ahead * (20 + 16 * high) + side * 4, y + 4 + 12 * high)
        c.line(poly((x - ahead * 8, y + 4), knee,
                    (knee[0] - ahead * 8 * high, y + 14 + 16 * high)), 9,
               darker(green, 0.25 if side < 0 else 0.12))
    c.fill(placed(oval((0, 0), 28 * stretch, 19 / stretch), (x, y), -18 * high * ahead), green)
    c.fill(oval((x + ahead * 6, y + 6), 18, 9), lighter(green, 0.5))
    for side in (-1, 1):
        eye = (x + ahead * 14 + side * 7, y - 18 - 2 * high)
        c.fill(disc(eye, 8), green)
        c.fill(disc(eye, 5.5), (255, 255, 255))
        c.fill(disc((eye[0] + ahead * 1.5, eye[1]), 3), rgb("#23301a"))
    c.line(arc((x + ahead * 14, y - 4), 11, 20, 160, 6), 2, darker(green, 0.6))
    return c.frame()
