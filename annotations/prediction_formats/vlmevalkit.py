"""Prediction tables of VLMEvalKit: `<model>_<dataset>.xlsx`, tsv or json."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    PredictionFile,
    QuestionReference,
    to_score,
)
from annotations.prediction_formats._rows import NO_MODEL, without_doubles
from annotations.reading.displayed_options import YES_NO, key_of, split_list, split_prompt
from annotations.reading.json_rows import open_json
from annotations.reading.records import Problem, shown
from annotations.reading.text_tables import Row, Table, open_csv
from annotations.reading.xlsx_sheets import LONGEST, open_xlsx
from core.refusal import Refusal

TITLE = "prediction tables of VLMEvalKit (MODEL_DATASET.xlsx, tsv or json)"

SUFFIXES = (".xlsx", ".tsv", ".json", ".csv")
_DATASET = re.compile(
    r"_(?P<dataset>(?:TempCompass|Video-MME|MVBench|MMBench-Video|LongVideoBench|MLVU|Video-Holmes)"
    r"(?:[_-][A-Za-z0-9.]+)*)$"
)
_FRAMES = re.compile(r"(?<![0-9])(\d{1,3})frame")
# What it writes where no reply came; str(None) in a table of texts.
_NO_REPLY = frozenset(["None", "nan", ""])
_FAILED = "Failed to obtain answer via API"


def likeness(path: Path) -> int:
    """3 for a table with 'index' and 'prediction' beside candidates or a question; else 0."""
    if not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return 0
    try:
        columns = set(_open(path, "").columns)
    except (ValueError, ImportError):
        return 0
    if not {"index", "prediction"} <= columns:
        return 0
    return 3 if columns & {"candidates", "dim", "task_type", "question"} else 0


def _open(path: Path, encoding: str) -> Table:
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        return open_xlsx(path)
    return open_json(path, encoding) if suffix == ".json" else open_csv(path, encoding)


def read(path: Path, choices: PredictionChoices) -> PredictionFile:
    """One table.

    Raises:
        ValueError: if it cannot be read or has no column 'prediction'.
    """
    table = _open(path, choices.encoding)
    if "prediction" not in table.columns:
        raise Refusal(
            f"{path.name} has no column 'prediction'. There are: {', '.join(table.columns)}."
        )
    named, dataset = _named(path.stem)
    model = choices.model or named
    frames = _FRAMES.search(dataset)
    condition = choices.condition or (f"{frames[1]} frames" if frames else "")
    return PredictionFile(
        format="vlmevalkit",
        files=(path,),
        mapping=(
            ("model", model or "not said"),
            ("condition", condition or "not said"),
            ("data set", dataset or "not said"),
            ("question", "question, candidates, video"),
            ("response", "prediction"),
            ("score", "score or hit, where there is one"),
        ),
        rows=partial(
            without_doubles,
            partial(_rows, table, model, condition, captions=dataset.endswith("Captioning")),
        ),
        problems=table.problems,
        undecided="" if model else NO_MODEL,
    )


def _named(stem: str) -> tuple[str, str]:
    """Model and data set in a file name; the last part is the data set if none is known."""
    match = _DATASET.search(stem)
    if match:
        return stem[: match.start()], match["dataset"]
    model, _, dataset = stem.rpartition("_")
    return (model, dataset) if model else ("", dataset)


def _rows(
    table: Table, model: str, condition: str, *, captions: bool
) -> Iterator[PredictionDraft | Problem]:
    file = table.file.name
    empty: list[str] = []
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        question = _question(row)
        response, failure = _reply(row, question.options)
        if response is None and not failure:
            empty.append(row.where)
        if table.file.suffix.lower() == ".xlsx" and response and len(response) >= LONGEST:
            yield Problem(
                "warning", "the reply fills its cell and was cut off there", file, row.where,
                "prediction", todo="Write the predictions as tsv or json: PRED_FORMAT=tsv.",
            )  # fmt: skip
        name = next((n for n in ("score", "hit") if row.cells.get(n) not in (None, "")), "")
        yield PredictionDraft(
            question=replace(question, free_text=captions),
            response=response,
            model=model,
            condition=condition,
            score=to_score(row.cells.get(name)) if name else None,
            score_name=name,
            failure=failure,
            file=file,
            row=row.where,
        )
    if empty:
        examples = ", ".join(empty[:5]) + (", …" if len(empty) > 5 else "")
        yield Problem(
            "warning",
            f"no reply, or the text None that stands for one: {examples}",
            file,
            column="prediction",
            rows=len(empty),
        )


def _reply(row: Row, options: tuple[str, ...]) -> tuple[str | None, str]:
    """The reply, and why there is none."""
    value = row.cells.get("prediction")
    text = "" if value is None else str(value)
    if text.strip() in _NO_REPLY and text.strip() not in options:
        return None, ""
    if _FAILED in text:
        return None, shown(text.strip()).strip("'")
    return text, ""


def _question(row: Row) -> QuestionReference:
    cells = row.cells
    text, options, labels = split_prompt(_cell(row, "question"))
    if _cell(row, "candidates"):
        value = cells["candidates"]
        options, labels = split_list(value)
    columns = [name for name in "ABCDEFGH" if _cell(row, name)]
    if not options and columns == list("ABCDEFGH"[: len(columns)]) and len(columns) > 1:
        options, labels = tuple(_cell(row, name) for name in columns), tuple(columns)
    answer = _cell(row, "answer")
    if not options and answer.strip(" .").lower() in ("yes", "no"):
        options, labels = YES_NO
    number = _cell(row, "index")
    return QuestionReference(
        video=_cell(row, "video") or _cell(row, "video_path"),
        text=text,
        options=options,
        labels=labels,
        key=key_of(answer, options, labels),
        category=next((c for n in ("dim", "task_type", "category") if (c := _cell(row, n))), ""),
        number=int(number) if number.isdigit() else None,
    )


def _cell(row: Row, name: str) -> str:
    value = row.cells.get(name)
    return "" if value is None else str(value).strip()
