"""Edits of the picture, pixel by pixel."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from edited_clips import UNEVEN, edited, timeline_frame

from core.edit import Timeline, edit
from core.editing.recipe import make_recipe
from core.video.errors import VideoError
from core.video.probe import probe
from core.video.sample import sample_frames

Make = Callable[..., Path]


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
