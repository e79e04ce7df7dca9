"""A full disk, a read-only folder, a damaged page: what the desk and the pages say, and no loss."""

import sqlite3
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

import db.connection
from annotations.answering import queue
from annotations.people import Person, invite
from annotations.planning.task_store import create_task, grow
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.routes.desk import desk_routes
from ui.routes.sessions import session_routes
from ui.shell.gate import Gate

QUESTIONS, HANDED = 80, 40


@pytest.fixture
def task(workspace: Workspace, add_question: Callable[..., int]) -> int:
    for number in range(QUESTIONS):
        add_question(f"count/{number}", video="one.mp4")
    number = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, number)
    return number


@pytest.fixture
def ada(workspace: Workspace, task: int) -> Generator[TestClient]:
    """Ada's browser, before the gate of a server with a desk and one page."""
    preparer = Preparer(workspace)

    async def page(request: Any) -> PlainTextResponse:
        return PlainTextResponse("a page")

    routes = [*session_routes(workspace), *desk_routes(workspace, preparer), Route("/part", page)]
    address = "http://localhost:8501"
    browser = TestClient(Gate(Starlette(routes=routes), workspace), base_url=address)
    browser.get(f"/join/{invite(workspace, 'Ada', 'annotator')}", follow_redirects=False)
    yield browser
    preparer.stop()


def given(item: int, lease: int, number: int) -> dict[str, Any]:
    return {
        "uid": f"answer-{number:04}", "item": item, "lease": lease,
        "response": {"choice": "p0"}, "active_s": 1.0, "answered_at": time.time(), "fresh": True,
    }  # fmt: skip


def without_room(database: Any) -> None:
    [pages] = database.conn.execute("PRAGMA page_count").fetchone()
    database.conn.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own full disk


def not_writable(database: Any) -> None:
    database.conn.execute("PRAGMA query_only = 1")


@pytest.mark.parametrize(
    ("breaks", "words"),
    [(without_room, "The disk is full"), (not_writable, "read-only")],
)
def test_the_desk_says_what_is_wrong_and_every_answer_is_stored_once_it_is_mended(
    workspace: Workspace, task: int, ada: TestClient, monkeypatch: pytest.MonkeyPatch,
    breaks: Callable[[Any], None], words: str,
) -> None:  # fmt: skip
    usual = db.connection.open_connection

    def broken(path: Any) -> Any:
        database = usual(path)
        breaks(database)
        return database

    base = f"/desk/tasks/{task}"
    [row] = workspace.store.rows("SELECT id FROM annotator")
    handed = queue.lease(workspace, task, Person(row["id"], "Ada", "annotator"), HANDED)
    sent = [given(one.item.id, one.lease.id, number) for number, one in enumerate(handed)]
    assert len(sent) == HANDED
    monkeypatch.setattr(db.connection, "open_connection", broken)
    workspace.store.close()  # the next connections are broken ones
    acknowledged: list[str] = []
    for answer in sent:
        reply = ada.post(f"{base}/answers", json={"answers": [answer]})
        if reply.status_code != 200:
            break
        acknowledged += [result["uid"] for result in reply.json()["results"]]
    assert reply.status_code == 503
    assert words in reply.json()["error"]
    assert "What you sent is kept and sent again" in reply.json()["error"]
    assert stored(workspace) == acknowledged
    assert ada.get("/part").text == "a page"  # reading goes on
    monkeypatch.setattr(db.connection, "open_connection", usual)
    workspace.store.close()
    results = ada.post(f"{base}/answers", json={"answers": sent}).json()["results"]
    assert {result["status"] for result in results} <= {"stored", "again"}
    assert stored(workspace) == [answer["uid"] for answer in sent]


def stored(workspace: Workspace) -> list[str]:
    return [row["uid"] for row in workspace.store.rows("SELECT uid FROM annotation ORDER BY id")]


def damage(workspace: Workspace, table: str) -> None:
    """Overwrite the first page of a table."""
    [root] = workspace.store.rows(
        "SELECT rootpage FROM sqlite_master WHERE name = ? AND type = 'table'", [table]
    )
    workspace.store.close()
    with (workspace.root / "rushes.db").open("r+b") as file:
        file.seek(4096 * (root["rootpage"] - 1))
        file.write(b"\xff" * 4096)


@pytest.mark.parametrize("table", ["lease", "annotator"])
def test_at_the_desk_a_damaged_page_is_said_with_a_way_out(
    workspace: Workspace, task: int, ada: TestClient, table: str
) -> None:
    base = f"/desk/tasks/{task}"
    [item, *_] = ada.get(base).json()["items"]
    damage(workspace, table)
    body = {"answers": [given(item["id"], item["lease"], 1)]}
    for reply in (ada.get(base), ada.post(f"{base}/answers", json=body)):
        assert reply.status_code == 503
        assert "rushes check WORKSPACE" in reply.json()["error"]
        assert "kept and sent again" in reply.json()["error"]


def test_who_cannot_be_known_because_a_page_is_damaged_is_told_so(
    workspace: Workspace, ada: TestClient
) -> None:
    damage(workspace, "annotator")
    reply = ada.get("/runs")
    assert reply.status_code == 503
    assert "restore the newest backup" in reply.text


PAGE = """
from ui.shell.app import main
main()
"""


def drawn(page: str = PAGE) -> AppTest:
    app = AppTest.from_string(page, default_timeout=60)
    return app.run()


def test_a_page_over_a_damaged_database_says_what_to_do(served: Workspace, task: int) -> None:
    damage(served, "item")
    app = drawn()
    assert not app.exception
    [said] = app.error
    assert "damaged" in said.value
    assert "restore the newest backup" in said.value


BUTTON = """
import streamlit as st
from ui.access import callback, fragment
from ui.serving import workspace

def write() -> None:
    with workspace().store.write() as database:
        database.conn.execute("UPDATE annotator SET name = name || '!'")

@fragment()
def part() -> None:
    st.button("Write", on_click=callback(write))
    if st.session_state.get("write when drawn"):
        write()

part()
"""


@pytest.mark.parametrize("drawn_part", [False, True])
def test_a_button_and_a_part_of_a_page_say_what_the_database_cannot_do(
    served: Workspace, monkeypatch: pytest.MonkeyPatch, drawn_part: bool
) -> None:
    from ui import serving

    invite(served, "Ada", "annotator")
    app = drawn(BUTTON)
    usual = db.connection.open_connection

    def not_writable_any_more(path: Any) -> Any:
        database = usual(path)
        not_writable(database)
        return database

    monkeypatch.setattr(db.connection, "open_connection", not_writable_any_more)
    serving.workspace().store.close()
    app.session_state["write when drawn"] = drawn_part
    if drawn_part:
        app.run()
    else:
        app.button[0].click().run()
    assert not app.exception
    assert "read-only" in app.error[0].value


def test_an_error_that_is_our_own_bug_is_not_explained_away(served: Workspace) -> None:
    app = drawn(BUTTON.replace("UPDATE annotator", "UPDATE no_such_table"))
    app.button[0].click().run()
    assert app.error == []
    [exception] = app.exception
    assert "no such table" in exception.message


def test_sqlite_says_what_our_words_are_about(tmp_path: Any) -> None:
    """`query_only` and `max_page_count` fail with the codes of a read-only folder and full disk."""
    connection = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA query_only = 1")
    with pytest.raises(sqlite3.OperationalError) as read_only:
        connection.execute("CREATE TABLE u (x)")
    connection.execute("PRAGMA query_only = 0")
    connection.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as full:
        connection.execute("CREATE TABLE u AS SELECT zeroblob(100000) AS x")
    codes = [error.value.sqlite_errorcode for error in (read_only, full)]
    assert codes == [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL]


START = """
from annotations.people import Person
from ui.pages import start
from ui.serving import workspace

start.render(workspace(), Person(1, "Clara", {role!r}))
"""


def test_little_room_on_the_disk_is_said_to_authors_before_it_is_gone(
    served: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.pages import start

    def warnings(role: str) -> list[str]:
        return [one.value for one in drawn(START.format(role=role)).warning]

    invite(served, "Clara", "author")
    usage = start.shutil.disk_usage(served.root)._replace(free=412_300_000)
    monkeypatch.setattr(start.shutil, "disk_usage", lambda root: usage)
    [line] = warnings("author")
    assert "412.3 MB left. Make room: answers cannot be stored once it is full." in line
    assert warnings("annotator") == []
    monkeypatch.setattr(start, "LITTLE_ROOM", 0)
    assert warnings("author") == []
