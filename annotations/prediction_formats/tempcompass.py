"""Predictions of TempCompass, and its own scoring output: video, aspect, list of replies."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from annotations.formats.tempcompass import uid
from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    PredictionFile,
    QuestionReference,
    to_score,
)
from annotations.prediction_formats._rows import NO_MODEL
from annotations.reading.answer_key import NotANumber
from annotations.reading.displayed_options import YES_NO, key_of, split_prompt
from annotations.reading.json_rows import Record, read_json
from annotations.reading.records import Problem, shown
from core.refusal import Refusal

TITLE = "predictions of TempCompass (MODEL/TASK.json), one task or a model's folder"

TASKS = ("multi-choice", "yes_no", "caption_matching", "captioning")
_REPLY = ("prediction", "video-llm-prediction")
_ANSWER = ("answer", "gt-answer")


def likeness(path: Path) -> int:
    """3 for a tree of video, aspect and replies, or a folder with one by a task's name; else 0."""
    files = _files(path)
    return 3 if files and _has_tree(files[0]) else 0


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix.lower() == ".json" else []
    return [file for task in TASKS if (file := path / f"{task}.json").is_file()]


def _has_tree(file: Path) -> bool:
    try:
        value, _ = read_json(file)
    except ValueError:
        return False
    for _, _, _, record in _records(value):
        return isinstance(record, Record) and any(name in record for name in _REPLY)
    return False


def _records(value: object) -> Iterator[tuple[str, str, int, object]]:
    """Video, aspect, place in the list, record; nothing where the tree is another."""
    if not isinstance(value, Record):
        return
    for video, aspects in value.items():
        if not isinstance(aspects, Record):
            continue
        for aspect, records in aspects.items():
            if isinstance(records, list):
                for position, record in enumerate(records):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
                    yield video, aspect, position, record


def read(path: Path, choices: PredictionChoices) -> PredictionFile:
    """One task's file, or those of a model.

    Raises:
        ValueError: if there is none, or one is no JSON.
    """
    files = _files(path)
    if not files:
        raise Refusal(f"{path} holds none of {', '.join(task + '.json' for task in TASKS)}.")
    read_files = [(file, *read_json(file, choices.encoding)) for file in files]
    model = choices.model or files[0].resolve().parent.name
    notes = [problem for _, _, problems in read_files for problem in problems]
    if any(file.stem == "captioning" for file in files):
        notes.append(
            Problem(
                "warning",
                "captions are free text: rules do not read an option out of them",
                "captioning.json",
            )
        )
    return PredictionFile(
        format="tempcompass",
        files=tuple(files),
        mapping=(
            ("model", model or "not said"),
            ("condition", choices.condition or "not said"),
            ("question", "video, aspect and text; options from the text"),
            ("response", "prediction, or video-llm-prediction of the scoring output"),
            ("score", "rating, in the scoring output"),
        ),
        rows=partial(_rows, [(file, value) for file, value, _ in read_files], model, choices),
        problems=tuple(notes),
        undecided="" if model else NO_MODEL,
    )


def _rows(
    files: list[tuple[Path, object]], model: str, choices: PredictionChoices
) -> Iterator[PredictionDraft | Problem]:
    for file, value in files:
        number = 0
        for video, aspect, position, record in _records(value):
            row = f"{video}, {aspect}, entry {position + 1}"
            name = next((n for n in _REPLY if isinstance(record, Record) and n in record), "")
            if not isinstance(record, Record) or not name:
                yield Problem(
                    "error", "no prediction in the record", file.name, row, allowed=_REPLY[0]
                )
                continue
            reply = record[name]
            if not isinstance(reply, str | NotANumber | None):
                yield Problem("error", "the reply is no text", file.name, row, name, shown(reply))
                continue
            yield PredictionDraft(
                question=_question(file.stem, video, aspect, position, number, record),
                response=reply if isinstance(reply, str) else None,
                model=model,
                condition=choices.condition,
                score=to_score(record.get("rating")),
                score_name="rating" if "rating" in record else "",
                read_as=str(record.get("chatgpt-answer", "")),
                file=file.name,
                row=row,
            )
            number += 1


def _question(
    task: str, video: str, aspect: str, position: int, number: int, record: Record
) -> QuestionReference:
    text, options, labels = split_prompt(str(record.get("question", "")))
    answer = next((record[name] for name in _ANSWER if name in record), None)
    if not options and str(answer).strip().lower() in ("yes", "no"):
        options, labels = YES_NO
    return QuestionReference(
        uids=(uid(task, video, aspect, position),),
        video=video,
        text=text,
        options=() if task == "captioning" else options,
        labels=() if task == "captioning" else labels,
        key=key_of(answer, options, labels),
        category=aspect,
        number=number,
        free_text=task == "captioning",
    )
