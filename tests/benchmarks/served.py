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
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any, Self

from annotations.people import invite
from annotations.workspace import Workspace


class Served:
    """`rushes serve` on a workspace."""

    def __init__(self, root: Path, console: Path | None = None):
        """Serve it; returns once it answers.

        Args:
            root: the workspace.
            console: a file for what the server prints, instead of this console.
        """
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._served, self._console = root, console
        self.start()

    def start(self) -> None:
        """Start the server, again after it was ended; returns once it answers."""
        command = [Path(sys.executable).parent / "rushes", "serve", "--workspace", self._served]
        with open(self._console or os.devnull, "ab") as file:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                stdout=subprocess.DEVNULL,
                stderr=file if self._console else None,
            )
        while not self._is_up():
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}")
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
        """End the server, with kill -9."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *of_an_error: object) -> None:
        self.stop()


class Server(Served):
    """`rushes serve` on a copy of the demo whose items take everybody's answers."""

    def __init__(
        self,
        demo: Path,
        folder: Path,
        copies: int = 1,
        overlap: int = 10_000,
        console: Path | None = None,
    ):
        """Copy the demo, set the overlap, and repeat its items `copies` times."""
        self.root = folder / "workspace"
        shutil.copytree(demo, self.root)
        self.workspace = Workspace.open(self.root)
        with self.workspace.store.write() as database:
            execute = database.conn.execute
            # Everybody may answer each copy, though it is about a question that they have met.
            execute(
                "UPDATE task SET overlap = ?,"
                " settings = json_set(settings, '$.meet_once', json('false'))",
                [overlap],
            )
            execute("UPDATE item SET overlap = NULL")
            for copy in range(1, copies):
                execute(
                    "INSERT INTO item (task_id, uid, question_id, video_id, payload, position)"
                    " SELECT task_id, uid || '#' || ?1, question_id, video_id, payload,"
                    " position + 1000 * ?1 FROM item WHERE uid NOT LIKE '%#%'",
                    [copy],
                )
        super().__init__(self.root, console)

    def task(self, condition: str) -> int:
        """The id of the task of a condition."""
        rows = self.workspace.store.rows(
            "SELECT id FROM task WHERE name LIKE '%' || ?", [condition]
        )
        return rows[0]["id"]


class Worker(threading.Thread):
    """Somebody who answers items of a task over one kept connection, as a desk does."""

    def __init__(
        self,
        server: Server,
        name: str,
        task: int,
        every_s: float,
        answers: int,
        patience_s: float = 0.0,
    ):
        """Answer `answers` items, one each `every_s` s, beginning at a moment of one's own.

        Args:
            server: whom to ask.
            name: of the person.
            task: its id.
            every_s: between two answers, s.
            answers: how many.
            patience_s: for how long a server that is away is asked again, under the same id.
        """
        super().__init__(daemon=True)
        self.patience_s = patience_s
        self.server, self.task, self.every_s, self.answers = server, task, every_s, answers
        self.waits_ms: list[float] = []
        self.acknowledged: list[str] = []
        self.refusals = Counter[str]()  # what the server said where it could not do what was asked
        self.statuses = Counter[str]()  # 'again': stored before, and the reply was lost
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
            if result["status"] in ("stored", "again", "extra"):
                self.statuses[result["status"]] += 1
                self.acknowledged.append(answer["uid"])
            else:
                self.failures.append(str(result))
            if len(queue) < 10:
                have = [one["id"] for one in queue]
                queue += self._ask("POST", f"{base}/lease", {"have": have})["items"]

    def _ask(self, verb: str, path: str, body: Any) -> dict[str, Any]:
        headers = {"Cookie": self._cookie, "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        until = time.monotonic() + self.patience_s
        for attempt in count():
            try:
                self._connection.request(verb, path, text, headers)
                reply = self._connection.getresponse()
                content = reply.read()
                if reply.status >= 500:
                    self.refusals[content.decode(errors="replace")] += 1
                if reply.status >= 500 and time.monotonic() < until:
                    raise OSError(reply.status)
                return json.loads(content)
            except (OSError, http.client.HTTPException):
                # The server closes idle connections; a desk sends again, under the same id.
                self._connection.close()
                if attempt >= 2 and time.monotonic() >= until:
                    raise
                if attempt:
                    time.sleep(0.2)
        raise AssertionError


def say(words: str) -> None:
    """Print a line at once, also into a file that somebody follows while this runs."""
    print(words, flush=True)


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
