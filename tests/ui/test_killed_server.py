"""kill -9 of the server while people answer: nothing acknowledged is lost, nothing is doubled."""

import http.client
import json
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from killing import Nursery
from waiting import free_port, wait_until

from annotations.people import invite
from annotations.planning.task_store import create_task, grow
from annotations.workspace import Workspace
from ui.log import LOG_FILE

pytestmark = pytest.mark.browser  # it starts real servers, as the tests in browsers do


class Sender(threading.Thread):
    """Somebody who answers over HTTP as a desk does: again under the same id until acknowledged."""

    def __init__(self, workspace: Workspace, name: str, task: int, count: int):
        super().__init__(daemon=True)
        self.port, self.task, self.count = 0, task, count
        self.link = f"/join/{invite(workspace, name, 'annotator')}"
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


MODULES = (
    "ui.cli", "ui.commands.serve", "ui.shell.serve", "pandas", "plotly.graph_objects",
    "annotations.tasks.human_evaluation",
)  # fmt: skip


class Killable:
    """`rushes serve` on a workspace, begun by a process that has read the program already."""

    def __init__(self, nursery: Nursery, root: Path):
        self.nursery, self.root, self.port = nursery, root, free_port()

    def start(self) -> None:
        line = ["serve", "--workspace", str(self.root), "--port", str(self.port)]
        self.child = self.nursery.start("ui.cli", line)
        wait_until(self.is_up, "the server", 120)

    def is_up(self) -> bool:
        try:
            urllib.request.urlopen(
                f"http://localhost:{self.port}/_stcore/health", timeout=1
            ).close()
        except (OSError, http.client.HTTPException):
            return False
        return True


def test_a_server_that_is_killed_twice_loses_no_answer(
    workspace: Workspace, add_question: Callable[..., int]
) -> None:
    for number in range(60):
        add_question(f"count/{number}", video="one.mp4")
    settings = {"condition": "text only"}
    task = create_task(workspace, "t", "human_evaluation", settings, 3)
    grow(workspace, task)
    senders = [Sender(workspace, f"Sender {number}", task, 25) for number in range(4)]
    with Nursery(*MODULES) as nursery:
        server = Killable(nursery, workspace.root)
        server.start()
        for sender in senders:
            sender.port = server.port
            sender.start()
        for reached in (20, 50):
            deadline = time.monotonic() + 120
            while sum(len(sender.acknowledged) for sender in senders) < reached:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            assert server.child.kill() == -9
            server.start()
        for sender in senders:
            sender.join(timeout=180)
            assert not sender.is_alive()
    rows = workspace.store.rows("SELECT uid, item_id, annotator_id FROM annotation")
    stored = [row["uid"] for row in rows]
    acknowledged = [uid for sender in senders for uid in sender.acknowledged]
    assert len(acknowledged) == 100
    assert set(acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))
    over = workspace.store.rows(
        "SELECT i.id FROM item i JOIN task t ON t.id = i.task_id WHERE t.id = ? AND i.answers <>"
        " (SELECT count(*) FROM current_annotation a WHERE a.item_id = i.id AND a.counted = 1)"
        " OR (t.id = ? AND i.answers > coalesce(i.overlap, t.overlap))",
        [task, task],
    )
    assert over == []
    log = (workspace.root / LOG_FILE).read_text(encoding="utf-8")
    assert log.count("was not stopped: it was killed or lost power") == 2
    assert log.count("The database is whole") == 2
