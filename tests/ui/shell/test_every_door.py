"""Every address, page and fragment that there is, found by itself, tried by all kinds of people.

Whoever adds one says here who may use it; until then this fails.
"""

import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.testclient import TestClient
from streamlit.web.server.starlette.starlette_app import create_streamlit_routes

import ui
from annotations.access import end_access
from annotations.answering.exclusion import put_aside
from annotations.people import Person, invite
from annotations.planning.task_store import create_task, grow
from annotations.video.preparer import Preparer
from core import plugins
from ui import access
from ui.access import AUTHORS, EVERYBODY
from ui.shell import serve
from ui.shell.app import drawing
from ui.shell.app_pages import PAGES
from ui.shell.door import render_door, render_refusal
from ui.shell.gate import NOBODY, Gate

OPEN = None  # everybody who reaches the server: nothing of the workspace, or it asks for itself
ADDRESSES: dict[str, frozenset[str] | None] = {
    "/join/{token}": OPEN,
    "/leave": OPEN,
    "/language/{code}": EVERYBODY,
    "/recruit/work": EVERYBODY,
    "/recruit/frame/{token}": OPEN,
    "/recruit/{token}": OPEN,
    "/sign-in": OPEN,
    "/sign-in/done": OPEN,
    "/sign-in/failed": OPEN,
    "/desk/tasks/{task:int}": EVERYBODY,
    "/desk/tasks/{task:int}/items/{item:int}": EVERYBODY,
    "/desk/tasks/{task:int}/lease": EVERYBODY,
    "/desk/tasks/{task:int}/release": EVERYBODY,
    "/desk/tasks/{task:int}/answers": EVERYBODY,
    "/desk/tasks/{task:int}/draft": EVERYBODY,
    "/desk/preview/tasks/{task:int}": AUTHORS,
    "/desk/preview/tasks/{task:int}/items/{item:int}": AUTHORS,
    "/desk/preview/tasks/{task:int}/lease": AUTHORS,
    "/desk/preview/tasks/{task:int}/release": AUTHORS,
    "/desk/preview/tasks/{task:int}/answers": AUTHORS,
    "/desk/preview/tasks/{task:int}/draft": AUTHORS,
    "/desk/failures": AUTHORS,
    "/desk/failures/page": AUTHORS,
    "/desk/failures/stages/{id:int}": AUTHORS,
    "/desk/failures/replies/{id:int}": AUTHORS,
    "/desk/failures/questions/{id:int}": AUTHORS,
    "/desk/failures/tag": AUTHORS,
    "/desk/failures/tags": AUTHORS,
    "/desk/failures/views": AUTHORS,
    "/desk/failures/wall": AUTHORS,
    "/desk/failures/key": AUTHORS,
    "/desk/failures/task": AUTHORS,
    # Signed for the person and the file besides (test_routes.py).
    "/desk/media/{ticket}/{sha256}/{name:path}": EVERYBODY,
    "/desk/assets/": OPEN,
    "/desk/assets/fonts": OPEN,
    "/desk/assets/instructions": OPEN,
    # Streamlit's own.
    "/_stcore/health": OPEN,
    "/_stcore/metrics": AUTHORS,
    "/_stcore/host-config": EVERYBODY,
    "/_stcore/stream": EVERYBODY,
    "/_stcore/script-health-check": EVERYBODY,
    "/_stcore/upload_file/{session_id}/{file_id}": AUTHORS,
    "/_stcore/bidi-components/{path:path}": EVERYBODY,
    "/_stcore/agent/interact": NOBODY,
    "/_stcore/agent/openapi.json": NOBODY,
    "/_stcore/agent/mcp": NOBODY,
    "/media/{file_id:path}": AUTHORS,
    "/component/{path:path}": EVERYBODY,
    "/auth/login": OPEN,  # where the organisation's sign-in begins, and where it comes back to
    "/auth/logout": EVERYBODY,
    "/oauth2callback": OPEN,
    "/": EVERYBODY,
}  # fmt: skip
EVERYBODYS_PAGES = {"start", "annotate"}
VALUES = {"token": "made-up", "code": "de", "name": "player", "sha256": "0" * 64, "ticket": "x"}
NOT_LET_IN = (401, 403)


def flat(routes: list[BaseRoute]) -> Iterator[tuple[str, str]]:
    """Addresses with the methods that they take; the version of the desk's files left out."""
    for route in routes:
        if isinstance(route, Mount):
            path = re.sub(r"^(/desk/assets/)[0-9a-f]{16}/?", r"\1", route.path) or "/"
            yield path, "GET"
        elif isinstance(route, Route):
            for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"}):
                yield route.path, method
        elif isinstance(route, WebSocketRoute):
            yield route.path, "websocket"


class Anything:
    """Has every part that making routes looks for; the routes would use them, when called."""

    def __getattr__(self, name: str) -> "Anything":
        return Anything()


def streamlits() -> list[BaseRoute]:
    """The routes that Streamlit makes for any app; none of them is called here."""
    runtime: Any = Anything()
    return create_streamlit_routes(runtime)


@pytest.fixture
def found(workspace) -> Iterator[tuple[Gate, set[tuple[str, str]]]]:
    """The gate before our own routes and echoes of Streamlit's, and all addresses behind it."""
    preparer = Preparer(workspace)
    ours = serve.routes(workspace, preparer)
    theirs = set(flat(streamlits()))

    async def let_in(request: Request) -> PlainTextResponse:
        return PlainTextResponse("let in")

    echoes = [Route(path, let_in, methods=[method]) for path, method in theirs
              if method != "websocket" and path != "/"]  # fmt: skip
    app = Starlette(routes=[*ours, *echoes, Route("/{path:path}", let_in)])
    yield Gate(app, workspace), set(flat(ours)) | theirs
    preparer.stop()


@pytest.fixture
def task(workspace, add_question) -> int:
    add_question("count/1")
    made = create_task(workspace, "t", "human_evaluation", {}, 3)
    grow(workspace, made)
    return made


@pytest.fixture
def people(found, workspace, task) -> dict[str, TestClient]:
    """Browsers: of a stranger, of people of each role, one put aside, one whose access ended."""
    gate, _ = found

    def browser(name: str, role: str) -> TestClient:
        client = TestClient(gate, base_url="http://localhost:8501")
        client.get(f"/join/{invite(workspace, name, role)}", follow_redirects=False)
        return client

    browsers = {
        "stranger": TestClient(gate, base_url="http://localhost:8501"),
        "annotator": browser("Ada", "annotator"),
        "aside": browser("Ben", "annotator"),
        "ended": browser("Cem", "author"),
        "author": browser("Eva", "author"),
        "admin": browser("Root", "admin"),
    }
    [root] = workspace.store.rows("SELECT id FROM annotator WHERE name = 'Root'")
    administrator = Person(root["id"], "Root", "admin")
    put_aside(workspace, "Ben")
    end_access(workspace, administrator, "Cem")
    return browsers


ROLES = {"annotator": "annotator", "aside": "annotator", "author": "author", "admin": "admin"}


def test_every_address_has_a_rule_and_every_rule_an_address(found):
    _, addresses = found
    assert {path for path, _ in addresses} == ADDRESSES.keys() - {"/_stcore/script-health-check"}


def test_every_address_lets_in_whom_it_should_and_nobody_else(found, people):
    _, addresses = found
    wrong: list[str] = []
    # Signing out comes last, since it ends the sessions on the server.
    for path, method in sorted(addresses, key=lambda address: (address[0] == "/leave", address)):
        roles = ADDRESSES[path]
        for who, browser in people.items():
            may = roles is OPEN or ROLES.get(who) in roles
            status = ask(browser, method, path)
            if may == (status in NOT_LET_IN) and not refuses_by_itself(path, status):
                wrong.append(f"{method} {path} as {who}: {status}")
    assert wrong == []


def ask(browser: TestClient, method: str, path: str) -> int:
    """The status of one request with made-up values; 403 for a websocket that is not opened."""
    address = re.sub(r"\{(\w+)(:\w+)?\}", lambda part: VALUES.get(part[1], "1"), path)
    headers = {"origin": "http://localhost:8501", "sec-fetch-site": "same-origin"}
    if method == "websocket":
        return 403 if closed_at_once(browser, address, headers) else 101
    body = {} if method in ("GET", "DELETE") else {"json": {}}
    reply = browser.request(method, address, headers=headers, follow_redirects=False, **body)
    return reply.status_code


def refuses_by_itself(path: str, status: int) -> bool:
    """Addresses that ask for more than a session: a made-up ticket or invitation opens nothing."""
    return status == 403 and path in ("/join/{token}", "/desk/media/{ticket}/{sha256}/{name:path}")


def closed_at_once(browser: TestClient, address: str, headers: dict[str, str]) -> bool:
    from starlette.websockets import WebSocketDisconnect

    try:
        with browser.websocket_connect(f"ws://localhost:8501{address}", headers=headers):
            return False
    except WebSocketDisconnect as error:
        return error.code == 4403
    except Exception:  # no websocket stands behind the gate here
        return False


def test_who_is_put_aside_is_handed_nothing_anywhere(people, task):
    aside, annotator = people["aside"], people["annotator"]
    assert aside.get(f"/desk/tasks/{task}").json()["items"] == []
    assert aside.post(f"/desk/tasks/{task}/lease", json={"have": []}).json()["items"] == []
    assert len(annotator.get(f"/desk/tasks/{task}").json()["items"]) == 1


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_drawn_for_whom_it_is_and_for_nobody_else(workspace, name):
    page: Any = plugins.load("ui.pages", name)
    assert (EVERYBODY if name in EVERYBODYS_PAGES else AUTHORS) == page.ROLES
    for role in ("annotator", "author", "admin"):
        draw: Any = drawing(workspace, Person(1, "P", role), page)
        assert draw.func is (page.render if role in page.ROLES else render_refusal)
    stranger: Any = drawing(workspace, None, page)
    assert stranger.func is render_door


def test_every_file_of_pages_is_in_the_navigation():
    assert set(plugins.names("ui.pages")) == set(PAGES)


def fragments() -> list[tuple[str, frozenset[str], Callable[..., None]]]:
    """Every part of a page that is drawn again by itself: its name, for whom, and what runs."""
    found: list[tuple[str, frozenset[str], Callable[..., None]]] = []
    for module in pkgutil.walk_packages(ui.__path__, "ui."):
        if module.name == "ui.shell.entry":  # draws the app when it is read
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if hasattr(value, "__wrapped__") and "guarded" in vars(value):
                found.append((f"{module.name}.{name}", *vars(value)["guarded"]))
    return found


def test_fragments_are_found():
    assert len(fragments()) >= 10


@pytest.mark.parametrize(
    "who", [None, Person(1, "Ada", "annotator")], ids=["ended or stranger", "annotator"]
)
def test_no_fragment_is_drawn_for_whom_it_is_not(monkeypatch, who):
    monkeypatch.setattr(access, "person_here", lambda: who)
    for name, roles, guarded in fragments():
        assert roles in (AUTHORS, EVERYBODY), name
        if not access.may(who, roles):
            assert guarded() is None, name  # drawing it would lack its arguments


def test_a_fragment_is_drawn_for_whom_it_is(monkeypatch):
    drawn: list[int] = []
    _, draw = vars(access.fragment()(drawn.append))["guarded"]
    monkeypatch.setattr(access, "person_here", lambda: Person(1, "Ada", "annotator"))
    draw(1)
    monkeypatch.setattr(access, "person_here", lambda: Person(2, "Eva", "author"))
    draw(2)
    assert drawn == [2]


def test_the_body_of_every_post_is_refused_without_json(found, people, task):
    _, addresses = found
    posts = [path for path, method in addresses if method == "POST" and path.startswith("/desk/")]
    assert len(posts) >= 12
    for path in posts:
        address = re.sub(r"\{task:int\}", str(task), path)
        for kind in ("text/plain;json", "application/x-www-form-urlencoded", ""):
            reply = people["admin"].post(
                address, content=json.dumps({}), headers={"content-type": kind}
            )
            assert reply.status_code == 400, (path, kind)
