"""Questions in CSV, TSV, JSON, JSON Lines or xlsx, with columns mapped by name or as given."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from annotations.format import Choices, Reading
from annotations.formats._answer_files import SUFFIXES
from annotations.formats._table_files import (
    opened_tables,
    question_files,
    video_folders,
)
from annotations.formats._table_survey import Findings, survey, with_found_videos
from annotations.reading.answer_key import NotANumber
from annotations.reading.mapping import Mapping, guess
from annotations.reading.parts import joined
from annotations.reading.question_draft import RawQuestion, draft
from annotations.reading.records import Fault, Problem, QuestionDraft, as_problem
from annotations.reading.text_tables import Table
from core.refusal import Refusal

TITLE = "CSV, TSV, JSON, JSON Lines or xlsx with one question a row"
REQUIRED = ("question", "video")
_OF_MODELS = " If it holds what models answered, add --as predictions --map response=COLUMN."


def likeness(path: Path) -> int:
    """2 for a file of a known suffix, or a folder that holds just files of questions; else 0."""
    if path.is_dir():
        return 2 if question_files(path) else 0
    return 2 if path.suffix.lower() in SUFFIXES else 0


def read(path: Path, choices: Choices) -> Reading:
    """A table surveyed once: its mapping, how its keys count, which identities are double.

    Raises:
        ValueError: if it cannot be read, or a needed column is lacking.
    """
    tables = opened_tables(path, choices.encoding)
    table = tables[0] if len(tables) == 1 else joined(path, tables)
    file, files = tables[0].file, [name for part in tables for name in (part.file, *part.others)]
    chosen = (*choices.columns, *(("tag", name) for name in table.tags))
    mapping = with_found_videos(table, guess(table.columns, chosen), choices)
    for name in REQUIRED:
        if name not in mapping.columns:
            raise Refusal(
                f"{file.name}: no column for the {name} was found. Name it: --map {name}=COLUMN. "
                f"There are: {', '.join(table.columns) or 'none'}."
                + (_OF_MODELS if name == "question" else "")
            )
    findings = survey(table, mapping, choices)
    if findings.id_columns:
        columns = {**mapping.columns, "id": findings.id_columns}
        mapping = replace(mapping, columns=columns)
    return Reading(
        format="table",
        files=tuple(files),
        mapping=(*mapping.described(), *findings.shown),
        rows=partial(_rows, table, mapping, findings),
        videos=findings.videos,
        problems=(*table.problems, *findings.notes),
        undecided=findings.key_problem.text
        if findings.style == "ask" and findings.key_problem
        else "",
        video_folders=video_folders(path, file),
    )


def _rows(table: Table, mapping: Mapping, findings: Findings) -> Iterator[QuestionDraft | Problem]:
    """The table's questions, and each problem in its place among them."""
    reader = findings.reader(table, mapping)
    seen: set[str] = set()
    without_key = 0
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        try:
            raw = reader.read(row)
            _refuse_double(raw, findings, mapping)
            if raw.uid in seen:
                raise Fault("the same row stands there before", column=mapping.column("id"))
            if findings.key_problem and not raw.free and not _unlabelled(raw.answer):
                without_key += 1
                continue
            findings.further.check(row, raw)
            question = draft(raw, findings.style, mapping.column("answer"))
        except Fault as fault:
            fault.column = _real_column(fault.column, mapping)
            same = fault.what.startswith("the same row")
            yield as_problem(fault, table.file.name, row.where, "warning" if same else "error")
            continue
        if raw.uid in findings.rows_by_uid:
            seen.add(raw.uid)
        for warning in raw.warnings:
            warning.column = _real_column(warning.column, mapping)
            yield as_problem(warning, table.file.name, row.where, "warning")
        yield question
    if findings.key_problem and without_key:
        yield replace(findings.key_problem, rows=without_key)


def _unlabelled(answer: object) -> bool:
    return answer is None or isinstance(answer, NotANumber) or not str(answer).strip()


def _real_column(column: str, mapping: Mapping) -> str:
    return mapping.column(column) if column in ("options", "answer", "id") else column


def _refuse_double(raw: RawQuestion, findings: Findings, mapping: Mapping) -> None:
    if raw.uid in findings.conflicts:
        rows = ", ".join([row for row in findings.rows_by_uid[raw.uid] if row != raw.row][:5])
        raise Fault(
            "two rows have this identity and say different things",
            column=mapping.column("id"),
            value=raw.uid,
            allowed="each identity once",
            todo=f"Give each its own, or take out the wrong one (again in {rows}).",
        )
