"""A run against a real server that is slow, broken or gone: each costs its items, no more."""

import json
import re
import time
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from annotations.engine.engine import work
from annotations.engine.engine_worker import is_memory
from annotations.run.run_plan import plan_run
from annotations.workspace import Workspace
from core.model import ItemError

ACCEPT = '{"verdict": "accept", "reasons": [], "note": "fine"}'


class Server(ThreadingHTTPServer):
    """Replies by the title that the prompt names."""

    daemon_threads = True
    replies: dict[str, str | float | int]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        title = re.search(r"Title: (clip \d+)", body)
        reply = self.server.replies.get(title[1] if title else "", ACCEPT)
        if isinstance(reply, float):
            time.sleep(reply)
            reply = ACCEPT
        code = reply if isinstance(reply, int) else 200
        message = {"message": {"role": "assistant", "content": str(reply)}}
        data = json.dumps({"choices": [{**message, "finish_reason": "stop"}]}).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Generator[Server]:
    made = Server(("127.0.0.1", 0), Handler)
    made.replies = {}
    Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def test_late_broken_and_refused_replies_cost_their_items_and_can_be_tried_again(
    workspace: Workspace,
    footage: Callable[..., int],
    results: Callable[..., Any],
    failures: Callable[..., Any],
    server: Server,
):
    server.replies = {
        "clip 001": 5.0,  # s, longer than it is waited for
        "clip 003": "The video is fine, I would accept it.",
        "clip 004": 400,
    }
    run_id = plan_run(
        workspace, "vlm_screening", f"server:http://127.0.0.1:{server.server_port}/v1#eyes",
        task_id=footage(6), settings={"with_title": True},
        options={"timeout_s": 1.0, "retries": 0},
    )  # fmt: skip
    ended = work(workspace, run_id)
    assert (ended.status, ended.new) == ("finished", 3)
    why = failures(run_id)
    assert list(why) == [f"video:clip-{number}.mp4" for number in ("001", "003", "004")]
    assert why["video:clip-001.mp4"].startswith("time-out")
    assert why["video:clip-003.mp4"].startswith("broken JSON")
    assert [one["response"]["note"] for one in results(run_id)] == ["fine"] * 3
    server.replies = {}
    again = work(workspace, run_id, retry=True)
    assert (again.new, again.errors) == (3, {})
    assert failures(run_id) == {}
    assert {one["revision"] for one in results(run_id)} == {1}


def test_torchs_own_error_of_a_full_gpu_is_known():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    assert is_memory(torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"))
    assert is_memory(MemoryError())
    assert is_memory(ItemError("out of memory"))
    assert not is_memory(ValueError("out of range"))
