"""The first filled sheet of an xlsx file as a table."""

import datetime
import re
import zipfile
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table, check_header
from core.byte_size import size_words
from core.refusal import Refusal

LARGEST_UNPACKED = 100_000_000  # bytes; a sheet of 100,000 long replies has about 60 MB
LONGEST = 32_767  # characters; a cell of a spreadsheet ends there
_FORMULA = (b"<f>", b"<f ")
_HIDDEN_ROW = re.compile(rb"<row\b[^>]*\bhidden=\"(?:1|true)\"[^>]*>")
_ROW_NUMBER = re.compile(rb"\br=\"(\d+)\"")
_MERGED = re.compile(rb"<mergeCell\b[^>]*\bref=\"([A-Z]+)(\d+):[A-Z]+(\d+)\"")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ZEROS = re.compile(r"0{2,}")
_PERCENT = re.compile(r"0(\.0+)?%")
_MERGED_NOTE = "merged cells count for each of their rows"
_HIDDEN_NOTE = "hidden rows are read, too"
_BEYOND_NOTE = "cells beyond the last named column are not used"
_DATE_NOTE = "cells are dates of the spreadsheet, read as year-month-day"
_MINUTES_NOTE = "cells are times of day of the spreadsheet; 1:23 is read as 1 min 23 s"
_NOTES = {
    _MERGED_NOTE: "Split them and fill each row if that is not meant.",
    _HIDDEN_NOTE: "Delete them if they should stay out.",
    _BEYOND_NOTE: "Name the column in the first row if it is needed.",
    _DATE_NOTE: "Where 1-2 or 3/4 was meant, format the column as text and type it again.",
    _MINUTES_NOTE: "Where hours and minutes were meant, write 1:23:00 as text.",
}
_Cells = tuple[str | None, ...]


@dataclass(frozen=True)
class _Layout:
    """Where a sheet's table lies.

    Attributes:
        sheet: index among the sheets of the workbook.
        header: number of the row that names the columns, from 1.
        names: of the columns, '' for those without one.
        hidden: numbers of rows that a person does not see.
        merged: from (row, column) to the row whose cell of that column it repeats.
    """

    sheet: int
    header: int
    names: list[str]
    hidden: frozenset[int] = frozenset()
    merged: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])


def open_xlsx(path: Path) -> Table:
    """The first sheet in sight that holds anything, from its first filled row on.

    Every cell is text as a person sees it, and None where it is empty. A cell merged with those
    below it counts for each of their rows.

    Raises:
        ValueError: if it is no workbook, is empty, or names two columns alike.
    """
    with _opened(path) as book:
        filled = [index for index, sheet in enumerate(book.worksheets) if _first_filled(sheet)]
        filled.sort(key=lambda index: book.worksheets[index].sheet_state != "visible")
        titles = [sheet.title for sheet in book.worksheets]
        header = _first_filled(book.worksheets[filled[0]]) if filled else None
    if header is None:
        raise Refusal(f"{path.name} is empty. The first row has to name the columns.")
    number, cells = header
    names = [(name or "").strip() for name in cells]
    problems = list(check_header(path.name, names))
    if len(filled) > 1:
        problems.append(
            Problem(
                "warning", f"only one sheet is read: {titles[filled[0]]}", path.name,
                value=", ".join(titles[index] for index in filled[1:]),
                todo="Save each further sheet as a file of its own.",
            )
        )  # fmt: skip
    hidden, merged = _hidden_and_merged(path, filled[0])
    layout = _Layout(filled[0], number, names, frozenset(hidden), merged)
    columns = tuple(name for name in names if name)
    return Table(path, columns, partial(_rows, path, layout), tuple(problems))


@contextmanager
def _opened(path: Path, *, computed: bool = False) -> Generator[Any]:
    """The workbook, with what formulas were last computed to, or with the formulas.

    Raises:
        ValueError: if it is none, or holds too much.
    """
    from xml.etree.ElementTree import ParseError

    from openpyxl import load_workbook  # heavy, and needed for these files only

    try:
        _check_size(path)
        book = cast("Any", load_workbook(path, read_only=True, data_only=computed))
    except Refusal:
        raise
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, ParseError) as error:
        raise Refusal(
            f"{path.name} is no xlsx workbook ({error}). Save it as xlsx or TSV again."
        ) from error
    try:
        yield book
    except ParseError as error:
        raise Refusal(
            f"{path.name} holds broken XML ({error}). Save it as xlsx or TSV again."
        ) from error
    finally:
        book.close()


def _first_filled(sheet: Any) -> tuple[int, _Cells] | None:
    """The first row that holds anything, with its number; None if there is none."""
    # The size written in a file may be wrong; it would cut rows off.
    sheet.reset_dimensions()
    for number, row in enumerate(sheet.iter_rows(), start=1):
        cells = tuple(_text(cell) for cell in row)
        if any(cell and cell.strip() for cell in cells):
            return number, cells
    return None


def _values(path: Path, index: int) -> Generator[Sequence[Any]]:
    """Rows of a sheet: of a formula its value, or its text where it was never computed."""
    with _opened(path) as book:
        if not _has_formulas(path):
            yield from _sheet_rows(book, index)
            return
        with _opened(path, computed=True) as computed:
            pairs = zip(_sheet_rows(book, index), _sheet_rows(computed, index), strict=True)
            for written, values in pairs:
                yield tuple(
                    text if value.value is None else value
                    for text, value in zip(written, values, strict=True)
                )


def _sheet_rows(book: Any, index: int) -> Iterator[Sequence[Any]]:
    sheet = book.worksheets[index]
    sheet.reset_dimensions()
    yield from sheet.iter_rows()


def _has_formulas(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        return any(mark in archive.read(name) for name in sheets for mark in _FORMULA)


def _hidden_and_merged(path: Path, index: int) -> tuple[set[int], dict[tuple[int, int], int]]:
    """Numbers of the rows out of sight, and for cells merged downwards the row that they repeat.

    Read from the XML: openpyxl tells neither of a sheet that it reads row by row.
    """
    from openpyxl.utils import column_index_from_string

    with _opened(path) as book, zipfile.ZipFile(path) as archive:
        content = archive.read(str(cast("Any", vars(book.worksheets[index]))["_worksheet_path"]))
    tags = [_ROW_NUMBER.search(tag) for tag in _HIDDEN_ROW.findall(content)]
    hidden = {int(number[1]) for number in tags if number}
    merged = {
        (row, column_index_from_string(column.decode())): int(top)
        for column, top, bottom in _MERGED.findall(content)
        for row in range(int(top) + 1, int(bottom) + 1)
    }
    return hidden, merged


def _check_size(path: Path) -> None:
    """Look how large a workbook is once it is unpacked: some hundred kilobytes can fill memory."""
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > LARGEST_UNPACKED:
        raise Refusal(
            f"{path.name} unpacks to {size_words(unpacked)}; at most "
            f"{size_words(LARGEST_UNPACKED)} are read. Save it as TSV or CSV."
        )


def _rows(path: Path, layout: _Layout) -> Iterator[Row | Problem]:
    names = layout.names
    tops: dict[tuple[int, int], str | None] = {}
    repeated = {(top, column) for (_, column), top in layout.merged.items()}
    notes = Counter[tuple[str, str]]()
    with closing(_values(path, layout.sheet)) as values:
        for number, cells in enumerate(values, start=1):
            texts = [_text(cell) for cell in cells]
            texts += [None] * (len(names) - len(texts))
            filled = [column for column, text in enumerate(texts, 1) if text and text.strip()]
            if number <= layout.header or not filled:
                continue
            for column, name in enumerate(names, start=1):
                if (number, column) in repeated:
                    tops[number, column] = texts[column - 1]
                elif name and (number, column) in layout.merged:
                    texts[column - 1] = tops.get((layout.merged[number, column], column))
                    notes[_MERGED_NOTE, ""] += 1
            notes[_HIDDEN_NOTE, ""] += number in layout.hidden
            notes[_BEYOND_NOTE, ""] += filled[-1] > len(names)
            for name, cell in zip(names, cells, strict=False):
                if name and isinstance(cell.value, datetime.date):
                    notes[_DATE_NOTE, name] += 1
                elif name and _in_minutes(cell):
                    notes[_MINUTES_NOTE, name] += 1
            named = {name: text for name, text in zip(names, texts, strict=False) if name}
            yield Row(f"row {number}", dict[str, object](named))
    for (what, column), rows in notes.items():
        if rows:
            yield Problem("warning", what, path.name, column=column, todo=_NOTES[what], rows=rows)


def _in_minutes(cell: Any) -> bool:
    """Whether it is a time of day without seconds in sight."""
    value = cell.value
    time = isinstance(value, datetime.time) and not value.second
    return time and "s" not in str(cell.number_format).lower()


def _text(cell: Any) -> str | None:
    """A cell as a person sees it, as far as that matters for labels, shares, numbers and times."""
    value = cell.value
    if value is None:
        return None
    if isinstance(value, str):
        return _ESCAPED.sub(lambda escaped: chr(int(escaped[1], 16)), value)
    if isinstance(value, bool):
        return str(value).upper()
    shape = str(cell.number_format)
    if isinstance(value, float | int):
        return _number(value, shape)
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds(), 3), 60)
        return f"{int(minutes) // 60}:{int(minutes) % 60:02d}:{seconds:06.3f}".removesuffix(".000")
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if _in_minutes(cell):
        # '1:23' typed into a cell is 01:23:00 to the spreadsheet, and 1:23 to who typed it.
        return f"{value.hour}:{value.minute:02d}"
    return str(value)


def _number(value: float, shape: str) -> str:
    if isinstance(value, int) or value.is_integer():
        whole = str(int(value))
        if _ZEROS.fullmatch(shape):
            return whole.zfill(len(shape))
        if not _PERCENT.fullmatch(shape):
            return whole
    if _PERCENT.fullmatch(shape):
        return f"{100 * value:.15g}%"
    return repr(float(f"{value:.15g}"))
