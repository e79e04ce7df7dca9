"""Questions in CSV, TSV, JSON or JSON Lines, with columns mapped by name or as given."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from annotations.format import Choices, Reading
from annotations.reading import checks
from annotations.reading.answer_key import NotANumber
from annotations.reading.json_rows import open_json
from annotations.reading.key_survey import Survey
from annotations.reading.mapping import NAMES, Mapping, guess, plain_name
from annotations.reading.parquet_rows import open_parquet
from annotations.reading.parts import joined, unnested
from annotations.reading.question_draft import RawQuestion, draft
from annotations.reading.records import (
    About,
    Fault,
    Problem,
    QuestionDraft,
    VideoRequest,
    as_problem,
)
from annotations.reading.table_rows import RowReader
from annotations.reading.text_tables import Row, Table, open_csv
from annotations.video import video_folder
from annotations.video.sidecars import SUFFIX as SIDECAR
from core.refusal import Refusal

TITLE = "CSV, TSV, JSON or JSON Lines with one question a row"
SUFFIXES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet")
REQUIRED = ("question", "video")


@dataclass
class _Findings:
    """What one reading of a whole table showed."""

    id_columns: tuple[str, ...] = ()
    whole: set[str] = field(default_factory=set[str])  # columns whose numbers all end in .0
    rows_by_uid: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    conflicts: set[str] = field(default_factory=set[str])
    videos: dict[str, VideoRequest] = field(default_factory=dict[str, VideoRequest])
    style: str = ""
    key_problem: Problem | None = None
    notes: list[Problem] = field(default_factory=list[Problem])
    shown: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ambiguous: frozenset[str] = frozenset()
    yes_no: bool = False

    def reader(self, table: Table, mapping: Mapping) -> RowReader:
        """A reader of the table's rows, with what has been found so far."""
        return RowReader(
            table.file.name, mapping, self.id_columns, self.whole, self.ambiguous, self.yes_no
        )


def likeness(path: Path) -> int:
    """2 for a file of a known suffix, or a folder that holds just files of questions; else 0."""
    if path.is_dir():
        return 2 if _question_files(path) else 0
    return 2 if path.suffix.lower() in SUFFIXES else 0


def read(path: Path, choices: Choices) -> Reading:
    """A table surveyed once: its mapping, how its keys count, which identities are double.

    Raises:
        ValueError: if it cannot be read, or a needed column is lacking.
    """
    files = [path] if path.is_file() else _files_of(path)
    file, table = files[0], open_table(files[0], choices.encoding)
    if len(files) > 1:
        table = joined(path, [open_table(part, choices.encoding) for part in files])
    mapping = _with_found_videos(table, guess(table.columns, choices.columns), choices)
    for name in REQUIRED:
        if name not in mapping.columns:
            raise Refusal(
                f"{file.name}: no column for the {name} was found. Name it: --map {name}=COLUMN. "
                f"There are: {', '.join(table.columns) or 'none'}."
            )
    findings = _survey(table, mapping, choices)
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


def video_folders(path: Path, file: Path) -> tuple[Path, ...]:
    """Where videos may lie; the file's own folder only if it was given or holds some at its top."""
    folder = file.parent
    likely = (folder / "videos", folder / "clips", folder.parent / "videos")
    at_top = any(entry.suffix.lower() in video_folder.SUFFIXES for entry in folder.iterdir())
    return (*likely, folder) if at_top or path.is_dir() else likely


def open_table(file: Path, encoding: str) -> Table:
    """The table in a file of one of the suffixes.

    Raises:
        ValueError: if it cannot be read.
    """
    if file.suffix.lower() in (".json", ".jsonl", ".ndjson"):
        return unnested(open_json(file, encoding))
    if file.suffix.lower() == ".parquet":
        return unnested(open_parquet(file))
    return open_csv(file, encoding)


def _question_files(folder: Path) -> list[Path]:
    """Files in a folder that have a question and its answers, judged by their columns."""
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
    return [file for file in files if not file.name.endswith(SIDECAR) and _has_questions(file)]


def _has_questions(file: Path) -> bool:
    try:
        mapping = guess(open_table(file, "").columns)
    except ValueError:
        return False
    has_options = bool(mapping.options) or "options" in mapping.columns
    return "question" in mapping.columns and (has_options or "answer" in mapping.columns)


def _files_of(folder: Path) -> list[Path]:
    """The files of questions in a folder, which are parts of one table."""
    files = _question_files(folder)
    if not files:
        raise Refusal(
            f"{folder} holds no file of questions. Name a file, or the format: --format videos "
            "takes the videos only."
        )
    layouts = [guess(open_table(file, "").columns) for file in files]
    asked = {(m.options, *(m.columns.get(name) for name in _SAME_IN_PARTS)) for m in layouts}
    if len(asked) > 1:
        names = ", ".join(file.name for file in files)
        raise Refusal(
            f"{folder} holds files of questions with other columns each: {names}. Import one file "
            "at a time, or name the format: --format videos takes the videos only."
        )
    return files


_SAME_IN_PARTS = ("question", "options", "answer", "video")


_OF_A_FILE = re.compile(r"[A-Za-z0-9_-]{11}|.*\.(?:mp4|webm|mkv|mov|avi|gif|m4v)", re.IGNORECASE)


def _with_found_videos(table: Table, mapping: Mapping, choices: Choices) -> Mapping:
    """The mapping with the column of videos whose values look like names of files.

    Of several columns that could name the video, such as video_id and videoID, the first is taken
    unless another one alone holds file names or identities of YouTube.
    """
    if any(field == "video" for field, _ in choices.columns) or "video" not in mapping.columns:
        return mapping
    names = [name for name in table.columns if plain_name(name) in NAMES["video"]]
    sample = [row.cells for row in itertools.islice(table.rows(), 50) if isinstance(row, Row)]
    fitting = [
        name
        for name in names
        if sample and all(_OF_A_FILE.fullmatch(str(cells.get(name, ""))) for cells in sample)
    ]
    current = mapping.columns["video"][0]
    if current in fitting or not fitting:
        return mapping
    unused = tuple(name for name in (*mapping.unused, current) if name != fitting[0])
    return replace(mapping, columns={**mapping.columns, "video": (fitting[0],)}, unused=unused)


def _survey(table: Table, mapping: Mapping, choices: Choices) -> _Findings:
    findings = _Findings(id_columns=mapping.columns.get("id", ()))
    _survey_identities(table, mapping, findings)
    if not findings.id_columns:
        findings.ambiguous = _ambiguous(table, mapping, findings)
    findings.yes_no = _yes_or_no(table, mapping)
    if findings.yes_no:
        findings.shown.append(("options", "yes and no, since every answer is one of them"))
    reader = findings.reader(table, mapping)
    keys = Survey()
    prints: dict[str, int] = {}
    fillers = 0
    for row in table.rows():
        if not isinstance(row, Row):
            continue
        try:
            raw = reader.read(row)
        except Fault:
            continue
        findings.videos[raw.video] = video_request(
            raw.video, raw.about, findings.videos.get(raw.video)
        )
        fillers += bool(raw.options) and raw.options[-1].strip().upper() in _FILLERS
        findings.rows_by_uid.setdefault(raw.uid, []).append(row.where)
        if prints.setdefault(raw.uid, raw.fingerprint()) != raw.fingerprint():
            findings.conflicts.add(raw.uid)
        if len(raw.options) > 1:
            keys.add(raw.answer, raw.options, row.where)
    findings.rows_by_uid = {u: rows for u, rows in findings.rows_by_uid.items() if len(rows) > 1}
    if fillers:
        findings.notes.append(
            Problem(
                "warning", "the last options read N/A, as if there were no such option",
                table.file.name, rows=fillers,
                todo="If they are fillers, leave these cells empty: people are shown them.",
            )
        )  # fmt: skip
    _decide_keys(table, mapping, choices, keys, findings)
    return findings


_FILLERS = frozenset({"N/A", "NA", "N.A."})


def _ambiguous(table: Table, mapping: Mapping, findings: _Findings) -> frozenset[str]:
    """Identities made of video and text that rows with other options share."""
    reader = findings.reader(table, mapping)
    options: dict[str, set[int]] = {}
    for row in table.rows():
        if isinstance(row, Row):
            try:
                raw = reader.read(row)
            except Fault:
                continue
            options.setdefault(raw.uid, set()).add(hash(tuple(raw.options)))
    return frozenset(uid for uid, different in options.items() if len(different) > 1)


def _yes_or_no(table: Table, mapping: Mapping) -> bool:
    """Whether no question has options and every answer is yes or no."""
    if mapping.options or "options" in mapping.columns or "answer" not in mapping.columns:
        return False
    column, text_column = mapping.columns["answer"][0], mapping.columns["question"][0]
    answers: set[str] = set()
    for row in table.rows():
        if not isinstance(row, Row):
            continue
        answers.add(str(row.cells.get(column) or "").strip(" .").lower())
        if len(str(row.cells.get(text_column) or "").split("\n")) > 2:
            return False  # options may stand in the text
    return bool(answers - {""}) and answers <= {"yes", "no", ""}


def video_request(name: str, about: About, earlier: VideoRequest | None) -> VideoRequest:
    """A video as its rows name it; what the first row does not tell, a later one may."""
    facts = earlier.about.or_else(about) if earlier and earlier.about else about
    return VideoRequest(name, name, facts.source_url, facts if facts != About() else None)


def _decide_keys(
    table: Table, mapping: Mapping, choices: Choices, keys: Survey, findings: _Findings
) -> None:
    style = keys.style()
    findings.style = choices.keys or style.style
    why = "as chosen" if choices.keys else style.why
    if "answer" not in mapping.columns:
        why = "no column of answers: every question is unlabelled"
    findings.shown.append(("keys", why))
    if findings.style == "ask":
        allowed = "--keys 0, --keys 1 or --keys text"
    elif findings.style == "mixed":
        allowed = "letters, numbers or texts throughout"
    else:
        return
    findings.key_problem = Problem(
        "error",
        style.why
        if findings.style == "mixed"
        else f"it cannot be told how keys count: {style.why}",
        table.file.name,
        column=mapping.column("answer"),
        allowed=allowed,
        todo="Say how answers are to be read with --keys letters, 0, 1 or text.",
    )


def _survey_identities(table: Table, mapping: Mapping, findings: _Findings) -> None:
    """Which columns a spreadsheet turned to 17.0, and whether an id needs a second column."""
    watched = {*mapping.columns.get("id", ()), *mapping.columns.get("video", ())}
    whole, filled = Counter[str](), Counter[str]()
    with_other = {name: set[int]() for name in ("category", "video") if name in mapping.columns}
    alone: set[int] = set()
    rows = 0
    for row in table.rows():
        if not isinstance(row, Row):
            continue
        rows += 1
        for name in watched:
            text = str(row.cells.get(name, "")).strip()
            filled[name] += bool(text)
            whole[name] += checks.is_whole(text)
        identity = _cells(row, mapping.columns.get("id", ()))
        alone.add(hash(identity))
        for name, seen in with_other.items():
            seen.add(hash((identity, _cells(row, mapping.columns[name]))))
    findings.whole = {name for name in watched if whole[name] and whole[name] == filled[name]}
    findings.notes += [
        Problem(
            "warning", "numbers such as 17.0 were read as 17", table.file.name, column=name,
            rows=whole[name],
        )
        for name in sorted(findings.whole)
    ]  # fmt: skip
    if not findings.id_columns:
        findings.shown.append(("id", "video, clip and text together (no column of identities)"))
        findings.notes.append(
            Problem(
                "warning",
                "there is no column of identities: a question is known by its video and text",
                table.file.name,
                todo="A changed text will be a new question. Add an id column to avoid that, "
                "or name one: --map id=COLUMN.",
            )
        )
    elif rows > 1 and len(alone) * 2 <= rows and len(findings.id_columns) == 1:
        for name, seen in with_other.items():
            if len(seen) * 100 >= rows * 99:
                findings.id_columns = (*mapping.columns[name], *findings.id_columns)
                findings.notes.append(
                    Problem(
                        "warning",
                        "identities repeat, so they are taken together with the " + name,
                        table.file.name,
                        column="+".join(findings.id_columns),
                        rows=rows - len(alone),
                    )
                )
                return


def _cells(row: Row, columns: tuple[str, ...]) -> str:
    return "\0".join(str(row.cells.get(name, "")).strip() for name in columns)


def _rows(table: Table, mapping: Mapping, findings: _Findings) -> Iterator[QuestionDraft | Problem]:
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
            if findings.key_problem and not _unlabelled(raw.answer):
                without_key += 1
                continue
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


def _refuse_double(raw: RawQuestion, findings: _Findings, mapping: Mapping) -> None:
    if raw.uid in findings.conflicts:
        rows = ", ".join([row for row in findings.rows_by_uid[raw.uid] if row != raw.row][:5])
        raise Fault(
            "two rows have this identity and say different things",
            column=mapping.column("id"),
            value=raw.uid,
            allowed="each identity once",
            todo=f"Give each its own, or take out the wrong one (again in {rows}).",
        )
