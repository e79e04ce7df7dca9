"""Results of a batch on Amazon Mechanical Turk, as its requester page gives them out.

One assignment a row: `Input.*` is what the HIT was made of, `Answer.*` what the worker answered. A
HIT may hold several questions, whose columns end in numbers. Rejected assignments are left out.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from annotations.answer_format import FIELD_NAMES, AnswerFile
from annotations.answer_formats._rows import answer_file
from annotations.importing.cells import text_of
from annotations.prediction_format import PredictionChoices
from annotations.reading.mapping import NAMES as QUESTION_NAMES
from annotations.reading.mapping import plain_name
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table, open_csv
from core.refusal import Refusal

TITLE = "batch results of Mechanical Turk (HITId, AssignmentId, WorkerId, Input.*, Answer.*)"
SOURCE = "Mechanical Turk"

INPUT, ANSWER = "Input.", "Answer."
REJECTED = "rejected"
PERSON, TIME, SUBMITTED, ASSIGNMENT = (
    "WorkerId", "WorkTimeInSeconds", "SubmitTime", "AssignmentId",
)  # fmt: skip
_NUMBERED = re.compile(r"(.*?)[_.\- ]?(\d{1,3})")
_TEXTS = (
    *FIELD_NAMES["comment"],
    "suggestion",
    "suggestions",
    "problem",
    "why",
    "reason",
    "reasons",
)


def likeness(path: Path) -> int:
    """3 for a CSV with the columns of batch results; else 0."""
    if not path.is_file() or path.suffix.lower() not in (".csv", ".tsv", ".txt"):
        return 0
    columns = _columns(path)
    known = {"HITId", ASSIGNMENT, PERSON} <= set(columns)
    return 3 if known and any(name.startswith(ANSWER) for name in columns) else 0


def _columns(path: Path) -> tuple[str, ...]:
    """The names in the header, whatever the separator and encoding; () if there is none."""
    for encoding in ("", "latin-1"):  # the header is ASCII where the encoding cannot be told
        try:
            return open_csv(path, encoding).columns
        except (OSError, Refusal):
            continue
    return ()


def read(path: Path, choices: PredictionChoices) -> AnswerFile:
    """One file of results.

    Raises:
        Refusal: if it cannot be read, or it cannot be told which answer is to which question.
    """
    table = open_csv(path, choices.encoding)
    if PERSON not in table.columns:
        raise Refusal(f"{path.name} has no column {PERSON}: it is no file of batch results.")
    plain = tuple(
        (field, column.removeprefix(INPUT))
        for field, column in choices.columns
        if field != "response"
    )
    unfolded = _unfolded(table, dict(choices.columns).get("response", ""))
    fixed = tuple(
        (field, column)
        for field, column in (
            ("person", PERSON), ("time", TIME), ("answered_at", SUBMITTED),
            ("assignment", ASSIGNMENT), ("left_out", REJECTED), ("comment", "comment"),
        )
        if column in unfolded.columns and field not in dict(plain)
    )  # fmt: skip
    return answer_file(
        "mechanical_turk", SOURCE, path, unfolded, replace(choices, columns=(*plain, *fixed))
    )


def _unfolded(table: Table, response: str) -> Table:
    """One answer to one question a row, under plain names of columns."""

    def rows() -> Iterator[Row | Problem]:
        for row in table.rows():
            yield from [row] if isinstance(row, Problem) else _answers(row, response)

    columns: dict[str, None] = {}
    problems: list[Problem] = []
    for row in rows():
        if isinstance(row, Row):
            columns.update(dict.fromkeys(row.cells))
        elif len(problems) < 1:
            problems.append(row)
    if problems and "response" not in columns:
        raise Refusal(problems[0].text)
    return Table(table.file, tuple(columns), rows, table.problems)


def _answers(row: Row, response: str) -> Iterator[Row | Problem]:
    inputs = {
        name.removeprefix(INPUT): value
        for name, value in row.cells.items()
        if name.startswith(INPUT)
    }
    answers = _given(row)
    facts: dict[str, object] = {
        name: row.cells[name] for name in (PERSON, SUBMITTED, ASSIGNMENT) if name in row.cells
    }
    facts[REJECTED] = _rejection(row)
    numbers = _numbers(inputs, answers)
    if not numbers:
        yield _one_answer(row, inputs, answers, response, facts | _time(row, 1))
        return
    for number in numbers:
        part = _one_answer(
            row, _of_number(inputs, number), _of_number(answers, number), response,
            facts | _time(row, len(numbers)),
        )  # fmt: skip
        yield (
            replace(part, where=f"{row.where}, question {number}")
            if isinstance(part, Row)
            else part
        )


def _time(row: Row, answers: int) -> dict[str, object]:
    """The working time of an assignment, shared out evenly among its answers, s."""
    try:
        return {TIME: float(text_of(row, TIME)) / answers}
    except ValueError:
        return {}


def _rejection(row: Row) -> str:
    """Why an assignment is rejected; '' if it is not."""
    if text_of(row, "AssignmentStatus").lower() == "rejected" or text_of(row, "RejectionTime"):
        return REJECTED
    return REJECTED if text_of(row, "Reject") else ""


def _given(row: Row) -> dict[str, str]:
    """What a worker answered, by the name of the field in the HIT."""
    given: dict[str, str] = {}
    for name, value in row.cells.items():
        text = "" if value is None else str(value).strip()
        if not name.startswith(ANSWER) or not text:
            continue
        if name == f"{ANSWER}taskAnswers":
            given |= _task_answers(text)
            continue
        field = name.removeprefix(ANSWER)
        stem, dot, label = field.rpartition(".")
        if dot and text.lower() in ("true", "on"):
            given[stem] = label  # one column for each option of a radio group
        elif not dot or text.lower() != "false":
            given[field] = text
    return given


def _task_answers(text: str) -> dict[str, str]:
    """Answers of a HIT made of crowd elements: JSON, in which a radio group is {option: bool}."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return {}
    if isinstance(value, list) and value:
        value = cast("list[object]", value)[0]
    if not isinstance(value, dict):
        return {}
    given: dict[str, str] = {}
    for name, answer in cast("dict[str, object]", value).items():
        if isinstance(answer, dict):
            group = cast("dict[str, object]", answer)
            chosen = [label for label, on in group.items() if on is True]
            answer = group.get("label") if "label" in group else ", ".join(chosen)
        if isinstance(answer, str | int | float) and str(answer).strip():
            given[name] = str(answer)
    return given


def _numbers(inputs: dict[str, object], answers: dict[str, str]) -> list[str]:
    """Numbers at the ends of the names of both a question's columns and an answer's."""
    asked = {
        match[2]
        for name in inputs
        if (match := _NUMBERED.fullmatch(name))
        and plain_name(match[1]) in (*QUESTION_NAMES["id"], *QUESTION_NAMES["question"])
    }
    answered = {match[2] for name in answers if (match := _NUMBERED.fullmatch(name))}
    both = asked & answered
    return sorted(both, key=int) if len(asked) > 1 else []


def _of_number(values: dict[str, object] | dict[str, str], number: str) -> dict[str, object]:
    """The values of one question of several, under the names without the number, and the common."""
    part: dict[str, object] = {}
    for name, value in values.items():
        match = _NUMBERED.fullmatch(name)
        if match is None:
            part.setdefault(name, value)
        elif match[2] == number:
            part[match[1].rstrip("_.- ")] = value
    return part


def _one_answer(
    row: Row,
    inputs: dict[str, object],
    answers: dict[str, object] | dict[str, str],
    response: str,
    facts: dict[str, object],
) -> Row | Problem:
    written = {name: text for name, text in answers.items() if plain_name(name) in _TEXTS}
    rest = {name: text for name, text in answers.items() if name not in written}
    wanted = response.removeprefix(ANSWER)
    named = [name for name in rest if plain_name(name) in FIELD_NAMES["response"]]
    chosen = wanted if wanted in answers else next(iter(named or rest), "")
    if not wanted and len(rest) > 1 and len(named) != 1:
        columns = ", ".join(f"{ANSWER}{name}" for name in rest)
        return Problem(
            "error", "it cannot be told which column holds the answer", row=row.where,
            value=columns, todo="Name it: --map response=Answer.NAME.",
        )  # fmt: skip
    cells = {**inputs, **facts, "response": answers.get(chosen)}
    comment = "; ".join(str(text) for text in written.values())
    return Row(row.where, {**cells, "comment": comment} if comment else cells)
