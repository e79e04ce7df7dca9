import json
from fractions import Fraction

import pytest

from annotations.media import Media
from annotations.video.frame_clock import clock_facts, clock_of
from core.video.table import FrameTable, read_table

SHA = "a" * 64


@pytest.fixture
def media(tmp_path) -> Media:
    return Media(tmp_path)


def keep(media: Media, table: FrameTable, sha256: str = SHA) -> FrameTable:
    path = media.table(sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table.to_json(), encoding="utf-8")
    return table


def made(pts: tuple[int, ...], unit: Fraction, end: int) -> FrameTable:
    return FrameTable(pts, unit, tuple(range(len(pts))), ((0, 0),), end)


def test_a_clock_gives_back_exactly_the_stamps_of_the_clips_frames(media):
    # Variable rate in ms, first stamp not 0: 0, 0.033, 0.1, 0.14 and 0.3 s after the first frame.
    table = keep(media, made((500, 533, 600, 640, 800), Fraction(1, 1000), 850))
    # At 0.03 s the first frame is still on screen.
    clock = clock_of(json.loads(json.dumps(clock_facts(media, SHA, 0.03, 0.3))))
    assert clock.times == table.times[0:4]
    assert (clock.first, clock.last, clock.end_s, clock.duration_s) == (0, 3, 0.3, 0.35)
    assert clock.time_of(2) == 0.1


def test_thirty_seconds_at_a_constant_rate_are_a_few_numbers(media):
    pts = tuple(range(0, 900 * 3003, 3003))
    table = keep(media, made(pts, Fraction(1, 90000), 900 * 3003))
    facts = clock_facts(media, SHA, 0, None)
    assert facts["steps"] == [[3003, 899]]
    assert clock_of(facts).times == table.times


@pytest.mark.parametrize("name", ["cursed-vfr.mp4", "flower.mp4", "flower.webm"])
def test_real_clips_keep_their_stamps(media, shared, name):
    table = keep(media, read_table(shared / "clips" / name))
    facts = clock_facts(media, SHA, 0, None)
    assert clock_of(facts).times == table.times


def test_a_start_is_a_frames_stamp_and_an_end_the_next_frames_or_the_clips_end(media):
    keep(media, made((0, 33, 100, 140, 300), Fraction(1, 1000), 350))
    clock = clock_of(clock_facts(media, SHA, 0, None))
    assert [clock.start(time) for time in (0, 0.1, 0.0331)] == [0, 0.1, 0.033]
    assert [clock.end(time) for time in (0.033, 0.3, 0.35)] == [0.033, 0.3, 0.35]
    with pytest.raises(ValueError, match=r"0.050 s is no frame.* nearest: 0.033 s and 0.100 s"):
        clock.start(0.05)
    with pytest.raises(ValueError, match=r"nearest: 0.300 s"):
        clock.start(0.35)
    with pytest.raises(ValueError, match=r"nearest: 0.033 s"):
        clock.end(0)
    with pytest.raises(
        ValueError, match=r"0.400 s is 0.050 s beyond the video, which ends at 0.35"
    ):
        clock.end(0.4)


def test_a_clip_in_which_no_frame_begins_has_the_one_on_screen_and_beyond_the_video_none(media):
    keep(media, made((0, 33), Fraction(1, 1000), 66))
    clock = clock_of(clock_facts(media, SHA, 0.01, 0.02))
    assert (clock.first, clock.last) == (0, 0)
    with pytest.raises(ValueError, match=r"No frame"):
        clock_facts(media, SHA, 0.07, 0.08)
