from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from core.video.encode import write_video


def picture(index: int, height: int = 54, width: int = 98) -> np.ndarray:
    image = np.zeros((height, width, 3), np.uint8)
    image[:, :] = (200, 40, 90)
    image[10:30, 2 * index : 2 * index + 12] = (20, 220, 60)
    return image


def test_every_frame_comes_back_at_its_time_and_in_its_colours(tmp_path: Path):
    path = write_video(tmp_path / "a.mp4", (picture(i) for i in range(31)), Fraction(30000, 1001))
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    assert len(frames) == 31
    for i, frame in enumerate(frames):
        # Frame i of 30000/1001 a second begins at i × 1001/30000 s.
        assert frame.time == pytest.approx(i * 1001 / 30000, abs=1e-4)
        back = frame.to_ndarray(format="rgb24").astype(int)
        assert np.abs(back[40:50] - (200, 40, 90)).mean() < 6
        assert np.abs(back[14:26, 2 * i + 4 : 2 * i + 8] - (20, 220, 60)).mean() < 10


def test_keyframes_are_no_further_apart_than_asked(tmp_path: Path):
    path = write_video(
        tmp_path / "a.mp4", (picture(i) for i in range(30)), Fraction(25), keyframe_every=7
    )
    with av.open(str(path)) as container:
        keys = [i for i, frame in enumerate(container.decode(video=0)) if frame.key_frame]
    assert keys[0] == 0
    assert max(b - a for a, b in zip(keys, [*keys[1:], 30], strict=True)) <= 7


def test_the_index_comes_before_the_pictures(tmp_path: Path):
    data = write_video(tmp_path / "a.mp4", [picture(0)] * 3, Fraction(24)).read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_the_same_frames_give_the_same_bytes(tmp_path: Path):
    one = write_video(tmp_path / "a.mp4", (picture(i) for i in range(9)), Fraction(30))
    two = write_video(tmp_path / "b.mp4", (picture(i) for i in range(9)), Fraction(30))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        ([], "at least one"),
        ([picture(0, height=53)], "even height and width"),
        ([picture(0)[:, :, 0]], "needed is"),
        ([picture(0), picture(0, width=96)], "Frame 1"),
        ([picture(0).astype(np.float32)], "uint8"),
    ],
)
def test_what_cannot_be_written_is_refused_and_leaves_nothing(tmp_path, frames, words):
    old = tmp_path / "a.mp4"
    old.write_bytes(b"old")
    with pytest.raises(ValueError, match=words):
        write_video(old, frames, Fraction(30))
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]
    assert old.read_bytes() == b"old"


@pytest.mark.parametrize(("fps", "every", "crf"), [(0, 12, 20), (30, 0, 20), (30, 12, 52)])
def test_settings_out_of_range_are_refused(tmp_path: Path, fps: int, every: int, crf: int):
    with pytest.raises(ValueError, match="fps must be above 0"):
        write_video(tmp_path / "a.mp4", [picture(0)], Fraction(fps), keyframe_every=every, crf=crf)
