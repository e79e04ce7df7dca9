"""Nested lists and folders of parts: records inside records, and files that are one table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from annotations.reading.json_rows import Record
from annotations.reading.mapping import NAMES, plain_name
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table

PART = "part"
FILE = "category"


def unnested(table: Table) -> Table:
    """A table whose records hold questions inside as a row for each of these.

    A record that holds a list of records with a question each, as in Video-MME's or LVBench's own
    files, is as many rows; one that holds several such records under names of their own, as the
    pairs of VideoHallucer, is a row for each name. The outer fields belong to each row.
    """
    first = next((row for row in table.rows() if isinstance(row, Row)), None)
    if first is None or not _inside(first.cells):
        return table

    def rows() -> Iterator[Row | Problem]:
        for row in table.rows():
            yield from [row] if isinstance(row, Problem) else _rows_of(row)

    columns: dict[str, None] = {}
    for row in rows():
        if isinstance(row, Row):
            columns.update(dict.fromkeys(row.cells))
    return replace(table, columns=tuple(columns), rows=rows)


def _inside(cells: dict[str, object]) -> dict[str, list[Record]]:
    """Fields that hold records with a question each."""
    found: dict[str, list[Record]] = {}
    if _asks(cells):
        return found
    for name, value in cells.items():
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        records = [item for item in items if isinstance(item, Record) and _asks(item)]
        if records and len(records) == len(items):
            found[name] = records
    return found


def _asks(record: dict[str, object]) -> bool:
    return any(
        plain_name(name) in NAMES["question"] and isinstance(value, str)
        for name, value in record.items()
    )


def _rows_of(row: Row) -> Iterator[Row]:
    inside = _inside(row.cells)
    if not inside:
        yield row
        return
    outer = {name: value for name, value in row.cells.items() if name not in inside}
    for name, records in inside.items():
        for number, record in enumerate(records, start=1):
            where = f"{row.where}, {name} {number}" if len(records) > 1 else f"{row.where}, {name}"
            part = {PART: name} if len(inside) > 1 else {}
            yield Row(where, {**outer, **part, **record})


def joined(folder: Path, tables: Sequence[Table]) -> Table:
    """Several tables as one; the name of a file is the category where it has no such column."""
    columns: dict[str, None] = {}
    for table in tables:
        columns.update(dict.fromkeys(table.columns))
    named = any(plain_name(name) in NAMES["category"] for name in columns)

    def rows() -> Iterator[Row | Problem]:
        for table in tables:
            category: dict[str, object] = {} if named else {FILE: table.file.stem}
            for row in table.rows():
                if isinstance(row, Problem):
                    yield replace(row, file=table.file.name)
                else:
                    yield Row(f"{table.file.name}, {row.where}", {**row.cells, **category})

    problems = tuple(problem for table in tables for problem in table.problems)
    names = tuple(columns) if named else (*columns, FILE)
    return Table(folder, names, rows, problems)
