"""Four instruments that play one after the other."""

# The many coordinates read better packed.
# fmt: off

from functools import cache
from math import sin

from annotations.demo.drawing.scene import Canvas, Color, Image, darker, gradient, lighter, rgb
from annotations.demo.drawing.shapes import at, box, curve, disc, oval, placed, poly, pulse

BAND = (  # instrument, x, when it plays (s)
    ("drum", 112.0, (0.95, 1.75, 2.55, 3.2)),
    ("guitar", 252.0, (1.25, 2.0, 2.85)),
    ("trumpet", 392.0, (0.6, 1.5, 2.4)),
    ("bell", 532.0, (1.1, 2.2, 3.6)),
)


def _drum(c: Canvas, x: float, y: float, hit: float, color: Color) -> None:
    y += 4 * hit
    c.shaded(box((x, y + 14), 92, 64, 8), color, darker(color, 0.2))
    for k in range(-2, 3):
        c.line(poly((x + 20 * k - 8, y - 14), (x + 20 * k + 8, y + 42)), 2, rgb("#fff1d6"))
    c.fill(oval((x, y - 18), 46, 13), rgb("#fff7e8"))
    c.line(oval((x, y - 18), 46, 13), 3, darker(color, 0.3), True)
    for side in (-1, 1):
        tip = (x + side * 14, y - 24 - 30 * (1 - hit))
        c.line(poly(tip, (tip[0] + side * 40, tip[1] - 34)), 5, rgb("#c98d54"))
        c.fill(disc(tip, 5), rgb("#e6b074"))


def _guitar(c: Canvas, x: float, y: float, hit: float, color: Color) -> None:
    c.line(poly((x, y), (x, y - 112)), 12, rgb("#6b4226"))
    c.fill(box((x, y - 116), 22, 26, 5), rgb("#4b2c18"))
    body = curve((-22, -32), (0, -40), (22, -32), (17, -6), (40, 24), (0, 50), (-40, 24),
                 (-17, -6), closed=True)
    c.shaded(placed(body, (x, y)), lighter(color, 0.15), darker(color, 0.12))
    c.fill(disc((x, y + 6), 13), rgb("#3a2114"))
    for k in range(-1, 2):
        bend = 5 * hit * (1 if k else -1)
        c.line(curve((x + 3.4 * k, y - 110), (x + 3.4 * k + bend, y - 30), (x + 3.4 * k, y + 34)),
               1.3, rgb("#fff6df"))


def _trumpet(c: Canvas, x: float, y: float, hit: float, color: Color) -> None:
    y -= 5 * hit
    c.line(poly((x + 52, y - 4), (x - 30, y - 4)), 9, color)
    c.line(box((x + 8, y + 8), 58, 26, 12), 6, darker(color, 0.12), True)
    for k in range(3):
        c.line(poly((x - 8 + 16 * k, y - 20 + 6 * hit), (x - 8 + 16 * k, y + 18)), 6,
               darker(color, 0.25))
    bell = curve((x - 24, y - 9), (x - 44, y - 14), (x - 60, y - 34), (x - 62, y - 4),
                 (x - 60, y + 26), (x - 44, y + 6), (x - 24, y + 1), closed=True)
    c.shaded(placed(bell - (x, y), (x, y), 0, 1 + 0.12 * hit), lighter(color, 0.3), color)


def _bell(c: Canvas, x: float, y: float, hit: float, color: Color) -> None:
    turn = 24 * hit
    shape = curve((-9, -46), (9, -46), (24, -26), (30, 14), (44, 30), (-44, 30), (-30, 14),
                  (-24, -26), closed=True)
    c.fill(disc(at((x, y - 56), 90 + turn, 92), 10), darker(color, 0.3))
    c.line(disc((x, y - 54), 9), 5, darker(color, 0.3), True)
    c.shaded(placed(shape, (x - turn / 3, y), turn), lighter(color, 0.3), darker(color, 0.1))


@cache
def _theatre() -> Image:
    c = Canvas(gradient(rgb("#0f4c5c"), rgb("#0a2f44")))
    for k in range(16):
        x = 42.0 * k
        c.shaded(poly((x, 0), (x + 22, 0), (x + 28, 250), (x - 6, 250)), rgb("#14606f"),
                 rgb("#0e4457"))
    c.shaded(box((320, 312), 700, 130), rgb("#d9a066"), rgb("#9c6738"))
    for k in range(5):
        c.line(poly((-5, 262 + 22 * k), (645, 262 + 22 * k)), 1.5, rgb("#8a5a30"), False, 0.5)
    for _, x, _ in BAND:
        c.soft(oval((x, 292), 66, 13), rgb("#fff0cf"), 10, 0.35)
        c.contact((x, 292), 96, 0.4)
    return c.pixels


def band(t: float) -> Image:
    """Four instruments that play a few notes each; the trumpet begins and the bell ends."""
    c = Canvas(_theatre())
    draw = {"drum": _drum, "guitar": _guitar, "trumpet": _trumpet, "bell": _bell}
    colors = {"drum": "#e63946", "guitar": "#f4a261", "trumpet": "#ffcb47", "bell": "#b8a1ff"}
    for name, x, times in BAND:
        hit, color = pulse(t, times, 0.04, 0.3), rgb(colors[name])
        c.glow((x, 220), 84, color, 0.5 * hit)
        draw[name](c, x, 236, hit, color)
        for start in times:
            age = t - start
            if 0 <= age < 0.8:
                up, fade = 92 * age, 1 - age / 0.8
                spot = (x + 14 * sin(7 * age + x), 138 - up)
                c.fill(oval(spot, 8, 6, -20), rgb("#fffaf0"), fade)
                c.line(poly((spot[0] + 7, spot[1] - 2), (spot[0] + 7, spot[1] - 28),
                            (spot[0] + 17, spot[1] - 21)), 3, rgb("#fffaf0"), False, fade)
    return c.frame()
