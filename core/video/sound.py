"""The sound of a video, from its first frame on: as AAC packets, or as samples for speech."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Discard
from numpy.typing import NDArray

from core.video.pyav import encode

Samples = NDArray[np.float32]

RATE = 48000
SPEECH_RATE = 16000
_GAP_S = 0.04
_BLOCK = 1024


def encoded_sound(
    path: str | Path, output: AudioStream, start_s: float, duration_s: float
) -> list["Packet[Any]"]:
    """AAC packets of the first sound stream, from ``start_s`` on for ``duration_s`` seconds.

    Gaps and a late start are filled with silence, so that sound stays with its picture. What does
    not decode is left out.
    """
    packets: list[Packet[Any]] = []
    written = 0
    for block in _blocks(sound_stretches(path, start_s, duration_s)):
        frame = AudioFrame.from_ndarray(block, format="fltp", layout="stereo")
        frame.sample_rate = RATE
        frame.pts = written
        frame.time_base = Fraction(1, RATE)
        written += block.shape[1]
        packets += encode(output, frame)
    return [*packets, *encode(output, None)]


def speech_samples(path: str | Path, start_s: float, duration_s: float) -> Samples | None:
    """Samples (S,) of the first sound stream, mono at 16 kHz, -1..1; None if there is none.

    Gaps are filled with silence; what does not decode is left out. S is less than the span asked
    for where the sound ends before it.

    Args:
        path: the video file.
        start_s: raw time stamp at which to begin, s.
        duration_s: length of the span, s.
    """
    with av.open(f"file:{Path(path).absolute()}", "r", metadata_errors="ignore") as container:
        if not container.streams.audio:
            return None
    parts = list(sound_stretches(path, start_s, duration_s, SPEECH_RATE, "mono"))
    return np.concatenate(parts, axis=1)[0] if parts else np.zeros(0, np.float32)


def sound_stretches(
    path: str | Path, start_s: float, duration_s: float, rate: int = RATE, layout: str = "stereo"
) -> Iterator[Samples]:
    """Stretches (channels, any), -1..1, of the first sound stream, one after the other.

    Gaps and a late start are silence; what does not decode is left out; nothing comes after the end
    of the sound.
    """
    total = round(duration_s * rate)
    written = 0
    with av.open(f"file:{Path(path).absolute()}", "r", metadata_errors="ignore") as container:
        for at_s, sound in _decoded(container, rate, layout):
            at = round((at_s - start_s) * rate)
            if at - written > _GAP_S * rate:
                gap = min(at, total) - written
                yield np.zeros((len(sound), max(0, gap)), np.float32)
                written += max(0, gap)
            if written == 0 and at < 0:
                sound = sound[:, -at:]
            sound = sound[:, : total - written]
            if sound.size:
                yield sound
                written += sound.shape[1]
            if written >= total:
                return


def _decoded(container: InputContainer, rate: int, layout: str) -> Iterator[tuple[float, Samples]]:
    stream = container.streams.audio[0]
    for other_stream in container.streams:
        if other_stream is not stream:
            other_stream.discard = Discard.all
    resampler = AudioResampler(format="fltp", layout=layout, rate=rate)
    packets = container.demux(stream)
    time_s = 0.0
    while True:
        try:
            packet = next(packets)
            frames = packet.decode()
        except StopIteration:
            return
        except (FFmpegError, OSError):
            # A packet that does not decode leaves a gap; an end of file ends the loop.
            if getattr(packets, "gi_frame", True) is None:
                return
            continue
        for frame in frames:
            if frame.pts is not None and frame.time_base is not None:
                time_s = float(frame.pts * frame.time_base)
            for out in resampler.resample(frame):
                samples = cast(Samples, out.to_ndarray())
                yield time_s, samples
                time_s += samples.shape[1] / rate


def _blocks(stretches: Iterator[Samples]) -> Iterator[Samples]:
    rest = np.zeros((2, 0), np.float32)
    for stretch in stretches:
        rest = np.concatenate([rest, stretch], axis=1)
        whole = rest.shape[1] // _BLOCK * _BLOCK
        for at in range(0, whole, _BLOCK):
            yield np.ascontiguousarray(rest[:, at : at + _BLOCK])
        rest = rest[:, whole:]
    if rest.shape[1]:
        yield np.ascontiguousarray(rest)
