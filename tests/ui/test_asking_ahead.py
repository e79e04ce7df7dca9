"""Desks that ask for more items while they have some left hold up nobody who is waited for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from annotations.answering import queue
from annotations.people import invite
from annotations.planning.task_store import create_task, grow
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.routes.body import holds_items
from ui.routes.desk import desk_routes
from ui.routes.handled import THREADS
from ui.routes.sessions import session_routes

PATIENCE_S = 20.0


@pytest.mark.parametrize(
    ("sent", "holds"),
    [
        (b'{"have":[4,5],"window":"one"}', True),
        (b'{"have": [ 4 ]}', True),
        (b'{"have":[]}', False),
        (b'{"window":"one"}', False),
        (b"no JSON", False),
    ],
)
def test_whether_a_desk_has_items_left_is_seen_before_its_request_is_read(sent, holds):
    assert holds_items(sent) is holds


def test_answers_and_empty_desks_pass_those_who_ask_ahead(
    workspace: Workspace, add_question: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        add_question(f"count/{number}")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, task)
    preparer = Preparer(workspace)
    routes = [*session_routes(workspace), *desk_routes(workspace, preparer)]
    browser = TestClient(Starlette(routes=routes))
    browser.get(f"/join/{invite(workspace, 'Ada', 'annotator')}", follow_redirects=False)
    base = f"/desk/tasks/{task}"
    item = browser.get(base).json()["items"][0]
    stale, may_go_on = queue.stale, Event()

    def slow(workspace: Workspace, person, have: frozenset[int]) -> frozenset[int]:
        if have:
            assert may_go_on.wait(PATIENCE_S)
        return stale(workspace, person, have)

    monkeypatch.setattr(queue, "stale", slow)
    answer = {
        "uid": "uid-000001",
        "item": item["id"],
        "lease": item["lease"],
        "response": {"choice": "p0"},
        "active_s": 2.0,
        "answered_at": 1.0,
    }

    def ahead() -> int:
        return browser.post(f"{base}/lease", json={"have": [item["id"]]}).status_code

    def waited_for(path: str, body: dict[str, object]) -> tuple[int, bool]:
        reply = browser.post(f"{base}/{path}", json=body)
        return reply.status_code, may_go_on.is_set()

    with ThreadPoolExecutor(2 * THREADS + 2) as people:
        asking = [people.submit(ahead) for _ in range(2 * THREADS)]
        stored = people.submit(waited_for, "answers", {"answers": [answer]})
        empty = people.submit(waited_for, "lease", {"have": []})
        try:
            assert stored.result(PATIENCE_S / 2) == (200, False)
            assert empty.result(PATIENCE_S / 2) == (200, False)
        finally:
            may_go_on.set()
        assert [one.result(PATIENCE_S) for one in asking] == [200] * (2 * THREADS)
    preparer.stop()
