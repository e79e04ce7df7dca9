"""A file that several write at once is whole at any moment, and nothing is left beside it."""

import threading
from pathlib import Path

import pytest

from core.half_made import whole


def test_many_who_write_one_file_at_once_do_not_meet(tmp_path: Path):
    path, faults = tmp_path / "figures.json", list[BaseException]()
    start = threading.Barrier(8)

    def write(number: int) -> None:
        try:
            start.wait()
            for _ in range(40):
                with whole(path) as part:
                    part.write_text(f"{number}" * 5_000)
                text = path.read_text()
                assert len(text) == 5_000
                assert len(set(text)) == 1
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path):
    path = tmp_path / "figures.json"
    path.write_text("before")

    def write() -> None:
        with whole(path) as part:
            part.write_text("half")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
