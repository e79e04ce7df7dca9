import importlib.util
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from core.processes import Workers
from core.video.audit import Finding, audit, fingerprints, look_up
from core.video.table import read_table

HAS_DECORD = importlib.util.find_spec("decord") is not None


@pytest.fixture(scope="module")
def workers():
    with Workers(2) as pool:
        yield pool


def finding(path: Path, decoder: str, workers: Workers) -> Finding:
    return next(f for f in audit(path, workers).findings if f.decoder == decoder)


def test_an_ordinary_file_is_read_rightly_by_all(make, workers: Workers):
    for found in audit(make("a.mp4", options={"g": "12", "bf": "2"}), workers).findings:
        if found.decoder.startswith("OpenCV") or HAS_DECORD:
            assert (found.verdict, found.message) == ("right", "16 of 16 right")


@pytest.mark.skipif(not HAS_DECORD, reason="decord has no build for this machine")
def test_decord_is_caught_on_hevc_with_leading_pictures(make, workers: Workers):
    clip = make(
        "a.mp4",
        codec="libx265",
        n=120,
        options={"preset": "medium", "x265-params": "keyint=30:min-keyint=30:log-level=none"},
    )
    found = finding(clip, "decord get_batch", workers)
    assert found.verdict == "wrong"
    assert found.wrong >= 1
    assert found.largest_shift != 0
    assert "wrong, by up to" in found.message


def test_opencv_is_caught_where_rates_change(make, workers: Workers):
    times = np.cumsum([0] + [42] * 20 + [17] * 25 + [100] * 14).tolist()
    clip = make("a.mkv", base=Fraction(1, 1000), pts=times, options={"g": "12"})
    found = finding(clip, "OpenCV seek", workers)
    assert found.verdict == "wrong"
    assert found.claimed != 60


@pytest.mark.skipif(not HAS_DECORD, reason="decord has no build for this machine")
def test_a_decoder_that_hangs_is_killed(make, tmp_path: Path, workers: Workers):
    first = make("first.ts", n=30, options={"g": "10"})
    second = make("second.ts", n=90, pts=range(30, 120), width=352, height=192)
    both = tmp_path / "both.ts"
    both.write_bytes(first.read_bytes() + second.read_bytes())
    from core.video import readers

    with pytest.raises(Exception, match=r"Stopped after 3 s|cannot be read|exit code"):
        workers.call(readers.read_decord, str(both), _first_and_last, timeout_s=3)


def _first_and_last(n: int) -> tuple[int, ...]:
    return tuple(range(0, n, max(1, n // 16)))


def test_a_picture_is_recognised_by_its_pixels(make, picture_of):
    clip = make("a.mp4", options={"g": "12"})
    reference = fingerprints(clip, read_table(clip))
    assert look_up(7, picture_of(7, 176, 96), reference).outcome == "right"
    late = look_up(7, picture_of(9, 176, 96), reference)
    assert (late.outcome, late.got) == ("wrong", 9)
    assert look_up(7, None, reference).outcome == "nothing"
    assert look_up(7, np.full((96, 176, 3), 255, np.uint8), reference).outcome == "unrelated"
    aside = np.rot90(picture_of(7, 176, 96)).copy()
    assert look_up(7, aside, reference).outcome == "sideways"
    assert look_up(99, picture_of(59, 176, 96), reference).got == 59


def test_a_file_that_is_no_video_has_its_reason(tmp_path: Path, workers: Workers):
    (tmp_path / "a.mp4").write_bytes(b"")
    found = audit(tmp_path / "a.mp4", workers)
    assert (found.error, found.findings) == ("empty file", ())
