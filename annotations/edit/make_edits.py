"""Making edited videos: written, probed, and kept as videos that know their parents."""

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from annotations.edit import edit_store, work_rows
from annotations.edit.edit_store import TABLE, StoredEdit, stored_edit
from annotations.edit.work_rows import FAILED, WAITING, Busy, Stopped
from annotations.video.families import relate
from annotations.video.library import Keeping, content_of, keep
from annotations.video.stored_videos import VideoState, store_video
from annotations.workspace import Workspace
from core.editing.recipe import timeline_of
from core.editing.write_edit import SourceVideo, write_edit
from core.process.processes import ProcessDied, TookTooLong, Workers
from core.refusal import Refusal
from core.video.errors import VideoError, reason_of
from core.video.probe import probe

SCRATCH = "edits"
TELL_EVERY_S = 1.0
FIRST_S, FOR_EACH_FRAME_S = 300.0, 5.0

Tell = Callable[[int, int], None]


def make_edit(
    workspace: Workspace, edit_id: int, tell: Tell | None = None, written: Path | None = None
) -> StoredEdit:
    """The edit after its video was made in this process; one that is made already stays.

    Args:
        workspace: where it was planned.
        edit_id: of the edit.
        tell: called with (frames written, frames in all) now and then.
        written: the video, where somebody has written it already; it is moved away.

    Raises:
        LookupError: if there is no such edit.
        Busy: if another process makes it now.
        Stopped: if somebody stopped it.
        ValueError: if a parent is not here any more.
        VideoError: if a parent cannot be read; the edit is 'failed' then, with the reason.
    """
    edit = stored_edit(workspace, edit_id)
    if edit.sha256:
        return edit
    if not work_rows.take(workspace, TABLE, edit_id):
        raise Busy(f"{edit.name} is being made by another process. Wait for it.")
    try:
        if written is None:
            _make(workspace, edit, tell)
        else:
            _keep(workspace, edit, written)
    except (VideoError, ValueError, OSError) as error:
        reason = str(error) if isinstance(error, ValueError) else reason_of(error)
        work_rows.end(workspace, TABLE, edit_id, FAILED, reason)
        raise
    except BaseException:
        work_rows.end(workspace, TABLE, edit_id, WAITING)
        raise
    return stored_edit(workspace, edit_id)


def _make(workspace: Workspace, edit: StoredEdit, tell: Tell | None) -> None:
    media, timelines = workspace.media, edit_store.timelines(workspace, edit.parents)
    timeline = timeline_of(edit.recipe, timelines)
    sources = [
        SourceVideo(_original(workspace, sha256), media.frame_table(sha256))
        for sha256 in edit.parents
    ]
    # A process that was killed left its files here: what it wrote is of no use.
    folder = workspace.root / SCRATCH / str(edit.id)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    target = folder / "video.mp4"
    last_report = time.monotonic()

    def say(written: int, wanted: int) -> None:
        nonlocal last_report
        if time.monotonic() - last_report >= TELL_EVERY_S or written == wanted:
            last_report = time.monotonic()
            work_rows.tell_progress(workspace, TABLE, edit.id, written, wanted)
        if tell is not None:
            tell(written, wanted)

    try:
        write_edit(
            sources, timeline, target,
            sound=edit.recipe.sound, marks_damage=edit.recipe.marks_damage, tell=say,
        )  # fmt: skip
        _keep(workspace, edit, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _original(workspace: Workspace, sha256: str) -> Path:
    path = workspace.media.find_original(sha256)
    if path is None:
        raise Refusal(f"The file of {sha256[:12]} is not here any more. Import it again.")
    return path


def _keep(workspace: Workspace, edit: StoredEdit, path: Path) -> None:
    """Put the written file among the videos, with its row and its family."""
    content = content_of(path)
    if not content.sha256:
        raise Refusal(f"The new video {content.reason}.")
    facts = probe(path)[0]
    keep(Keeping(content, workspace.media, not facts.browser_playable))
    state = VideoState(
        edit.name, "usable", content.sha256, facts=facts.to_json(), duration_s=facts.duration_s
    )
    with workspace.store.write() as database:
        video_id = store_video(database.conn, state)
        database.conn.execute(
            "UPDATE video_edit SET status = 'made', video_id = ?, progress = '{}' WHERE id = ?",
            [video_id, edit.id],
        )
        relate(database, [content.sha256, *edit.parents])


def make_waiting(
    workspace: Workspace, only: Sequence[int] | None = None, say: Callable[[str], None] = print
) -> int:
    """How many edits were made of those that wait, each in a process that can be killed.

    An edit that fails, hangs or crashes costs itself; its reason is stored.

    Args:
        workspace: where they were planned.
        only: ids of the edits that are wanted; None for all that wait.
        say: is told of each.
    """
    edits_made = 0
    waiting = [
        edit for edit in reversed(edit_store.stored_edits(workspace))
        if edit.status == WAITING and not edit.stopped and (only is None or edit.id in only)
    ]  # fmt: skip
    with Workers(1) as workers:
        for edit in waiting:
            if stored_edit(workspace, edit.id).stopped:
                continue
            frames = sum(workspace.media.frame_table(sha256).n for sha256 in edit.parents)
            limit = FIRST_S + FOR_EACH_FRAME_S * frames
            try:
                workers.call(_make_in, str(workspace.root), edit.id, timeout_s=limit)
                edits_made += 1
                say(f"{edit.name}: made")
            except Busy:
                # Another process was quicker; what it does is no failure of ours.
                say(f"{edit.name}: is being made by another process")
            except Stopped:
                say(f"{edit.name}: stopped")
            except (VideoError, ValueError, OSError, TookTooLong, ProcessDied) as error:
                reason = str(error) if isinstance(error, ValueError) else reason_of(error)
                if stored_edit(workspace, edit.id).status != FAILED:
                    work_rows.end(workspace, TABLE, edit.id, FAILED, reason)
                say(f"{edit.name}: {reason}")
    return edits_made


def _make_in(root: str, edit_id: int) -> None:
    workspace = Workspace.open(Path(root))
    try:
        make_edit(workspace, edit_id)
    finally:
        workspace.close()
