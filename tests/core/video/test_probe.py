from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from core.video.errors import VideoError
from core.video.probe import Facts, probe
from core.video.sample import sample_frames


@pytest.mark.parametrize(("turn", "clockwise"), [(-90, 90), (90, 270), (180, 180)])
def test_a_turned_video_is_shown_upright(turn: int, clockwise: int, make, read):
    clip = make("a.mp4", n=5, rotation=turn)
    facts, _ = probe(clip)
    sideways = clockwise != 180
    assert facts.rotation == clockwise
    assert (facts.coded_width, facts.coded_height) == (176, 96)
    assert (facts.width, facts.height) == ((96, 176) if sideways else (176, 96))
    image = sample_frames(clip, [3])[0].image
    assert image is not None
    assert image.shape == ((176, 96, 3) if sideways else (96, 176, 3))
    assert read(np.rot90(image, clockwise // 90)) == 3


def test_pixels_that_are_not_square_are_stretched(make):
    clip = make("a.mp4", n=5, sar=Fraction(4, 3))
    facts, _ = probe(clip)
    assert (facts.width, facts.height, facts.sar) == (235, 96, Fraction(4, 3))  # 176 · 4/3 = 234.7
    assert np.asarray(sample_frames(clip, [3])[0].image).shape == (96, 235, 3)


def test_a_live_webm_without_a_duration_is_counted(make):
    clip = make("a.webm", codec="libvpx", n=75, container={"live": "1"}, sound=False)
    facts, _ = probe(clip)
    assert facts.n_frames == 75
    assert facts.duration_s == pytest.approx(3.0, abs=0.1)
    assert facts.header_frames is None
    assert facts.fps == 25


def test_damage_inside_packets_shows_when_all_is_decoded(make):
    clip = make("a.mp4", options={"g": "30", "bf": "2"})
    data = bytearray(clip.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 300] = bytes(range(150)) * 2
    clip.write_bytes(data)
    plain, _ = probe(clip)
    assert (plain.decodable, plain.why_not) == ("all", "")
    facts, table = probe(clip, decode_all=True)
    assert (facts.decodable, facts.why_not) == ("part", "damaged packets")
    assert table.damaged


def test_an_open_group_calls_for_a_copy(make):
    options = {"x264-params": "open-gop=1:keyint=12:bframes=3:scenecut=0"}
    facts, _ = probe(make("a.mp4", options=options))
    assert facts.why_not == "open GOP"


def test_facts_survive_json(make):
    facts, _ = probe(make("a.mp4", n=5, rate=Fraction(30000, 1001), sound=True))
    assert Facts.from_json(facts.to_json()) == facts
    assert facts.fps == Fraction(30000, 1001)
    assert (facts.has_audio, facts.audio_codec) == (True, "aac")


@pytest.mark.parametrize(
    ("name", "recipe", "why"),
    [
        ("a.mp4", {"options": {"g": "12"}, "sound": True}, ""),
        ("a.webm", {"codec": "libvpx-vp9", "options": {"g": "12"}}, ""),
        ("a.mp4", {"options": {"g": "250"}, "n": 80}, "80 frames between keyframes"),
        ("a.mkv", {}, "browsers do not play matroska files"),
        ("a.avi", {"codec": "mpeg4"}, "browsers do not play avi files"),
        ("a.mp4", {"pix_fmt": "yuv420p10le"}, "yuv420p10le"),
        (
            "a.mp4",
            {"codec": "libx265", "options": {"x265-params": "log-level=none"}},
            "not every browser plays hevc",
        ),
    ],
)
def test_what_browsers_play_and_why_not(name: str, recipe: dict, why: str, make):
    facts, _ = probe(make(name, **recipe))
    assert facts.browser_playable == (why == "")
    assert why in facts.why_not


def test_a_hidden_start_calls_for_a_copy(make, cut):
    facts, _ = probe(cut(make("a.mp4", options={"g": "12", "bf": "2"}), "cut.mp4", 17))
    assert facts.why_not == "frames hidden by an edit list"


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"),
        (b"<!DOCTYPE html><html><body>404", "not a video file (an HTML page)"),
        (b'{"error": "gone"}', "not a video file (a JSON document)"),
        (b"version https://git-lfs.github.com/spec/v1", "not a video file (a Git LFS pointer)"),
        (b"#EXTM3U\n#EXTINF:9,\nhttp://example.org/a.ts\n", "not a video file (a playlist)"),
        (bytes(range(256)) * 40, "not a video file"),
    ],
)
def test_what_is_no_video_is_named(data: bytes, reason: str, tmp_path: Path):
    with pytest.raises(VideoError) as caught:
        probe(write(tmp_path / "a.mp4", data))
    assert caught.value.reason == reason


def test_half_a_download_says_that_its_index_is_missing(make):
    clip = make("a.mp4", n=100)
    data = clip.read_bytes()
    write(clip, data[: len(data) // 2])
    with pytest.raises(VideoError, match="incomplete file \\(index missing\\)"):
        probe(clip)


def test_sound_alone_is_no_video(make, tmp_path: Path):
    import av

    clip, alone = make("a.mp4", n=25, sound=True), tmp_path / "alone.mp4"
    with av.open(str(clip)) as from_, av.open(str(alone), "w") as to:
        copy = to.add_stream_from_template(from_.streams.audio[0])
        for packet in from_.demux(from_.streams.audio[0]):
            if packet.size:
                packet.stream = copy
                to.mux(packet)
    with pytest.raises(VideoError) as caught:
        probe(alone)
    assert caught.value.reason == "no video stream"


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path):
    with pytest.raises(VideoError, match="file not found"):
        probe(tmp_path / "none.mp4")
    with pytest.raises(VideoError, match="not a file"):
        probe(tmp_path)
