"""Cells that are safe to open in a spreadsheet."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def inert(cell: object) -> object:
    """The cell, with an apostrophe in front of a text that would run as a formula; None is ''."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return "'" + cell
    return "" if cell is None else cell
