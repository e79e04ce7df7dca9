"""What the readers share: the columns of people's answers, and drafts out of rows."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import cast

from annotations.answer_format import FIELD_NAMES, AnswerDraft, AnswerFile
from annotations.importing.cells import cell, condition_of, question_of, text_of
from annotations.prediction_format import PredictionChoices, PredictionDraft, to_score
from annotations.reading import mapping as mappings
from annotations.reading.checks import read_seconds
from annotations.reading.mapping import Mapping, plain_name
from annotations.reading.records import Fault, Problem, shown
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

Rows = Callable[[], Iterator[Row | Problem]]
NOT_SAID = ("", "false", "0", "no", "none", "n")
ZONES = {"UTC": 0, "GMT": 0, "PST": -8, "PDT": -7, "MST": -7, "MDT": -6, "CST": -6, "CDT": -5,
         "EST": -5, "EDT": -4}  # fmt: skip
_TURK_DATE = re.compile(r"\w{3} (\w{3}) +(\d+) ([\d:]+) (\w{3,4}) (\d{4})")


@dataclass(frozen=True)
class Columns:
    """Columns of answers by field of `FIELD_NAMES`, and the mapping of those about questions."""

    fields: dict[str, str]
    question: Mapping


def columns_of(columns: Sequence[str], assigned: Sequence[tuple[str, str]] = ()) -> Columns:
    """Which column is which: those that a person assigned, the rest by their names.

    Raises:
        Refusal: if a person assigned a column that there is not.
    """
    fields: dict[str, str] = {}
    for field, column in assigned:
        if field in FIELD_NAMES:
            if column not in columns:
                raise Refusal(f"There is no column {column!r}. There are: {', '.join(columns)}.")
            fields[field] = column
    elsewhere = {column for field, column in assigned if field not in FIELD_NAMES}
    plain = {plain_name(name): name for name in reversed(columns) if name not in elsewhere}
    for field, names in FIELD_NAMES.items():
        free = (plain[n] for n in names if n in plain and plain[n] not in fields.values())
        column = fields.get(field) or next(free, None)
        if column is not None:
            fields[field] = column
    rest = [name for name in columns if name not in fields.values()]
    question = mappings.guess(rest, [pair for pair in assigned if pair[0] not in FIELD_NAMES])
    return Columns(fields, replace(question, tags=()))


def answer_file(
    reader: str, source: str, path: Path, table: Table, choices: PredictionChoices
) -> AnswerFile:
    """A table of one answer a row, as a reader understands it.

    Raises:
        Refusal: if no column says who answered, what, or to which question.
    """
    columns = columns_of(table.columns, choices.columns)
    named = ", ".join(table.columns) or "none"
    for field, what in (("person", "who answered"), ("response", "what was answered")):
        if field not in columns.fields:
            raise Refusal(
                f"{path.name}: no column says {what}. Name it: --map {field}=COLUMN. "
                f"There are: {named}."
            )
    if not {"id", "question"} & columns.question.columns.keys():
        raise Refusal(
            f"{path.name}: no column says which question was answered. Name it: --map id=COLUMN or "
            f"--map question=COLUMN. There are: {named}."
        )
    about = [pair for pair in columns.question.described() if pair[0] != "answer"]
    return AnswerFile(
        reader, source, (path,), (*columns.fields.items(), *about),
        lambda: drafts(table, columns, choices), table.problems,
    )  # fmt: skip


def drafts(
    table: Table, columns: Columns, choices: PredictionChoices
) -> Iterator[AnswerDraft | Problem]:
    """The answers of a table, and its problems in their place."""
    for row in table.rows():
        yield row if isinstance(row, Problem) else _draft(table.file.name, row, columns, choices)


def _draft(
    file: str, row: Row, columns: Columns, choices: PredictionChoices
) -> AnswerDraft | Problem:
    def text(field: str) -> str:
        return text_of(row, columns.fields.get(field))

    question = question_of(row, columns.question)
    if not question.uids and not question.text:
        return Problem("error", "the row names no question", file, row.where)
    if not text("person"):
        column = columns.fields["person"]
        return Problem("error", "the row does not say who answered", file, row.where, column)
    response = cell(row, columns.fields["response"])
    if isinstance(response, dict):
        return Problem(
            "error", "the answer is neither an option nor a list of options", file, row.where,
            columns.fields["response"], shown(cast("object", response)),
        )  # fmt: skip
    several: tuple[str, ...] = ()
    if isinstance(response, list):
        several = tuple(str(option) for option in cast("list[object]", response))
        response = "; ".join(several)
    condition = choices.condition or condition_of(text("condition"))
    answer = PredictionDraft(
        question, None if response is None else str(response), text("person"), condition,
        choice=_position(response, choices.keys), file=file, row=row.where,
    )  # fmt: skip
    left_out = text("left_out")
    return AnswerDraft(
        answer,
        _seconds(cell(row, columns.fields.get("time")), columns.fields.get("time", "")),
        unix_time(text("answered_at")),
        text("comment"),
        text("assignment"),
        "" if left_out.lower() in NOT_SAID else _reason(left_out),
        several,
    )


def _reason(text: str) -> str:
    return "rejected" if text.lower() in ("true", "1", "yes", "x", "y") else text


def _position(value: object, keys: str) -> int | None:
    """The position that an answer is, from 0, where a person said that answers are positions."""
    text = "" if value is None else str(value).strip()
    if keys not in ("0", "1") or not re.fullmatch(r"\d{1,2}(?:\.0)?", text):
        return None
    return int(text.split(".")[0]) - int(keys)


def _seconds(value: object, column: str) -> float:
    """A time in s, also as '1:10'; 0 where none is said, or it does not lie between 0 and a day."""
    number = to_score(value)
    if number is None:
        try:
            number = read_seconds(value, column) or 0.0
        except Fault:
            number = 0.0
    number = number / 1000 if plain_name(column).endswith("_ms") else number
    return number if 0 <= number <= 86_400 else 0.0


def unix_time(text: str) -> float | None:
    """Unix time (s) of a date as tools write them, of UTC where they name no zone; else None."""
    turk = _TURK_DATE.fullmatch(text)
    try:
        if turk:
            moment = datetime.strptime(
                f"{turk[1]} {turk[2]} {turk[3]} {turk[5]}", "%b %d %H:%M:%S %Y"
            )
            zone = timezone(timedelta(hours=ZONES.get(turk[4], 0)))
            return moment.replace(tzinfo=zone).timestamp()
        if re.fullmatch(r"\d{9,10}(?:\.\d+)?", text):
            return float(text)
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
