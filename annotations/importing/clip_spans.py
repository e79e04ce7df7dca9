"""Clips of an import held against their videos: within them, frames turned into seconds."""

from dataclasses import replace

from annotations.importing.video_plan import VideoPlan
from annotations.media import Media
from annotations.reading import checks
from annotations.reading.records import Fault, Problem, QuestionDraft, as_problem
from annotations.video.stored_videos import VideoState
from core.video.table import FrameTable, read_table


def fitted(draft: QuestionDraft, media: Media, plan: VideoPlan) -> list[QuestionDraft | Problem]:
    """A question whose clip fits into its video, with what a person should know of it.

    The question alone is lacking where it does not fit.
    """
    video = plan.states.get(draft.video)
    if video is None:
        return []  # every question about it was refused when the import was planned
    try:
        draft = timed(draft, video, media, plan)
        if video.duration_s is None or (draft.start_s == 0 and draft.end_s is None):
            return [draft]
        end_s, moved = checks.fit_span(draft.start_s, draft.end_s, video.duration_s, "start, end")
    except Fault as fault:
        return [as_problem(fault, draft.file, draft.row)]
    if not moved:
        return [draft]
    moved_end = Problem(
        "warning",
        "the clip ends a little beyond its video and was cut there",
        draft.file,
        draft.row,
        "end",
        f"{draft.end_s:g} s",
        f"0 to {video.duration_s:.3f} s",
    )
    return [moved_end, replace(draft, end_s=end_s)]


def timed(draft: QuestionDraft, state: VideoState, media: Media, plan: VideoPlan) -> QuestionDraft:
    """The draft with its clip in seconds, from the start of its first frame to the end of its last.

    Raises:
        Fault: if the video is not here, so that nothing says when its frames are shown, or it has
            no such frames.
    """
    if draft.frames is None:
        return draft
    first, last = draft.frames
    table = _frame_table(state, media, plan)
    if table is None:
        raise Fault(
            "the clip is named by frames, and its video is not here", column="start_frame",
            value=f"{first} to {'the end' if last is None else last}",
            todo="Import again with --videos DIR, or give the times in seconds.",
        )  # fmt: skip
    if not first <= (first if last is None else last) < table.n:
        raise Fault(
            "the clip has no such frames", column="start_frame, end_frame",
            value=f"{first} to {'the end' if last is None else last}",
            allowed=f"0 to {table.n - 1}, the first before the last",
            todo="Frames count from 0. Correct them, or check that this is the video that was "
            "meant.",
        )  # fmt: skip
    end_s = None if last is None or last + 1 == table.n else table.times[last + 1]
    return replace(draft, start_s=table.times[first], end_s=end_s, frames=None)


def _frame_table(state: VideoState, media: Media, plan: VideoPlan) -> FrameTable | None:
    """When each frame of a video is shown; None where the video is not here."""
    if state.status != "usable" or not state.sha256:
        return None
    if media.table(state.sha256).exists():
        return media.frame_table(state.sha256)
    if state.sha256 not in plan.tables:
        content = plan.contents.get(state.sha256)
        if content is None:
            return None
        plan.tables[state.sha256] = read_table(content.path)
    return plan.tables[state.sha256]
