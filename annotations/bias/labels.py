"""What a data set says of its videos: class, part and captions; read from its own lists."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from annotations.description.named_videos import NamedVideos
from annotations.reading.encoding import find_encoding
from annotations.reading.json_rows import open_json
from annotations.reading.records import Problem
from annotations.reading.table_files import open_table
from annotations.reading.text_tables import Row, Table
from annotations.workspace import Workspace
from core.refusal import Refusal

VIDEO = ("video", "video_id", "id", "name", "clip", "filename", "file", "path", "youtube_id")
LABEL = ("label", "class", "class_name", "category", "action", "target_name")
PART = ("part", "split", "subset", "set", "partition")
CAPTION = ("caption", "captions", "sentence", "text", "description")
TRAIN, TEST = "train", "test"
_PARTS = {"train": TRAIN, "training": TRAIN, "tr": TRAIN}
_LISTED = re.compile(r"(?P<path>\S+/\S+?\.\w{2,4})(?:[ \t]+(?P<number>\d+))?")


@dataclass(frozen=True)
class Labelled:
    """What a list says of one video.

    Attributes:
        label: its class; '' where the list does not say.
        part: 'train', 'test', or '' where the list does not say: then 'test'.
        captions: sentences about it.
    """

    video: str
    label: str = ""
    part: str = ""
    captions: tuple[str, ...] = ()


@dataclass
class ImportedLabels:
    """What an import of labels did.

    Attributes:
        videos: how many were taken, `labels` of them with a class, and `captions` in all.
        problems: rows that could not be used.
    """

    videos: int = 0
    labels: int = 0
    captions: int = 0
    parts: dict[str, int] = field(default_factory=dict[str, int])
    problems: list[Problem] = field(default_factory=list[Problem])


def import_labels(workspace: Workspace, path: Path, part: str = "") -> ImportedLabels:
    """Store what a list says of videos; what it says replaces what was said before.

    Args:
        path: a list of files such as UCF101's, or a table (CSV, TSV, xlsx, Parquet, JSON, JSON
            Lines) with a column for the video and one or more of label, part, caption.
        part: 'train' or 'test' for all of the file's videos; '' takes what the file says.

    Raises:
        Refusal: if it is neither, or says nothing of a video.
        OSError: if it cannot be read.
    """
    if part not in ("", TRAIN, TEST):
        raise Refusal(f"The part is {part!r}. Allowed: train, test.")
    report = ImportedLabels()
    rows = list(_rows(path, report.problems))
    ids = NamedVideos(workspace).ensure(row.video for row in rows)
    contradicted = _contradicted(rows, ids, path.name, report.problems)
    rows = [row for row in rows if ids[row.video] not in contradicted]
    labelled: set[int] = set()
    parts: dict[int, str] = {}
    with workspace.store.write() as database:
        for row in rows:
            chosen = part or row.part
            video = ids[row.video]
            database.conn.execute(
                "INSERT INTO video_label (video_id, label, part) VALUES (:video, :label,"
                " coalesce(nullif(:part, ''), 'test')) ON CONFLICT (video_id) DO UPDATE SET"
                " label = coalesce(nullif(:label, ''), label),"
                " part = coalesce(nullif(:part, ''), part)",
                {"video": video, "label": row.label, "part": chosen},
            )
            database.conn.executemany(
                "INSERT INTO video_caption (video_id, position, text) SELECT ?1,"
                " (SELECT count(*) FROM video_caption WHERE video_id = ?1), ?2"
                " WHERE true ON CONFLICT DO NOTHING",
                [[video, caption] for caption in row.captions],
            )
            if row.label:
                labelled.add(video)
            report.captions += len(row.captions)
            parts[video] = chosen or parts.get(video, TEST)
    report.videos, report.labels = len(parts), len(labelled)
    report.parts = dict(Counter(parts.values()))
    return report


def _contradicted(
    rows: Iterable[Labelled], ids: dict[str, int], file: str, problems: list[Problem]
) -> set[int]:
    """Videos that a file puts into two classes or both parts: which is right, nobody can say."""
    said: dict[tuple[int, str], dict[str, None]] = {}
    for row in rows:
        for what, value in (("classes", row.label), ("parts", row.part)):
            if value:
                said.setdefault((ids[row.video], what), {})[value] = None
    names = {number: name for name, number in reversed(ids.items())}
    twofold = {place: list(values) for place, values in said.items() if len(values) > 1}
    problems += [
        Problem(
            "error", f"{names[video]} has two {what}: nothing of it is taken", file,
            value=", ".join(values[:3]), allowed=f"one of the {what} for each video",
            todo="Take out the rows that are wrong.",
        )
        for (video, what), values in twofold.items()
    ]  # fmt: skip
    return {video for video, _ in twofold}


def _rows(path: Path, problems: list[Problem]) -> Iterator[Labelled]:
    listed = _listed(path)
    if listed is not None:
        yield from listed
        return
    yield from _of_table(_table(path), problems)


def _listed(path: Path) -> list[Labelled] | None:
    """Lines 'Class/video.avi' with or without a number after it; None where lines are others."""
    if path.suffix.lower() != ".txt":
        return None
    with find_encoding(path).open(path) as file:
        lines = [line.strip() for line in file if line.strip()]
    matches = [_LISTED.fullmatch(line) for line in lines]
    if not lines or not all(matches):
        return None
    part = next((known for known in (TRAIN, TEST) if known in path.stem.lower()), "")
    paths = [PurePosixPath(match["path"]) for match in matches if match]
    return [Labelled(file.stem, file.parent.name, part) for file in paths]


def _table(path: Path) -> Table:
    is_json = path.suffix.lower() in (".json", ".jsonl", ".ndjson")
    return open_json(path) if is_json else open_table(path, "")


def _of_table(table: Table, problems: list[Problem]) -> Iterator[Labelled]:
    columns = {name.strip().lower(): name for name in table.columns}
    video = _column(columns, VIDEO)
    label, part, caption = (_column(columns, names) for names in (LABEL, PART, CAPTION))
    if not video or not (label or part or caption):
        raise Refusal(
            f"{table.file.name} has the columns {', '.join(table.columns)}. Wanted: one for the "
            f"video ({', '.join(VIDEO[:4])}) and one or more of label, part, caption."
        )
    problems += table.problems
    for row in table.rows():
        if isinstance(row, Problem):
            problems.append(row)
            continue
        name = _text(row, video)
        if not name:
            problems.append(Problem("error", "no video", table.file.name, row.where, video))
            continue
        yield Labelled(name, _text(row, label), _part(_text(row, part)), _captions(row, caption))


def _column(columns: dict[str, str], names: Iterable[str]) -> str:
    return next((columns[name] for name in names if name in columns), "")


def _text(row: Row, column: str) -> str:
    value = row.cells.get(column) if column else None
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _part(text: str) -> str:
    return _PARTS.get(text.lower(), TEST if text else "")


def _captions(row: Row, column: str) -> tuple[str, ...]:
    value: object = row.cells.get(column) if column else None
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            return (" ".join(value.split()),)
    many: list[object] = list(value) if isinstance(value, list) else [value]  # pyright: ignore
    texts = (" ".join(one.split()) for one in many if isinstance(one, str))
    return tuple(dict.fromkeys(text for text in texts if text))
