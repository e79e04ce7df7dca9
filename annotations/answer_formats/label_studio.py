"""Exports of Label Studio: JSON with the annotations of each task; JSON-MIN and CSV are tables."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from annotations.answer_format import AnswerFile
from annotations.answer_formats._rows import answer_file
from annotations.prediction_format import PredictionChoices
from annotations.reading.json_rows import open_json
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table

TITLE = "JSON export of Label Studio (tasks with data and annotations)"
SOURCE = "Label Studio"

Record = dict[str, object]


def likeness(path: Path) -> int:
    """3 for JSON whose first records hold data and annotations with results; else 0."""
    if not path.is_file() or path.suffix.lower() != ".json":
        return 0
    try:
        table = open_json(path)
    except ValueError:
        return 0
    rows = (row for row in table.rows() if isinstance(row, Row))
    first = next((row for row in rows if row.cells.get("annotations")), None)
    if first is None or not isinstance(first.cells.get("data"), dict):
        return 0
    return 3 if any("result" in annotation for annotation in _annotations(first)) else 0


def read(path: Path, choices: PredictionChoices) -> AnswerFile:
    """One export.

    Raises:
        Refusal: if it is no JSON, or it does not say which question a task asks.
    """
    table = open_json(path, choices.encoding)

    def rows() -> Iterator[Row | Problem]:
        for row in table.rows():
            yield from [row] if isinstance(row, Problem) else _answers(row)

    columns: dict[str, None] = {}
    for row in rows():
        if isinstance(row, Row):
            columns.update(dict.fromkeys(row.cells))
    flat = Table(path, tuple(columns), rows, table.problems)
    return answer_file("label_studio", SOURCE, path, flat, choices)


def _annotations(row: Row) -> list[Record]:
    listed = row.cells.get("annotations")
    items = cast("list[object]", listed) if isinstance(listed, list) else []
    return [cast("Record", item) for item in items if isinstance(item, dict)]


def _answers(row: Row) -> Iterator[Row | Problem]:
    data = cast("Record", row.cells["data"]) if isinstance(row.cells.get("data"), dict) else {}
    # A key among the data is not what a person answered; the columns below are.
    asked = {f"data {name}" if name in _OURS else name: value for name, value in data.items()}
    if not {"id", "question_id", "qid"} & asked.keys():
        asked["id"] = row.cells.get("id")
    for number, annotation in enumerate(_annotations(row), start=1):
        where = f"{row.where}, annotation {number}"
        chosen, written = _results(annotation)
        yield Row(where, {
            **asked, "annotator": _person(annotation.get("completed_by")),
            "response": chosen if len(chosen) > 1 else next(iter(chosen), None),
            "comment": "; ".join(written),
            "lead_time": annotation.get("lead_time"), "created_at": annotation.get("created_at"),
            "annotation_id": annotation.get("id"),
            "left_out": _why_left_out(annotation, chosen),
        })  # fmt: skip


_OURS = frozenset(
    {"annotator", "response", "comment", "lead_time", "created_at", "annotation_id", "left_out"}
)


def _why_left_out(annotation: Record, chosen: list[str]) -> str:
    if annotation.get("was_cancelled"):
        return "skipped"
    if annotation.get("ground_truth"):
        return "marked as the truth, no person's answer"
    return "" if chosen else "without a choice"


def _person(completed_by: object) -> str:
    """Who made an annotation: a number, or an object with the person's mail address."""
    if isinstance(completed_by, dict):
        person = cast("Record", completed_by)
        completed_by = person.get("email") or person.get("username") or person.get("id")
    return "" if completed_by is None else str(completed_by)


def _results(annotation: Record) -> tuple[list[str], list[str]]:
    """Options that were chosen, and texts that were written."""
    chosen: list[str] = []
    written: list[str] = []
    results = annotation.get("result")
    for entry in cast("list[object]", results) if isinstance(results, list) else []:
        value = cast("Record", entry).get("value") if isinstance(entry, dict) else None
        if not isinstance(value, dict):
            continue
        parts = cast("Record", value)
        choices, text = parts.get("choices"), parts.get("text")
        if isinstance(choices, list):
            chosen += [str(choice) for choice in cast("list[object]", choices)]
        elif "rating" in parts or "number" in parts:
            chosen.append(json.dumps(parts.get("rating", parts.get("number"))))
        elif isinstance(text, list):
            written += [str(part) for part in cast("list[object]", text)]
        elif isinstance(text, str):
            written.append(text)
    return chosen, written
