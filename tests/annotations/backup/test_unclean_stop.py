"""What a second start says when the server before it was killed."""

import json
import os
import subprocess
import sys

import pytest

from annotations.answering import queue
from annotations.backup.unclean_stop import found_at_start, stopped_cleanly
from annotations.backup.workspace_files import MARK, other_files
from annotations.planning.task_store import create_task, grow


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def noted_by(root, pid: int) -> None:
    note = json.loads((root / MARK).read_text())
    (root / MARK).write_text(json.dumps({**note, "pid": pid}))


def test_a_clean_stop_leaves_nothing_to_say(workspace):
    assert found_at_start(workspace.root, 8501) == []
    stopped_cleanly(workspace.root)
    assert not (workspace.root / MARK).exists()
    assert found_at_start(workspace.root, 8501) == []


def test_after_a_kill_it_says_what_is_there(workspace, add_question, add_person, dead):
    for number in range(3):
        add_question(f"count/{number}")
    task = create_task(workspace, "t", "human_evaluation", {}, 2)
    grow(workspace, task)
    found_at_start(workspace.root, 8501)
    noted_by(workspace.root, dead)
    assert len(queue.lease(workspace, task, add_person("Ada"), 16)) == 3
    first, second = found_at_start(workspace.root, 8501)
    assert "was not stopped: it was killed or lost power" in first
    assert second.startswith("The database is whole: 0 answers, 0 drafts. 3 items are still")
    assert json.loads((workspace.root / MARK).read_text())["pid"] == os.getpid()


def test_after_a_kill_a_damaged_database_is_said(workspace, add_question, dead):
    add_question("count/1")
    found_at_start(workspace.root, 8501)
    noted_by(workspace.root, dead)
    [root] = workspace.store.rows("SELECT rootpage FROM sqlite_master WHERE name = 'question'")
    workspace.close()
    path = workspace.root / "rushes.db"
    content = bytearray(path.read_bytes())
    start = 4096 * (root["rootpage"] - 1)
    content[start : start + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    [_, second] = found_at_start(workspace.root, 8501)
    assert second.startswith("The database is damaged (")
    assert f"rushes check {workspace.root}" in second


def test_a_second_server_is_named_and_its_note_is_left(workspace):
    found_at_start(workspace.root, 8501)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        noted_by(workspace.root, other.pid)
        [line] = found_at_start(workspace.root, 8502)
        assert line.startswith(f"Another server (process {other.pid}) serves this workspace on ")
        noted_by(workspace.root, other.pid)  # the other one was started last
        stopped_cleanly(workspace.root)
        assert (workspace.root / MARK).exists()
        assert other.stdin is not None
        other.stdin.close()


def test_a_note_that_is_none_is_passed_by_and_is_in_no_backup(workspace):
    for text in ("", "[]", "{}", '{"pid": 1}', "{"):
        (workspace.root / MARK).write_text(text)
        assert found_at_start(workspace.root, 8501) == []
    assert MARK not in {path.name for path in other_files(workspace.root)}
