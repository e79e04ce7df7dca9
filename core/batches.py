"""Many entries a batch at a time."""

import itertools
from collections.abc import Iterable, Iterator
from typing import TypeVar

Entry = TypeVar("Entry")


def in_batches(entries: Iterable[Entry], size: int) -> Iterator[list[Entry]]:
    """Yield the entries in lists of so many; the last may be shorter, and none is empty."""
    remaining = iter(entries)
    while batch := list(itertools.islice(remaining, size)):
        yield batch
