"""Readings of text on screen and blurrings, as they are stored: planned, under way, done."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.edit.edit_store import StoredEdit, stored_edit
from annotations.edit.screen_text import Blurring, Round, blur_text
from annotations.edit.text_reading import ScreenText, film_of, read_frames, reading_frames, text_of
from annotations.edit.work_rows import status_of, take, tell_progress
from annotations.people import Person, now_text
from annotations.workspace import Workspace
from core.model import Ocr
from core.question.text_boxes import SeenLine, TextTrack
from core.refusal import Missing, Refusal
from db.connection import first_row

MODEL = "package:rapidocr"
READINGS, BLURRINGS = "screen_text", "text_blurring"


@dataclass(frozen=True)
class StoredReading:
    """A reading of a clip.

    Attributes:
        status: 'waiting', 'running', 'made' or 'failed'.
        step: what is being done; `done` frames of `wanted`.
    """

    id: int
    sha256: str
    model: str
    start_s: float
    end_s: float | None
    status: str
    reason: str
    stopped: bool
    frames_read: int
    wanted: int


@dataclass(frozen=True)
class StoredBlurring:
    """Lines that are blurred in a copy.

    Attributes:
        chosen: numbers of the lines among those of the reading.
        step: what is being done, with `frames_read` of `wanted`.
        rounds: readings so far.
        edit: the copy; None until it is made.
        still_read: lines that are read in the copy all the same, each with its time, s.
    """

    id: int
    reading_id: int
    chosen: tuple[int, ...]
    status: str
    reason: str
    stopped: bool
    step: str
    frames_read: int
    wanted: int
    rounds: tuple[Round, ...]
    edit: StoredEdit | None
    still_read: tuple[tuple[float, str], ...]


def plan_reading(
    workspace: Workspace,
    sha256: str,
    start_s: float = 0.0,
    end_s: float | None = None,
    author: Person | None = None,
    model: str = MODEL,
) -> int:
    """The id of a reading of a clip, stored if there is none such; nothing is read yet.

    Raises:
        Missing: if the video's file is not here.
    """
    film_of(workspace, sha256)
    identity = _digest(sha256, model, start_s, end_s)
    with workspace.store.write() as database:
        database.conn.execute(
            "INSERT INTO screen_text (identity, sha256, model, start_s, end_s, author_id,"
            " created_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [identity, sha256, model, start_s, end_s, author and author.id, now_text()],
        )
        row = first_row(database, "SELECT id FROM screen_text WHERE identity = ?", [identity])
    assert row is not None
    return int(row["id"])


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def stored_reading(workspace: Workspace, number: int) -> StoredReading:
    """A reading as it stands now.

    Raises:
        Missing: if there is none.
    """
    rows = workspace.store.rows("SELECT * FROM screen_text WHERE id = ?", [number])
    if not rows:
        raise Missing(f"There is no reading {number}.")
    return _reading(rows[0])


def newest_reading(
    workspace: Workspace, sha256: str, start_s: float, end_s: float | None
) -> StoredReading | None:
    """The newest reading of exactly this clip; None if there is none."""
    rows = workspace.store.rows(
        "SELECT * FROM screen_text WHERE sha256 = ? AND start_s = ? AND end_s IS ?"
        " ORDER BY id DESC LIMIT 1",
        [sha256, start_s, end_s],
    )
    return _reading(rows[0]) if rows else None


def _reading(row: dict[str, Any]) -> StoredReading:
    progress = json.loads(row["progress"])
    return StoredReading(
        row["id"], row["sha256"], row["model"], row["start_s"], row["end_s"], status_of(row),
        row["reason"], bool(row["stopped"]), progress.get("done", 0), progress.get("wanted", 0),
    )  # fmt: skip


def text_read(workspace: Workspace, reading: StoredReading) -> ScreenText:
    """What a reading has read so far."""
    frames: list[int] = []
    lines: list[SeenLine] = []
    for row in workspace.store.rows(
        "SELECT frame, lines FROM screen_text_frame WHERE screen_text_id = ? ORDER BY frame",
        [reading.id],
    ):
        frames.append(int(row["frame"]))
        lines += [SeenLine(time, tuple(box), text) for time, box, text in json.loads(row["lines"])]
    return text_of(reading.sha256, lines, frames)


def read(workspace: Workspace, number: int, model: Ocr) -> ScreenText:
    """Read what is not read yet of a reading; each frame is stored as soon as it is read.

    Raises:
        Stopped: if somebody stops it.
        Missing: if the video's file is not here any more.
    """
    reading = stored_reading(workspace, number)
    if reading.status == "made" or not take(workspace, READINGS, number):
        return text_read(workspace, reading)

    def keep(frame: int, lines: list[SeenLine]) -> None:
        text = json.dumps([[line.time, line.box, line.text] for line in lines], ensure_ascii=False)
        with workspace.store.write() as database:
            database.conn.execute(
                "INSERT INTO screen_text_frame (screen_text_id, frame, lines) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                [number, frame, text],
            )

    def tell(step: str, frames: int, wanted: int) -> None:
        tell_progress(workspace, READINGS, number, frames, wanted, step)

    film = film_of(workspace, reading.sha256)
    frames = reading_frames(film, reading.start_s, reading.end_s)
    known = text_read(workspace, reading).frames
    read_frames(film, model, frames, known=known, keep=keep, tell=tell)
    _finished(workspace, READINGS, number)
    return text_read(workspace, reading)


def plan_blurring(
    workspace: Workspace, reading_id: int, chosen: Sequence[int], author: Person | None = None
) -> int:
    """The id of a blurring of lines, stored if there is none such; nothing is made yet.

    Args:
        workspace: where the reading is.
        reading_id: of a reading that is done.
        chosen: numbers of its lines, from 0.
        author: who asks.

    Raises:
        Refusal: for no lines, a number that there is not, or a reading that is not done.
    """
    reading = stored_reading(workspace, reading_id)
    if reading.status != "made":
        raise Refusal("What is on screen is not read to its end yet. Wait for it.")
    count = len(text_read(workspace, reading).tracks)
    numbers = sorted(set(chosen))
    if not numbers:
        raise Refusal("No line is chosen. Tick the lines that are to be blurred.")
    if numbers[0] < 0 or numbers[-1] >= count:
        raise Refusal(f"There is no line {numbers[-1]}; the reading has {count}, from 0.")
    identity = _digest(reading_id, numbers)
    with workspace.store.write() as database:
        database.conn.execute(
            "INSERT INTO text_blurring (identity, screen_text_id, chosen, author_id, created_at)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [identity, reading_id, json.dumps(numbers), author and author.id, now_text()],
        )
        row = first_row(database, "SELECT id FROM text_blurring WHERE identity = ?", [identity])
    assert row is not None
    return int(row["id"])


def stored_blurring(workspace: Workspace, number: int) -> StoredBlurring:
    """A blurring as it stands now.

    Raises:
        Missing: if there is none.
    """
    rows = workspace.store.rows("SELECT * FROM text_blurring WHERE id = ?", [number])
    if not rows:
        raise Missing(f"There is no blurring {number}.")
    return _blurring(workspace, rows[0])


def blurrings_of(workspace: Workspace, reading_id: int) -> list[StoredBlurring]:
    """The blurrings of lines of a reading, newest first."""
    rows = workspace.store.rows(
        "SELECT * FROM text_blurring WHERE screen_text_id = ? ORDER BY id DESC", [reading_id]
    )
    return [_blurring(workspace, row) for row in rows]


def _blurring(workspace: Workspace, row: dict[str, Any]) -> StoredBlurring:
    progress = json.loads(row["progress"])
    edit = None if row["edit_id"] is None else stored_edit(workspace, row["edit_id"])
    return StoredBlurring(
        row["id"], row["screen_text_id"], tuple(json.loads(row["chosen"])), status_of(row),
        row["reason"], bool(row["stopped"]), str(progress.get("step", "")),
        progress.get("done", 0), progress.get("wanted", 0),
        tuple(Round(*parts) for parts in json.loads(row["rounds"])), edit,
        tuple((time, text) for time, text in json.loads(row["still"])),
    )  # fmt: skip


def blur(workspace: Workspace, number: int, model: Ocr) -> Blurring | None:
    """Make a blurring's copy; None if it is made, or another process makes it.

    Each round is stored when it is done, so that a killed process repeats one at most.

    Raises:
        Stopped: if somebody stops it.
    """
    blurring = stored_blurring(workspace, number)
    if blurring.edit is not None or not take(workspace, BLURRINGS, number):
        return None
    reading = stored_reading(workspace, blurring.reading_id)
    text = text_read(workspace, reading)
    rounds = list(blurring.rounds)

    def keep(reading: Round) -> None:
        rounds.append(reading)
        stored = [[each.readings, each.regions, each.of_copy] for each in rounds]
        with workspace.store.write() as database:
            database.conn.execute(
                "UPDATE text_blurring SET rounds = ? WHERE id = ?", [json.dumps(stored), number]
            )

    def tell(step: str, frames: int, wanted: int) -> None:
        tell_progress(workspace, BLURRINGS, number, frames, wanted, step)

    result = blur_text(
        workspace, text, [text.tracks[at] for at in blurring.chosen], model,
        start_s=reading.start_s, end_s=reading.end_s, tell=tell, earlier=blurring.rounds,
        keep=keep,
    )  # fmt: skip
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE text_blurring SET edit_id = ?, still = ? WHERE id = ?",
            [result.edit.id, json.dumps(result.still_read), number],
        )
    _finished(workspace, BLURRINGS, number)
    return result


def _finished(workspace: Workspace, table: str, number: int) -> None:
    with workspace.store.write() as database:
        database.conn.execute(
            f"UPDATE {table} SET status = 'made', reason = '', progress = '{{}}' WHERE id = ?",
            [number],
        )


def sightings(track: TextTrack) -> str:
    """When a line is on screen, such as '0.25 to 1.00 s'."""
    if track.start == track.end:
        return f"{track.start:.2f} s"
    return f"{track.start:.2f} to {track.end:.2f} s"
