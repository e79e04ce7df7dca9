"""Elements come in order, ahead of whoever takes them, and errors and ends come through."""

import threading
from collections.abc import Iterator
from itertools import count, islice

import pytest

from core.process.ahead import ahead


def test_elements_come_in_order():
    assert list(ahead(iter(range(1_000)), 3)) == list(range(1_000))
    assert list(ahead(iter(()), 3)) == []


def test_the_next_ones_are_made_while_one_is_held():
    made = threading.Event()

    def source() -> Iterator[int]:
        yield 1
        yield 2
        made.set()
        yield 3

    taken = ahead(source(), 2)
    assert next(taken) == 1
    assert made.wait(20)
    assert list(taken) == [2, 3]


def test_no_more_are_made_than_allowed():
    made: list[int] = []
    taken = ahead((made.append(n) or n for n in count()), 4)
    assert list(islice(taken, 3)) == [0, 1, 2]
    # Three are taken, four wait, and one more is made that finds no room.
    assert len(made) <= 8
    taken.close()
    assert not [one for one in threading.enumerate() if one.name == "ahead"]


def test_an_error_comes_after_what_was_made_before_it():
    def source() -> Iterator[int]:
        yield 1
        raise KeyError("lost")

    taken = ahead(source(), 2)
    assert next(taken) == 1
    with pytest.raises(KeyError, match="lost"):
        next(taken)


def test_a_source_that_is_closed_ends_its_own():
    ended = threading.Event()

    def source() -> Iterator[int]:
        try:
            yield from count()
        finally:
            ended.set()

    inner = source()
    taken = ahead(inner, 2)
    next(taken)
    taken.close()
    inner.close()
    assert ended.is_set()
