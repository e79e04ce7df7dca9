"""Outlines and movements: plain geometry, in pixels, degrees (clockwise on screen) and seconds."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import cos, pi, radians, sin
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = NDArray[np.float64]


def at(center: Point, angle: float, distance: float) -> Point:
    """The point at an angle and distance from a centre."""
    turn = radians(angle)
    return center[0] + distance * cos(turn), center[1] + distance * sin(turn)


@cache
def _unit(count: int) -> Points:
    turn = np.arange(count) * (2 * pi / count)
    return np.stack((np.cos(turn), np.sin(turn)), axis=1)


def disc(center: Point, radius: float) -> Points:
    """A circle's outline."""
    return _unit(max(16, min(72, int(radius * 1.6)))) * radius + np.array(center)


def oval(center: Point, rx: float, ry: float, angle: float = 0) -> Points:
    """An ellipse's outline."""
    return placed(_unit(40) * np.array((rx, ry)), center, angle)


def regular(center: Point, radius: float, corners: int, angle: float = -90) -> Points:
    """A regular polygon with one corner at the angle."""
    return placed(_unit(corners) * radius, center, angle)


def star(center: Point, radius: float, inner: float, corners: int, angle: float = -90) -> Points:
    """A star whose notches lie at ``inner`` times the radius."""
    points = _unit(2 * corners) * radius
    points[1::2] *= inner
    return placed(points, center, angle)


def box(center: Point, width: float, height: float, radius: float = 0, angle: float = 0) -> Points:
    """A rectangle with rounded corners."""
    rx, ry = width / 2, height / 2
    if radius <= 0:
        corners = np.array(((-rx, -ry), (rx, -ry), (rx, ry), (-rx, ry)), float)
        return placed(corners, center, angle)
    radius = min(radius, rx, ry)
    arc = _unit(32) * radius
    parts = [
        np.roll(arc, -8 * k, axis=0)[:9] + np.array((sx * (rx - radius), sy * (ry - radius)))
        for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)))
    ]
    return placed(np.concatenate(parts), center, angle)


def poly(*points: Point) -> Points:
    """The given corners as an outline."""
    return np.array(points, float)


def arc(center: Point, radius: float, start: float, end: float, ry: float | None = None) -> Points:
    """Points along a circle (or ellipse, with ry) from one angle to another."""
    turn = np.radians(np.linspace(start, end, 28))
    return np.stack(
        (center[0] + radius * np.cos(turn), center[1] + (ry or radius) * np.sin(turn)), axis=1
    )


def curve(*points: Point, closed: bool = False) -> Points:
    """A smooth line through the points (Catmull-Rom)."""
    p = np.array(points, float)
    around = (
        np.concatenate((p[-1:], p, p[:2]))
        if closed
        else np.concatenate((2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]))
    )
    a, b, c, d = (around[k : len(around) - 3 + k, None] for k in range(4))
    u = np.linspace(0, 1, 9)[:-1, None]
    bent = (2 * a - 5 * b + 4 * c - d) * u**2 + (3 * b - a - 3 * c + d) * u**3
    line = (b + ((c - a) * u + bent) / 2).reshape(-1, 2)
    return line if closed else np.concatenate((line, p[-1:]))


def placed(points: Points, center: Point, angle: float = 0, scale: float = 1) -> Points:
    """An outline drawn around the origin, scaled, turned and moved to a centre."""
    turn = radians(angle)
    matrix = scale * np.array(((cos(turn), sin(turn)), (-sin(turn), cos(turn))))
    return points @ matrix + np.array(center)


def smooth(x: float) -> float:
    """0 below 0, 1 above 1, and a soft start and stop between."""
    x = min(1.0, max(0.0, x))
    return x * x * (3 - 2 * x)


def track(t: float, *stops: tuple[float, float]) -> float:
    """The value at time t of a movement with a soft start and stop between (time, value) stops."""
    if t <= stops[0][0]:
        return stops[0][1]
    for (t0, v0), (t1, v1) in pairwise(stops):
        if t <= t1:
            return v0 + (v1 - v0) * smooth((t - t0) / (t1 - t0))
    return stops[-1][1]


def route(t: float, *stops: tuple[float, Point]) -> Point:
    """The place at time t of a movement between (time, point) stops, as in ``track``."""
    x = track(t, *((s, p[0]) for s, p in stops))
    y = track(t, *((s, p[1]) for s, p in stops))
    return x, y


def pulse(t: float, times: Sequence[float], rise: float = 0.04, fall: float = 0.3) -> float:
    """How bright (0 to 1) something is that flashes at the given times."""
    level = 0.0
    for start in times:
        age = t - start
        if 0 <= age < rise:
            level = max(level, age / rise)
        elif rise <= age:
            level = max(level, max(0.0, 1 - (age - rise) / fall) ** 1.5)
    return level


def along(points: Points, share: float) -> Point:
    """The point at a share (0 to 1) of the length of an open line."""
    sides: Points = np.diff(points, axis=0)
    length = np.concatenate(([0.0], np.cumsum(np.hypot(sides[:, 0], sides[:, 1]))))
    where = min(1.0, max(0.0, share)) * float(length[-1])
    x, y = (float(np.interp(where, length, points[:, k])) for k in range(2))
    return x, y
