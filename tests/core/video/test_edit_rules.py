"""Recipes of edits: what is allowed, what fits a video, and what every edit keeps to."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from edited_clips import edited, timeline, timeline_frame

from core.edit import Timeline, edit, edits
from core.editing.recipe import Recipe, make_recipe, timeline_of
from core.video.probe import probe

Make = Callable[..., Path]


def test_the_same_edit_gives_the_same_bytes_and_browsers_play_it(make: Make, tmp_path: Path):
    path = make("clip.mp4", n=30, sound=True)
    recipe = make_recipe([("reverse", {}), ("mirror", {}), ("speed", {"factor": 2})])
    for name in ("a.mp4", "b.mp4"):
        edited(tmp_path / name, recipe, path)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    assert probe(tmp_path / "a.mp4")[0].browser_playable


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
