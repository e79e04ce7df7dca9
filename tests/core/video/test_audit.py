import importlib.util
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from core.process.processes import Workers
from core.video.audit import Finding, audit, fingerprints, judge, look_up
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
    options = {"preset": "medium", "x265-params": "keyint=60:log-level=none"}
    clip = make("a.mp4", codec="libx265", n=150, options=options)
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


def test_a_decoder_that_hangs_is_killed_and_reported(make, workers: Workers, tmp_path: Path):
    clip, pipe = make("a.mp4", n=3), tmp_path / "pipe.mp4"
    os.mkfifo(pipe)  # nobody ever writes: opening it waits for ever
    reference = fingerprints(clip, read_table(clip))
    found = judge(workers, "OpenCV seek", str(pipe), reference, 1.0)
    assert found.verdict == "hung"
    assert found.message == "the decoder hung or crashed: Stopped after 1 s."


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
