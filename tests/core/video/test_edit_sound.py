"""Edits of what is heard."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from edited_clips import edited, samples

from core.editing.recipe import make_recipe, source_timeline, timeline_of
from core.editing.write_edit import SourceVideo, write_edit
from core.video.probe import probe

Make = Callable[..., Path]


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
