"""Cells that are safe to open in a spreadsheet."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def inert(cell: object) -> object:
    """The cell, with an apostrophe in front of a text that would run as a formula; None is ''."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return "'" + cell
    return "" if cell is None else cell


def original(cell: str) -> str:
    """The cell without the apostrophe that `inert` put in front of a formula.

    A text in apostrophes, such as '+', stays as it is.
    """
    guarded = cell.startswith("'") and cell[1:].startswith(_FORMULA) and "'" not in cell[1:]
    return cell[1:] if guarded else cell
