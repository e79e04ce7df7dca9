"""The sound of an edited video, made on disk so that a long one needs little memory.

Samples lie in raw files of 16-bit stereo at 48 kHz. Sound is reversed sample by sample after it was
decoded; another tempo is FFmpeg's atempo, cut or padded to the length of the picture.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from av.audio.frame import AudioFrame
from av.filter import Graph
from numpy.typing import NDArray

from core.edit import (
    FasterSound,
    JoinedSound,
    PartOfSound,
    ReversedSound,
    Sound,
    SourceSound,
)
from core.video.sound import RATE, sound_stretches
from core.video.table import FrameTable

BLOCK = 1 << 16
CHANNELS = 2
_SLOWEST, _FASTEST = Fraction(1, 2), Fraction(2)

Samples = NDArray[np.int16]  # (S, 2)


@dataclass(frozen=True)
class RawSound:
    """Samples in a file.

    Attributes:
        path: of the file.
        samples: how many there are; what the file lacks is silence.
    """

    path: Path
    samples: int

    def read(self, start: int, stop: int) -> Samples:
        """Samples (stop - start, 2), silence where the file has none."""
        block = np.fromfile(
            self.path, np.int16, (stop - start) * CHANNELS, offset=start * CHANNELS * 2
        ).reshape(-1, CHANNELS)
        lacking = stop - start - len(block)
        return np.pad(block, ((0, lacking), (0, 0))) if lacking else block

    def blocks(self, start: int = 0, stop: int | None = None) -> Iterator[Samples]:
        """All samples in order, a block at a time."""
        end = self.samples if stop is None else stop
        for at in range(start, end, BLOCK):
            yield self.read(at, min(end, at + BLOCK))

    def blocks_reversed(self) -> Iterator[Samples]:
        """All samples from the last to the first, a block at a time."""
        for end in range(self.samples, 0, -BLOCK):
            yield self.read(max(0, end - BLOCK), end)[::-1]


def raw_sound(sound: Sound, sources: Sequence[tuple[Path, FrameTable]], folder: Path) -> RawSound:
    """The sound as samples in a file of the folder.

    Args:
        sound: what is to be heard.
        sources: each edited video with its frame table.
        folder: for the files; the caller removes it.
    """
    names = (folder / f"{number}.raw" for number in count())

    def made(sound: Sound) -> RawSound:
        match sound:
            case SourceSound(source, seconds):
                return _decoded(*sources[source], seconds, next(names))
            case ReversedSound(inner):
                original = made(inner)
                return _written(original.blocks_reversed(), original.samples, next(names))
            case FasterSound(inner, factor):
                blocks = _at_tempo(made(inner), factor)
                return _written(blocks, samples_in(sound.seconds), next(names))
            case PartOfSound(inner, start, end):
                original = made(inner)
                blocks = original.blocks(samples_in(start), samples_in(end))
                return _written(blocks, samples_in(end - start), next(names))
            case JoinedSound(parts):
                pieces = [(part and made(part), seconds) for part, seconds in parts]
                return _written(_joined(pieces), samples_in(sound.seconds), next(names))

    return made(sound)


def samples_in(seconds: Fraction) -> int:
    """How many samples so many seconds are, to the nearest."""
    return round(seconds * RATE)


def _decoded(path: Path, table: FrameTable, seconds: Fraction, target: Path) -> RawSound:
    stretches = sound_stretches(path, table.start_s, float(seconds))
    blocks = (_to_int16(stretch.T) for stretch in stretches)
    return _written(blocks, samples_in(seconds), target)


def _to_int16(samples: NDArray[np.float32]) -> Samples:
    return np.clip(np.rint(samples * 32767), -32768, 32767).astype(np.int16)


def _written(blocks: Iterator[Samples], samples: int, target: Path) -> RawSound:
    """The blocks in a file, cut to so many samples."""
    lacking = samples
    with target.open("wb") as file:
        for block in blocks:
            np.ascontiguousarray(block[:lacking]).tofile(file)
            lacking -= min(lacking, len(block))
            if not lacking:
                break
    return RawSound(target, samples)


def _joined(pieces: Sequence[tuple[RawSound | None, Fraction]]) -> Iterator[Samples]:
    """Sounds after each other; each begins at the sample nearest to its moment."""
    moment, written = Fraction(0), 0
    for sound, seconds in pieces:
        moment += seconds
        stop = samples_in(moment)
        yield from _silence(stop - written) if sound is None else sound.blocks(0, stop - written)
        written = stop


def _silence(samples: int) -> Iterator[Samples]:
    for start in range(0, samples, BLOCK):
        yield np.zeros((min(BLOCK, samples - start), CHANNELS), np.int16)


def _at_tempo(sound: RawSound, factor: Fraction) -> Iterator[Samples]:
    """The sound at another tempo, by filters of a factor from 1/2 to 2 each."""
    graph = Graph()
    source = graph.add_abuffer(
        sample_rate=RATE, format="s16", layout="stereo", time_base=Fraction(1, RATE)
    )
    filters: list[Any] = [source]
    while factor != 1:
        part = min(_FASTEST, max(_SLOWEST, factor))
        filters.append(graph.add("atempo", f"{float(part):.9f}"))
        factor /= part
    filters += [graph.add("aformat", "sample_fmts=s16"), graph.add("abuffersink")]
    for earlier, later in pairwise(filters):
        earlier.link_to(later)
    graph.configure()
    written = 0
    for block in sound.blocks():
        frame = AudioFrame.from_ndarray(
            np.ascontiguousarray(block.reshape(1, -1)), format="s16", layout="stereo"
        )
        frame.sample_rate, frame.pts, frame.time_base = RATE, written, Fraction(1, RATE)
        written += len(block)
        graph.push(frame)
        yield from _pulled(graph)
    graph.push(None)
    yield from _pulled(graph)


def _pulled(graph: Graph) -> Iterator[Samples]:
    while True:
        try:
            frame = cast(AudioFrame, graph.pull())
        except (BlockingIOError, EOFError):
            return
        yield cast(Samples, frame.to_ndarray()).reshape(-1, CHANNELS)
