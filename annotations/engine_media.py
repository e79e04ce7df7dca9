"""What items need of their videos, fetched in processes ahead of the model that waits for it."""

from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from annotations.annotator import Ask, Given, Need
from core.feeding import Clip, Failed, Job, Pin, feed
from core.model import ItemError
from core.processes import Workers
from core.video.errors import VideoError
from core.video.sound import speech_samples
from core.video.table import FrameTable

TIMEOUT_S = 300.0
Fetched = list[Given] | tuple[Ask, ItemError]


def fetched(
    asks: Iterable[Ask],
    most: int,
    most_frames: int,
    decoders: Workers,
    pin: Pin | None = None,
) -> Generator[Fetched]:
    """Batches of items with what they need, as it comes, and items for which it cannot be had.

    A batch holds until the next one is asked for. All items of a run need the same: nothing,
    frames, or sound.

    Args:
        asks: taken as there is room, so it may be long; the largest come first.
        most: items of a batch.
        most_frames: frames of a batch; a single item may have more.
        decoders: processes; they are left running.
        pin: makes the frames' memory readable for a GPU.
    """
    waiting = iter(asks)
    first = next(waiting, None)
    if first is None:
        return
    every = chain([first], waiting)
    if first.need is None:
        while batch := [Given(ask) for ask in islice(every, most)]:
            yield batch
    elif first.need.sound:
        yield from _with_sound(every, decoders)
    else:
        yield from _with_frames(every, first.need, most, most_frames, decoders, pin)


def _with_frames(
    asks: Iterable[Ask],
    first: Need,
    most: int,
    most_frames: int,
    decoders: Workers,
    pin: Pin | None,
) -> Iterator[Fetched]:
    usual = max(1, len(first.frames))
    batch = max(1, min(most, most_frames // usual))
    jobs = (Job(ask, need.path, need.frames, _table(need.table)) for ask, need in _needs(asks))
    fed = feed(
        jobs,
        batch=batch,
        workers=decoders,
        longest_side=first.longest_side,
        frames=usual,
        timeout_s=TIMEOUT_S,
        pin=pin,
    )
    for one in fed:
        if isinstance(one, Failed):
            yield one.id, _why(one.error)
        else:
            yield from _parts([_given(clip) for clip in one.clips], most_frames)


def _needs(asks: Iterable[Ask]) -> Iterator[tuple[Ask, Need]]:
    return ((ask, ask.need) for ask in asks if ask.need is not None)


def _given(clip: Clip) -> Given:
    damaged = [
        index
        for index, status in zip(clip.indices, clip.statuses, strict=True)
        if status != "exact"
    ]
    seen: dict[str, Any] = {"damaged_frames": damaged} if damaged else {}
    if clip.missing:
        seen["missing_frames"] = list(clip.missing)
    return Given(clip.id, clip.frames, tuple(round(time, 6) for time in clip.times), seen=seen)


def _parts(batch: list[Given], most_frames: int) -> Iterator[list[Given]]:
    """A batch in parts with no more frames than allowed, but one item at least."""
    part, frames = list[Given](), 0
    for one in batch:
        count = 0 if one.frames is None else len(one.frames)
        if part and frames + count > most_frames:
            yield part
            part, frames = [], 0
        part.append(one)
        frames += count
    if part:
        yield part


def _with_sound(asks: Iterable[Ask], decoders: Workers) -> Iterator[Fetched]:
    for ask, given in decoders.map(with_sound, asks, TIMEOUT_S):
        yield (ask, _why(given)) if isinstance(given, Exception) else [given]


def with_sound(ask: Ask) -> Given:
    """An item with its sound, decoded in this process.

    Raises:
        OSError: if the file cannot be read.
    """
    need = ask.need
    if need is None:
        return Given(ask)
    table = _table(need.table)
    end = table.duration_s if need.end_s is None else need.end_s
    span = (table.start_s + need.start_s, end - need.start_s)
    return Given(ask, sound=speech_samples(need.path, *span))


@lru_cache(maxsize=256)
def _table(path: str) -> FrameTable:
    return FrameTable.from_json(Path(path).read_text(encoding="utf-8"))


def _why(error: Exception) -> ItemError:
    if isinstance(error, VideoError):
        return ItemError(error.reason, error.detail)
    return ItemError("the video could not be read", f"{type(error).__name__}: {error}"[:500])
