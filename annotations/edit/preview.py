"""Frames of an edited video before it is made: the exact ones, changed as the edit changes them."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotations.edit import edit_store
from annotations.edit.text_reading import film_of
from annotations.workspace import Workspace
from core.edit import EditedFrame
from core.editing.recipe import Recipe, timeline_of
from core.refusal import Refusal
from core.video.geometry import Image
from core.video.sample import sample_frames


@dataclass(frozen=True)
class PreviewFrame:
    """A frame of the edited video.

    Attributes:
        index: in the edited video; `time_s` when it begins there, s.
        source: position of the video that it comes from; `source_index` its frame there.
        image: RGB (H, W, 3), as it will be shown; None if the source frame does not decode.
    """

    index: int
    time_s: float
    source: int
    source_index: int
    image: Image | None


@dataclass(frozen=True)
class Preview:
    """What an edit will come to.

    Attributes:
        frames: first, middle and last; fewer of a short video.
        count: of its frames.
        duration_s: its length, s.
        width: px as shown; `height` likewise.
        has_sound: whether it will be heard.
    """

    frames: tuple[PreviewFrame, ...]
    count: int
    duration_s: float
    width: int
    height: int
    has_sound: bool


def preview_edit(workspace: Workspace, videos: Sequence[str], recipe: Recipe) -> Preview:
    """First, middle and last frame of an edit that is not made yet, and its size and length.

    Args:
        workspace: where the videos are.
        videos: names or content hashes, the edited one first, then one for each join.
        recipe: what is to be done.

    Raises:
        Refusal: for a video that is not here, or edits that do not fit the videos.
    """
    parents = [edit_store.video_named(workspace, video).sha256 for video in videos]
    timeline = timeline_of(recipe, edit_store.timelines(workspace, parents))
    if not timeline.frames:
        raise Refusal("The edited video has no frames. Keep at least one.")
    count = len(timeline.frames)
    frames = tuple(
        _frame(workspace, parents, index, timeline.frames[index])
        for index in sorted({0, (count - 1) // 2, count - 1})
    )
    return Preview(
        frames, count, float(timeline.end), timeline.width, timeline.height,
        timeline.sound is not None and recipe.sound,
    )  # fmt: skip


def _frame(
    workspace: Workspace, parents: Sequence[str], index: int, edited: EditedFrame
) -> PreviewFrame:
    film = film_of(workspace, parents[edited.source])
    [sampled] = sample_frames(film.path, [edited.index], table=film.table)
    image = sampled.image
    if image is not None:
        for change in edited.changes:
            image = change(image)
    return PreviewFrame(index, float(edited.time), edited.source, edited.index, image)
