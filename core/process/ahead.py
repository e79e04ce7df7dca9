"""Elements of an iterator, made in a thread ahead of whoever takes them."""

import contextlib
from collections.abc import Generator, Iterable
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

Element = TypeVar("Element")
_WAIT_S = 0.1


class _End:
    """What comes last: nothing more, or what was raised."""

    def __init__(self, error: BaseException | None):
        self.error = error


def ahead(elements: Iterable[Element], count: int) -> Generator[Element]:
    """Yield the elements in order, while a thread makes up to `count` more of them.

    Closed early, it waits for the element that is being made. To be used where making and taking
    both wait for something else than this process, such as a GPU and a disk.

    Raises:
        BaseException: what making an element raised, after those before it.
    """
    made: Queue[Element | _End] = Queue(count)
    stopped = Event()

    def put(element: Element | _End) -> None:
        while not stopped.is_set():
            with contextlib.suppress(Full):
                made.put(element, timeout=_WAIT_S)
                return

    def make() -> None:
        error: BaseException | None = None
        try:
            for element in elements:
                put(element)
                if stopped.is_set():
                    break
        except BaseException as raised:
            error = raised
        put(_End(error))

    thread = Thread(target=make, name="ahead", daemon=True)
    thread.start()
    try:
        while not isinstance(element := made.get(), _End):
            yield element
        if element.error is not None:
            raise element.error
    finally:
        stopped.set()
        while thread.is_alive():
            with contextlib.suppress(Empty):
                made.get(timeout=_WAIT_S)
        thread.join()
