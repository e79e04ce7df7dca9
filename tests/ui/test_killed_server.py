"""kill -9 of the server while people answer: nothing acknowledged is lost, nothing is doubled."""

import http.client
import json
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from annotations.people import invite

pytestmark = pytest.mark.browser  # it starts real servers, as the tests in browsers do


class Sender(threading.Thread):
    """Somebody who answers over HTTP as a desk does: again under the same id until acknowledged."""

    def __init__(self, served: Any, name: str, task: int, count: int):
        super().__init__(daemon=True)
        self.port, self.task, self.count = served.port, task, count
        self.link = f"/join/{invite(served.workspace(), name, 'annotator')}"
        self.cookie = ""
        self.acknowledged: list[str] = []

    def run(self) -> None:
        self.cookie = self.until(lambda: self.ask("GET", self.link)[0].partition(";")[0])
        base = f"/desk/tasks/{self.task}"
        items: list[dict[str, Any]] = []
        while len(self.acknowledged) < self.count:
            if not items:
                items = self.until(lambda: json.loads(self.ask("GET", base)[1])["items"])
                if not items:
                    return
            item = items.pop(0)
            answer = {
                "uid": str(uuid.uuid4()), "item": item["id"], "lease": item["lease"],
                "response": {"choice": "p0"}, "active_s": 0.1, "answered_at": time.time(),
                "fresh": True,
            }  # fmt: skip
            body = {"answers": [answer]}
            reply = self.until(lambda body=body: json.loads(
                self.ask("POST", f"{base}/answers", body)[1]))  # fmt: skip
            if reply["results"][0]["status"] in ("stored", "again", "extra"):
                self.acknowledged.append(answer["uid"])

    def ask(self, method: str, path: str, body: object = None) -> tuple[str, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Cookie": self.cookie, "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            reply = connection.getresponse()
            content = reply.read()
            if reply.status >= 500:
                raise OSError(reply.status)
            return reply.getheader("set-cookie") or "", content
        finally:
            connection.close()

    def until(self, work: Callable[[], Any]) -> Any:
        while True:
            try:
                return work()
            except (OSError, http.client.HTTPException, ValueError, KeyError):
                time.sleep(0.2)


def test_a_server_that_is_killed_twice_loses_no_answer(demo: Any, capfd: Any) -> None:
    [task] = demo.workspace().store.rows("SELECT id FROM task WHERE name LIKE '%16 frames'")
    senders = [Sender(demo, f"Sender {number}", task["id"], 25) for number in range(4)]
    for sender in senders:
        sender.start()
    for reached in (20, 50):
        deadline = time.monotonic() + 120
        while sum(len(sender.acknowledged) for sender in senders) < reached:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        demo.kill()
        demo.start()
    for sender in senders:
        sender.join(timeout=180)
        assert not sender.is_alive()
    workspace = demo.workspace()
    rows = workspace.store.rows("SELECT uid, item_id, annotator_id FROM annotation")
    stored = [row["uid"] for row in rows]
    acknowledged = [uid for sender in senders for uid in sender.acknowledged]
    assert len(acknowledged) >= 50
    assert set(acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))
    over = workspace.store.rows(
        "SELECT i.id FROM item i JOIN task t ON t.id = i.task_id WHERE t.id = ? AND i.answers <>"
        " (SELECT count(*) FROM current_annotation a WHERE a.item_id = i.id AND a.counted = 1)"
        " OR (t.id = ? AND i.answers > coalesce(i.overlap, t.overlap))",
        [task["id"], task["id"]],
    )
    assert over == []
    said = capfd.readouterr().err
    assert said.count("was not stopped: it was killed or lost power") == 2
    assert "The database is whole" in said
