"""A folder of videos without questions."""

from pathlib import Path

from annotations.format import Choices, Reading
from annotations.video.video_folder import video_files
from core.refusal import Refusal

TITLE = "a folder of videos, or one video, without questions"


def likeness(path: Path) -> int:
    """1 if there is a video, else 0."""
    return 1 if next(video_files(path), None) is not None else 0


def read(path: Path, choices: Choices) -> Reading:
    """Every video in a folder.

    Raises:
        ValueError: if there is none.
    """
    del choices
    if next(video_files(path), None) is None:
        raise Refusal(f"There is no video in {path}.")
    return Reading(
        format="videos",
        files=(),
        mapping=(("video", "every file with the suffix of a video"),),
        rows=lambda: iter(()),
        videos={},
        all_videos=True,
        video_folders=(path,),
    )
