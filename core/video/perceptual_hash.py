"""Which videos show the same pictures: perceptual hashes of a few frames, and their distances.

Method: eight frames spread evenly over a video; each is made grey and 64 × 64 small, and turned
into a discrete cosine transform, of which the 16 × 16 lowest frequencies without the mean say which
are above their median: 255 bits that survive scaling, another codec and another brightness. Two
frames are as far apart as bits differ. A frame without contrast has no hash, for it would resemble
every other one. Two videos are as far apart as the distance within which five of eight frames of
the one find a partner in the other, taken from the side from which it is smaller, so that a cut is
near to what it was cut from. Not found are mirrored, turned, cropped or framed copies, and short
cuts of long videos whose frames fall between those that were hashed while the picture moves on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.video.geometry import Image
from core.video.plans import uniform
from core.video.sample import sample_frames
from core.video.table import FrameTable, read_table

FRAMES = 8
FOUND = 5  # so many of them have to find a partner
SMALL, LOW = 64, 16
BITS = LOW * LOW - 1
WORDS = 4
NEAR = (
    32  # an eighth of the bits; of real clips copies differ by 2 to 10, takes by one camera by 38
)
FLAT = 2.0  # grey levels; a picture with a standard deviation below it is of one colour

Hashes = NDArray[np.uint64]  # (FRAMES, WORDS)


@dataclass(frozen=True)
class FrameHash:
    """The hash of one frame.

    Attributes:
        index: of the frame in its video, from 0.
        bits: 255 of them, as a number.
    """

    index: int
    bits: int


@dataclass(frozen=True)
class Near:
    """Two videos that are near each other.

    Attributes:
        distance: bits of 255 that differ; 0 for the same pictures.
        first_frame: index of the frame of the first that is nearest to one of the second.
        second_frame: and that of the second.
    """

    first: str
    second: str
    distance: int
    first_frame: int
    second_frame: int


def frame_hash(image: Image) -> int | None:
    """255 bits of a picture (H, W, 3) RGB; None for one without contrast, which resembles all."""
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    small = np.asarray(cv2.resize(grey, (SMALL, SMALL), interpolation=cv2.INTER_AREA), np.float32)
    if float(small.std()) < FLAT:
        return None
    low = np.asarray(cv2.dct(small), np.float32)[:LOW, :LOW].ravel()[1:]
    above = np.asarray(low > np.median(low))
    return int.from_bytes(np.packbits(above).tobytes(), "big")


def video_hashes(path: Path, table: FrameTable | None = None) -> tuple[FrameHash, ...]:
    """Hashes of up to eight frames spread over a video; none where all are of one colour.

    Decodes in this process: for files that are not trusted, call it through
    ``core.process.processes``.

    Raises:
        VideoError: if the file is no readable video.
    """
    table = table or read_table(path)
    frames = sample_frames(path, uniform(table.n, FRAMES), longest_side=320, table=table)
    hashes = ((frame.index, frame_hash(frame.image)) for frame in frames if frame.image is not None)
    return tuple(FrameHash(index, bits) for index, bits in hashes if bits is not None)


def distance(frames: Sequence[FrameHash], other_frames: Sequence[FrameHash]) -> int | None:
    """Bits of 255 by which two videos differ; None if one has no frame with contrast."""
    if not frames or not other_frames:
        return None
    return _distance(_between(_words(frames), _words(other_frames)))


def near_videos(videos: Mapping[str, Sequence[FrameHash]], within: int = NEAR) -> Iterator[Near]:
    """Pairs of videos at most `within` bits apart, each pair once, in the order of the videos.

    Every video is compared with every other: seconds for thousands, minutes for tens of thousands.
    """
    names = [name for name, frames in videos.items() if frames]
    if len(names) < 2:
        return
    hashes = np.stack([_words(videos[name]) for name in names])
    for position, name in enumerate(names[:-1]):
        for other_position in _candidates(hashes, position, within):
            apart = _between(hashes[position], hashes[other_position])
            if (bits := _distance(apart)) <= within:
                frame_number, other_frame_number = divmod(int(apart.argmin()), FRAMES)
                frame = _repeated(videos[name])[frame_number]
                other_frame = _repeated(videos[names[other_position]])[other_frame_number]
                yield Near(name, names[other_position], bits, frame.index, other_frame.index)


def _candidates(hashes: NDArray[np.uint64], position: int, within: int) -> list[int]:
    """Places after `one` of videos with a frame that is near one of it in a quarter of the bits.

    What is not near in a quarter is not near in all.
    """
    frames = np.ascontiguousarray(hashes[position + 1 :, :, 0]).ravel()
    near_quarter = np.zeros(len(frames), np.bool_)
    for quarter in hashes[position, :, 0]:
        near_quarter |= np.bitwise_count(frames ^ quarter) <= within
    near = np.flatnonzero(near_quarter)
    rest = hashes[position + 1 :].reshape(-1, WORDS)[near]
    bits = np.bitwise_count(rest[:, None] ^ hashes[position][None]).sum(axis=2, dtype=np.int64)
    kept = near[(bits <= within).any(axis=1)]
    return [position + 1 + int(frame) for frame in np.unique(kept // FRAMES)]


def _repeated(frames: Sequence[FrameHash]) -> list[FrameHash]:
    """Eight frames: those there are, over and over."""
    return [frames[i % len(frames)] for i in range(FRAMES)]


def _words(frames: Sequence[FrameHash]) -> Hashes:
    joined = b"".join(frame.bits.to_bytes(8 * WORDS, "little") for frame in _repeated(frames))
    return np.frombuffer(joined, "<u8").astype(np.uint64).reshape(FRAMES, WORDS)


def _between(hashes: Hashes, other_hashes: Hashes) -> NDArray[np.int64]:
    """Bits by which each frame of the one differs from each of the other, (8, 8)."""
    return np.bitwise_count(hashes[:, None] ^ other_hashes[None]).sum(axis=2, dtype=np.int64)


def _distance(apart: NDArray[np.int64]) -> int:
    """The distance of two videos from those of their frames, (8, 8)."""
    sides = (np.sort(apart.min(axis=axis))[FOUND - 1] for axis in (0, 1))
    return int(min(sides))
