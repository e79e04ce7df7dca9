"""Run one loaded model: items come in, outcomes go out, videos are decoded ahead of it."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from annotations.annotator import Annotator, Ask, ModelInput, Outcome, Setup, annotator
from annotations.engine.compiling import Compiling
from annotations.engine.engine_media import Fetching
from core.decoding.feeding import pinned
from core.model import ItemError, LoadOptions, ModelError
from core.model_loading import load_model
from core.process.ahead import ahead
from core.process.processes import Workers

DECODERS = 2


@dataclass(frozen=True)
class Loaded:
    """What the model that was loaded says of itself.

    Attributes:
        device: where it runs, in words.
        stand_in: what must be said wherever its scores are shown; '' for a real one.
        load_s: how long loading took, s.
    """

    device: str
    stand_in: str
    load_s: float


@dataclass(frozen=True)
class Result:
    """What came of one item.

    Attributes:
        outcome: or why there is none.
        seconds: the item's share of the time that its batch took.
        of_model: whether the model was asked at all.
    """

    ask: Ask
    outcome: Outcome | ItemError
    seconds: float = 0.0
    of_model: bool = True


def most_items(setup: Setup) -> int:
    """Items that go to the model at once, at most."""
    return int(setup.options.get("batch") or annotator(setup.annotator).BATCH)


class ModelAtWork:
    """A model that is loaded, with the size of batch that its memory has allowed so far."""

    def __init__(self, setup: Setup, device: str = "", items: int = 0):
        """Loads it.

        Args:
            items: that it will get, as far as is known; 0 where nobody knows.

        Raises:
            ModelError: if it cannot be had, or cannot do what is asked of it.
        """
        began = time.monotonic()
        # How many items go in at once says nothing of the frames that the model takes at once.
        options: dict[str, Any] = {n: value for n, value in setup.options.items() if n != "batch"}
        options |= {"device": device} if device else {}
        self.module: Annotator = annotator(setup.annotator)
        self.model = load_model(setup.kind, setup.model, LoadOptions(**options))
        self.ready = self.module.prepare(self.model, setup)
        self.most = most_items(setup)
        stand_in = str(getattr(self.model, "stand_in_words", "") or "")
        seconds = time.monotonic() - began
        self.loaded = Loaded(str(getattr(self.model, "device", "")), stand_in, seconds)
        self._compiling = Compiling(self.model, items, setup.options.get("compile"))

    def results(self, fetching: Fetching) -> Iterator[Loaded | Result]:
        """Results of items in the order in which they are done.

        Where the model is compiled on the way, it is said anew how it was loaded.

        Raises:
            ModelError: if the model turns out not to be able to do it.
        """
        waited_from = time.monotonic()
        for batch in fetching.batches(pinned(getattr(self.model, "torch_device", None))):
            began = time.monotonic()
            if isinstance(batch, tuple):
                yield Result(*batch, of_model=False)
                continue
            remaining = batch
            while remaining:
                at_once, remaining = remaining[: self.most], remaining[self.most :]
                results = list(self._annotated(at_once))
                yield from results
                if self._compiled(results, began - waited_from):
                    yield self.loaded
            waited_from = time.monotonic()

    def _compiled(self, results: Sequence[Result], waiting_s: float) -> bool:
        """Whether the model was compiled now, because so much is left to do."""
        working_s = sum(result.seconds for result in results)
        saving_s = self._compiling.saving_s(len(results), working_s, waiting_s)
        if not saving_s:
            return False
        self.model.compile()
        words = f"{self.loaded.device}, compiled on the way to save about {saving_s / 60:.0f} min"
        self.loaded = replace(self.loaded, device=words)
        return True

    def _annotated(self, batch: Sequence[ModelInput]) -> Iterator[Result]:
        """Results of a batch; where memory ends, or something breaks, of its halves."""
        began = time.monotonic()
        try:
            outcomes = self.module.annotate(self.ready, batch)
        except ModelError:
            raise
        except Exception as error:
            if len(batch) == 1:
                yield Result(batch[0].ask, _why(error), time.monotonic() - began)
                return
            half = (len(batch) + 1) // 2
            if is_memory(error):
                self.most = max(1, min(self.most, half))
                free_memory()
            yield from self._annotated(batch[:half])
            yield from self._annotated(batch[half:])
            return
        each = (time.monotonic() - began) / len(batch)
        for item, outcome in zip(batch, outcomes, strict=True):
            yield Result(item.ask, _with_damage(item, outcome), each)


def here(
    setup: Setup, asks: Iterable[Ask], device: str = "", decoders: int = DECODERS, items: int = 0
) -> Iterator[Loaded | Result]:
    """What one model in this process says; without any items it is not even loaded.

    Decoding begins before it loads, so that it need not wait when it has. The model works in a
    thread, so that it need not wait for what is stored.

    Raises:
        ModelError: if the model cannot be had or cannot do it.
    """
    frames = annotator(setup.annotator).FRAMES
    with (
        Workers(decoders) as workers,
        Fetching(asks, most_items(setup), frames, workers) as fetching,
    ):
        if fetching.empty:
            return
        work = ModelAtWork(setup, device, items)
        yield work.loaded
        with closing(ahead(work.results(fetching), 2 * work.most)) as results:
            yield from results


def _with_damage(item: ModelInput, outcome: Outcome | ItemError) -> Outcome | ItemError:
    if item.seen and isinstance(outcome, Outcome):
        outcome.shown.update(item.seen)
    return outcome


def is_memory(error: BaseException) -> bool:
    """Whether an error says that memory is full, of the GPU or of the machine."""
    if isinstance(error, ItemError):
        return error.reason == "out of memory"
    named = {kind.__name__ for kind in type(error).__mro__}
    return bool(named & {"MemoryError", "OutOfMemoryError"}) or "out of memory" in str(error)


def free_memory() -> None:
    """Give back what the GPU's allocator keeps, where torch is in use."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()


def _why(error: Exception) -> ItemError:
    if isinstance(error, ItemError):
        return error
    if is_memory(error):
        return ItemError("out of memory", "for this item alone")
    return ItemError("the model failed", f"{type(error).__name__}: {error}"[:500])
