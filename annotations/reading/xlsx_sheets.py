"""The first sheet of an xlsx file as a table."""

import zipfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
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
_Cells = tuple[object, ...]


def open_xlsx(path: Path) -> Table:
    """The first sheet; every cell is text as a person sees it, and None where it is empty.

    Raises:
        ValueError: if it is no workbook, is empty, or names two columns alike.
    """
    with closing(_values(path)) as values:
        header = next(values, None)
    if header is None or not any(header):
        raise Refusal(f"{path.name} is empty. The first row has to name the columns.")
    names = [(_text(name) or "").strip() for name in header]
    problems = [*check_header(path.name, names), *_further_sheets(path)]
    columns = tuple(name for name in names if name)
    return Table(path, columns, partial(_rows, path, names), tuple(problems))


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


def _values(path: Path) -> Generator[_Cells]:
    """Rows of the first sheet: of a formula its value, or its text where it was never computed."""
    with _opened(path) as book:
        if not _has_formulas(path):
            yield from _sheet_rows(book)
            return
        with _opened(path, computed=True) as computed:
            for written, values in zip(_sheet_rows(book), _sheet_rows(computed), strict=True):
                yield tuple(
                    text if value is None else value
                    for text, value in zip(written, values, strict=True)
                )


def _sheet_rows(book: Any) -> Iterator[_Cells]:
    sheet = book.worksheets[0]
    # The size written in a file may be wrong; it would cut rows off.
    sheet.reset_dimensions()
    yield from sheet.iter_rows(values_only=True)


def _has_formulas(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        return any(mark in archive.read(name) for name in sheets for mark in _FORMULA)


def _further_sheets(path: Path) -> Iterator[Problem]:
    with _opened(path) as book:
        sheets = book.worksheets
        filled = [sheet.title for sheet in sheets[1:] if any(map(any, _first_rows(sheet)))]
        if filled:
            yield Problem(
                "warning", f"only the first sheet is read: {sheets[0].title}", path.name,
                value=", ".join(filled), todo="Save each further sheet as a file of its own.",
            )  # fmt: skip


def _first_rows(sheet: Any) -> Iterator[_Cells]:
    yield from sheet.iter_rows(values_only=True, max_row=3)


def _check_size(path: Path) -> None:
    """Look how large a workbook is once it is unpacked: some hundred kilobytes can fill memory."""
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > LARGEST_UNPACKED:
        raise Refusal(
            f"{path.name} unpacks to {size_words(unpacked)}; at most "
            f"{size_words(LARGEST_UNPACKED)} are read. Save it as TSV or CSV."
        )


def _rows(path: Path, names: list[str]) -> Iterator[Row | Problem]:
    values = _values(path)
    next(values, None)
    for number, cells in enumerate(values, start=2):
        texts = [_text(cell) for cell in cells]
        if not any(texts):
            continue
        texts += [None] * (len(names) - len(texts))
        row: dict[str, object] = {
            name: text for name, text in zip(names, texts, strict=False) if name
        }
        yield Row(f"row {number}", row)


def _text(cell: object) -> str | None:
    if cell is None:
        return None
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
