"""The picture of the worked example in the instructions: one more clip, as a grid."""

import cv2
import numpy as np

from annotations.demo.drawing.scene import Canvas, Image, darker, gradient, lighter, rgb
from annotations.demo.drawing.shapes import arc, at, box, curve, disc, placed, poly

STEP = -30.0  # degrees that the sails turn from one of the sixteen frames to the next
SECONDS = 4.0


def windmill(t: float) -> Image:
    """A windmill at a time in s; the sixteen frames of the example are 4/15 s apart."""
    c = Canvas(gradient(rgb("#8ecae6"), rgb("#fef3c7")))
    c.soft(disc((530, 84), 46), rgb("#fff7d6"), 30, 0.9)
    c.fill(disc((530, 84), 32), rgb("#ffd166"))
    for points, color in (
        (((-20, 300), (150, 246), (340, 286), (520, 240), (660, 290)), "#9bc53d"),
        (((-20, 338), (200, 300), (420, 334), (660, 302)), "#6a994e"),
    ):
        c.fill(np.concatenate((curve(*points), poly((660, 400), (-20, 400)))), rgb(color))
    tower = poly((286, 150), (354, 150), (376, 332), (264, 332))
    c.shadow(tower, 10, 6, 0.3)
    c.shaded(tower, rgb("#fffdf5"), rgb("#e3d5c0"))
    c.fill(arc((320, 152), 37, 180, 360, 34), rgb("#7f5539"))
    c.fill(box((320, 306), 30, 52, 14), rgb("#7f5539"))
    c.fill(disc((320, 218), 11), rgb("#9cc5d8"))
    hub = (320.0, 142.0)
    for k in range(4):
        turned = -90 + STEP * 15 * t / SECONDS + 90 * k
        color = rgb("#e63946") if k == 0 else rgb("#f1e3d0")
        sail = placed(box((72, 13), 104, 30, 3), hub, turned)
        c.fill(sail + np.array((3, 5)), (40, 50, 70), 0.25)
        c.fill(sail, color)
        for share in (40, 72, 104):
            c.line(placed(poly((share, -1), (share, 27)), hub, turned), 1, darker(color, 0.25))
        c.line(poly(hub, at(hub, turned, 124)), 5, rgb("#7f5539"))
    c.fill(disc(hub, 10), rgb("#5c3d2e"))
    c.fill(disc((318, 140), 4), lighter(rgb("#5c3d2e"), 0.5))
    return c.frame()


def example_grid(tile_width: int = 240) -> Image:
    """The example's sixteen frames, numbered 1 to 16, as a 4 × 4 grid, RGB."""
    height, gap = tile_width * 9 // 16, 4
    grid = np.full((4 * (height + gap) - gap, 4 * (tile_width + gap) - gap, 3), 28, np.uint8)
    for index in range(16):
        frame = windmill(SECONDS * index / 15)
        tile = cv2.resize(frame, (tile_width, height), interpolation=cv2.INTER_AREA)
        cv2.rectangle(tile, (0, 0), (34 if index > 8 else 24, 22), (20, 22, 34), -1)
        cv2.putText(tile, str(index + 1), (6, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.55,
                    (255, 255, 255), 1, cv2.LINE_AA)  # fmt: skip
        top, column = index // 4 * (height + gap), index % 4 * (tile_width + gap)
        grid[top : top + height, column : column + tile_width] = tile
    return grid
