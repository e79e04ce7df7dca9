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
PAIR = "pair"
FILE = "category"
FACTS = ("metadata", "video_info", "info")


def unnested(table: Table) -> Table:
    """A table whose records hold questions inside as a row for each of these.

    A record that holds a list of records with a question each, as in Video-MME's or LVBench's own
    files, is as many rows; one that holds several such records under names of their own, as the
    pairs of VideoHallucer, is a row for each name. The outer fields belong to each row.
    """
    first = next((row for row in table.rows() if isinstance(row, Row)), None)
    if first is None or not _inside(first.cells):
        return table

    columns: dict[str, None] = {}
    records, identities = 0, set[str]()
    for row in (row for row in table.rows() if isinstance(row, Row)):
        for part in _rows_of(row):
            columns.update(dict.fromkeys(part.cells))
            records += "id" in part.cells
            identities.add(str(part.cells.get("id")))
    repeated = len(identities) < records
    several = PART in columns

    def rows() -> Iterator[Row | Problem]:
        for row in table.rows():
            yield from (
                [row] if isinstance(row, Problem) else _rows_of(row, whole=repeated, named=several)
            )

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


def _rows_of(row: Row, *, whole: bool = False, named: bool = False) -> Iterator[Row]:
    """A row for each record inside.

    Args:
        row: of the file.
        whole: put the video, and the name under which a record stands, in front of its id, since
            the numbers begin anew in each.
        named: whether some record of the file holds questions under several names.
    """
    inside = _inside(row.cells)
    if not inside:
        yield row
        return
    outer = _outer(row, inside)
    # What a list of records is called says more than the field that holds them.
    called = {PART: outer[PART]} if PART in outer and len(inside) == 1 else {}
    for name, records in inside.items():
        for number, record in enumerate(records, start=1):
            where = f"{row.where}, {name} {number}" if len(records) > 1 else f"{row.where}, {name}"
            part = {PART: name} if (named or len(inside) > 1) and not called else {}
            if len(inside) > 1 and all(len(same) == 1 for same in inside.values()):
                part[PAIR] = row.where  # they belong together
            cells = {**outer, **part, **record}
            if whole and "id" in record:
                parts = (*called.values(), *part.values())
                front = [outer.get(_video_field(outer)), *parts, record["id"]]
                cells["id"] = "/".join(str(value) for value in front if value is not None)
            yield Row(where, cells)


def _outer(row: Row, inside: dict[str, list[Record]]) -> dict[str, object]:
    """What a record says beside the questions in it: of its video, also in a record of facts.

    Where the questions have ids of their own, the record's own is its video's, as in Perception
    Test, unless a field names the video.
    """
    outer: dict[str, object] = {}
    for name, value in row.cells.items():
        if name not in inside:
            outer |= value if plain_name(name) in FACTS and isinstance(value, Record) else {
                name: value
            }  # fmt: skip
    every = [record for records in inside.values() for record in records]
    named = any(plain_name(name) in NAMES["video"] for name in {**outer, **every[0]})
    if not named and "id" in outer and all("id" in record for record in every):
        outer["video"] = outer["id"]
    return outer


def _video_field(outer: dict[str, object]) -> str:
    """The field that names the video of a record; '' for none."""
    plain = {plain_name(name): name for name in outer}
    return next((plain[name] for name in NAMES["video"] if name in plain), "")


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
