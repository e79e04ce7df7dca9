"""Results of TOMATO: `<reasoning>+<demonstration>/<frames>/<model>.jsonl`, raw or parsed."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    PredictionFile,
    QuestionReference,
)
from annotations.prediction_formats._rows import first_rows, without_doubles
from annotations.reading.answer_key import NotANumber
from annotations.reading.displayed_options import key_of, split_list
from annotations.reading.file_parts import each_file
from annotations.reading.json_rows import open_json
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

TITLE = "results of TOMATO (REASONING+DEMONSTRATION/FRAMES/MODEL.jsonl), one file or the folder"

_FOLDER = re.compile(r"(?P<shuffled>shuffled?_)?(?P<reasoning>[^+/]+)\+(?P<demonstration>[^+/]+)")
_FRAMES = re.compile(r"-1|\d{1,3}")


def likeness(path: Path) -> int:
    """3 for a result file with TOMATO's fields, or a folder that holds some; else 0."""
    if path.is_file():
        return 3 if path.suffix.lower() == ".jsonl" and _has_fields(path) else 0
    return 3 if any(_has_fields(file) for file in _files(path)[:3]) else 0


def _has_fields(path: Path) -> bool:
    lines = first_rows(path, 1)
    return bool(lines) and all(f'"{name}"' in lines[0] for name in ("id", "response", "gt"))


def _files(path: Path) -> list[Path]:
    """Result files below a folder: two levels under a folder with a plus in its name."""
    if path.is_file():
        return [path]
    files = sorted(path.rglob("*.jsonl"))
    return [f for f in files if _FOLDER.fullmatch(f.parent.parent.name)]


def read(path: Path, choices: PredictionChoices) -> PredictionFile:
    """One file or all below a folder.

    Raises:
        ValueError: if there is none, or one given alone is no JSON Lines file.
    """
    files = _files(path)
    if not files:
        raise Refusal(f"{path} holds no REASONING+DEMONSTRATION/FRAMES/MODEL.jsonl.")
    problems: list[Problem] = []
    tables = each_file(files, lambda file: open_json(file, choices.encoding), problems)
    parts = [(table, file) for file, table in tables]
    problems += [problem for table, _ in parts for problem in table.problems]
    problems += [note for _, file in parts for note in _notes(file, choices)]
    models = sorted({choices.model or file.stem for _, file in parts})
    return PredictionFile(
        format="tomato",
        files=tuple(file for _, file in parts),
        mapping=(
            ("model", ", ".join(models)),
            ("condition", choices.condition or "the folder's name: frames, -1 for the full video"),
            ("question", "reasoning type of the folder and id, such as count/17"),
            ("response", "response"),
            ("options", "index2ans, where it is there"),
        ),
        rows=partial(without_doubles, partial(_rows, parts, choices)),
        problems=tuple(problems),
    )


def _condition(file: Path) -> str:
    """What the model saw, by the folders' names; '' if they do not say."""
    frames, folder = file.parent.name, _FOLDER.fullmatch(file.parent.parent.name)
    if not _FRAMES.fullmatch(frames):
        return ""
    if frames == "-1":
        return "full video"
    if frames == "0":
        return "text only"
    shuffled = "shuffled " if folder and folder["shuffled"] else ""
    return f"{frames} {shuffled}frame{'s' if frames != '1' else ''}"


def _notes(file: Path, choices: PredictionChoices) -> Iterator[Problem]:
    if not choices.condition and not _condition(file):
        yield Problem(
            "warning", "the folder's name does not say how many frames were shown", file.name,
            todo="Name it: --condition '16 frames'.",
        )  # fmt: skip
    if not choices.condition and file.parent.name == "1":
        yield Problem(
            "warning",
            "with 1 frame TOMATO's script always takes the first, not a random one",
            file.name,
        )
    if not _FOLDER.fullmatch(file.parent.parent.name):
        yield Problem(
            "warning",
            "the folder's name does not say the reasoning type, and ids repeat between types",
            file.name,
            todo="Keep the folders as TOMATO wrote them.",
        )


def _rows(
    parts: list[tuple[Table, Path]], choices: PredictionChoices
) -> Iterator[PredictionDraft | Problem]:
    for table, path in parts:
        folder = _FOLDER.fullmatch(path.parent.parent.name)
        reasoning = folder["reasoning"].replace(" ", "_") if folder else ""
        shown_path = "/".join(path.parts[-3:])
        for row in table.rows():
            if isinstance(row, Problem):
                yield row
                continue
            identity = str(row.cells.get("id", "")).strip()
            if not identity:
                yield Problem("error", "no id in the row", shown_path, row.where, "id")
                continue
            value = row.cells.get("response")
            lost = value is None or isinstance(value, NotANumber)
            yield PredictionDraft(
                question=_question(row, reasoning, identity),
                response=None if lost else str(value),
                model=choices.model or path.stem,
                condition=choices.condition or _condition(path),
                file=shown_path,
                row=row.where,
            )


def _question(row: Row, reasoning: str, identity: str) -> QuestionReference:
    options, labels = split_list(row.cells.get("index2ans"))
    known = reasoning.replace("shape_trend", "shape&trend")
    known = known.replace("velocity_frequency", "velocity&frequency")
    return QuestionReference(
        uids=(f"{known}/{identity}", identity) if known else (identity,),
        text=str(row.cells.get("question", "")).strip(),
        options=options,
        labels=labels,
        key=key_of(row.cells.get("gt"), options, labels),
        category=known,
    )
