import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from building import insert
from killing import Nursery
from waiting import wait_until

from annotations.answering import queue
from annotations.answering.answer_store import Answer, store
from annotations.backup.backup import backup
from annotations.backup.manifest import BackupError, Manifest
from annotations.backup.restore import restore
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.workspace import KEY_FILE, Workspace

Rows = Callable[[Path], dict[str, list[tuple[object, ...]]]]
AddVideo = Callable[[str], Path]


def test_a_restored_backup_is_row_exact_and_holds_the_videos(
    workspace: Workspace, tmp_path: Path, add_video: AddVideo, all_rows: Rows
):
    video = add_video("cat jumps.mp4")
    (workspace.root / "prompts").mkdir()
    (workspace.root / "prompts" / "plain.txt").write_text("Wähle: {options}", encoding="utf-8")
    made = backup(workspace.root, tmp_path / "monday.backup")
    target = tmp_path / "Ordner mit Ümlaut"
    manifest = restore(made.path, target)
    assert made.warnings == ()
    assert manifest.counts["questions"] == 1
    assert all_rows(target / "rushes.db") == all_rows(workspace.root / "rushes.db")
    assert (target / "prompts" / "plain.txt").read_text(encoding="utf-8") == "Wähle: {options}"
    again = Workspace.open(target)
    assert again.secret == workspace.secret
    assert again.media.find_original(video.parent.name) is not None
    again.close()
    assert (target.stat().st_mode & 0o777, (target / KEY_FILE).stat().st_mode & 0o777) == (
        0o700, 0o600,
    )  # fmt: skip


def test_what_was_stored_before_is_in_a_backup_taken_while_people_write(
    workspace: Workspace, tmp_path: Path
):
    stored: list[str] = []
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            uid = f"count/{len(stored)}"
            with workspace.store.write() as database:
                insert(database, "question", uid=uid, source="test", created_at="")
            stored.append(uid)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(5):
            while len(stored) < 10 * (number + 1):
                time.sleep(0.001)
            before = len(stored)
            made = backup(workspace.root, tmp_path / f"{number}.backup")
            restore(made.path, tmp_path / f"copy {number}")
            with sqlite3.connect(tmp_path / f"copy {number}" / "rushes.db") as connection:
                uids = {row[0] for row in connection.execute("SELECT uid FROM question")}
            assert set(stored[:before]) <= uids
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        stop.set()
        thread.join()


def test_a_backup_taken_while_people_answer_is_row_by_row_one_moment(
    workspace: Workspace,
    tmp_path: Path,
    add_question: Callable[..., int],
    add_person: Callable[..., Person],
    all_rows: Rows,
):
    for number in range(6):
        add_question(f"count/{number}")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 10)
    grow(workspace, task)
    people = [add_person(f"person {number}") for number in range(4)]
    database, stop = workspace.root / "rushes.db", threading.Event()
    moments = [all_rows(database)]  # all rows of all tables, after each transaction

    def answer() -> None:
        for person in people:
            handed = queue.lease(workspace, task, person, 6)
            moments.append(all_rows(database))
            for row in handed:
                uid = f"{person.id}-{row.item.id}-uid"
                given = Answer(uid, row.item.id, row.lease.id, {"choice": 0}, None, 1.0, 0.0)
                store(workspace, task, person, [given])
                moments.append(all_rows(database))
                if stop.is_set():
                    return

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        for number in range(3):
            so_far = len(moments)
            made = backup(workspace.root, tmp_path / f"{number}.backup")
            restore(made.path, tmp_path / f"elsewhere {number}")
            restored = all_rows(tmp_path / f"elsewhere {number}" / "rushes.db")
            seen = len(moments)
            wait_until(lambda seen=seen: len(moments) > seen or not thread.is_alive(), "an answer")
            assert any(restored == moment for moment in moments[so_far - 1 :])
    finally:
        stop.set()
        thread.join()


def test_videos_beside_backups_are_kept_once(
    workspace: Workspace, tmp_path: Path, add_video: AddVideo, all_rows: Rows
):
    folder = tmp_path / "backups"
    video = add_video("one.mp4")
    first = backup(workspace.root, folder / "1.backup", "beside")
    kept = {path.name: path.stat().st_mtime_ns for path in (folder / "media").iterdir()}
    add_video("two.mp4")
    second = backup(workspace.root, folder / "2.backup", "beside")
    later = {path.name: path.stat().st_mtime_ns for path in (folder / "media").iterdir()}
    assert video.parent.name in kept
    assert kept.items() <= later.items()  # not written again
    assert second.size < 1_000_000
    assert restore(first.path, tmp_path / "a").counts["videos"] == 1
    restore(second.path, tmp_path / "b")
    assert all_rows(tmp_path / "b" / "rushes.db") == all_rows(workspace.root / "rushes.db")
    copied = tmp_path / "b" / video.relative_to(workspace.root)
    assert copied.read_bytes() == video.read_bytes()


def test_a_video_that_lies_beside_and_is_gone_is_named(
    workspace: Workspace, tmp_path: Path, add_video: AddVideo
):
    video = add_video("one.mp4")
    made = backup(workspace.root, tmp_path / "1.backup", "beside")
    (tmp_path / "media" / video.parent.name).unlink()
    with pytest.raises(BackupError, match=r"original\.mp4 is missing: it should be in .*media"):
        restore(made.path, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_changed_and_lost_videos_are_said_and_the_backup_is_made(
    workspace: Workspace, tmp_path: Path, add_video: AddVideo
):
    changed, lost = add_video("changed.mp4"), add_video("lost.mp4")
    changed.write_bytes(b"re-encoded in place")
    lost.unlink()
    made = backup(workspace.root, tmp_path / "1.backup")
    assert [line.split(":")[0].split("/")[-2] for line in made.warnings if "content" in line] == [
        changed.parent.name
    ]
    assert any(
        lost.parent.name in line and "not in the workspace" in line for line in made.warnings
    )
    restore(made.path, tmp_path / "copy")


def test_settings_that_are_broken_are_said_and_the_backup_is_made(
    workspace: Workspace, tmp_path: Path
):
    (workspace.root / "rushes.toml").write_text("[evaluation]\noverlapp = 3\n")
    made = backup(workspace.root, tmp_path / "1.backup")
    assert made.manifest.name == workspace.root.name
    assert any("overlapp" in warning for warning in made.warnings)
    restore(made.path, tmp_path / "copy")
    assert (tmp_path / "copy" / "rushes.toml").read_text().endswith("overlapp = 3\n")


@pytest.mark.parametrize("where", ["first", "middle", "end"])
def test_a_flipped_byte_is_found(
    workspace: Workspace, tmp_path: Path, add_video: AddVideo, where: str
):
    add_video("one.mp4")
    made = backup(workspace.root, tmp_path / "1.backup")
    content = bytearray(made.path.read_bytes())
    at = {"first": 300, "middle": len(content) // 2, "end": len(content) - 3000}[where]
    content[at] ^= 0xFF
    made.path.write_bytes(content)
    with pytest.raises(BackupError, match=r"damaged|cannot be read|no whole backup"):
        restore(made.path, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_a_cut_off_file_another_file_and_a_foreign_archive_are_no_backups(
    workspace: Workspace, tmp_path: Path
):
    made = backup(workspace.root, tmp_path / "1.backup")
    cut = tmp_path / "cut.backup"
    cut.write_bytes(made.path.read_bytes()[:-2000])
    with pytest.raises(BackupError, match="cut short"):
        restore(cut, tmp_path / "copy")
    cut.write_text("hello")
    with pytest.raises(BackupError, match="no whole backup"):
        restore(cut, tmp_path / "copy")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(BackupError, match="no backup of Rushes"):
        restore(tmp_path / "other.zip", tmp_path / "copy")


@pytest.mark.parametrize("compression", [9, 93])
def test_a_backup_that_another_program_packed_is_named(
    workspace: Workspace, tmp_path: Path, compression: int
):
    content = bytearray(backup(workspace.root, tmp_path / "1.backup").path.read_bytes())
    with zipfile.ZipFile(tmp_path / "1.backup") as archive:
        at = archive.getinfo("manifest.json").header_offset
    directory = content.rindex(b"PK\x01\x02")
    while content[directory + 46 : directory + 59] != b"manifest.json":
        directory = content.rindex(b"PK\x01\x02", 0, directory)
    for method in (at + 8, directory + 10):
        content[method : method + 2] = compression.to_bytes(2, "little")
    (tmp_path / "again.backup").write_bytes(content)
    with pytest.raises(BackupError, match="packed again by another program"):
        restore(tmp_path / "again.backup", tmp_path / "copy")


@pytest.mark.parametrize("path", ["/etc/cron.d/x", "../x", "media/../../x", "a\\..\\x", ""])
def test_a_manifest_cannot_name_paths_outside(path: str):
    text = json.dumps({
        "rushes_backup": 1, "made_at": "", "name": "", "media": "inside", "counts": {},
        "files": [{"path": path, "size": 0, "sha256": ""}],
    })  # fmt: skip
    with pytest.raises(BackupError, match="outside the workspace"):
        Manifest.from_json(text)


def test_a_newer_format_is_refused_and_nonsense_too():
    with pytest.raises(BackupError, match="newer Rushes"):
        Manifest.from_json('{"rushes_backup": 99}')
    for text in ("[]", "{}", "nonsense", '{"rushes_backup": 1, "files": 3}'):
        with pytest.raises(BackupError, match="cannot be read"):
            Manifest.from_json(text)


def test_nothing_is_written_over(workspace: Workspace, tmp_path: Path):
    made = backup(workspace.root, tmp_path / "1.backup")
    with pytest.raises(BackupError, match="exists already"):
        backup(workspace.root, made.path)
    with pytest.raises(BackupError, match="never writes over"):
        restore(made.path, workspace.root)
    with pytest.raises(BackupError, match="no workspace"):
        backup(tmp_path, tmp_path / "2.backup")


def test_a_full_disk_leaves_no_half_backup(
    workspace: Workspace, tmp_path: Path, add_video: AddVideo
):
    add_video("one.mp4").write_bytes(os.urandom(3_000_000))
    # A file may not grow beyond 2 MB in this process, as on a disk with no more room.
    code = (
        "import resource, sys; from pathlib import Path;"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000));"
        "from ui.cli import main;"
        f"sys.exit(main(['backup', {str(workspace.root)!r}, {str(tmp_path / 'x.backup')!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == []


def test_a_killed_backup_leaves_no_archive_and_the_next_takes_its_rest_away(
    workspace: Workspace, tmp_path: Path, add_video: AddVideo
):
    for number in range(3):
        add_video(f"{number}.mp4").write_bytes(os.urandom(20_000_000))
    target = tmp_path / "x.backup"
    with Nursery("ui.cli", "ui.commands.backup", "annotations.backup.backup") as nursery:
        for wait_s in (0.0, 0.05, 0.15):
            child = nursery.start("ui.cli", ["backup", str(workspace.root), str(target)])
            while child.is_alive() and not list(tmp_path.glob(".rushes-backup-*/archive.part")):
                time.sleep(0.002)
            time.sleep(wait_s)
            child.kill()
            target.unlink(missing_ok=True)  # where it was through already
    made = backup(workspace.root, target)
    assert list(tmp_path.glob(".rushes-backup-*")) == []
    assert restore(made.path, tmp_path / "copy").counts == made.manifest.counts


def test_after_a_clean_stop_the_database_file_alone_holds_everything(
    workspace: Workspace, tmp_path: Path, add_question: Callable[..., int], all_rows: Rows
):
    add_question("count/1")
    before = all_rows(workspace.root / "rushes.db")
    workspace.close()
    alone = tmp_path / "alone.db"
    alone.write_bytes((workspace.root / "rushes.db").read_bytes())
    assert all_rows(alone) == before
