"""Rows of CSV and TSV files; JSON is in annotations/reading/json_rows.py."""

import csv
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from annotations.reading.encoding import Encoding, find_encoding
from annotations.reading.records import Problem
from core.refusal import Refusal
from core.spreadsheet import original

DELIMITERS = (",", "\t", ";", "|")
SAMPLE_ROWS = 50
_EMPTY = "".join(DELIMITERS) + " \"'"
LONGEST_CELL = 1 << 24  # characters; an unclosed quote ends here at the latest


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file.

    Attributes:
        where: its place in words, such as 'row 3'.
        cells: column to value; text in CSV, anything in JSON.
    """

    where: str
    cells: dict[str, object]


@dataclass(frozen=True)
class Table:
    """A file as rows of named cells.

    Attributes:
        file: the file.
        columns: names in their order.
        rows: reads the file again from the start; a row that cannot be read is a problem instead.
        problems: of the file as a whole.
        others: further files that its cells come from.
        tags: columns that are tags whatever their names.
    """

    file: Path
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row | Problem]]
    problems: tuple[Problem, ...] = ()
    others: tuple[Path, ...] = ()
    tags: tuple[str, ...] = ()


def open_csv(path: Path, encoding: str = "") -> Table:
    """The table in a CSV or TSV file; delimiter and encoding are told from the file.

    Raises:
        ValueError: if it is no text, empty, or has no usable header.
    """
    csv.field_size_limit(LONGEST_CELL)
    codec = find_encoding(path, encoding)
    delimiter, skipped = _find_delimiter(path, codec)
    with codec.open(path) as file:
        header = next(_records(file, delimiter, skipped), None)
    if header is None or isinstance(header, Problem):
        raise Refusal(
            f"{path.name} is empty. The first line has to name the columns, "
            "such as id,video,question,A,B,C,D,answer."
        )
    names = [name.replace("\ufeff", "").strip() for name in header[1]]
    problems = [codec.problem] if codec.problem else []
    problems += check_header(path.name, names)
    columns = tuple(name for name in names if name)

    def rows() -> Iterator[Row | Problem]:
        with codec.open(path) as file:
            yield from _rows(path.name, names, _records(file, delimiter, skipped))

    return Table(path, columns, rows, tuple(problems))


def check_header(file: str, names: list[str]) -> Iterator[Problem]:
    """What is wrong with the names of columns; those without a name at the end are taken off.

    Raises:
        ValueError: if two columns have one name.
    """
    doubled = [n for n, count in Counter(n for n in names if n).items() if count > 1]
    if doubled:
        raise Refusal(
            f"{file} has two columns called {', '.join(doubled)}. Every column needs its own name."
        )
    unnamed = [str(position) for position, name in enumerate(names, start=1) if not name]
    while unnamed and int(unnamed[-1]) == len(names):
        names.pop()
        unnamed.pop()
    if unnamed:
        yield Problem(
            "warning",
            "a column without a name is not used",
            file,
            column=", ".join(unnamed),
            todo="Name it in the first line if it is needed.",
        )


def _rows(
    file: str, names: list[str], records: Iterator[tuple[int, list[str]] | Problem]
) -> Iterator[Row | Problem]:
    next(records, None)
    empty: list[int] = []
    for record in records:
        if isinstance(record, Problem):
            yield Problem(record.level, record.what, file, record.row, todo=record.todo)
            continue
        number, cells = record
        if not any(cell.strip() for cell in cells):
            empty.append(number)
            continue
        if len(cells) < len(names) or any(cell.strip() for cell in cells[len(names) :]):
            yield Problem(
                "error",
                f"{len(cells)} cells instead of {len(names)}",
                file,
                f"row {number}",
                value=repr(cells[-1])[:80],
                allowed=f"{len(names)} cells, as in the first line",
                todo="Put text that holds the separator or a quote into double quotes.",
            )
            continue
        named = {name: original(cell) for name, cell in zip(names, cells, strict=False) if name}
        yield Row(f"row {number}", dict[str, object](named))
    if empty:
        examples = ", ".join(map(str, empty[:5])) + (", …" if len(empty) > 5 else "")
        yield Problem("warning", f"empty rows skipped: {examples}", file, rows=len(empty))


def _records(
    file: TextIO, delimiter: str, skipped: int
) -> Iterator[tuple[int, list[str]] | Problem]:
    """Records with their numbers as a spreadsheet counts them: the header is row 1."""
    for _ in range(skipped):
        file.readline()
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    number = skipped
    while True:
        number += 1
        first_line = reader.line_num + 1 + skipped
        try:
            yield number, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            last_line = reader.line_num + skipped
            lines = f"lines {first_line} to {last_line}"
            closed = "unexpected end" not in str(error)
            yield Problem(
                "error",
                f"not read: {error}" if closed else "a double quote is opened and never closed",
                row=f"line {first_line}" if first_line == last_line else lines,
                todo="Write a double quote inside a quoted text twice, and close every text.",
            )


def _find_delimiter(path: Path, encoding: Encoding) -> tuple[str, int]:
    """The delimiter, and how many lines come before the header.

    These are empty ones, with or without separators, and 'sep=;' of a spreadsheet.
    """
    with encoding.open(path) as file:
        skipped, named, sample = 0, "", ""
        for line in file:
            text = line.strip().lstrip("\ufeff")
            if not skipped and text.lower().startswith("sep=") and len(text) == 5:
                named = text[4]
            elif text.strip(_EMPTY):
                sample = line + "".join(itertools.islice(file, 4 * SAMPLE_ROWS - 1))
                break
            skipped += 1
    if named:
        return named, skipped
    scores = {delimiter: _fit(sample, delimiter) for delimiter in DELIMITERS}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    return (best if scores[best] > (0.0, 0) else ","), skipped


def _fit(sample: str, delimiter: str) -> tuple[float, int]:
    """Return how well a delimiter fits: the share of rows as wide as the header, and that width."""
    reader = csv.reader(sample.splitlines(keepends=True), delimiter=delimiter)
    try:
        rows = [row for row in itertools.islice(reader, SAMPLE_ROWS) if any(row)]
    except csv.Error:
        return (0.0, 0)
    if not rows or len(rows[0]) < 2:
        return (0.0, 0)
    same = sum(len(row) == len(rows[0]) for row in rows)
    return (round(same / len(rows), 1), len(rows[0]))
