"""Cells that are safe to open in a spreadsheet, and what they were before; rows of them as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TextIO

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "'"
ERRORS = frozenset(
    ("#N/A", "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!")
)


def inert(cell: object) -> object:
    """The cell, with apostrophes in front of a text that would run as a formula; None is ''.

    A text that begins with apostrophes of its own gets further ones, so that `original` can tell
    them apart.
    """
    if not isinstance(cell, str):
        return "" if cell is None else cell
    text = cell.lstrip(_MARK)
    if not text.startswith(_FORMULA):
        return cell
    own = len(cell) - len(text)
    added = 2 if own or text.endswith(_MARK) else 1
    return _MARK * added + cell


def original(cell: str) -> str:
    """The cell without the apostrophes that `inert` put in front of it.

    A formula's sign in apostrophes, such as '+' in other people's files, stays as it is.
    """
    text = cell.lstrip(_MARK)
    marks = len(cell) - len(text)
    if not marks or not text.startswith(_FORMULA):
        return cell
    if text.endswith(_MARK) or marks > 1:
        own = marks > 2 or (marks == 2 and text.endswith(_MARK))
        return cell[2:] if own else cell
    return text


def write_rows(target: TextIO, rows: Iterable[Sequence[object]], *, delimiter: str = ",") -> int:
    """Write rows as CSV with line feeds at their ends; return the count.

    A cell that holds either kind of line end stands in quotes: readers take a carriage return
    outside of them for the end of the row.

    Args:
        target: opened with newline="".
        rows: of cells.
        delimiter: between cells.
    """
    line = io.StringIO(newline="")
    writer = csv.writer(line, delimiter=delimiter, lineterminator="\r\n")
    count = 0
    for row in rows:
        writer.writerow(row)
        target.write(line.getvalue().removesuffix("\r\n") + "\n")
        line.seek(0)
        line.truncate()
        count += 1
    return count
