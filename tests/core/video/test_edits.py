"""Edits frame by frame: which frame is shown when, what its pixels are, and what is heard."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from core.edit import Timeline, edit, edits
from core.editing import frame_reader
from core.editing.recipe import Recipe, carried_interval, make_recipe, source_timeline, timeline_of
from core.editing.write_edit import SourceVideo, write_edit
from core.video.errors import VideoError
from core.video.probe import probe
from core.video.sample import sample_frames
from core.video.sound import sound_stretches

Make = Callable[..., Path]
# Irregular times: 0, 0.1, 0.35, 0.4 and 1.0 s.
UNEVEN = {"n": 5, "rate": Fraction(10), "base": Fraction(1, 20), "pts": (0, 2, 7, 8, 20)}


def timeline(path: Path, source: int = 0) -> Timeline:
    facts, table = probe(path)
    return source_timeline(source, table, facts)


def edited(target: Path, recipe: Recipe, *paths: Path, marks_damage: bool = False) -> Timeline:
    """Writes the edit of these clips and gives its timeline."""
    made = timeline_of(recipe, [timeline(path, i) for i, path in enumerate(paths)])
    sources = [SourceVideo(path, probe(path)[1]) for path in paths]
    write_edit(sources, made, target, marks_damage=marks_damage)
    return made


def samples(path: Path) -> np.ndarray:
    """What is heard, (2, S) at 48 kHz."""
    facts, table = probe(path)
    return np.concatenate(list(sound_stretches(path, table.start_s, facts.duration_s)), axis=1)


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


@pytest.mark.parametrize(
    ("name", "settings", "change"),
    [
        ("mirror", {}, lambda image: image[:, ::-1]),
        ("rotate", {"degrees": 90}, lambda image: np.rot90(image, -1)),
        ("rotate", {"degrees": 180}, lambda image: image[::-1, ::-1]),
        ("rotate", {"degrees": -90}, lambda image: np.rot90(image)),
        ("crop", {"x": 3, "y": 5, "width": 101, "height": 60}, lambda i: i[5:65, 3:103]),
    ],
)
def test_pictures_are_those_of_the_parent_changed(
    make: Make, tmp_path: Path, name: str, settings: dict[str, object],
    change: Callable[[np.ndarray], np.ndarray],
):  # fmt: skip
    path = make("clip.mp4", n=20, options={"crf": "1"})
    target = tmp_path / "edit.mp4"
    edited(target, make_recipe([(name, settings)]), path)
    before, after = sample_frames(path, range(20)), sample_frames(target, range(20))
    for old, new in zip(before, after, strict=True):
        assert old.image is not None
        assert new.image is not None
        expected = change(old.image).astype(float)
        other = change(before[(old.index + 7) % 20].image).astype(float)  # type: ignore[union-attr]
        assert new.image.shape == expected.shape
        near, far = (np.abs(new.image - one).mean() for one in (expected, other))
        assert near < far / 3, "nearer to its own frame than to another"


CLIPS: dict[str, dict[str, object]] = {
    "constant": {"n": 12},
    "variable": UNEVEN,
    "odd": {"n": 8, "codec": "libvpx-vp9", "width": 177, "height": 97},
    "turned": {"n": 8, "width": 320, "height": 182, "rotation": 90},
}
EXACT: dict[str, tuple[dict[str, object], Callable[[np.ndarray], np.ndarray]]] = {
    "reverse": ({}, lambda image: image),
    "mirror": ({}, lambda image: image[:, ::-1]),
    "rotate": ({"degrees": 90}, lambda image: np.rot90(image, -1)),
    "crop": ({"x": 3, "y": 5, "width": 161, "height": 90}, lambda image: image[5:95, 3:163]),
    "join": ({}, lambda image: image),
}


@pytest.mark.parametrize("kind", CLIPS)
@pytest.mark.parametrize("name", EXACT)
def test_each_edit_is_exact_on_every_kind_of_clip(make: Make, tmp_path: Path, kind: str, name: str):
    path = make("clip.webm" if kind == "odd" else "clip.mp4", **CLIPS[kind])
    settings, change = EXACT[name]
    target = tmp_path / "edit.mp4"
    parents = [path, path] if name == "join" else [path]
    edited(target, make_recipe([(name, settings)]), *parents)
    (facts, table), (after, made) = probe(path), probe(target)
    n, lengths = table.n, np.diff([*table.times, table.duration_s])
    order = {"reverse": list(range(n))[::-1], "join": [*range(n), *range(n)]}.get(name, [*range(n)])
    assert made.n == len(order)
    shown = [change(frame.image) for frame in sample_frames(path, range(n))]  # type: ignore[arg-type]
    high, wide = shown[0].shape[:2]
    for frame in sample_frames(target, range(made.n)):
        assert frame.image is not None
        assert frame.image.shape == (high + high % 2, wide + wide % 2, 3)
        apart = [np.abs(frame.image[:high, :wide].astype(float) - one).mean() for one in shown]
        assert int(np.argmin(apart)) == order[frame.index], "nearest to its own frame"
    # Each frame begins after the lengths of those before it; each keeps its own length.
    begins = np.cumsum([0, *lengths[order]])
    assert made.times == pytest.approx(begins[:-1], abs=1e-6)
    assert after.duration_s == pytest.approx(begins[-1], abs=min(lengths) / 2)
    assert (after.rotation, after.sar) == (0, 1)
    assert facts.duration_s * len(parents) == pytest.approx(begins[-1], abs=min(lengths) / 2)


def test_odd_sides_get_one_more_line_like_the_last(make: Make, tmp_path: Path):
    path = make("clip.webm", n=5, codec="libvpx-vp9", width=177, height=97)
    target = tmp_path / "edit.mp4"
    edited(target, make_recipe([("mirror", {})]), path)
    [old], [new] = sample_frames(path, [2]), sample_frames(target, [2])
    assert old.image is not None
    assert new.image is not None
    assert new.image.shape == (98, 178, 3)
    apart = np.abs(new.image[:97, :177].astype(float) - old.image[:, ::-1])
    assert np.median(apart) < 6


def test_a_turn_and_back_is_the_picture_itself():
    image = np.random.default_rng(0).integers(0, 255, (5, 7, 3), dtype=np.uint8)
    start = Timeline((), Fraction(1), 7, 5)
    for degrees in (90, 180, 270):
        rotate = edit("rotate")
        there = rotate.apply(start, {"degrees": degrees}, ())
        assert (there.width, there.height) == ((7, 5) if degrees == 180 else (5, 7))
    rotate = edit("rotate")
    one = Timeline((timeline_frame(),), Fraction(1), 7, 5)
    for pair in ((90, 270), (180, 180)):
        turned = one
        for degrees in pair:
            turned = rotate.apply(turned, {"degrees": degrees}, ())
        result = image
        for change in turned.frames[0].changes:
            result = change(result)
        assert np.array_equal(result, image)
    mirrored = edit("mirror").apply(edit("mirror").apply(one, {}, ()), {}, ())
    result = image
    for change in mirrored.frames[0].changes:
        result = change(result)
    assert np.array_equal(result, image)


def timeline_frame():
    from core.edit import EditedFrame

    return EditedFrame(0, 0, Fraction(0))


def test_any_other_angle_keeps_the_whole_picture_in_sight():
    # 100 x 50 turned by 45 degrees: (100 + 50) / sqrt(2) = 106.07 px to each side, 108 when even.
    turned = edit("rotate").apply(
        Timeline((timeline_frame(),), Fraction(1), 100, 50), {"degrees": 45}, ()
    )
    assert (turned.width, turned.height) == (108, 108)
    picture = turned.frames[0].changes[0](np.full((50, 100, 3), 200, np.uint8))
    assert picture[54, 54].tolist() == [200, 200, 200]
    assert picture[0, 0].tolist() == [0, 0, 0]
    # All of its light is still there: 5,000 px of 200, but for the blended rim.
    assert picture.sum() / 3 / 200 == pytest.approx(5000, rel=0.02)


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


def tones(path: Path) -> list[float]:
    """The loudest frequency of each half of what is heard, Hz."""
    mono = samples(path)[0]
    halves = np.array_split(mono, 2)
    return [
        float(np.argmax(np.abs(np.fft.rfft(half * np.hanning(len(half)))))) * 48000 / len(half)
        for half in halves
    ]


@pytest.fixture
def two_tones(make: Make, tmp_path: Path) -> Path:
    """A clip of 2 s whose sound is 400 Hz in its first half and 900 Hz in its second."""
    silent = make("silent.mp4", n=50)
    path = tmp_path / "tones.mp4"
    with av.open(str(silent)) as source, av.open(str(path), "w") as out:
        stream = source.streams.video[0]
        copy = out.add_stream_from_template(stream)
        audio = out.add_stream("aac", rate=48000)
        for packet in source.demux(stream):
            if packet.dts is not None:
                packet.stream = copy
                out.mux(packet)
        phase = np.arange(96000) / 48000
        wave = np.where(phase < 1, np.sin(800 * np.pi * phase), np.sin(1800 * np.pi * phase))
        for start in range(0, 96000 - 1023, 1024):
            block = np.repeat(wave[None, start : start + 1024].astype(np.float32) * 0.4, 2, 0)
            frame = av.AudioFrame.from_ndarray(block, format="fltp", layout="stereo")
            frame.sample_rate, frame.pts, frame.time_base = 48000, start, Fraction(1, 48000)
            out.mux(audio.encode(frame))
        out.mux(audio.encode(None))
    return path


def test_sound_is_reversed_and_keeps_its_pitch_at_another_speed(two_tones: Path, tmp_path: Path):
    target = tmp_path / "edit.mp4"
    edited(target, make_recipe([("reverse", {})]), two_tones)
    assert tones(target) == pytest.approx([900, 400], abs=5)
    for factor in ("2", "1/2", "4", "1/4"):
        edited(target, make_recipe([("speed", {"factor": factor})]), two_tones)
        assert tones(target) == pytest.approx([400, 900], abs=25), factor
        length = samples(target).shape[1] / 48000
        assert length == pytest.approx(2 / Fraction(factor), abs=0.03)
    edited(target, make_recipe([("trim", {"start": "1.1", "end": "1.9"})]), two_tones)
    assert tones(target) == pytest.approx([900, 900], abs=5)


def test_an_edit_without_sound_has_none(two_tones: Path, tmp_path: Path):
    facts, table = probe(two_tones)
    made = timeline_of(make_recipe([("mirror", {})]), [source_timeline(0, table, facts)])
    write_edit([SourceVideo(two_tones, table)], made, tmp_path / "edit.mp4", sound=False)
    assert not probe(tmp_path / "edit.mp4")[0].has_audio


def test_the_same_edit_gives_the_same_bytes_and_browsers_play_it(make: Make, tmp_path: Path):
    path = make("clip.mp4", n=30, sound=True)
    recipe = make_recipe([("reverse", {}), ("mirror", {}), ("speed", {"factor": 2})])
    for name in ("a.mp4", "b.mp4"):
        edited(tmp_path / name, recipe, path)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    assert probe(tmp_path / "a.mp4")[0].browser_playable


def test_a_damaged_frame_is_refused_or_becomes_a_grey_picture(
    make: Make, lose_frames: Callable[..., Path], read: Callable[..., int | None], tmp_path: Path
):
    whole = make("clip.mp4", n=12, options={"g": "1", "x264-params": "keyint=1"})
    path = lose_frames(whole, tmp_path / "lost.mp4", (5,))
    target = tmp_path / "edit.mp4"
    recipe = make_recipe([("reverse", {})])
    with pytest.raises(VideoError, match=r"frame 5 of lost[.]mp4 is damaged"):
        edited(target, recipe, path)
    assert list(tmp_path.glob("*edit*")) == []
    assert list(tmp_path.glob(".*part*")) == []
    edited(target, recipe, path, marks_damage=True)
    numbers = [read(frame.image) for frame in sample_frames(target, range(12))]
    assert numbers == [11, 10, 9, 8, 7, 6, None, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([], "0 edits; 1 to 20"),
        ([("blend", {})], "No 'blend' in core.edits"),
        ([("speed", {"factor": 5})], "Speed is 5; allowed are 1/4 to 4"),
        ([("speed", {"factor": 1})], "but not 1"),
        ([("speed", {"factor": "fast"})], "it has to be a number"),
        ([("speed", {})], "factor is lacking"),
        ([("speed", {"factor": "nan"})], "it has to be a number"),
        ([("crop", {"x": 0, "y": 0, "width": 8, "height": 80})], "too small; at least 16"),
        ([("crop", {"x": -1, "y": 0, "width": 80, "height": 80})], "0 or more"),
        ([("crop", {"x": 1.5, "y": 0, "width": 80, "height": 80})], "whole number of px"),
        ([("rotate", {"degrees": 360})], "turn nothing"),
        ([("rotate", {"degrees": 0.5})], "no whole number"),
        ([("trim", {"start": 2, "end": 2})], "no stretch"),
        ([("mirror", {"axis": "x"})], "'axis' is no setting. Allowed: none"),
    ],
)
def test_what_is_not_allowed_is_refused_with_what_is(steps: list[object], words: str):
    with pytest.raises(ValueError, match=words):
        make_recipe(steps)  # type: ignore[arg-type]


def test_what_does_not_fit_the_video_is_refused(make: Make):
    clip = timeline(make("clip.mp4", n=25))
    region = {"x": 100, "y": 0, "width": 80, "height": 80}
    with pytest.raises(ValueError, match="ends at 180, 80, but the picture as shown is 176 × 96"):
        timeline_of(make_recipe([("crop", region)]), [clip])
    with pytest.raises(ValueError, match=r"begins at 1 s, but the video ends at 1.000 s"):
        timeline_of(make_recipe([("trim", {"start": 1, "end": 2})]), [clip])
    with pytest.raises(ValueError, match="1 videos; these edits need 2"):
        timeline_of(make_recipe([("join", {})]), [clip])


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


def test_a_recipe_is_the_same_however_it_is_written():
    one = make_recipe([("speed", {"factor": "3/2"}), ("rotate", {"degrees": "-90"})])
    same = make_recipe([("speed", {"factor": 1.5}), ("rotate", {"degrees": 270})])
    assert one == same == Recipe.from_json(one.to_json())
    assert one.identity(["a"]) == same.identity(["a"]) != same.identity(["b"])
    assert one.label == "speed3of2+rotate270"


@pytest.mark.parametrize("name", edits())
def test_every_edit_keeps_to_the_contract(name: str):
    module = edit(name)
    assert module.TITLE[0].isupper()
    assert module.HELP.endswith(".")
    assert all(value is None for value in module.DEFAULTS.values())
    usual = {"speed": {"factor": 2}, "rotate": {"degrees": 45},
             "crop": {"x": 0, "y": 0, "width": 32, "height": 32},
             "trim": {"start": 0, "end": 1},
             "blur": {"regions": [[0, "1/2", 4, 4, 20, 12]]}}  # fmt: skip
    settings = module.check(usual.get(name, {}))
    assert module.check(settings) == settings
    clip = Timeline((timeline_frame(),), Fraction(1), 64, 48)
    other = Timeline((timeline_frame(),), Fraction(2), 64, 48)
    made = module.apply(clip, settings, (other,) * module.OTHERS)
    times = [frame.time for frame in made.frames]
    assert times == sorted(set(times))
    assert times[0] == 0
    assert made.end > times[-1]
    assert module.label(settings).startswith(name)
