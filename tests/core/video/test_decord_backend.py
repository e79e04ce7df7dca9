import importlib.util

import numpy as np
import pytest

from core.video.errors import VideoError
from core.video.sample import sample_frames

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("decord") is None, reason="decord has no build for this machine"
)


def test_decord_gives_the_same_frames_where_it_is_safe(make, read):
    clip = make("a.mp4", options={"g": "12", "bf": "2"})
    frames = sample_frames(clip, [0, 31, 59, 31], backend="decord", longest_side=88)
    assert [f.index for f in frames] == [0, 31, 59, 31]
    assert [read(f.image) for f in frames] == [0, 31, 59, 31]
    assert {np.asarray(f.image).shape for f in frames} == {(48, 88, 3)}


def test_decord_turns_and_stretches_like_the_other(make):
    from fractions import Fraction

    clip = make("a.mp4", n=9, rotation=-90, sar=Fraction(4, 3))
    both = [sample_frames(clip, [4], backend=b)[0] for b in ("pyav", "decord")]
    sizes = [np.asarray(f.image).shape for f in both]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize(
    ("name", "recipe", "why"),
    [
        ("a.avi", {"codec": "mpeg4", "options": {"bf": "2"}}, "no time stamps"),
        ("a.ts", {"options": {"g": "12"}}, "the container mpegts"),
        (
            "a.mp4",
            {"codec": "libx265", "options": {"x265-params": "keyint=12:log-level=none"}},
            "open GOP",
        ),
        ("a.mp4", {"codec": "libsvtav1", "options": {"preset": "12"}}, "the codec"),
    ],
)
def test_decord_is_refused_where_it_is_known_to_be_wrong(name: str, recipe: dict, why: str, make):
    with pytest.raises(VideoError, match=why) as caught:
        sample_frames(make(name, **recipe), [3], backend="decord")
    assert caught.value.reason == "not safe with this decoder"
