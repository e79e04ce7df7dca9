"""Edits of time: which frame is shown when, forwards and backwards."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from edited_clips import UNEVEN, edited, samples, timeline

from core.edit import Timeline
from core.editing import frame_reader
from core.editing.recipe import carried_interval, make_recipe, timeline_of
from core.video.probe import probe
from core.video.sample import sample_frames

Make = Callable[..., Path]


def test_reverse_gives_every_frame_its_own_length(make: Make):
    # Frames begin at 0, 0.1, 0.35, 0.4, 1.0 s and the last ends where the file says; E is that end.
    clip = timeline(make("clip.mp4", **UNEVEN))
    backwards = timeline_of(make_recipe([("reverse", {})]), [clip])
    assert [frame.index for frame in backwards.frames] == [4, 3, 2, 1, 0]
    lengths = [end - frame.time for frame, end in zip(clip.frames, clip.ends(), strict=True)]
    assert [
        end - frame.time for frame, end in zip(backwards.frames, backwards.ends(), strict=True)
    ] == lengths[::-1]
    last = lengths[-1]
    tenths = [Fraction(0), last, last + Fraction(6, 10)]
    assert [frame.time for frame in backwards.frames][:3] == tenths
    assert timeline_of(make_recipe([("reverse", {})] * 2), [clip]) == Timeline(
        clip.frames, clip.end, clip.width, clip.height, clip.sound
    )


@pytest.mark.parametrize(
    "clip",
    [
        {"n": 60, "options": {"g": "250", "bf": "3"}},
        {"n": 60, "options": {"g": "30", "x264-params": "open-gop=1"}},
        {"n": 40, "codec": "libx265", "options": {"x265-params": "log-level=none:keyint=20"}},
        {**UNEVEN},
        {"n": 1},
        {"n": 2},
        {"n": 30, "width": 320, "height": 182, "rotation": 90},
        {"n": 30, "rotation": 180, "sound": True},
        {"n": 30, "sar": Fraction(2)},
    ],
    ids=["long group", "open group", "hevc", "uneven", "one frame", "two", "turned 90",
         "turned 180", "wide pixels"],
)  # fmt: skip
def test_reversed_frame_i_is_frame_n_minus_1_minus_i(
    make: Make, read: Callable[..., int | None], tmp_path: Path, clip: dict[str, object]
):
    path = make("clip.mp4", **clip)
    target = tmp_path / "edit.mp4"
    made = edited(target, make_recipe([("reverse", {})]), path)
    facts, table = probe(target)
    before, original = probe(path)
    n = original.n
    assert table.n == n
    sideways = before.rotation in (90, 270)
    for frame in sample_frames(target, range(n)):
        assert frame.status == "exact"
        assert frame.image is not None
        # The number was drawn before the picture was turned.
        stored = np.rot90(frame.image, before.rotation // 90)
        width = 320 if sideways else 176
        number = read(stored, width, 182 if sideways else 96)
        assert number == n - 1 - frame.index
        assert frame.time_s == pytest.approx(float(made.frames[frame.index].time), abs=1e-9)
    assert facts.duration_s == pytest.approx(before.duration_s, abs=1e-6)
    assert facts.rotation == 0
    assert facts.sar == 1


def test_reading_backwards_in_small_chunks_gives_the_same_frames(
    make: Make, read: Callable[..., int | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(frame_reader, "LARGEST_CHUNK", 7)
    path = make("clip.mp4", n=100, options={"g": "40", "bf": "2"})
    edited(tmp_path / "edit.mp4", make_recipe([("reverse", {})]), path)
    frames = sample_frames(tmp_path / "edit.mp4", range(100))
    assert [read(frame.image) for frame in frames] == list(range(99, -1, -1))


@pytest.mark.parametrize("suffix", ["mkv", "webm", "avi", "mov", "ts"])
def test_containers_that_are_sought_in_other_ways(
    make: Make, read: Callable[..., int | None], tmp_path: Path, suffix: str
):
    codec = {"webm": "libvpx-vp9", "avi": "mpeg4"}.get(suffix, "libx264")
    path = make(f"clip.{suffix}", n=50, codec=codec, options={"g": "10"})
    edited(tmp_path / "edit.mp4", make_recipe([("reverse", {})]), path)
    frames = sample_frames(tmp_path / "edit.mp4", range(probe(path)[1].n))
    assert [read(frame.image) for frame in frames] == list(range(len(frames) - 1, -1, -1))


@pytest.mark.parametrize("factor", ["2", "1/2", 1.5, "4", "0.25"])
def test_speed_divides_times_and_keeps_every_frame(
    make: Make, read: Callable[..., int | None], tmp_path: Path, factor: object
):
    path = make("clip.mp4", **UNEVEN, sound=True)
    target = tmp_path / "edit.mp4"
    made = edited(target, make_recipe([("speed", {"factor": factor})]), path)
    table = probe(target)[1]
    times = [time / float(Fraction(str(factor))) for time in probe(path)[1].times]
    assert table.times == pytest.approx(times, abs=1e-9)
    assert table.duration_s == pytest.approx(float(made.end), abs=1e-6)
    assert [read(f.image) for f in sample_frames(target, range(5))] == [0, 1, 2, 3, 4]


def test_trim_begins_with_the_frame_on_screen_and_lasts_exactly(
    make: Make, read: Callable[..., int | None], tmp_path: Path
):
    path = make("clip.mp4", n=50, sound=True)  # 25 fps: frame 12 is on screen from 0.48 s
    target = tmp_path / "edit.mp4"
    edited(target, make_recipe([("trim", {"start": "0.5", "end": 1.21})]), path)
    facts, table = probe(target)
    assert facts.duration_s == pytest.approx(0.71, abs=1e-6)
    assert [read(f.image) for f in sample_frames(target, range(table.n))] == list(range(12, 31))
    assert table.times[:3] == pytest.approx((0, 0.02, 0.06))


def test_join_fits_the_second_into_the_first_and_fills_with_silence(
    make: Make, read: Callable[..., int | None], tmp_path: Path
):
    first = make("a.mp4", n=20, sound=True)
    second = make("b.mp4", n=15, width=320, height=180, rotation=90)
    target = tmp_path / "edit.mp4"
    edited(target, make_recipe([("join", {})]), first, second)
    facts, table = probe(target)
    assert (facts.width, facts.height, table.n) == (176, 96, 35)
    assert table.times[20] == pytest.approx(0.8)
    assert facts.duration_s == pytest.approx(0.8 + 0.6, abs=1e-6)
    assert [read(f.image) for f in sample_frames(target, range(20))] == list(range(20))
    [frame] = sample_frames(target, [25])
    assert frame.image is not None
    assert frame.image[:, :40].max() < 40, "a border at each side, never stretched"
    heard = samples(target)
    assert np.abs(heard[:, : round(0.75 * 48000)]).max() > 0.2
    assert np.abs(heard[:, round(0.9 * 48000) :]).max() < 0.02


def test_a_stretch_of_the_parent_is_found_in_the_edit(make: Make):
    # 50 frames at 25 fps, 2 s: 0.4 to 0.8 s reversed is 1.2 to 1.6 s, and at double speed half.
    clip = timeline(make("clip.mp4", n=50))
    recipe = make_recipe([("reverse", {}), ("speed", {"factor": 2})])
    made = timeline_of(recipe, [clip])
    assert carried_interval(made, clip, 0.4, 0.8) == pytest.approx((0.6, 0.8))
    assert carried_interval(made, clip, 0.0, None) == (0.0, None)
    cut = timeline_of(make_recipe([("trim", {"start": 1, "end": 2})]), [clip])
    assert carried_interval(cut, clip, 0.4, 0.8) is None
    assert carried_interval(cut, clip, 0.4, 1.4) == pytest.approx((0.0, 0.4))
