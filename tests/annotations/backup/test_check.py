import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from building import make_item, make_task

from annotations.backup.check import Fault, check
from annotations.settings_file import SETTINGS_FILE
from annotations.workspace import KEY_FILE, Workspace
from ui.cli import main

AddVideo = Callable[[str], Path]


def areas(faults: list[Fault]) -> list[str]:
    return [fault.area for fault in faults]


def test_a_whole_workspace_has_no_fault(workspace: Workspace, add_video: AddVideo):
    add_video("one.mp4")
    assert check(workspace.root) == []


def test_the_demo_kind_of_answers_is_recounted(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    add_question("count/1", video="one.mp4")
    model_says("m", "count/1", "A")
    assert [f for f in check(workspace.root) if f.area == "rows"] == []


def test_lost_changed_and_unreadable_videos_are_named(workspace: Workspace, add_video: AddVideo):
    lost, changed, table = (add_video(f"{name}.mp4") for name in ("lost", "changed", "table"))
    lost.unlink()
    changed.write_bytes(b"other")
    (table.parent / "frames.json").write_text("{")
    faults = {fault.where.split(" ")[0]: fault.what for fault in check(workspace.root)}
    assert faults.keys() == {"lost.mp4", "changed.mp4", "table.mp4"}
    assert faults["lost.mp4"] == "the video's file is gone."
    assert faults["changed.mp4"].startswith("has other content than was imported")
    assert faults["table.mp4"].startswith("its frame table cannot be read")
    # The quick look does not read what lies there.
    assert len(check(workspace.root, media=False)) == 2


def test_contradicting_rows_are_named(workspace: Workspace, add_question: Callable[..., int]):
    question = add_question("count/1", key=1)
    with workspace.store.write() as database:
        execute = database.conn.execute
        execute("UPDATE question_revision SET key = 7 WHERE question_id = ?", [question])
        execute("UPDATE question_revision SET tags = '{' WHERE question_id = ?", [question])
        make_item(database, make_task(database, "t", kind="x"), "a", answers=3)
    faults = check(workspace.root, media=False)
    assert [fault.line for fault in faults if fault.area == "rows"] == [
        "rows: question_revision 1: tags is no JSON.",
        "rows: item 1: counts 3 answers where 0 are stored.",
        "rows: item 1: has 3 counted answers of people, more than the 2 it asks for.",
        "rows: question_revision 1: its key is option 7, of 3 options.",
    ]


def test_what_answers_are_held_against_is_looked_at_too(
    workspace: Workspace, add_question: Callable[..., int]
):
    question = add_question("count/1")
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE question_revision SET reference = '{\"answers\": [' WHERE question_id = ?",
            [question],
        )
    faults = check(workspace.root, media=False)
    assert [fault.line for fault in faults if fault.area == "rows"] == [
        "rows: question_revision 1: reference is no JSON."
    ]


def test_a_damaged_page_is_a_fault_with_a_way_out(
    workspace: Workspace, add_question: Callable[..., int]
):
    for number in range(200):
        add_question(f"count/{number}", video="one.mp4")
    workspace.close()
    path = workspace.root / "rushes.db"
    content = bytearray(path.read_bytes())
    content[20 * 4096 : 21 * 4096] = os.urandom(4096)
    path.write_bytes(content)
    faults = check(workspace.root, media=False)
    assert "database" in areas(faults)
    assert "restore the newest backup" in faults[-1].help


def test_a_key_that_is_too_short_to_open_with_is_a_fault(workspace: Workspace):
    (workspace.root / KEY_FILE).write_text("short")
    [fault] = check(workspace.root)
    assert (fault.where, "cut short" in fault.what) == (KEY_FILE, True)


def test_the_key_the_settings_and_the_folder(workspace: Workspace):
    (workspace.root / KEY_FILE).write_text("")
    (workspace.root / SETTINGS_FILE).write_text("name = 3")
    workspace.root.chmod(0o755)
    faults = check(workspace.root)
    assert areas(faults) == ["settings", "settings", "folder"]
    (workspace.root / KEY_FILE).unlink()
    assert "every invite link and session is void" in check(workspace.root)[1].what


def test_the_command_says_each_and_ends_with_1(
    workspace: Workspace, add_video: AddVideo, capsys: pytest.CaptureFixture[str]
):
    assert main(["check", str(workspace.root)]) == 0
    assert capsys.readouterr().out == "Nothing wrong was found.\n"
    shutil.rmtree(add_video("gone.mp4").parent)
    assert main(["check", str(workspace.root)]) == 1
    assert "media: gone.mp4" in capsys.readouterr().out
    assert main(["check", str(workspace.root), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert told["faults"][0]["area"] == "media"
    assert main(["check", str(workspace.root / "nowhere")]) == 1
