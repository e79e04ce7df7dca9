"""Predictions of NExT-QA: an object of `<video>_<qid>` to the position chosen and the right one."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TypeGuard

from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    PredictionFile,
    QuestionReference,
)
from annotations.prediction_formats._rows import NO_MODEL
from annotations.reading.json_rows import Record, read_json
from annotations.reading.records import Problem, shown
from core.refusal import Refusal

TITLE = "predictions of NExT-QA (MODEL-val.json with VIDEO_QID: prediction, answer)"

OPTIONS = 5


def likeness(path: Path) -> int:
    """3 for an object of records with 'prediction' and 'answer' under keys VIDEO_QID; else 0."""
    if not path.is_file() or path.suffix.lower() != ".json":
        return 0
    try:
        value, _ = read_json(path)
    except ValueError:
        return 0
    if not isinstance(value, Record) or not value:
        return 0
    name, record = next(iter(value.items()))
    fits = isinstance(record, Record) and {"prediction", "answer"} <= record.keys()
    return 3 if fits and "_" in name else 0


def read(path: Path, choices: PredictionChoices) -> PredictionFile:
    """One file; the model is its name without '-val'.

    Raises:
        ValueError: if it is no such object.
    """
    value, problems = read_json(path, choices.encoding)
    if not isinstance(value, Record):
        raise Refusal(f"{path.name} is no object of VIDEO_QID to prediction and answer.")
    stem = path.stem
    model = choices.model or next(
        (stem.removesuffix(end) for end in ("-val", "-test", "_val") if stem.endswith(end)), stem
    )
    return PredictionFile(
        format="nextqa",
        files=(path,),
        mapping=(
            ("model", model or "not said"),
            ("condition", choices.condition or "not said"),
            ("question", "video and qid, such as 4010069381/6"),
            ("choice", "prediction, a position from 0"),
        ),
        rows=partial(_rows, path.name, value, model, choices.condition),
        problems=tuple(problems),
        undecided="" if model else NO_MODEL,
    )


def _rows(
    file: str, value: Record, model: str, condition: str
) -> Iterator[PredictionDraft | Problem]:
    for name, record in value.pairs or value.items():
        row = f"id {name}"
        video, _, qid = name.rpartition("_")
        if name in value.doubled:
            yield Problem("error", "this id stands there twice", file, row, todo="Keep one.")
            continue
        if not video or not isinstance(record, Record):
            yield Problem(
                "error", "not a prediction", file, row, value=shown(record),
                allowed="VIDEO_QID with prediction and answer",
            )  # fmt: skip
            continue
        choice, key = record.get("prediction"), record.get("answer")
        if choice is not None and not _is_position(choice):
            yield Problem(
                "error", "the prediction is no position", file, row, "prediction", shown(choice),
                f"0 to {OPTIONS - 1}",
            )  # fmt: skip
            continue
        yield PredictionDraft(
            question=QuestionReference(
                uids=(f"{video}/{qid}", name),
                video=video,
                key=key if _is_position(key) else None,
            ),
            response=None if choice is None else str(choice),
            model=model,
            condition=condition,
            choice=choice if _is_position(choice) else None,
            file=file,
            row=row,
        )


def _is_position(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < OPTIONS
