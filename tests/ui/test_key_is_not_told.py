"""Nothing that an annotator receives depends on where a question's key stands."""

import json
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from annotations.people import invite
from annotations.planning.task_store import create_task, grow
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from core import plugins
from ui.routes import media
from ui.routes.desk import desk_routes
from ui.routes.media import media_routes
from ui.routes.sessions import session_routes

Json = dict[str, Any]
QUESTION = {
    "id": "r", "video": "video of count/0", "question": "Which?", "options": ["a", "b", "c"],
    "key": 1,
}  # fmt: skip
CLIP = {"video": "video of count/0", "action": "hop", "description": "It hops.", "domain": "Frogs"}
NOW_S = float(int(time.time()))
ASKED = {"verdict": "keep", "question": "Which way?", "flags": [], "note": ""}
# By kind: tasks of it with settings, rows (None: the workspace's questions), and an answer.
# The same person is asked the same questions in each of these tasks.
AGAIN: Json = {"meet_once": False}
TASKS: dict[str, list[tuple[Json, list[Json] | None, Json]]] = {
    "human_evaluation": [
        ({"condition": "full video", **AGAIN}, None, {"choice": "p0"}),
        ({"condition": "text only", "shuffle_options": False, **AGAIN}, None, {"choice": "p1"}),
        ({"condition": "text only", "free_text": True, **AGAIN}, None, {"text": "left"}),
    ],
    "question_review": [
        ({"show_key": True, "keep": [1]}, None, {}),  # shows keys: nobody is handed anything
        ({"show_key": False, "keep": [1]}, None,
         {**ASKED, "options": {"key": "p0", "kept": ["p1"], "texts": {}}}),
        ({"mode": "write"}, [{"video": "video of count/0"}], {}),
    ],
    "failure_tagging": [({}, None, {})],  # shows keys: nobody is handed anything
    "frame_picking": [({}, [{"question": "count/1"}], {"frame": 2})],
    "verification": [({}, [{**CLIP, "clips": [{"video": "video of count/0"}]}], {})],
    "localization": [({}, [CLIP], {"happens": "does not happen", "cards": []})],
    "screening": [({}, [{"video": "video of count/0"}], {"verdict": "accept"})],
    "object_check": [({}, [{"video": "video of count/0", "time": 1.0, "objects": ["bee"]}], {})],
    "own_form": [({"about": "questions", "stage": "text", "text": "{question}"}, None,
                  {"quality": 3, "misleading": "no"})],
}  # fmt: skip
NOTHING_HANDED = {("failure_tagging", 0), ("question_review", 0)}


@pytest.fixture
def original(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
) -> Path:
    """Two questions whose key is option 1, wrong answers of a model, and a task of every kind."""
    for number in range(2):
        add_question(f"count/{number}", key=1)
        model_says("m", f"count/{number}", "A")
    for kind, tasks in TASKS.items():
        for number, (settings, rows, _) in enumerate(tasks):
            made = create_task(workspace, f"{kind} {number}", kind, settings, 3, rows=rows)
            if rows is None:
                grow(workspace, made)
    workspace.close()
    return workspace.root


def test_every_kind_of_task_is_tried():
    assert TASKS.keys() == set(plugins.names("annotations.tasks"))


def received(root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, int], list[bytes]]:
    """What Ada receives at each task's desk: opened, answered, drafted, looked at again."""
    monkeypatch.setattr(media, "_expiry", lambda: 4_000_000_000)
    workspace = Workspace.open(root)
    preparer = Preparer(workspace)
    routes = [
        *session_routes(workspace), *desk_routes(workspace, preparer),
        *media_routes(workspace, preparer),
    ]  # fmt: skip
    client = TestClient(Starlette(routes=routes))
    client.get(f"/join/{invite(workspace, 'Ada', 'annotator')}", follow_redirects=False)
    replies: dict[tuple[str, int], list[bytes]] = {}
    try:
        for row in workspace.store.rows("SELECT id, name FROM task WHERE name LIKE '% _'"):
            kind, _, number = row["name"].rpartition(" ")
            if kind not in TASKS:
                continue
            response = TASKS[kind][int(number)][2]
            replies[kind, int(number)] = visit(client, f"/desk/tasks/{row['id']}", response)
    finally:
        preparer.stop()
        workspace.close()
    return replies


def visit(client: TestClient, base: str, response: Json) -> list[bytes]:
    opened = client.get(base)
    replies = [opened]
    for item in opened.json()["items"]:
        draft = {"item": item["id"], "lease": item["lease"], "response": response, "active_s": 0.5}
        replies += [client.post(f"{base}/draft", json=draft), client.get(base)]
        answer = {
            "uid": f"ada-{base}-{item['id']}", "item": item["id"], "lease": item["lease"],
            "response": response, "active_s": 0.1, "answered_at": NOW_S,
        }  # fmt: skip
        replies.append(client.post(f"{base}/answers", json={"answers": [answer]}))
        replies.append(client.get(f"{base}/items/{item['id']}"))
        replies.append(client.post(f"{base}/lease", json={"have": []}))
    return [b"%d " % reply.status_code + reply.content for reply in replies]


def test_moving_the_key_changes_no_byte_that_an_annotator_receives(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    moved = tmp_path / "moved"
    shutil.copytree(original, moved)
    with sqlite3.connect(moved / "rushes.db") as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name ="
            " 'question_revision' AND sql LIKE '%RAISE%'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute("UPDATE question_revision SET key = 2").rowcount == 2
    before, after = received(original, monkeypatch), received(moved, monkeypatch)
    assert before.keys() == {(kind, i) for kind, tasks in TASKS.items() for i in range(len(tasks))}
    for task, replies in before.items():
        assert replies == after[task], task
        handed = b'"items":[{' in replies[0]
        assert handed == (task not in NOTHING_HANDED), task
        accepted = [reply for reply in replies if b'"status":"stored"' in reply]
        assert accepted or not TASKS[task[0]][task[1]][2], task


def test_no_byte_tells_which_of_several_options_are_right_or_how_many(
    workspace: Workspace,
    add_question: Callable[..., int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    for number in range(2):
        add_question(f"count/{number}", ("a", "b", "c"), None)
    settings, _, _ = TASKS["human_evaluation"][0]
    task = create_task(workspace, "human_evaluation 0", "human_evaluation", settings, 3)
    workspace.close()
    replies: list[dict[tuple[str, int], list[bytes]]] = []
    monkeypatch.setitem(TASKS, "human_evaluation", [({}, None, {"choice": ["p0", "p2"]})])
    for name, right in (("one", ["b"]), ("two", ["a", "c"]), ("all", ["a", "b", "c"])):
        root = tmp_path / name
        shutil.copytree(workspace.root, root)
        with sqlite3.connect(root / "rushes.db") as connection:
            for (trigger,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name ="
                " 'question_revision' AND sql LIKE '%RAISE%'"
            ).fetchall():
                connection.execute(f"DROP TRIGGER {trigger}")
            reference = json.dumps({"answers": right})
            connection.execute("UPDATE question_revision SET reference = ?", [reference])
        grown = Workspace.open(root)
        grow(grown, task)
        grown.close()
        replies.append(received(root, monkeypatch))
    assert replies[0] == replies[1] == replies[2]
    [told] = replies[0].values()
    assert b'"several":true' in told[0]
    assert any(b'"status":"stored"' in reply for reply in told)


def test_options_are_named_by_their_place_as_shown(original: Path, monkeypatch: pytest.MonkeyPatch):
    """Option 1 of the file is right in each question; nothing sent says which one that is."""
    replies = received(original, monkeypatch)
    for task in (("human_evaluation", 0), ("question_review", 1)):
        names = [b'"value":"p%d"' % i if task[0] == "human_evaluation" else b'"id":"p%d"' % i
                 for i in range(3)]  # fmt: skip
        for name in names:
            assert replies[task][0].count(name) == 2  # two questions
        places = [replies[task][0].index(name) for name in names]
        assert places == sorted(places)
