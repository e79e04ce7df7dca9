"""What one reading of a whole table shows: identities, videos, how keys count, what is odd."""

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from annotations.format import Choices
from annotations.formats._further_keys import FurtherKeys, further_keys
from annotations.reading import checks
from annotations.reading.answer_key import answers_in
from annotations.reading.free_answers import NO_SUCH_ROWS, AnswersWithoutOptions, WithoutOptions
from annotations.reading.key_survey import Survey
from annotations.reading.mapping import NAMES, Mapping, plain_name
from annotations.reading.records import About, Fault, Problem, VideoRequest
from annotations.reading.table_rows import RowReader
from annotations.reading.text_tables import Row, Table

_OF_A_FILE = re.compile(r"[A-Za-z0-9_-]{11}|.*\.(?:mp4|webm|mkv|mov|avi|gif|m4v)", re.IGNORECASE)
_FILLERS = frozenset({"N/A", "NA", "N.A."})


@dataclass
class Findings:
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
    without: WithoutOptions = NO_SUCH_ROWS
    further: FurtherKeys = field(default_factory=FurtherKeys)

    def reader(self, table: Table, mapping: Mapping) -> RowReader:
        """A reader of the table's rows, with what has been found so far."""
        return RowReader(
            table.file.name, mapping, self.id_columns, self.whole, self.ambiguous, self.without,
            table.tags,
        )  # fmt: skip


def survey(table: Table, mapping: Mapping, choices: Choices) -> Findings:
    """What a table shows when all its rows are read once."""
    findings = Findings(id_columns=mapping.columns.get("id", ()))
    _survey_identities(table, mapping, findings)
    if not findings.id_columns:
        findings.ambiguous = _ambiguous(table, mapping, findings)
    findings.without = _without_options(table, mapping, findings)
    reader = findings.reader(table, mapping)
    keys = Survey()
    prints: dict[str, int] = {}
    fillers = 0
    kinds = Counter[str]()
    for row, raw in reader.readable(table):
        findings.videos[raw.video] = video_request(
            raw.video, raw.about, findings.videos.get(raw.video)
        )
        fillers += bool(raw.options) and raw.options[-1].strip().upper() in _FILLERS
        findings.rows_by_uid.setdefault(raw.uid, []).append(row.where)
        if prints.setdefault(raw.uid, raw.fingerprint()) != raw.fingerprint():
            findings.conflicts.add(raw.uid)
        kinds["free"] += raw.free
        if len(raw.options) > 1:
            keys.add(raw.answer, raw.options, row.where)
            several = len(answers_in(raw.answer, raw.options)) > 1
            kinds["several"] += several or (raw.several and raw.answer is not None)
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
    if all(field != "answer" for field, _ in choices.columns):
        findings.further = further_keys(table, mapping, reader, findings.style)
        findings.notes += findings.further.notes
    _note_kinds(table, findings, kinds)
    return findings


def _note_kinds(table: Table, findings: Findings, kinds: Counter[str]) -> None:
    """Say of questions without one right option how they are asked and scored."""
    if kinds["free"]:
        findings.shown.append(("free answers", f"{kinds['free']:,} rows without options"))
        findings.notes.append(
            Problem(
                "warning", "there are no options: people and models answer in their own words",
                table.file.name, rows=kinds["free"],
                todo="They are asked in tasks with the setting free_text, and scored by similarity "
                "or by judges where these are imported, else only by what is word for word an "
                "accepted answer.",
            )
        )  # fmt: skip
    if kinds["several"]:
        findings.notes.append(
            Problem(
                "warning", "several options are right", table.file.name, rows=kinds["several"],
                todo="Any number of options may be chosen; answers are right by the whole set, and "
                "in no accuracy of one key.",
            )
        )  # fmt: skip


def with_found_videos(table: Table, mapping: Mapping, choices: Choices) -> Mapping:
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


def _ambiguous(table: Table, mapping: Mapping, findings: Findings) -> frozenset[str]:
    """Identities made of video and text that rows with other options share."""
    options: dict[str, set[int]] = {}
    for _, raw in findings.reader(table, mapping).readable(table):
        options.setdefault(raw.uid, set()).add(hash(tuple(raw.options)))
    return frozenset(uid for uid, different in options.items() if len(different) > 1)


def _without_options(table: Table, mapping: Mapping, findings: Findings) -> WithoutOptions:
    """How the rows without options are answered, which has to be told from all of them."""
    reader = findings.reader(table, mapping)
    answers = AnswersWithoutOptions()
    listed = mapping.columns.get("accepted", ())
    for row in table.rows():
        if not isinstance(row, Row):
            continue
        try:
            raw = reader.read(row)
            if raw.options:
                answers.others += 1
                continue
            accepted, points = reader.accepted(row)
        except Fault:
            continue
        in_list = bool(points) or any(row.cells.get(name) for name in listed)
        answers.add(raw.category, accepted, listed=in_list)
    found = answers.found()
    if found.yes_no:
        everywhere = len(found.yes_no) == len(answers.by_category) and not found.mixed
        where = "is one of them" if everywhere else "of the category is one of them"
        findings.shown.append(("options", f"yes and no, since every answer {where}"))
    return found


def video_request(name: str, about: About, earlier: VideoRequest | None) -> VideoRequest:
    """A video as its rows name it; what the first row does not tell, a later one may."""
    facts = earlier.about.or_else(about) if earlier and earlier.about else about
    return VideoRequest(name, name, facts.source_url, facts if facts != About() else None)


def _decide_keys(
    table: Table, mapping: Mapping, choices: Choices, keys: Survey, findings: Findings
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


def _survey_identities(table: Table, mapping: Mapping, findings: Findings) -> None:
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
