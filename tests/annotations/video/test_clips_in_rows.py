from fractions import Fraction

import pytest
from building import keep_frame_table, make_video

from annotations.video.clips_in_rows import Videos, row_named


@pytest.fixture
def add_video(workspace):
    """Puts a usable video of some length at 1 frame a second into the database."""

    def add(name, seconds=317, content="a", status="usable", reason=""):
        sha256 = content * 64 if status == "usable" else ""
        if sha256:
            keep_frame_table(workspace, sha256, seconds, rate=Fraction(1))
        with workspace.store.write() as database:
            make_video(database, name, sha256=sha256, status=status, reason=reason)
        return sha256

    return add


def fault(workspace, row, number=3, **more):
    with pytest.raises(ValueError, match=f"^row {number}, ") as caught, row_named(number):
        Videos(workspace).clip(row, **more)
    return str(caught.value)


@pytest.mark.parametrize(
    "name", ["human/0209.mp4", "human/0209", "0209.mp4", "0209", "clips/../x", "b" * 64]
)
def test_a_video_is_found_by_name_with_or_without_suffix_and_folders_and_by_hash(
    workspace, add_video, name
):
    add_video("object/0209-03.mp4", content="c")
    add_video("human/0209.mp4", content="b")
    if ".." in name:
        assert "not the name of a file" in fault(workspace, {"video": name})
    else:
        assert Videos(workspace).clip({"video": name}).name == "human/0209.mp4"


def test_a_missing_or_broken_video_says_which_row_and_field_and_what_to_do(workspace, add_video):
    add_video("gone.mp4", status="missing", reason="file not found")
    add_video("bad.mp4", status="broken", reason="empty file")
    assert fault(workspace, {"video": "none.mp4"}) == (
        "row 3, field video: there is no such video (got 'none.mp4'). Allowed: the name or content "
        "hash of a video of the workspace. Import the video first (rushes import), or correct the "
        "name."
    )
    assert "the video is missing: file not found" in fault(workspace, {"video": "gone.mp4"})
    within = fault(workspace, {"video": "bad"}, within="clips 2 ")
    assert within.startswith("row 3, field clips 2 video: the video is broken: empty file")
    assert "field video" in fault(workspace, {})


def test_two_videos_that_fit_equally_well_are_never_chosen_from(workspace, add_video):
    add_video("human/7.mp4", content="a")
    add_video("object/7.mp4", content="b")
    assert "several videos fit" in fault(workspace, {"video": "7.mp4"})
    assert Videos(workspace).clip({"video": "object/7.mp4"}).sha256 == "b" * 64


@pytest.mark.parametrize(
    ("text", "seconds", "over"),
    [
        ("00:06:22", None, "65.0 s beyond"),  # 382 s in a video of 5:17
        ("00:04:22", 262.0, ""),
        ("4:22", 262.0, ""),
        ("262", 262.0, ""),
        ("04:22.0", 262.0, ""),
        ("1:02:03.5", None, "3406.5 s beyond"),
        ("4:75", None, "not a time"),
    ],
)
def test_times_are_read_as_people_write_them_and_must_lie_in_the_video(
    workspace, add_video, text, seconds, over
):
    add_video("v.mp4", seconds=317)
    row = {"video": "v.mp4", "start": 1, "end": text}
    if seconds is None:
        words = fault(workspace, row)
        assert over in words
        assert "field" in words
    else:
        assert Videos(workspace).clip(row).end_s == seconds


def test_microseconds_are_not_taken_for_seconds_or_milliseconds(workspace, add_video):
    # 2866667 us is 2.866667 s; in a video of 35 s it is neither seconds nor milliseconds.
    add_video("v.mp4", seconds=35)
    assert "_us" in fault(workspace, {"video": "v", "start": 0, "end": 2866667})
    assert "beyond" in fault(workspace, {"video": "v", "start": 0, "end_ms": 2866667})
    found = Videos(workspace).clip({"video": "v", "start_us": 0, "end_us": 2866667})
    assert found.end_s == pytest.approx(2.866667, abs=1e-9)


@pytest.mark.parametrize(("start", "end"), [(35.28, 33.95), (34.77, 34.77)])
def test_times_in_the_wrong_order_are_an_error_and_never_exchanged(
    workspace, add_video, start, end
):
    add_video("v.mp4")
    words = fault(workspace, {"video": "v", "start": start, "end": end})
    assert "does not start before it ends" in words


def test_a_clip_is_at_most_as_long_as_allowed_give_or_take_a_frame(workspace, add_video):
    add_video("v.mp4")
    whole = {"video": "v"}
    assert Videos(workspace).clip(whole).payload == {"video": "a" * 64, "start": 0.0, "end": None}
    assert "317.0 s long" in fault(workspace, whole, longest_s=30)
    assert Videos(workspace).clip({**whole, "start": 5, "end": 35.04}, longest_s=30)
    assert "at most 30 s" in fault(workspace, {**whole, "start": 5, "end": 35.5}, longest_s=30)


def test_a_clip_between_two_frames_shows_the_one_on_screen(workspace, add_video):
    add_video("v.mp4")
    clip = Videos(workspace).clip({"video": "v", "start": 1.2, "end": 1.9})
    assert (clip.start_s, clip.end_s) == (1.2, 1.9)
    assert len(workspace.media.frames_between(clip.sha256, 1.2, 1.9)) == 1


def test_ten_thousand_rows_are_found_without_searching_all_videos_for_each(workspace, add_video):
    with workspace.store.write() as database:
        for number in range(10_000):
            facts = {"duration_s": 5.0}
            make_video(database, f"set/{number:05}.mp4", sha256=f"{number:064x}", facts=facts)
    videos = Videos(workspace)
    found = [videos.find(f"{number:05}").name for number in range(0, 10_000, 2)]
    assert found == [f"set/{number:05}.mp4" for number in range(0, 10_000, 2)]
