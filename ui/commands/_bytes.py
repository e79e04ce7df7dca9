"""A bar in the terminal for work that is counted in bytes."""

import sys
import time

from core.byte_size import size_words
from core.number_text import percent_text

_EVERY_S = 0.2
_LINE_EVERY_S = 10.0


class BytesBar:
    """Shows on standard error how many bytes are done; a line now and then without a terminal."""

    def __init__(self, name: str):
        self._name = name
        self._live = sys.stderr.isatty()
        self._shown_at = time.monotonic()
        self._drawn = False

    def show(self, finished: int, total: int) -> None:
        """Show the newest state, at most five times a second."""
        moment = time.monotonic()
        if moment - self._shown_at < (_EVERY_S if self._live else _LINE_EVERY_S):
            return
        self._shown_at, self._drawn = moment, True
        share = finished / total if total else 1.0
        text = f"{self._name}: {percent_text(share, 0):>5} of {size_words(total)}"
        print(f"\r{text}" if self._live else text, end="" if self._live else "\n",
              file=sys.stderr, flush=True)  # fmt: skip

    def end(self) -> None:
        """Leave the line of the bar."""
        if self._live and self._drawn:
            print(file=sys.stderr)
