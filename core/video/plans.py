"""Which frames are shown: pure functions of the number of frames and a seed."""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from core.refusal import Refusal

Seed = str | int


def uniform(n: int, k: int) -> tuple[int, ...]:
    """Indices of min(n, k) different frames spread evenly over n, first and last included.

    Index j of k is j·(n-1)/(k-1) rounded half up. A single frame is the middle one. A video with
    fewer frames than asked gives all it has: compare lengths to say so.

    Raises:
        ValueError: if n or k is below 1.
    """
    _at_least_one(n, "frames in the video")
    _at_least_one(k, "frames asked for")
    if k >= n:
        return tuple(range(n))
    if k == 1:
        return ((n - 1) // 2,)
    return tuple((2 * j * (n - 1) + k - 1) // (2 * (k - 1)) for j in range(k))


def by_rate(times: Sequence[float], rate: float, max_frames: int) -> tuple[int, ...]:
    """Positions of the frames at so many a second: the first one at or after each tick.

    Ticks begin with the first frame. Of more than ``max_frames`` ticks, so many are kept, evenly
    spread. A video with fewer frames than ticks gives each frame once.

    Args:
        times: of the frames, s, never falling.
        rate: ticks a second.
        max_frames: frames at most.

    Raises:
        ValueError: without frames, or for a rate that is not above 0, or ``max_frames`` below 1.
    """
    _at_least_one(len(times), "frames in the video")
    _at_least_one(max_frames, "frames allowed")
    if rate <= 0:
        raise Refusal(f"Got {rate} frames a second: more than 0 are needed.")
    duration = times[-1] - times[0]
    ticks = int(duration * rate + 1e-9) + 1
    tick_frames = dict.fromkeys(
        min(bisect_left(times, times[0] + tick / rate - 1e-9), len(times) - 1)
        for tick in range(ticks)
    )
    chosen = tuple(tick_frames)
    return tuple(chosen[at] for at in uniform(len(chosen), max_frames))


def one_random(n: int, seed: Seed) -> tuple[int]:
    """One index in 0..n-1, drawn by the seed: equal on every machine and Python."""
    _at_least_one(n, "frames in the video")
    return (_below(n, seed, "one"),)


def shuffled(indices: Sequence[int], seed: Seed) -> tuple[int, ...]:
    """The same indices in an order drawn by the seed: equal on every machine and Python.

    The order differs from the one given whenever two different indices allow it, so that
    "shuffled" is never by chance the original order.
    """
    original = tuple(indices)
    if len(set(original)) < 2:
        return original
    for attempt in range(1000):
        keys = [_digest(seed, f"shuffle {attempt} {position}") for position in range(len(original))]
        order = tuple(
            original[position] for position in sorted(range(len(original)), key=lambda p: keys[p])
        )
        if order != original:
            return order
    return original[::-1]


def chosen(n: int, indices: Iterable[int]) -> tuple[int, ...]:
    """The given indices, checked.

    Raises:
        ValueError: if there is none, or one lies outside 0..n-1.
    """
    picked = tuple(indices)
    if not picked:
        raise Refusal("No frame was chosen: give at least one index.")
    outside = [i for i in picked if not 0 <= i < n]
    if outside:
        raise Refusal(f"Frame {outside[0]} was chosen of {n} frames: allowed are 0..{n - 1}.")
    return picked


def _digest(seed: Seed, purpose: str) -> int:
    text = f"{type(seed).__name__}:{seed}:{purpose}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


def _below(n: int, seed: Seed, purpose: str) -> int:
    # 256 bits modulo n: the bias is below 2**-200 for any video.
    return _digest(seed, purpose) % n


def _at_least_one(value: int, what: str) -> None:
    if value < 1:
        raise Refusal(f"Got {value} {what}: at least 1 is needed.")
