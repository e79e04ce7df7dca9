"""Sample logs of lmms-eval: `<date>_samples_<task>.jsonl`, in each layout that it has written."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    PredictionFile,
    QuestionReference,
    to_score,
)
from annotations.prediction_formats._rows import NO_MODEL, first_rows, without_doubles
from annotations.reading.displayed_options import YES_NO, key_of, split_list, split_prompt
from annotations.reading.json_rows import Record, open_json, read_json
from annotations.reading.records import Problem, shown
from annotations.reading.text_tables import Row, Table

TITLE = "sample logs of lmms-eval (..._samples_TASK.jsonl)"

_NAME = re.compile(r"(?:\d{8}_\d{6}_)?samples_(?P<task>.+)\.jsonl")
_HARNESS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "doc_hash", "prompt_hash"}
    | {"target_hash", "input", "token_counts", "input_media"}
)
_FRAMES = re.compile(r"(?:max_frames_num|max_num_frames|num_frames|nframes|n_frames)=(\d+)")


def likeness(path: Path) -> int:
    """3 for a file whose first lines hold 'doc_id' and replies, whatever its name; else 0."""
    if not path.is_file() or path.suffix.lower() not in (".jsonl", ".json"):
        return 0
    for line in first_rows(path, 1):
        if '"doc_id"' in line and ('"filtered_resps"' in line or '"resps"' in line):
            return 3
    return 0


def read(path: Path, choices: PredictionChoices) -> PredictionFile:
    """One sample log.

    Raises:
        ValueError: if it is no JSON Lines file.
    """
    table = open_json(path, choices.encoding)
    named = _NAME.fullmatch(path.name)
    task = named["task"] if named else ""
    model, condition = _about(path)
    model, condition = choices.model or model, choices.condition or condition
    rows = partial(_rows, table, task, model, condition)
    return PredictionFile(
        format="lmms_eval",
        files=(path,),
        mapping=(
            ("model", model or "not said"),
            ("condition", condition or "not said"),
            ("task", task or "not said"),
            ("question", "doc, else the score's fields, else input"),
            ("response", "resps, else filtered_resps"),
            ("score", "the first score of the row; kept for comparing only"),
        ),
        rows=partial(without_doubles, rows),
        problems=table.problems,
        undecided="" if model else NO_MODEL,
    )


def _about(path: Path) -> tuple[str, str]:
    """Model and condition by the folder's name and the results file beside the log."""
    folder = path.resolve().parent.name
    model = folder.replace("__", "/", 1) if "__" in folder else ""
    stamp = re.match(r"\d{8}_\d{6}", path.name)
    beside = path.parent / f"{stamp[0]}_results.json" if stamp else None
    if beside is None or not beside.is_file():
        return model, ""
    try:
        value, _ = read_json(beside)
    except ValueError:
        return model, ""
    config = cast("dict[str, Any]", value).get("config") if isinstance(value, dict) else None
    config_text = json.dumps(config, default=str) if config else ""
    frames = _FRAMES.search(config_text)
    name = re.search(r"(?:pretrained|model_version|model_name)=([^,\"\\]+)", config_text)
    condition = f"{frames[1]} frame{'s' if frames[1] != '1' else ''}" if frames else ""
    return model or (name[1] if name else ""), condition


def _rows(
    table: Table, task: str, model: str, condition: str
) -> Iterator[PredictionDraft | Problem]:
    file = table.file.name
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        cells = row.cells
        reply, several = _reply(cells)
        if reply is _LACKING:
            yield Problem(
                "error", "no reply in the row", file, row.where,
                allowed="the field resps or filtered_resps",
            )  # fmt: skip
            continue
        if several:
            yield Problem(
                "warning", f"{several} replies in the row; the first counts", file, row.where
            )
        if reply is not None and not isinstance(reply, str):
            yield Problem("error", "the reply is no text", file, row.where, "resps", shown(reply))
            continue
        scores = _scores(cells)
        name, score = next(iter(scores.items()), ("", None))
        facts = _facts(cells, scores)
        yield PredictionDraft(
            question=replace(_question(row, facts, task), free_text=task.endswith("captioning")),
            response=reply,
            model=model,
            condition=condition,
            score=_score(score),
            score_name=name,
            read_as=_short_text(facts.get("pred_answer")),
            file=file,
            row=row.where,
        )


_LACKING = object()


def _reply(cells: dict[str, object]) -> tuple[object, int]:
    """The raw reply, and how many there are if more than one; `_LACKING` if the row has none.

    resps holds the reply with its thinking, filtered_resps often without; the former is dropped
    by newer layouts where the two are equal. Both are texts or lists of lists, by layout.
    """
    for field in ("resps", "filtered_resps"):
        if field not in cells:
            continue
        value, several = cells[field], 0
        while isinstance(value, list):
            items = cast("list[object]", value)
            if not items:
                return None, several
            several = several or (len(items) if len(items) > 1 else 0)
            value = items[0]
        return value, several
    return _LACKING, 0


def _scores(cells: dict[str, object]) -> dict[str, object]:
    """What the harness scored, by metric; those over all questions before those of one aspect."""
    names = [name for name in cells if name not in _HARNESS]
    names.sort(key=lambda name: not name.startswith("avg"))
    return {name: cells[name] for name in names}


def _score(metric: object) -> float | None:
    if not isinstance(metric, Record):
        return to_score(metric)
    for field in ("score", "rating", "match_success", "correct", "acc"):
        if field in metric:
            return to_score(metric[field])
    return None


def _facts(cells: dict[str, object], scores: dict[str, object]) -> dict[str, object]:
    """What the row says of its question: the data set's record, and the facts beside the score."""
    facts: dict[str, object] = {}
    for part in (*reversed(list(scores.values())), cells.get("doc")):
        if isinstance(part, Record):
            facts.update(part)
    return facts


def _question(row: Row, facts: dict[str, object], task: str) -> QuestionReference:
    prompt = row.cells.get("input")
    text, options, labels = split_prompt(_short_text(facts.get("question") or prompt))
    for field in ("options", "candidates", "choices"):
        if not options and facts.get(field) is not None:
            options, labels = split_list(facts[field])
    if not options and isinstance(prompt, str):
        _, options, labels = split_prompt(prompt)
    answers = (facts.get("gt-answer"), facts.get("gt_answer"), facts.get("answer"),
               row.cells.get("target"))  # fmt: skip
    if not options and any(str(answer).strip().lower() in ("yes", "no") for answer in answers):
        options, labels = YES_NO
    reasoning = _short_text(facts.get("reason_type"))
    return QuestionReference(
        uids=_uids(facts, reasoning),
        video=_first(facts, "video_id", "videoID", "video_path", "video_name", "video", "key"),
        text=text,
        options=options,
        labels=labels,
        key=_key(answers, options, labels, from_0=bool(reasoning)),
        category=reasoning or _first(facts, "dim", "task_category", "task_type", "category"),
        number=_whole(row.cells.get("doc_id")),
    )


def _uids(facts: dict[str, object], reasoning: str) -> tuple[str, ...]:
    identity = _first(facts, "question_id", "id", "qid", "q_id")
    if not identity or not reasoning:
        return (identity,) if identity else ()
    # TOMATO's splits are named without the '&' of its files.
    names = [reasoning.replace(" ", "_"), reasoning.replace("_", "&", 1)]
    return (*dict.fromkeys(f"{name}/{identity}" for name in names), identity)


def _key(
    answers: tuple[object, ...], options: tuple[str, ...], labels: tuple[str, ...], *, from_0: bool
) -> int | None:
    for answer in answers:
        if from_0 and isinstance(answer, int) and 0 <= answer < len(options):
            return answer
        key = key_of(answer, options, labels)
        if key is not None:
            return key
    return None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _first(facts: dict[str, object], *names: str) -> str:
    return next((text for name in names if (text := _short_text(facts.get(name)))), "")


def _short_text(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) else ""
