"""Which frames a clip has: those on screen in it, also where none begins in it."""

from pathlib import Path

import pytest

from annotations.media import Media
from core.video.table import read_table

SHA = "ab" * 32


@pytest.fixture
def slides(tmp_path: Path, shared: Path) -> Media:
    """The frame table of a real clip of 185 frames, 30 a second."""
    media = Media(tmp_path)
    media.folder(SHA).mkdir(parents=True)
    media.table(SHA).write_text(read_table(shared / "clips" / "friday.mp4").to_json())
    return media


def test_the_first_frame_is_the_one_on_screen_at_the_start(slides: Media):
    # 30 frames a second: frame 30 begins at 1.0 s, frame 31 at 1.0333 s.
    assert slides.frames_between(SHA, 1.01, 1.05) == [30, 31]
    assert slides.frames_between(SHA, 1.0, 1.05) == [30, 31]


def test_a_clip_in_which_no_frame_begins_has_the_one_on_screen(slides: Media):
    assert slides.frames_between(SHA, 1.01, 1.02) == [30]
    # The last of 185 frames begins at 6.1333 s and stands until 6.1667 s.
    assert slides.frames_between(SHA, 6.15, 6.16) == [184]
    assert slides.frames_between(SHA, 6.15, None) == [184]


def test_a_rounded_stamp_is_the_frame_that_it_names(slides: Media):
    # 1.0333... is stored as 1.033: that means frame 31, not the one before it.
    assert slides.frames_between(SHA, 1.033, 1.05) == [31]


def test_times_that_name_no_clip_have_no_frames(slides: Media):
    assert slides.frames_between(SHA, 2.0, 2.0) == []
    assert slides.frames_between(SHA, 3.0, 2.0) == []
    assert slides.frames_between(SHA, 7.0, None) == []


def test_the_whole_video_has_all_its_frames(slides: Media):
    assert slides.frames_between(SHA, 0.0, None) == list(range(185))
