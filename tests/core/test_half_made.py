"""A file that several write at once is whole at any moment, and nothing is left beside it."""

import subprocess
import sys
from pathlib import Path

import pytest
from at_once import at_once

from core.half_made import new_folder, others_at_work, put_back, replace_folder, whole

ROOT = Path(__file__).parents[2]


def test_many_who_write_one_file_at_once_do_not_meet(tmp_path: Path):
    path = tmp_path / "figures.json"

    def write(number: int) -> None:
        for _ in range(40):
            with whole(path) as part:
                part.write_text(f"{number}" * 5_000)
            text = path.read_text()
            assert len(text) == 5_000
            assert len(set(text)) == 1

    at_once(write)
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


def test_many_who_make_one_folder_at_once_keep_theirs_and_know_of_each_other(tmp_path: Path):
    path, seen = tmp_path / "published", set[Path]()

    def make(_: int) -> None:
        for _ in range(40):
            with new_folder(path) as part:
                (part / "README.md").write_text("whole")
                seen.update(others_at_work(part, path))
                assert (part / "README.md").read_text() == "whole"

    at_once(make)
    assert seen
    assert not list(tmp_path.iterdir())


def test_a_folder_takes_its_name_and_stays(tmp_path: Path):
    with new_folder(tmp_path / "a", 0o700) as part:
        assert others_at_work(part, tmp_path / "a") == []
        part.rename(tmp_path / "a")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


DIES_BETWEEN = """
import os, sys
from pathlib import Path
from core.half_made import new_folder, replace_folder
path = Path(sys.argv[1])
rename = Path.rename
Path.rename = lambda self, to: os._exit(9) if to == path else rename(self, to)
with new_folder(path) as part:
    (part / "which").write_text("second")
    replace_folder(part, path)
"""


def test_a_folder_whose_replacing_was_killed_has_its_name_again(tmp_path: Path):
    path = tmp_path / "published"
    path.mkdir()
    (path / "which").write_text("first")
    killed = subprocess.run([sys.executable, "-c", DIES_BETWEEN, path], check=False, cwd=ROOT)
    assert (killed.returncode, path.exists()) == (9, False)
    with new_folder(path) as part:
        (part / "which").write_text("third")
        put_back(path)
        assert (path / "which").read_text() == "first"
        replace_folder(part, path)
    assert (path / "which").read_text() == "third"
    assert list(tmp_path.iterdir()) == [path]
