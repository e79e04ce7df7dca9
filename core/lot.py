"""Lots: draws that follow from names alone, the same on every machine and each time."""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

Unit = TypeVar("Unit")


def lot(salt: str, name: object) -> bytes:
    """Return the lot of a name, 32 bytes: in a draw the smallest lots come first.

    Args:
        salt: text before the name, so that two draws among the same names differ.
        name: of what is drawn; its text counts.
    """
    return hashlib.sha256(f"{salt}{name}".encode()).digest()


def drawn_by_lot(
    units: Iterable[Unit], count: int | None, salt: str, name_of: Callable[[Unit], object] = str
) -> list[Unit]:
    """Return so many of the units, smallest lot first: a larger draw holds the smaller one.

    Args:
        units: in any order, as long as their names differ.
        count: how many at most; None for all.
        salt: see `lot`.
        name_of: gives the name by which a unit is drawn.
    """
    return sorted(units, key=lambda unit: lot(salt, name_of(unit)))[:count]
