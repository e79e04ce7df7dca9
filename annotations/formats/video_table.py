"""Videos in CSV, TSV, JSON, JSON Lines or xlsx: one a row with title, description and link."""

from pathlib import Path

from annotations.format import Choices, Reading
from annotations.formats._answer_files import SUFFIXES, open_table
from annotations.formats._table_files import video_folders
from annotations.formats._table_survey import video_request
from annotations.reading.mapping import Mapping, guess
from annotations.reading.records import Fault, Problem, VideoRequest, as_problem
from annotations.reading.table_rows import RowReader
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

TITLE = "CSV, TSV, JSON, JSON Lines or xlsx with one video a row: title, description, link, licence"
TOLD = ("title", "description", "source_url", "licence")
FIELDS = ("video", *TOLD)


def likeness(path: Path) -> int:
    """3 for a table that names videos and tells of them, and asks nothing; else 0."""
    if not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return 0
    try:
        mapping = guess(open_table(path, "").columns)
    except ValueError:
        return 0
    asks = {"question", "options", "answer"} & mapping.columns.keys() or mapping.options
    named = {"video", "id"} & mapping.columns.keys()
    return 3 if named and set(TOLD) & mapping.columns.keys() and not asks else 0


def read(path: Path, choices: Choices) -> Reading:
    """A table, read once; a video without a name of its own is named by its id.

    Raises:
        ValueError: if it cannot be read, or a column is lacking.
    """
    if not path.is_file():
        raise Refusal(f"{path} is a folder. Name the file with one video a row.")
    table = open_table(path, choices.encoding)
    mapping = _mapping(table, choices)
    videos, problems = _videos(table, mapping)
    return Reading(
        format="video_table",
        files=(path,),
        mapping=mapping.described(),
        rows=lambda: iter(()),
        videos=videos,
        problems=(*table.problems, *problems),
        videos_alone=True,
        video_folders=video_folders(path, path),
    )


def _mapping(table: Table, choices: Choices) -> Mapping:
    guessed = guess(table.columns, choices.columns)
    columns = guessed.columns
    if "video" not in columns and "id" in columns:
        columns = {**columns, "video": columns["id"]}
    columns = {field: columns[field] for field in FIELDS if field in columns}
    if "video" not in columns:
        raise Refusal(
            f"{table.file.name}: no column for the video was found. Name it: --map video=COLUMN. "
            f"There are: {', '.join(table.columns) or 'none'}."
        )
    used = {name for names in columns.values() for name in names}
    return Mapping(columns, (), (), tuple(name for name in table.columns if name not in used))


def _videos(table: Table, mapping: Mapping) -> tuple[dict[str, VideoRequest], list[Problem]]:
    """Videos by name, and what is wrong with rows."""
    file = table.file.name
    reader = RowReader(file, mapping, (), set())
    videos: dict[str, VideoRequest] = {}
    problems: list[Problem] = []
    for row in table.rows():
        if not isinstance(row, Row):
            problems.append(row)
            continue
        warnings: list[Fault] = []
        try:
            name, about = reader.video(row, warnings), reader.about(row, warnings)
        except Fault as fault:
            problems.append(as_problem(fault, file, row.where))
            continue
        earlier = videos.get(name)
        if earlier is not None:
            note = "the video stands there before; only what was lacking is taken from this row"
            warnings.append(Fault(note, column=mapping.column("video"), value=name))
        videos[name] = video_request(name, about, earlier)
        problems += [as_problem(warning, file, row.where, "warning") for warning in warnings]
    return videos, problems
