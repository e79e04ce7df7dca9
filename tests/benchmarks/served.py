"""A served workspace with people who answer over HTTP, for the benchmarks beside this file."""

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any, Self

from annotations.people import invite
from annotations.workspace import Workspace


class Served:
    """`rushes serve` on a workspace."""

    def __init__(self, root: Path):
        """Serve it; returns once it answers."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        command = [Path(sys.executable).parent / "rushes", "serve", "--workspace", root]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port)], stdout=subprocess.DEVNULL
        )
        while not self._is_up():
            time.sleep(0.1)

    def _is_up(self) -> bool:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def memory_mb(self) -> float:
        """Resident memory of the server process, MB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def cpu_s(self) -> float:
        """Processor time that the server process has used, s."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End the server."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *of_an_error: object) -> None:
        self.stop()


class Server(Served):
    """`rushes serve` on a copy of the demo whose items take everybody's answers."""

    def __init__(self, demo: Path, folder: Path, copies: int = 1):
        """Copy the demo, raise the overlap, and repeat its items `copies` times."""
        self.root = folder / "workspace"
        shutil.copytree(demo, self.root)
        self.workspace = Workspace.open(self.root)
        with self.workspace.store.write() as database:
            execute = database.conn.execute
            # Everybody may answer each copy, though it is about a question that they have met.
            execute(
                "UPDATE task SET overlap = 10000,"
                " settings = json_set(settings, '$.meet_once', json('false'))"
            )
            execute("UPDATE item SET overlap = NULL")
            for copy in range(1, copies):
                execute(
                    "INSERT INTO item (task_id, uid, question_id, video_id, payload, position)"
                    " SELECT task_id, uid || '#' || ?1, question_id, video_id, payload,"
                    " position + 1000 * ?1 FROM item WHERE uid NOT LIKE '%#%'",
                    [copy],
                )
        super().__init__(self.root)

    def task(self, condition: str) -> int:
        """The id of the task of a condition."""
        rows = self.workspace.store.rows(
            "SELECT id FROM task WHERE name LIKE '%' || ?", [condition]
        )
        return rows[0]["id"]


class Worker(threading.Thread):
    """Somebody who answers items of a task over one kept connection, as a desk does."""

    def __init__(self, server: Server, name: str, task: int, every_s: float, answers: int):
        """Answer `answers` items, one each `every_s` s, beginning at a moment of one's own."""
        super().__init__(daemon=True)
        self.server, self.task, self.every_s, self.answers = server, task, every_s, answers
        self.waits_ms: list[float] = []
        self.acknowledged: list[str] = []
        self.failures: list[str] = []
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self._connection.request("GET", f"/join/{invite(server.workspace, name, 'annotator')}")
        reply = self._connection.getresponse()
        reply.read()
        self._cookie = (reply.getheader("set-cookie") or "").split(";")[0]
        self._begin_s = (hash(name) % 1000) / 1000 * every_s

    def run(self) -> None:
        """Work until done."""
        time.sleep(self._begin_s)
        base = f"/desk/tasks/{self.task}"
        queue: list[dict[str, Any]] = self._ask("GET", base, None)["items"]
        due = time.monotonic()
        for _ in range(self.answers):
            if not queue:
                self.failures.append("the queue was empty")
                return
            item = queue.pop(0)
            due += self.every_s
            time.sleep(max(0.0, due - time.monotonic()))
            begin = time.perf_counter()
            choice = item["values"]["options"][0]["value"]
            answer = {
                "uid": str(uuid.uuid4()),
                "item": item["id"],
                "lease": item["lease"],
                "response": {"choice": choice},
                "active_s": self.every_s,
                "answered_at": time.time(),
            }
            result = self._ask("POST", f"{base}/answers", {"answers": [answer]})["results"][0]
            self.waits_ms.append(1000 * (time.perf_counter() - begin))
            if result["status"] == "stored":
                self.acknowledged.append(answer["uid"])
            else:
                self.failures.append(str(result))
            if len(queue) < 10:
                have = [one["id"] for one in queue]
                queue += self._ask("POST", f"{base}/lease", {"have": have})["items"]

    def _ask(self, verb: str, path: str, body: Any) -> dict[str, Any]:
        headers = {"Cookie": self._cookie, "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        for attempt in range(3):
            try:
                self._connection.request(verb, path, text, headers)
                return json.loads(self._connection.getresponse().read())
            except (OSError, http.client.HTTPException):
                # The server closes idle connections; a desk sends again, under the same id.
                self._connection.close()
                if attempt == 2:
                    raise
        raise AssertionError


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
