"""The questions of an export of Rushes as a table that can be brought in by itself.

There 'question' is the identity, and each revision has a row: only those that stand are questions.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table

EXPORTED = frozenset({"question", "revision", "current", "text", "video_sha256"})
_SAME = ("video", "options", "category", "note", "start_s", "end_s")


def of_an_export(table: Table) -> Table:
    """The table with the columns of a file of questions; any other table as it is."""
    if not table.columns or not set(table.columns) >= EXPORTED:
        return table

    def rows() -> Iterator[Row | Problem]:
        for row in table.rows():
            if isinstance(row, Problem):
                yield row
            elif _stands(row.cells):
                yield Row(row.where, _question(row.cells))

    names: dict[str, None] = {}
    tags: dict[str, None] = {}
    for row in table.rows():
        if isinstance(row, Row) and _stands(row.cells):
            tags |= dict.fromkeys(_object(row.cells.get("tags")))
            names |= dict.fromkeys(_question(row.cells))
    return replace(table, columns=tuple(names), rows=rows, tags=tuple(tags))


def _stands(cells: Mapping[str, object]) -> bool:
    """Whether a row is the newest revision of a question that is asked."""
    return str(cells.get("current")).lower() in ("true", "1") and not cells.get("retired_at")


def _question(cells: Mapping[str, object]) -> dict[str, object]:
    reference = _object(cells.get("reference"))
    texts = reference.get("answers")
    fields: dict[str, object] = {
        **_object(cells.get("tags")),
        "id": cells.get("question"), "question": cells["text"],
        **{name: cells.get(name) for name in _SAME},
        "answer": _letter(cells.get("key")) or texts,
    }  # fmt: skip
    if "points" in reference:
        fields["scoring_points"] = reference["points"]
    return fields


def _letter(key: object) -> str:
    """The letter of a position from 0; '' without one."""
    number = str("" if key is None else key).partition(".")[0]
    return chr(ord("A") + int(number)) if number.isdigit() else ""


def _object(value: object) -> dict[str, object]:
    """An object, or the one that a cell holds as JSON; {} for none."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
