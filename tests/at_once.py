"""Work that several threads do at once."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def at_once(work: Callable[[int], object], count: int = 8) -> None:
    """Do the work in so many threads that begin together, each told its number.

    Raises:
        Exception: one of the work's own, once all have ended.
    """
    start = threading.Barrier(count)

    def begin(number: int) -> None:
        start.wait()
        work(number)

    with ThreadPoolExecutor(count) as threads:
        list(threads.map(begin, range(count)))
