import hashlib
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from building import make_video

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer, Receipt
from annotations.people import Person
from annotations.planning.task_store import create_task
from annotations.workspace import Workspace
from core.video.table import FrameTable


@pytest.fixture
def add_video(workspace: Workspace) -> Callable[..., str]:
    """Puts a video with a frame table into the database; its content hash comes back."""

    def add(
        name: str,
        frames: int = 60,
        *,
        pts: Sequence[int] = (),
        unit: Fraction = Fraction(1, 30),
        status: str = "usable",
        reason: str = "",
    ) -> str:
        sha256 = hashlib.sha256(name.encode()).hexdigest() if status == "usable" else ""
        if sha256:
            stamps = tuple(pts) or tuple(range(frames))
            path = workspace.media.table(sha256)
            path.parent.mkdir(parents=True, exist_ok=True)
            packets = tuple(range(len(stamps)))
            end = stamps[-1] + (stamps[-1] - stamps[-2])
            table = FrameTable(stamps, unit, packets, ((0, 0),), end)
            path.write_text(table.to_json(), encoding="utf-8")
        with workspace.store.write() as database:
            make_video(database, name, sha256=sha256, status=status, reason=reason)
        return sha256

    return add


@pytest.fixture
def add_task(workspace: Workspace) -> Callable[..., int]:
    """Makes a task of rows."""

    def add(kind: str, rows: list[dict[str, Any]], overlap: int = 3, **settings: Any) -> int:
        name = f"{kind} {time.monotonic_ns()}"
        return create_task(workspace, name, kind, settings, overlap, rows=rows, order="as imported")

    return add


@pytest.fixture
def respond(workspace: Workspace) -> Callable[..., Receipt]:
    """Hands the next item of a task to a person, who answers it; the receipt comes back."""

    def answer(task: int, person: Person, response: dict[str, Any]) -> Receipt:
        [row, *_] = queue.lease(workspace, task, person, 1)
        uid = f"{person.name}-{row.item.id}-{time.monotonic_ns()}"
        given = Answer(uid, row.item.id, row.lease.id, response, None, 1.0, time.time())
        return answer_store.store(workspace, task, person, [given])[0]

    return answer
