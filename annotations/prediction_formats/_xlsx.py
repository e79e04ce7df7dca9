"""The first sheet of an xlsx file as a table."""

import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table
from core.byte_size import size_words
from core.refusal import Refusal

LARGEST_UNPACKED = 100_000_000  # bytes; a sheet of 100,000 long replies has about 60 MB
LONGEST = 32_767  # characters; a cell of a spreadsheet ends there


def open_xlsx(path: Path) -> Table:
    """The first sheet; every cell is text as a person sees it, and None where it is empty.

    Raises:
        ValueError: if it is no workbook, or empty.
    """
    header = next(_values(path), None)
    if header is None or not any(header):
        raise Refusal(f"{path.name} is empty. The first row has to name the columns.")
    names = [_text(name) or "" for name in header]
    return Table(path, tuple(name for name in names if name), partial(_rows, path, names))


def _values(path: Path) -> Iterator[tuple[object, ...]]:
    from xml.etree.ElementTree import ParseError

    from openpyxl import load_workbook  # heavy, and needed for these files only

    try:
        _check_size(path)
        book = cast("Any", load_workbook(path, read_only=True))
    except Refusal:
        raise
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, ParseError) as error:
        raise Refusal(
            f"{path.name} is no xlsx workbook ({error}). Save it as xlsx or TSV again."
        ) from error
    try:
        sheet = book.worksheets[0]
        # The size written in a file may be wrong; it would cut rows off.
        sheet.reset_dimensions()
        yield from sheet.iter_rows(values_only=True)
    except ParseError as error:
        raise Refusal(
            f"{path.name} holds broken XML ({error}). Save it as xlsx or TSV again."
        ) from error
    finally:
        book.close()


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
