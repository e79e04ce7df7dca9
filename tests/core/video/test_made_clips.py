"""Every kind of file that other decoders misread, read back by its burned-in numbers."""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from core.video import table as tables
from core.video.sample import sample_frames
from core.video.table import FrameTable, read_table

B_FRAMES = {"bf": "3", "g": "12", "preset": "veryfast"}
UNEVEN = tuple(np.cumsum([0] + [42] * 20 + [17] * 25 + [100] * 14).tolist())

CLIPS = {
    "h264 with B-frames": ("a.mp4", {"options": B_FRAMES}),
    "h264 in one group": ("a.mp4", {"options": {"bf": "3", "g": "250"}}),
    "h264 open GOP": (
        "a.mp4",
        {"options": {"x264-params": "open-gop=1:keyint=12:bframes=3:scenecut=0"}},
    ),
    "h264 fragmented": (
        "a.mp4",
        {"options": B_FRAMES, "container": {"movflags": "frag_keyframe+empty_moov"}},
    ),
    "h264 in MPEG-TS": ("a.ts", {"options": B_FRAMES}),
    "h264 in AVI": ("a.avi", {"options": B_FRAMES}),
    "h264 bare": ("a.h264", {"options": B_FRAMES, "format": "h264"}),
    "h264 refreshed bit by bit": (
        "a.ts",
        {"options": {"x264-params": "intra-refresh=1:keyint=20:bframes=0"}},
    ),
    "h264 interlaced": (
        "a.mp4",
        {"options": {"x264-params": "interlaced=1:tff=1", "flags": "+ildct+ilme"}},
    ),
    "h264 10 bit": ("a.mp4", {"pix_fmt": "yuv420p10le"}),
    "h264 4:4:4 odd size": ("a.mp4", {"pix_fmt": "yuv444p", "width": 177, "height": 97}),
    "hevc open GOP": (
        "a.mp4",
        {
            "codec": "libx265",
            "options": {
                "preset": "ultrafast",
                "x265-params": "keyint=12:bframes=4:open-gop=1:scenecut=0:log-level=none",
            },
        },
    ),
    "hevc in layers": (
        "a.mp4",
        {
            "codec": "libx265",
            "options": {
                "preset": "ultrafast",
                "x265-params": "temporal-layers=3:keyint=30:bframes=3:b-adapt=0:log-level=none",
            },
        },
    ),
    "hevc 10 bit in MPEG-TS": (
        "a.ts",
        {
            "codec": "libx265",
            "pix_fmt": "yuv420p10le",
            "options": {"preset": "ultrafast", "x265-params": "keyint=12:log-level=none"},
        },
    ),
    "mpeg4 with B-frames in AVI": ("a.avi", {"codec": "mpeg4", "options": {"bf": "2", "g": "12"}}),
    "mpeg4 in mp4": ("a.mp4", {"codec": "mpeg4", "options": {"bf": "2", "g": "12"}}),
    "mpeg2 in MPEG-TS": ("a.ts", {"codec": "mpeg2video", "options": {"bf": "2", "g": "12"}}),
    "mpeg2 program stream": (
        "a.mpg",
        {"codec": "mpeg2video", "options": {"bf": "2", "g": "12"}, "format": "mpeg"},
    ),
    "mjpeg in AVI": ("a.avi", {"codec": "mjpeg", "pix_fmt": "yuvj420p"}),
    "uneven mp4": ("a.mp4", {"options": B_FRAMES, "base": Fraction(1, 1000), "pts": UNEVEN}),
    "uneven mkv": ("a.mkv", {"options": B_FRAMES, "base": Fraction(1, 1000), "pts": UNEVEN}),
    "vp9": ("a.webm", {"codec": "libvpx-vp9", "options": {"deadline": "realtime", "g": "20"}}),
    "vp8 with hidden frames": (
        "a.webm",
        {
            "codec": "libvpx",
            "options": {"auto-alt-ref": "1", "lag-in-frames": "16", "b": "300k", "cpu-used": "5"},
        },
    ),
    "av1": ("a.mp4", {"codec": "libsvtav1", "options": {"preset": "12", "g": "20"}}),
    "gif": ("a.gif", {"codec": "gif", "pix_fmt": "rgb8", "rate": Fraction(10)}),
    "one frame": ("a.mp4", {"n": 1}),
    "unusual name": ("-ä & ö's 100%d.mp4", {"options": B_FRAMES}),
}


def numbers(path: Path, indices, table: FrameTable, read) -> list[tuple[int | None, str]]:
    frames = sample_frames(path, indices, table=table)
    return [
        (None if f.image is None else read(f.image, f.image.shape[1], f.image.shape[0]), f.status)
        for f in frames
    ]


@pytest.mark.parametrize("kind", CLIPS)
def test_every_frame_is_the_one_asked_for(kind: str, make, read):
    name, recipe = CLIPS[kind]
    n = recipe.get("n", 60)
    clip = make(name, **recipe)
    table = read_table(clip)
    assert table.n == n
    assert FrameTable.from_json(table.to_json()) == table
    assert numbers(clip, range(n), table, read) == [(i, "exact") for i in range(n)]


@pytest.mark.parametrize("kind", CLIPS)
def test_a_few_frames_in_any_order_are_the_ones_asked_for(kind: str, make, read):
    name, recipe = CLIPS[kind]
    clip = make(name, **recipe)
    table = read_table(clip)
    for seed in range(5):
        asked = [Random(seed).randrange(table.n) for _ in range(5)]
        assert numbers(clip, asked, table, read) == [(i, "exact") for i in asked]


@pytest.mark.parametrize("kind", ["uneven mp4", "uneven mkv"])
def test_uneven_times_are_the_files_own(kind: str, make):
    name, recipe = CLIPS[kind]
    table = read_table(make(name, **recipe))
    assert table.times == pytest.approx([t / 1000 for t in UNEVEN], abs=1e-9)
    # Frames 0 to 20 stand 42 ms each: at 0.10 s frame 2 (from 84 ms on) is on screen.
    assert table.index_at(0.1) == 2


def test_avi_frames_are_timed_by_the_rate(make):
    name, recipe = CLIPS["mpeg4 with B-frames in AVI"]
    table = read_table(make(name, **recipe))
    assert table.times == pytest.approx([i / 25 for i in range(60)])
    assert tables.NO_TIMES in table.flags


def test_an_edit_list_hides_the_frames_before_the_cut(make, cut, read):
    whole = make("whole.mp4", options=B_FRAMES)
    clip = cut(whole, "cut.mp4", 17)  # frame 12 is the keyframe before it
    table = read_table(clip)
    assert tables.HIDDEN in table.flags
    assert table.n == 60 - 17
    assert numbers(clip, range(43), table, read) == [(i + 17, "exact") for i in range(43)]
    assert numbers(clip, [2, 40], table, read) == [(19, "exact"), (57, "exact")]


def test_a_late_start_counts_from_the_first_frame(make):
    late = make("a.mkv", base=Fraction(1, 1000), pts=[5000 + 40 * i for i in range(30)], n=30)
    table = read_table(late)
    assert table.start_s == pytest.approx(5.0)
    assert table.times[:3] == pytest.approx((0, 0.04, 0.08))
    assert table.duration_s == pytest.approx(30 * 0.04)


def test_a_size_that_changes_midway_gives_each_frame_its_own(make, read, tmp_path: Path):
    first = make("first.ts", n=30, options={"g": "10"})
    second = make("second.ts", n=30, pts=range(30, 60), width=352, height=192, options={"g": "10"})
    both = tmp_path / "both.ts"
    both.write_bytes(first.read_bytes() + second.read_bytes())
    table = read_table(both)
    frames = sample_frames(both, [0, 29, table.n - 1], table=table)
    images = [np.asarray(f.image) for f in frames]
    assert [i.shape for i in images] == [(96, 176, 3), (96, 176, 3), (192, 352, 3)]
    assert [read(i, i.shape[1], i.shape[0]) for i in images] == [0, 29, 29]


def test_a_file_cut_short_has_the_frames_that_are_there(make, read):
    clip = make("a.mp4", options=B_FRAMES, container={"movflags": "faststart"})
    data = clip.read_bytes()
    clip.write_bytes(data[: len(data) * 6 // 10])
    table = read_table(clip)
    assert tables.CUT_SHORT in table.flags
    assert 10 < table.n < 60
    got = numbers(clip, range(table.n), table, read)
    # The last frames that are there may have lost others between them: their times say so.
    assert all(
        number == round(time * 25) or status != "exact"
        for time, (number, status) in zip(table.times, got, strict=True)
    )
    assert [status for _, status in got].count("exact") > table.n / 2


@pytest.mark.parametrize(
    ("name", "container"),
    [("a.mp4", {"movflags": "frag_keyframe+empty_moov"}), ("a.mp4", {"movflags": "faststart"}),
     ("a.mov", {"movflags": "faststart"}), ("a.mkv", {}),
     ("a.mkv", {"reserve_index_space": "2000"})],
)  # fmt: skip
def test_half_a_download_is_told_from_a_whole_file(make, name, container):
    clip = make(name, options={"g": "5"}, container=container)
    data = clip.read_bytes()
    # Older WebM has no tag that says how long each stream is; then only the file's own size tells.
    data = data.replace(b"DURATION", b"DURATIOM")
    clip.write_bytes(data)
    assert tables.CUT_SHORT not in read_table(clip).flags
    clip.write_bytes(data + b"\0" * 10)
    assert tables.CUT_SHORT not in read_table(clip).flags
    clip.write_bytes(data[: len(data) * 6 // 10])
    table = read_table(clip)
    assert tables.CUT_SHORT in table.flags
    assert 10 < table.n < 60


def test_a_stream_that_leaves_its_size_open_is_not_called_cut_short(make):
    clip = make("a.mkv", container={"live": "1"})
    assert tables.CUT_SHORT not in read_table(clip).flags


@pytest.mark.parametrize("kind", ["h264 with B-frames", "h264 in one group", "h264 in MPEG-TS"])
def test_damage_in_h264_is_marked_on_all_that_hangs_on_it(kind: str, make):
    name, recipe = CLIPS[kind]
    clip = make(name, **recipe)
    table = read_table(clip)
    clean = {
        f.time_s: np.asarray(f.image) for f in sample_frames(clip, range(table.n), table=table)
    }
    data = bytearray(clip.read_bytes())
    random = Random(2)
    at = len(data) // 2
    data[at : at + 600] = random.randbytes(600)
    clip.write_bytes(data)
    table = read_table(clip)
    frames = sample_frames(clip, range(table.n), table=table)
    assert table.n < 60 or any(f.status != "exact" for f in frames)
    for frame in frames:
        if frame.status == "exact":
            assert np.array_equal(np.asarray(frame.image), clean[frame.time_s])


def size(clip: Path, longest_side: int) -> tuple[int, ...]:
    return np.asarray(sample_frames(clip, [1], longest_side=longest_side)[0].image).shape


def test_frames_are_scaled_down_and_never_up(make):
    clip = make("a.mp4", n=3)
    assert size(clip, 88) == (48, 88, 3)
    assert size(clip, 900) == (96, 176, 3)


def test_an_index_outside_the_video_says_what_is_allowed(make):
    with pytest.raises(IndexError, match=r"No frame 9 in a.mp4: it has 9 frames.*0\.\.8"):
        sample_frames(make("a.mp4", n=9), [0, 9])
