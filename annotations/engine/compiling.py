"""When a model is compiled for its GPU while it works: as soon as that saves more than it costs."""

from typing import Any, Protocol

# Batches: decoding gets ahead of the model in the first ones, the next ones are timed.
WARM_UP = 8
MEASURED = 8
MOST_WAITING = 0.1


class Compilable(Protocol):
    """A model that can be compiled for its GPU while it works.

    Attributes:
        compiled_saves: share of its time that it then needs no more, 0 to 1; 0 where nothing is
            gained.
        compile_s: how long compiling takes, s.
    """

    compiled_saves: float
    compile_s: float

    def compile(self) -> None:
        """Begin to compile in a thread; the model goes on as it is until that is done."""
        ...


class Compiling:
    """Watches the first batches of a model, and says once whether to compile it.

    Compiling pays where the time that is left, times the share of it that the compiled model
    saves, is longer than compiling takes. Where the model waits for decoding, a faster one would
    only wait longer.
    """

    def __init__(self, model: Any, items: int, wish: bool | None):
        """Watches nothing where there is nothing to decide.

        Args:
            model: one that is `Compilable`, or any other, which is never compiled.
            items: that this model will get, as far as is known.
            wish: True: it is compiled already; False: it must not be; None: decide.
        """
        self._saves = float(getattr(model, "compiled_saves", 0.0))
        self._cost_s = float(getattr(model, "compile_s", 0.0))
        self._left = items
        self._undecided = wish is None and self._saves > 0 and items > 0
        self._batches = 0
        self._items = 0
        self._working_s = 0.0
        self._waiting_s = 0.0

    def saving_s(self, items: int, working_s: float, waiting_s: float = 0.0) -> float:
        """Seconds that compiling now saves on all that is left, less what it costs.

        Args:
            items: of the batch that was just done.
            working_s: how long the model took for it, `waiting_s` how long it had waited for it.

        Returns:
            A positive number once, at the batch that decides; 0 otherwise.
        """
        self._left -= items
        if not self._undecided:
            return 0.0
        self._batches += 1
        if self._batches <= WARM_UP:
            return 0.0
        self._items += items
        self._working_s += working_s
        self._waiting_s += waiting_s
        if self._batches < WARM_UP + MEASURED:
            return 0.0
        self._undecided = False
        if self._waiting_s > MOST_WAITING * (self._waiting_s + self._working_s):
            return 0.0
        left_s = self._left * self._working_s / self._items
        return max(0.0, left_s * self._saves - self._cost_s)
