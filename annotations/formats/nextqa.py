"""NExT-QA (Xiao et al. 2021), multiple choice: val.csv with five options a0 to a4 a row."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from annotations.format import Choices, Reading
from annotations.reading import checks
from annotations.reading.json_rows import Record, read_json
from annotations.reading.options import options_of_columns
from annotations.reading.question_draft import RawQuestion, draft, read_question_text
from annotations.reading.records import Fault, Problem, QuestionDraft, VideoRequest, as_problem
from annotations.reading.text_tables import Row, Table, open_csv
from core.refusal import Refusal

TITLE = "the multiple-choice questions of NExT-QA (val.csv with qid, type, a0 to a4)"

OPTIONS = ("a0", "a1", "a2", "a3", "a4")
FIELDS = ("video", "question", "answer", "qid", "type", *OPTIONS)
GROUPS = {"C": "causal", "T": "temporal", "D": "descriptive"}
FOLDERS = "map_vid_vidorID.json"


def likeness(path: Path) -> int:
    """3 for a CSV file with its columns; else 0."""
    if not path.is_file() or path.suffix.lower() != ".csv":
        return 0
    try:
        return 3 if set(FIELDS) <= set(open_csv(path).columns) else 0
    except ValueError:
        return 0


def read(path: Path, choices: Choices) -> Reading:
    """One file; identity is video and qid, such as '4010069381/6'.

    Raises:
        ValueError: if it cannot be read or lacks a column.
    """
    if choices.columns:
        raise Refusal("The columns of NExT-QA are fixed; --map is for --format table.")
    table = open_csv(path, choices.encoding)
    lacking = [name for name in FIELDS if name not in table.columns]
    if lacking:
        raise Refusal(
            f"{path.name} lacks {', '.join(lacking)}. There are: {', '.join(table.columns)}."
        )
    folders, problems = _folders(path.parent / FOLDERS)
    return Reading(
        format="nextqa",
        files=(path,),
        mapping=(
            ("id", "video and qid, such as 4010069381/6"),
            ("question", "question"),
            ("options", "a0 to a4"),
            ("answer", "answer, a position from 0"),
            ("video", f"video; looked for in the folder that {FOLDERS} names, if it is there"),
            ("category", "type, such as CW"),
            ("tag group", "first letter of type: causal, temporal, descriptive"),
        ),
        rows=partial(_rows, table),
        videos=_videos(table, folders),
        problems=(*table.problems, *problems),
        video_folders=(path.parent / "videos", path.parent / "NExTVideo"),
    )


def _folders(file: Path) -> tuple[dict[str, str], list[Problem]]:
    """Path of each video below the folder of videos, as the file beside the questions says."""
    if not file.is_file():
        return {}, []
    try:
        value, problems = read_json(file)
    except ValueError as error:
        return {}, [Problem("warning", f"not used: {error}", file.name)]
    pairs = value.items() if isinstance(value, Record) else ()
    return {name: where for name, where in pairs if isinstance(where, str)}, problems


def _videos(table: Table, folders: dict[str, str]) -> dict[str, VideoRequest]:
    videos: dict[str, VideoRequest] = {}
    for row in table.rows():
        if isinstance(row, Problem):
            continue
        try:
            name = checks.read_video_name(row.cells["video"], "video")
        except Fault:
            continue
        videos.setdefault(name, VideoRequest(name, folders.get(name, name)))
    return videos


def _rows(table: Table) -> Iterator[QuestionDraft | Problem]:
    seen: dict[str, tuple[object, ...]] = {}
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        try:
            raw = replace(_raw(row), file=table.file.name, row=row.where)
            content = tuple(row.cells.get(name) for name in FIELDS)
            again = raw.uid in seen
            if again and seen[raw.uid] != content:
                raise Fault(
                    "the same video and qid stand there before with other content",
                    column="qid", value=raw.uid, allowed="each once",
                    todo="Take out the one that is wrong.",
                )  # fmt: skip
            question = draft(raw, "0", "answer")
        except Fault as fault:
            yield as_problem(fault, table.file.name, row.where)
            continue
        if again:
            yield Problem("warning", "the same row stands there before", table.file.name, row.where)
            continue
        seen[raw.uid] = content
        for warning in raw.warnings:
            yield as_problem(warning, table.file.name, row.where, "warning")
        yield question


def _raw(row: Row) -> RawQuestion:
    cells, warnings = row.cells, list[Fault]()
    video = checks.read_video_name(cells.get("video"), "video")
    kind = checks.read_text(cells.get("type"), "type")
    group = GROUPS.get(kind[:1])
    if group is None:
        warnings.append(
            Fault("not one of NExT-QA's", column="type", value=kind,
                  allowed="CW, CH, TN, TC, TP, DC, DL, DO")
        )  # fmt: skip
    return RawQuestion(
        f"{video}/{checks.read_id(cells.get('qid'), 'qid')}",
        read_question_text(cells.get("question"), "question", warnings),
        options_of_columns([(name, cells.get(name)) for name in OPTIONS]),
        cells.get("answer"),
        video,
        category=kind,
        tags={"group": group} if group else {},
        warnings=warnings,
    )
