"""What potato keeps of each annotator: a folder with a `user_state.json` each, or their lines.

Older versions write `annotated_instances.jsonl`. Its tables (CSV, Parquet) are read as tables.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from annotations.answer_format import AnswerFile
from annotations.answer_formats._rows import answer_file
from annotations.prediction_format import PredictionChoices
from annotations.reading.json_rows import open_json, read_json
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

TITLE = "potato: annotation_output with user_state.json or annotated_instances.jsonl of each person"
SOURCE = "potato"

STATE, LINES = "user_state.json", "annotated_instances.jsonl"
LABELS = "instance_id_to_label_to_value"
_SPENT = re.compile(r"(\d+)\s*([dhms])\b")
_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}

Record = dict[str, object]


def likeness(path: Path) -> int:
    """3 for one of its files or a folder that holds some; else 0."""
    return 3 if _files(path) else 0


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.name in (STATE, LINES) else []
    if not path.is_dir():
        return []
    states = sorted([*path.glob(STATE), *path.glob(f"*/{STATE}")])
    return states or sorted([*path.glob(LINES), *path.glob(f"*/{LINES}")])


def read(path: Path, choices: PredictionChoices) -> AnswerFile:
    """Everybody's answers.

    Raises:
        Refusal: if a file cannot be read, or people answered by several schemes and none is named.
    """
    files = _files(path)
    if not files:
        raise Refusal(f"{path} holds no {STATE} and no {LINES}.")
    entries = [entry for file in files for entry in _entries(file, choices.encoding)]
    wanted = dict(choices.columns).get("response", "")
    scheme = _scheme([entry for entry in entries if isinstance(entry, Row)], wanted)
    rows = [
        _chosen(entry, scheme) if isinstance(entry, Row) else entry for entry in entries
    ]  # fmt: skip
    columns: dict[str, None] = {}
    for row in rows:
        if isinstance(row, Row):
            columns.update(dict.fromkeys(row.cells))
    table = Table(path, tuple(columns), lambda: iter(rows))
    others = tuple(pair for pair in choices.columns if pair[0] != "response")
    plain = PredictionChoices(choices.model, choices.condition, others, "", choices.keys)
    read_file = answer_file("potato", SOURCE, path, table, plain)
    return AnswerFile(
        read_file.format, SOURCE, tuple(files),
        (*read_file.mapping, ("scheme", scheme)), read_file.rows,
    )  # fmt: skip


def _entries(file: Path, encoding: str) -> Iterator[Row | Problem]:
    """One row for each instance that somebody labelled, with the labels by scheme."""
    if file.name == LINES:
        for row in open_json(file, encoding).rows():
            yield row if isinstance(row, Problem) else Row(f"{file.parent.name}, {row.where}", {
                "id": row.cells.get("id"), "annotator": file.parent.name,
                "labels": _by_scheme(row.cells.get("label_annotations")),
                "seconds": _spent(row.cells.get("behavioral_data")),
            })  # fmt: skip
        return
    value, problems = read_json(file, encoding)
    yield from problems
    state = cast("Record", value) if isinstance(value, dict) else {}
    person = str(state.get("user_id") or file.parent.name)
    labelled = state.get(LABELS)
    spent = state.get("instance_id_to_behavioral_data")
    times = cast("Record", spent) if isinstance(spent, dict) else {}
    for name, labels in (
        cast("Record", labelled).items() if isinstance(labelled, dict) else ()
    ):  # fmt: skip
        yield Row(f"{person}, {name}", {
            "id": name, "annotator": person, "labels": _by_scheme(labels),
            "seconds": _spent(times.get(name)),
        })  # fmt: skip


def _by_scheme(labels: object) -> dict[str, list[tuple[str, object]]]:
    """Names and values of labels by their scheme, from any of the forms that potato writes."""
    schemes: dict[str, list[tuple[str, object]]] = {}
    if isinstance(labels, dict):
        for scheme, named in cast("Record", labels).items():
            if isinstance(named, dict):
                parts = cast("Record", named)
                inner = parts.get("labels", parts)
                pairs = cast("Record", inner) if isinstance(inner, dict) else parts
                schemes[scheme] = list(pairs.items())
    elif isinstance(labels, list):
        for entry in cast("list[object]", labels):
            pair = cast("list[object]", entry) if isinstance(entry, list) else []
            if len(pair) == 2 and isinstance(pair[0], dict):
                label = cast("Record", pair[0])
                named = (str(label.get("name", "")), pair[1])
                schemes.setdefault(str(label.get("schema", "")), []).append(named)
    return schemes


def _scheme(rows: Sequence[Row], wanted: str) -> str:
    """The scheme that holds the answers.

    Raises:
        Refusal: if it is not to be told, or there is none of the wanted name.
    """
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(cast("Record", row.cells["labels"])))
    listed = ", ".join(names) or "none"
    if wanted and wanted not in names:
        raise Refusal(f"There is no scheme {wanted!r}. There are: {listed}.")
    if wanted or len(names) == 1:
        return wanted or next(iter(names))
    raise Refusal(f"Which scheme holds the answers? --map response=NAME. There are: {listed}.")


def _chosen(row: Row, scheme: str) -> Row:
    schemes = cast("dict[str, list[tuple[str, object]]]", row.cells["labels"])
    on = [
        (name, value) for name, value in schemes.get(scheme, [])
        if str(value).lower() not in ("", "false", "none")
    ]  # fmt: skip
    # A radio button has its label as name, and as value 'true' or its own number.
    names = [name for name, _ in on]
    said: object = names if len(names) > 1 else next(iter(names), None)
    if names and names[0] in ("text_box", "free_response", "value"):
        said = on[0][1]
    comment = "; ".join(
        str(value) for other, pairs in schemes.items() if other != scheme
        for name, value in pairs if name in ("text_box", "free_response")
    )  # fmt: skip
    return Row(row.where, {
        "id": row.cells["id"], "annotator": row.cells["annotator"], "response": said,
        "seconds": row.cells["seconds"], "comment": comment,
        "left_out": "" if on else "without a choice",
    })  # fmt: skip


def _spent(behaviour: object) -> float:
    """Seconds spent on an instance; 0 where it is not told."""
    if not isinstance(behaviour, dict):
        return 0.0
    facts = cast("Record", behaviour)
    for name, divisor in (("total_time_ms", 1000.0), ("time_spent", 1.0), ("total_time", 1.0)):
        value = facts.get(name)
        if isinstance(value, str | int | float):
            try:
                return float(value) / divisor
            except ValueError:
                continue
    parts = _SPENT.findall(str(facts.get("time_string", "")))
    return float(sum(int(number) * _UNITS[unit] for number, unit in parts))
