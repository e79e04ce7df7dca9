"""Model answers in CSV, TSV, JSON, JSON Lines or xlsx, with columns mapped by name or as given."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

from annotations.importing.cells import cell, condition_of, question_of, text_of
from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    PredictionFile,
    to_score,
)
from annotations.prediction_formats._free_form import by_option, judge_scores
from annotations.prediction_formats._rows import NO_MODEL, finished, without_doubles
from annotations.reading import mapping as mappings
from annotations.reading import table_files
from annotations.reading.mapping import Mapping, plain_name
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

TITLE = "CSV, TSV, JSON, JSON Lines or xlsx with one model answer a row"

SUFFIXES = table_files.SUFFIXES
# In the order of preference; names are compared after `plain_name`.
NAMES: dict[str, tuple[str, ...]] = {
    "response": (
        "response", "raw_response", "model_response", "model_output", "raw_output", "output",
        "prediction", "video_llm_prediction", "predicted_answer", "model_answer",
        "model_prediction", "pred", "predicted", "reply", "completion", "generation",
        "generated_text", "resps",
    ),
    "model": ("model", "model_name", "model_id", "annotator", "system"),
    "condition": ("condition", "setting", "n_frames", "num_frames", "frames", "n_sample_frames"),
    "score": ("score", "is_correct", "rating", "hit", "match_success"),
    "read_as": ("pred_answer", "parsed_response", "extracted_answer", "extracted", "parsed"),
    "error": ("error", "exception", "failure"),
    "similarities": ("cosine_similarities", "similarities", "cosine_similarity", "cosines"),
    "finished": ("finish_reason", "stop_reason", "finishreason", "done_reason", "truncated"),
    "judge": ("judge_model", "judge", "judge_name"),
}  # fmt: skip
_NO_POSITION = ("-1", "-1.0")  # where a model failed, in files of positions


@dataclass(frozen=True)
class _Columns:
    """Columns of the answers, and the mapping of those about questions."""

    reply_columns: dict[str, str]
    question: Mapping


def likeness(path: Path) -> int:
    """1 for a table with a column of replies, whatever else it has; else 0."""
    if not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return 0
    try:
        return 1 if "response" in _columns(open_table(path, "").columns, ()).reply_columns else 0
    except (ValueError, ImportError):
        return 0


def open_table(path: Path, encoding: str) -> Table:
    """A file of any of `SUFFIXES` as a table; one JSON object may hold a reply for each id.

    Raises:
        ValueError: if it cannot be read.
    """
    return table_files.open_table(path, encoding, "response")


def read(path: Path, choices: PredictionChoices) -> PredictionFile:
    """One table.

    Raises:
        ValueError: if it cannot be read, or no column of replies or questions is found.
    """
    table = open_table(path, choices.encoding)
    mapped = _columns(table.columns, choices.columns)
    if "response" not in mapped.reply_columns:
        raise Refusal(
            f"{path.name}: no column of replies was found. Name it: --map response=COLUMN. "
            f"There are: {', '.join(table.columns) or 'none'}."
        )
    if not {"id", "question"} & mapped.question.columns.keys():
        raise Refusal(
            f"{path.name}: no column says which question a reply answers. Name it: --map id=COLUMN "
            f"or --map question=COLUMN. There are: {', '.join(table.columns)}."
        )
    has_model = bool(choices.model) or "model" in mapped.reply_columns
    reply_columns = tuple((field, column) for field, column in mapped.reply_columns.items())
    return PredictionFile(
        format="table",
        files=(path,),
        mapping=(
            *reply_columns,
            *(
                (field, source)
                for field, source in mapped.question.described()
                if field != "answer"
            ),
            *((("model", choices.model),) if choices.model else ()),
        ),
        rows=partial(without_doubles, partial(_rows, table, mapped, choices)),
        problems=table.problems,
        undecided=("" if has_model else NO_MODEL) or _undecided(table, mapped, choices),
    )


def _undecided(table: Table, mapped: _Columns, choices: PredictionChoices) -> str:
    """What a person has to say if all replies are numbers: whether these are positions."""
    question = mapped.question
    if choices.keys or question.options or "options" in question.columns:
        return ""
    replies: list[str] = []
    for row in table.rows():
        reply = _reply(row, mapped) if isinstance(row, Row) else None
        if reply not in (None, "") and str(reply).strip() not in _NO_POSITION:
            replies.append(str(reply or "0").strip())
            if not re.fullmatch(r"\d{1,2}(?:\.0)?", replies[-1]):
                return ""  # most files say so in their first row
    if len(replies) < 2:
        return ""
    zeros = sum(reply.split(".")[0] == "0" for reply in replies)
    return (
        f"All {len(replies):,} replies are whole numbers, {zeros:,} of them 0. Say whether these "
        "are positions of options: --keys 0 or --keys 1, or --keys text if they are texts."
    )


def _reply(row: Row, mapped: _Columns) -> object:
    """What stands in the column of replies; the text of a list of one, of other lists the JSON."""
    value = cell(row, mapped.reply_columns["response"])
    while isinstance(value, list) and len(value) == 1:  # pyright: ignore[reportUnknownArgumentType]
        value = cast("list[object]", value)[0]
    if not isinstance(value, list | dict):
        return value
    return json.dumps(value, ensure_ascii=False, default=str) if value else None


def _position(value: object, keys: str) -> int | None:
    """The position that a reply is, from 0, where a person said that replies are positions."""
    text = "" if value is None else str(value).strip()
    if keys not in ("0", "1") or not re.fullmatch(r"\d{1,2}(?:\.0)?", text):
        return None
    return int(text.split(".")[0]) - int(keys)


def _columns(columns: Sequence[str], chosen: Sequence[tuple[str, str]]) -> _Columns:
    reply_columns: dict[str, str] = {}
    for field, column in chosen:
        if field in NAMES:
            if column not in columns:
                raise Refusal(f"There is no column {column!r}. There are: {', '.join(columns)}.")
            reply_columns[field] = column
    named = {column for field, column in chosen if field not in NAMES}
    plain = {plain_name(name): name for name in reversed(columns)}
    for field, names in NAMES.items():
        free = (
            plain[n]
            for n in names
            if n in plain and plain[n] not in {*reply_columns.values(), *named}
        )
        column = reply_columns.get(field) or next(free, None)
        if column is not None:
            reply_columns[field] = column
    rest = [name for name in columns if name not in reply_columns.values()]
    if "answer" in plain and {"ground_truth", "correct_answer"} & plain.keys():
        # Beside the right answer under its own name, 'answer' is what the model said.
        rest.remove(plain["answer"])
    question = mappings.guess(rest, [pair for pair in chosen if pair[0] not in NAMES])
    return _Columns(reply_columns, replace(question, tags=()))


def _rows(
    table: Table, mapped: _Columns, choices: PredictionChoices
) -> Iterator[PredictionDraft | Problem]:
    file = table.file.name
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        value = _reply(row, mapped)
        failure = text_of(row, mapped.reply_columns.get("error"))
        question = question_of(row, mapped.question)
        if not question.uids and not question.text:
            yield Problem("error", "the row names no question", file, row.where)
            continue
        similarities = by_option(cell(row, mapped.reply_columns.get("similarities")), question)
        if similarities is None:
            yield Problem(
                "warning", "not one similarity for each option; left out", file, row.where,
                mapped.reply_columns["similarities"],
            )  # fmt: skip
        model = choices.model or text_of(row, mapped.reply_columns.get("model"))
        if not model and "model" in mapped.reply_columns:
            yield Problem(
                "error", "the row names no model", file, row.where, mapped.reply_columns["model"]
            )
            continue
        yield PredictionDraft(
            question=question,
            response=None if value is None or failure else str(value),
            choice=_position(value, choices.keys),
            model=model,
            condition=choices.condition
            or condition_of(text_of(row, mapped.reply_columns.get("condition"))),
            score=to_score(cell(row, mapped.reply_columns["score"]))
            if "score" in mapped.reply_columns
            else None,
            score_name=mapped.reply_columns.get("score", ""),
            read_as=text_of(row, mapped.reply_columns.get("read_as")),
            failure=failure,
            finished=finished(text_of(row, mapped.reply_columns.get("finished"))),
            similarities=similarities or (),
            judged=judge_scores(row, table.columns),
            judge=text_of(row, mapped.reply_columns.get("judge")),
            file=file,
            row=row.where,
        )
