"""A bug in storing: the browser keeps the answers and repeats them, and the log says what broke."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect
from starlette.applications import Starlette
from starlette.testclient import TestClient
from waiting import wait_until

from annotations import task as tasks
from annotations.answering import answer_store
from annotations.people import invite
from annotations.planning.task_store import create_task, grow
from annotations.video.preparer import Preparer
from ui.log import LOG_FILE, start_log, stop_log
from ui.routes.desk import desk_routes
from ui.routes.sessions import session_routes

# `rushes serve` in which checking an answer breaks while a file lies in the workspace.
BROKEN_SERVER = """
import sys
from pathlib import Path
from annotations.tasks import human_evaluation
from ui import cli

check = human_evaluation.check_response
flag = Path(sys.argv[3]) / "broken"

def broken(response, shown):
    if flag.exists():
        raise KeyError("a server bug")
    return check(response, shown)

human_evaluation.check_response = broken
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.browser
def test_answers_outlive_a_bug_of_the_server(demo, sit_down, tmp_path: Path):
    demo.kill()
    script = tmp_path / "broken_server.py"
    script.write_text(BROKEN_SERVER)
    flag = demo.root / "broken"
    flag.touch()
    command = [sys.executable, script, "serve", "--workspace", demo.root, "--port"]
    server = subprocess.Popen([*command, str(demo.port)], env=os.environ)
    try:
        wait_until(demo.is_up, "the server", 60)
        desk = sit_down(demo, "Human evaluation: full video", "Ada")
        before = _stored(demo)
        for _ in range(2):
            item = desk.item()
            desk.press("a", "Enter")
            expect(desk.root).not_to_have_attribute("data-item", str(item))
            desk.ready()
        expect(desk.root).to_have_attribute("data-pending", "2")
        wait_until(lambda: "a server bug" in _log(demo), "the bug in the log")
        assert "Traceback" in _log(demo)
        assert _stored(demo) == before
        desk.page.reload()  # what is waiting is in the browser's storage, not on the page
        expect(desk.root).to_have_attribute("data-pending", "2")
        flag.unlink()
        expect(desk.root).to_have_attribute("data-pending", "0", timeout=60_000)
        assert _stored(demo) == before + 2
        assert demo.workspace().secret not in _log(demo)
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()


def _stored(served) -> int:
    return served.workspace().store.rows("SELECT count(*) AS n FROM annotation")[0]["n"]


def _log(served) -> str:
    path = served.root / LOG_FILE
    return path.read_text() if path.exists() else ""


@pytest.fixture
def desk(workspace, add_question):
    """A signed-in browser at a task of three questions, and its items."""
    for number in range(3):
        add_question(f"count/{number}")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, task)
    preparer = Preparer(workspace)
    routes = [*session_routes(workspace), *desk_routes(workspace, preparer)]
    browser = TestClient(Starlette(routes=routes), raise_server_exceptions=False)
    browser.get(f"/join/{invite(workspace, 'Ada', 'annotator')}", follow_redirects=False)
    items = browser.get(f"/desk/tasks/{task}").json()["items"]
    log = start_log(workspace.root, workspace.secret)
    yield browser, f"/desk/tasks/{task}", items
    stop_log(log)
    preparer.stop()


def given(item, uid, choice=0):
    return {
        "uid": uid, "item": item["id"], "lease": item["lease"], "response": {"choice": choice},
        "active_s": 1.0, "answered_at": time.time(),
    }  # fmt: skip


def test_one_answer_that_meets_a_bug_costs_itself_and_its_correction(desk, workspace, monkeypatch):
    browser, address, items = desk
    kind = tasks.kind("human_evaluation")
    check = kind.check_response

    def broken(response, shown):
        if response["choice"] == 1:
            raise TypeError("a bug about the second option")
        return check(response, shown)

    monkeypatch.setattr(kind, "check_response", broken)
    answers = [
        given(items[0], "first-answer", 1),
        given(items[1], "second-answer", 0),
        given(items[0], "its-correction", 0),
    ]
    reply = browser.post(f"{address}/answers", json={"answers": answers})
    assert reply.status_code == 200
    statuses = [result["status"] for result in reply.json()["results"]]
    assert statuses == ["failed", "stored", "failed"]
    monkeypatch.setattr(kind, "check_response", check)
    reply = browser.post(f"{address}/answers", json={"answers": answers})
    assert [result["status"] for result in reply.json()["results"]] == ["stored", "again", "stored"]
    rows = workspace.store.rows(
        "SELECT response FROM current_annotation WHERE item_id = ?", [items[0]["id"]]
    )
    assert [json.loads(row["response"]) for row in rows] == [{"choice": 0}]
    assert "a bug about the second option" in (workspace.root / LOG_FILE).read_text()


@pytest.mark.parametrize("error", [KeyError, TypeError, ValueError, RuntimeError, RecursionError])
def test_a_bug_is_500_and_is_logged(desk, workspace, monkeypatch, error):
    browser, address, items = desk

    def broken(*arguments):
        raise error("a server bug")

    monkeypatch.setattr(answer_store, "store", broken)
    reply = browser.post(f"{address}/answers", json={"answers": [given(items[0], "an-answer")]})
    assert reply.status_code == 500
    assert "kept and sent again" in reply.json()["error"]
    assert "a server bug" not in reply.text
    text = (workspace.root / LOG_FILE).read_text()
    assert f"{error.__name__}: " in text
    assert "Traceback" in text


def test_a_busy_database_is_503(desk, workspace, monkeypatch):
    browser, address, items = desk
    monkeypatch.setattr("db.connection.BUSY_TIMEOUT_MS", 50)
    workspace.store.close()  # the next connections wait 50 ms only
    with workspace.store.write():
        reply = browser.post(f"{address}/answers", json={"answers": [given(items[0], "an-answer")]})
    assert reply.status_code == 503
    assert "busy" in reply.json()["error"]
    reply = browser.post(f"{address}/answers", json={"answers": [given(items[0], "an-answer")]})
    assert reply.json()["results"][0]["status"] == "stored"
