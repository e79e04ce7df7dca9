"""Store transcripts, on-screen text and segments that models found in videos.

Nobody answers a transcript: it is no response of a task, so it has a table of its own, one row
for each run and item. People correct what follows from it (a segment, a question), not the lines.
"""

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass

from annotations.annotator import TextLine
from annotations.workspace import Workspace

SEGMENTS = "segments"


@dataclass(frozen=True)
class VideoText:
    """What one run found in one video.

    Attributes:
        kind: 'speech', 'screen' or 'segments'.
        state: 'found', or why there are no lines.
        lines: in order of time.
    """

    run_id: int
    item_id: int
    video: str
    sha256: str
    kind: str
    state: str
    lines: tuple[TextLine, ...]


@dataclass(frozen=True)
class NewText:
    """What is to be stored for an item."""

    item_id: int
    sha256: str
    kind: str
    state: str
    lines: tuple[TextLine, ...]
    reply: str | None = None


def store_texts(workspace: Workspace, run_id: int, new_texts: Iterable[NewText]) -> int:
    """How many were new, stored in one transaction; an item that the run has stays as it is."""
    with workspace.store.write() as database:
        changes_before = database.conn.total_changes
        for new_text in new_texts:
            lines = [
                {
                    "start_s": line.start_s,
                    "end_s": line.end_s,
                    "text": line.text,
                    "confidence": line.confidence,
                }
                for line in new_text.lines
            ]
            database.conn.execute(
                "INSERT INTO video_text (run_id, item_id, sha256, kind, state, lines, reply,"
                " stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [
                    run_id, new_text.item_id, new_text.sha256, new_text.kind, new_text.state,
                    json.dumps(lines, ensure_ascii=False), new_text.reply, time.time(),
                ],
            )  # fmt: skip
        new = database.conn.total_changes - changes_before
        database.conn.execute(
            "DELETE FROM run_error WHERE run_id = ? AND item_id IN"
            " (SELECT item_id FROM video_text WHERE run_id = ?)",
            [run_id, run_id],
        )
    return new


def texts(workspace: Workspace, run_id: int) -> list[VideoText]:
    """What a run found, in the order of its items."""
    rows = workspace.store.rows(
        "SELECT t.*, coalesce(v.name, '') AS video FROM video_text t"
        " JOIN item i ON i.id = t.item_id LEFT JOIN video v ON v.id = i.video_id"
        " WHERE t.run_id = ? ORDER BY i.position",
        [run_id],
    )
    return [
        VideoText(
            row["run_id"], row["item_id"], row["video"], row["sha256"], row["kind"], row["state"],
            _lines(row["lines"]),
        )
        for row in rows
    ]  # fmt: skip


def lines_of(workspace: Workspace, sha256: str, kind: str) -> tuple[TextLine, ...] | None:
    """The lines that the newest run found in a video; None where no run looked."""
    rows = workspace.store.rows(
        "SELECT lines FROM video_text WHERE sha256 = ? AND kind = ?"
        " ORDER BY stored_at DESC, run_id DESC LIMIT 1",
        [sha256, kind],
    )
    return _lines(rows[0]["lines"]) if rows else None


@dataclass(frozen=True)
class Segment:
    """A stretch of a video that a run named.

    Attributes:
        video: its name, and `title` what it is called where it comes from.
        start_s: s from the video's first frame; `end_s` likewise.
        why: why the model named it.
        usable: whether its video can be shown.
    """

    video_id: int | None
    video: str
    sha256: str
    start_s: float
    end_s: float
    why: str
    title: str
    usable: bool


def segments(workspace: Workspace, run_id: int) -> list[Segment]:
    """The segments that a run named, in the order of its items and of time."""
    rows = workspace.store.rows(
        "SELECT t.sha256, t.lines, v.id AS video_id, coalesce(v.name, '') AS video,"
        " coalesce(v.status, '') AS status, json_extract(v.facts, '$.title') AS title"
        " FROM video_text t JOIN item i ON i.id = t.item_id"
        " LEFT JOIN video v ON v.id = i.video_id"
        " WHERE t.run_id = ? AND t.kind = ? AND t.lines <> '[]' ORDER BY i.position",
        [run_id, SEGMENTS],
    )
    return [
        Segment(
            row["video_id"], row["video"], row["sha256"], line.start_s, line.end_s, line.text,
            row["title"] or "", row["status"] == "usable",
        )
        for row in rows
        for line in _lines(row["lines"])
    ]  # fmt: skip


def _lines(text: str) -> tuple[TextLine, ...]:
    return tuple(
        TextLine(line["start_s"], line["end_s"], line["text"], line["confidence"])
        for line in json.loads(text)
    )
