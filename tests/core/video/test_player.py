from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from core.video.player import copy_times, make_player_copy
from core.video.probe import probe
from core.video.sample import sample_frames
from core.video.table import FrameTable, read_table

UNEVEN = tuple(np.cumsum([0] + [42] * 10 + [17] * 15 + [100] * 14).tolist())
SOURCES = {
    "uneven mp4": ("a.mp4", {"n": 40, "base": Fraction(1, 1000), "pts": UNEVEN}),
    "uneven mkv with sound": (
        "a.mkv",
        {"n": 40, "base": Fraction(1, 1000), "pts": UNEVEN, "sound": True},
    ),
    "avi with B-frames": ("a.avi", {"n": 40, "codec": "mpeg4", "options": {"bf": "2"}}),
    "gif": ("a.gif", {"n": 12, "codec": "gif", "pix_fmt": "rgb8", "rate": Fraction(10)}),
    "hevc open GOP": (
        "a.mp4",
        {"n": 40, "codec": "libx265", "options": {"x265-params": "keyint=12:log-level=none"}},
    ),
    "av1": ("a.mp4", {"n": 40, "codec": "libsvtav1", "options": {"preset": "12"}}),
    "late mkv": (
        "a.mkv",
        {"n": 30, "base": Fraction(1, 1000), "pts": [5000 + 40 * i for i in range(30)]},
    ),
    "10 bit": ("a.mp4", {"n": 20, "pix_fmt": "yuv420p10le"}),
    "turned": ("a.mp4", {"n": 20, "rotation": -90}),
    "odd": ("a.mp4", {"n": 20, "pix_fmt": "yuv444p", "width": 177, "height": 97}),
    "one frame": ("a.mp4", {"n": 1}),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_the_copy_shows_the_same_frames_at_the_same_times(kind, make, read, tmp_path: Path):
    name, recipe = SOURCES[kind]
    source, target = make(name, **recipe), tmp_path / "copy.mp4"
    make_player_copy(source, target)
    before, after = read_table(source), read_table(target)
    assert after.times == pytest.approx(before.times, abs=1e-9)
    assert after.duration_s == pytest.approx(before.duration_s, abs=1e-9)
    assert after.start_s == 0
    assert after.longest_group <= 12
    facts, _ = probe(target)
    assert facts.why_not == ""
    assert facts.width % 2 == facts.height % 2 == 0
    assert facts.has_audio == recipe.get("sound", False)
    images = [np.asarray(f.image) for f in sample_frames(target, range(after.n), table=after)]
    upright = [np.rot90(i) if "rotation" in recipe else i for i in images]
    size = (recipe.get("width", 176), recipe.get("height", 96))
    assert [read(i, *size) for i in upright] == list(range(before.n))


def test_sound_stays_with_the_picture(make, tmp_path: Path):
    source, target = make("a.mkv", n=50, sound=True), tmp_path / "copy.mp4"
    make_player_copy(source, target)
    with av.open(str(target)) as copy:
        audio = copy.streams.audio[0]
        samples = sum(f.samples for f in copy.decode(audio))
        assert samples / audio.rate == pytest.approx(2.0, abs=0.06)
        assert copy.start_time == 0


def test_colours_are_kept(make, picture_of, tmp_path: Path):
    source, target = make("a.mp4", n=3, options={"crf": "5"}), tmp_path / "copy.mp4"
    make_player_copy(source, target, crf=5)
    before, after = (sample_frames(p, [2])[0].image for p in (source, target))
    assert before is not None
    assert after is not None
    bias = after.astype(int).mean(axis=(0, 1)) - before.astype(int).mean(axis=(0, 1))
    assert np.abs(bias).max() < 1.5


def test_a_frame_that_does_not_decode_becomes_a_placard_in_its_place(make, read, tmp_path: Path):
    source, target = make("a.mkv", n=40, options={"g": "10", "bf": "0"}), tmp_path / "copy.mp4"
    table = read_table(source)
    data = bytearray(source.read_bytes())
    with av.open(str(source)) as clip:
        packet = [p for p in clip.demux(clip.streams.video[0]) if p.size][25]
        body = bytes(packet)
    at = data.find(body[:16])
    data[at : at + len(body)] = bytes(len(body))
    source.write_bytes(data)
    make_player_copy(source, target)
    after = read_table(target)
    assert after.times == pytest.approx(table.times)
    images = [f.image for f in sample_frames(target, [24, 25, 30], table=after)]
    assert [read(i) for i in images] == [24, None, 30]


def test_nothing_is_left_behind_when_the_source_is_no_video(tmp_path: Path):
    source = tmp_path / "a.mp4"
    source.write_bytes(b"<html>")
    with pytest.raises(ValueError, match="an HTML page"):
        make_player_copy(source, tmp_path / "copy.mp4")
    assert list(tmp_path.iterdir()) == [source]


def test_times_that_mp4_cannot_say_are_rounded_and_never_doubled():
    ticks = FrameTable((0, 1, 2), Fraction(1, 10**9), (0, 1, 2), ((0, 0),), 10**9)
    base, times = copy_times(ticks)
    assert base == Fraction(1, 90_000)
    assert times == (0, 1, 2, 90_000)
    assert copy_times(FrameTable((7, 8), Fraction(1001, 30000), (0, 1), ((0, 0),), 9)) == (
        Fraction(1, 30000),
        (0, 1001, 2002),
    )
