"""Decode frames and sound of items in other processes, ahead of the model."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, Self

from annotations.annotator import Ask, ModelInput, Need
from core.decoding.feeding import Clip, Failed, Feed, Job, Pin
from core.model import ItemError
from core.process.processes import Workers
from core.video.errors import VideoError
from core.video.sound import speech_samples
from core.video.table import FrameTable

TIMEOUT_S = 300.0
Fetched = list[ModelInput] | tuple[Ask, ItemError]


class Fetching:
    """What items need of their videos, on its way: decoding begins at once. To be closed.

    All items of a run need the same: nothing, frames, or sound.

    Attributes:
        empty: whether there are no items at all.
    """

    def __init__(self, asks: Iterable[Ask], most_items: int, most_frames: int, decoders: Workers):
        """Begins.

        Args:
            asks: taken as there is room, so it may be long; the largest come first.
            most: items of a batch.
            most_frames: frames of a batch; a single item may have more.
            decoders: processes; they are left running.
        """
        waiting = iter(asks)
        first_ask = next(waiting, None)
        self.empty = first_ask is None
        self._asks = chain([] if first_ask is None else [first_ask], waiting)
        self._need = None if first_ask is None else first_ask.need
        self._most, self._most_frames, self._decoders = most_items, most_frames, decoders
        self._feed = None
        if self._need is not None and not self._need.sound:
            self._feed = self._begun(self._need)

    def _begun(self, need_of_first: Need) -> Feed:
        usual = max(1, len(need_of_first.frames))
        return Feed(
            (Job(ask, need.path, need.frames, _table(need.table))
             for ask, need in _needs(self._asks)),
            batch=max(1, min(self._most, self._most_frames // usual)),
            workers=self._decoders,
            longest_side=need_of_first.longest_side,
            frames=usual,
            timeout_s=TIMEOUT_S,
        )  # fmt: skip

    def batches(self, pin: Pin | None = None) -> Iterator[Fetched]:
        """Batches of items with what they need, as it comes, and those for which it cannot be had.

        A batch holds until the next one is asked for.

        Args:
            pin: makes the frames' memory readable for a GPU.
        """
        if self._feed is not None:
            yield from self._frames(self._feed, pin)
        elif self._need is None:
            while batch := [ModelInput(ask) for ask in islice(self._asks, self._most)]:
                yield batch
        else:
            for ask, fetched in self._decoders.map(with_sound, self._asks, TIMEOUT_S):
                yield (ask, _why(fetched)) if isinstance(fetched, Exception) else [fetched]

    def _frames(self, feed: Feed, pin: Pin | None) -> Iterator[Fetched]:
        for batch in feed.batches(pin):
            if isinstance(batch, Failed):
                yield batch.id, _why(batch.error)
            else:
                yield from _parts([_given(clip) for clip in batch.clips], self._most_frames)

    def close(self) -> None:
        """End it; what is being decoded is given up."""
        if self._feed is not None:
            self._feed.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _needs(asks: Iterable[Ask]) -> Iterator[tuple[Ask, Need]]:
    return ((ask, ask.need) for ask in asks if ask.need is not None)


def _given(clip: Clip) -> ModelInput:
    damaged = [
        index
        for index, status in zip(clip.indices, clip.statuses, strict=True)
        if status != "exact"
    ]
    seen: dict[str, Any] = {"damaged_frames": damaged} if damaged else {}
    if clip.missing:
        seen["missing_frames"] = list(clip.missing)
    return ModelInput(clip.id, clip.frames, tuple(round(time, 6) for time in clip.times), seen=seen)


def _parts(batch: list[ModelInput], most_frames: int) -> Iterator[list[ModelInput]]:
    """A batch in parts with no more frames than allowed, but one item at least."""
    part, frames = list[ModelInput](), 0
    for item in batch:
        count = 0 if item.frames is None else len(item.frames)
        if part and frames + count > most_frames:
            yield part
            part, frames = [], 0
        part.append(item)
        frames += count
    if part:
        yield part


def with_sound(ask: Ask) -> ModelInput:
    """An item with its sound, decoded in this process.

    Raises:
        OSError: if the file cannot be read.
    """
    need = ask.need
    if need is None:
        return ModelInput(ask)
    table = _table(need.table)
    end = table.duration_s if need.end_s is None else need.end_s
    span = (table.start_s + need.start_s, end - need.start_s)
    return ModelInput(ask, sound=speech_samples(need.path, *span))


@lru_cache(maxsize=256)
def _table(path: str) -> FrameTable:
    return FrameTable.from_json(Path(path).read_text(encoding="utf-8"))


def _why(error: Exception) -> ItemError:
    if isinstance(error, VideoError):
        return ItemError(error.reason, error.detail)
    return ItemError("the video could not be read", f"{type(error).__name__}: {error}"[:500])
