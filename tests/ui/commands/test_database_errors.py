"""What SQLite raises is one line that says what to do: on the command line and at the desk."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import db.connection
from annotations.backup.database_errors import WORDS, error_words
from annotations.planning.task_store import create_task, grow
from annotations.workspace import Workspace
from ui.cli import main

# Commands, and a table that each reads.
COMMANDS = (
    (["status"], "item"), (["metrics"], "annotator"),
    (["invite", "Zoe", "--role", "annotator"], "annotator"), (["task", "list"], "task"),
)  # fmt: skip


@pytest.fixture
def study(workspace, add_question) -> Workspace:
    """Two questions, one task."""
    for number in range(2):
        add_question(f"count/{number}")
    grow(workspace, create_task(workspace, "t", "human_evaluation", {}, 2))
    return workspace


def says(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str]:
    status = main([*command])
    return status, capsys.readouterr().err


def test_every_error_that_a_machine_can_cause_says_what_to_do():
    for code, words in WORDS.items():
        error = sqlite3.OperationalError("x")
        error.sqlite_errorcode = code | (3 << 8)  # with an extended code
        assert error_words(error) == words
        assert len(words.split(". ")) > 1
    assert error_words(sqlite3.OperationalError("no such table: x")) == ""


def test_a_locked_database_is_one_line(study, capsys, monkeypatch):
    monkeypatch.setattr(db.connection, "BUSY_TIMEOUT_MS", 50)
    study.close()
    with sqlite3.connect(study.root / "rushes.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        status, text = says(capsys, "task", "pause", "t", "--workspace", str(study.root))
        assert (status, text.count("\n")) == (1, 1)
        assert "Another process has been writing" in text
        assert says(capsys, "status", "--workspace", str(study.root)) == (0, "")
        other.execute("ROLLBACK")
    assert says(capsys, "task", "pause", "t", "--workspace", str(study.root))[0] == 0


def test_a_full_database_is_one_line_and_nothing_is_lost(study, capsys, monkeypatch):
    study.close()
    usual = db.connection.open_connection

    def without_room(path: Path):
        database = usual(path)
        [pages] = database.conn.execute("PRAGMA page_count").fetchone()
        database.conn.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own full disk
        return database

    monkeypatch.setattr(db.connection, "open_connection", without_room)
    for number in range(500):
        name = f"somebody with a long name {number:030}"
        status, text = says(
            capsys, "invite", name, "--role", "annotator", "--workspace", str(study.root)
        )
        if status:
            break
    assert (status, text.count("\n")) == (1, 1)
    assert "The disk is full" in text
    monkeypatch.setattr(db.connection, "open_connection", usual)
    assert len(Workspace.open(study.root).store.rows("SELECT id FROM annotator")) == number


def test_a_disk_without_room_for_a_file_says_what_to_do(study, capsys, tmp_path, monkeypatch):
    study.close()
    target = tmp_path / "out"
    target.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", no_room)
        status, text = says(capsys, "export", str(target), "--workspace", str(study.root))
    assert (status, text.count("\n")) == (1, 1)
    assert "No space left on device" in text
    assert "Make room on that disk" in text
    assert list(target.iterdir()) == []


def no_room(path, target):
    """Fail as a disk without room does: this file takes no byte."""
    with open("/dev/full", "wb", buffering=0) as full:
        full.write(b"x")


@pytest.mark.parametrize(("command", "table"), COMMANDS, ids=str)
def test_a_damaged_page_is_one_line(study, capsys, command, table):
    [root] = study.store.rows(
        "SELECT rootpage FROM sqlite_master WHERE name = ? AND type = 'table'", [table]
    )
    study.close()
    with (study.root / "rushes.db").open("r+b") as file:
        file.seek(4096 * (root["rootpage"] - 1))
        file.write(b"\xff" * 4096)
    status, text = says(capsys, *command, "--workspace", str(study.root))
    assert (status, text.count("\n")) == (1, 1)
    assert "is damaged" in text
    assert "rushes check" in text


def test_a_file_that_is_no_database_is_one_line(study, capsys, tmp_path):
    study.close()
    copy = shutil.copytree(study.root, tmp_path / "copy")
    (copy / "rushes.db").write_bytes(b"no database at all" * 500)
    status, text = says(capsys, "status", "--workspace", str(copy))
    assert (status, text.count("\n")) == (1, 1)
    assert "restore the newest backup" in text


def test_a_folder_that_cannot_be_written_is_looked_at_and_nothing_more(study, tmp_path):
    """As another user where this one may write everything."""
    study.close()
    for path in (study.root, *study.root.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    script = tmp_path / "as_nobody.py"
    script.write_text(
        "import os, sys\n"
        "from ui.cli import main\n"  # read before the right to read it is gone
        "import ui.commands.status, ui.commands.metrics, ui.commands.task, ui.commands.serve\n"
        "import ui.commands.export, ui.commands.invite, annotations.planning.task_store\n"
        "import annotations.scoring.snapshot, ui.ports, annotations.access\n"
        "import annotations.backup.database_errors\n"
        "from contextlib import redirect_stdout\n"
        "if os.geteuid() == 0:\n"
        "    with redirect_stdout(open(os.devnull, 'w')):\n"
        "        main(['status', *sys.argv[-2:]])\n"
        "    os.chdir('/'), os.seteuid(65534)\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    for folder in study.root.parents:
        if os.access(folder, os.W_OK) and folder.stat().st_uid == os.geteuid():
            folder.chmod(folder.stat().st_mode | 0o055)

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(script), *command, "--workspace", str(study.root)],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    looked = run("status")
    assert looked.returncode == 0, looked.stderr
    assert "questions" in looked.stdout
    for command in (["invite", "Zoe", "--role", "annotator"], ["task", "pause", "t"]):
        refused = run(*command)
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1), refused.stderr
        assert "read-only" in refused.stderr
    served = run("serve", "--port", "1")
    assert (served.returncode, "nobody could answer" in served.stderr) == (1, True), served.stderr
