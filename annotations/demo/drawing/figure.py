"""People made of rounded limbs."""

from dataclasses import dataclass
from math import hypot, sqrt

from annotations.demo.drawing.scene import Canvas, Color, darker, lighter, rgb
from annotations.demo.drawing.shapes import Point, Points, box, curve, disc, oval, placed, poly

ARM, LEG = 44.0, 41.5  # px from shoulder to elbow to hand, from hip to knee to foot, at scale 1


@dataclass(frozen=True)
class Outfit:
    """The colours of a person, as texts such as ``#f4a261``."""

    skin: str
    shirt: str
    trousers: str
    hair: str


def joint(a: Point, b: Point, length: float, side: float) -> Point:
    """The elbow or knee between a and b, each limb part ``length`` px; side -1 or 1 is its bend."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    far = max(1.0, hypot(dx, dy))
    out = sqrt(max(0.0, length * length - far * far / 4)) * side
    return (a[0] + b[0]) / 2 - dy / far * out, (a[1] + b[1]) / 2 + dx / far * out


def limb(a: Point, b: Point, length: float, side: float) -> Points:
    """A bent limb from a to b as points to draw along."""
    return poly(a, joint(a, b, length, side), b)


def stand(
    c: Canvas,
    ground: Point,
    size: float,
    outfit: Outfit,
    hands: tuple[Point, Point],
    feet: tuple[Point, Point] | None = None,
    lift: float = 0,
    bends: tuple[float, float] = (1, -1),
    elbows: tuple[Point, Point] | None = None,
) -> None:
    """Draw a person facing us, 190 px tall at size 1, standing at a point of the ground.

    ``hands`` (left and right on screen) and ``feet`` are places on screen; ``lift`` raises the
    body; ``bends`` says to which side of the line to the hand each elbow goes,
    and ``elbows`` says where they are when the arms point towards us.
    """
    x, y = ground[0], ground[1] - lift
    skin, shirt = rgb(outfit.skin), rgb(outfit.shirt)
    trousers, hair = rgb(outfit.trousers), rgb(outfit.hair)
    hip, chest = y - 92 * size, y - 138 * size
    if feet is None:
        feet = ((x - 17 * size, y), (x + 17 * size, y))
    for foot, side in zip(feet, (-1, 1), strict=True):
        start = (x + side * 11 * size, hip)
        c.line(limb(start, (foot[0], foot[1] - 6 * size), LEG * size, -side), 17 * size, trousers)
        c.fill(
            box((foot[0] + side * 4 * size, foot[1] - 4 * size), 26 * size, 11 * size, 5 * size),
            darker(trousers, 0.5),
        )
    torso = curve(
        (x - 22 * size, chest), (x, chest - 5 * size), (x + 22 * size, chest),
        (x + 19 * size, hip + 4 * size), (x, hip + 9 * size), (x - 19 * size, hip + 4 * size),
        closed=True,
    )  # fmt: skip
    c.line(poly((x, chest), (x, chest - 16 * size)), 13 * size, darker(skin, 0.15))
    c.shaded(torso, lighter(shirt, 0.12), darker(shirt, 0.08))
    _head(c, (x, chest - 32 * size), size, skin, hair)
    for k, (hand, side) in enumerate(zip(hands, (-1, 1), strict=True)):
        shoulder = (x + side * 21 * size, chest + 5 * size)
        elbow = elbows[k] if elbows else joint(shoulder, hand, ARM * size, bends[k])
        _arm(c, (shoulder, elbow, hand), size, skin, darker(shirt, 0.1))


def _arm(
    c: Canvas, joints: tuple[Point, Point, Point], size: float, skin: Color, sleeve: Color
) -> None:
    shoulder, elbow, hand = joints
    c.line(poly(shoulder, elbow, hand), 11 * size, skin)
    cut = (shoulder[0] * 0.3 + elbow[0] * 0.7, shoulder[1] * 0.3 + elbow[1] * 0.7)
    c.line(poly(shoulder, cut), 15 * size, sleeve)
    c.fill(disc(hand, 9 * size), skin)


def _head(c: Canvas, center: Point, size: float, skin: Color, hair: Color) -> None:
    x, y = center
    c.fill(disc((x, y - 2 * size), 22.5 * size), hair)
    c.fill(oval((x, y + 2 * size), 19 * size, 20 * size), skin)
    fringe = curve((-20, 0), (-15, -20), (4, -24), (20, -14), (20, 0), (10, -12), (-8, -10),
                   closed=True)  # fmt: skip
    c.fill(placed(fringe, center, scale=size), hair)
    for side in (-1, 1):
        c.fill(disc((x + side * 7 * size, y + 3 * size), 2.2 * size), darker(hair, 0.5))
        c.fill(disc((x + side * 11 * size, y + 10 * size), 3.5 * size), (240, 110, 110), 0.3)
    smile = poly((-6, 11), (0, 14), (6, 11))
    c.line(placed(smile, center, scale=size), max(1.0, 1.8 * size), darker(skin, 0.55))
