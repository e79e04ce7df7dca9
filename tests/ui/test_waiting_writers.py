"""While the database is written to by somebody else, answers wait in a row, and pages do not."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from annotations.answering import queue
from annotations.people import Person, invite
from annotations.planning.task_store import create_task, grow
from annotations.record.lease import Handed
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.routes.desk import desk_routes
from ui.routes.sessions import session_routes
from ui.shell.gate import Gate

# More than the threads that a server has for everything beside desks: 40.
ANSWERS = 60


def test_pages_answer_while_many_answers_wait_for_the_database(
    workspace: Workspace, add_question: Callable[..., int]
) -> None:
    for number in range(2 * ANSWERS):  # nobody is handed more than half
        add_question(f"count/{number}", video="one.mp4")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, task)
    preparer = Preparer(workspace)
    arrived: list[str] = []

    def page(request: Any) -> PlainTextResponse:
        return PlainTextResponse("a page")

    routes = [*session_routes(workspace), *desk_routes(workspace, preparer), Route("/part", page)]
    gate = Gate(Starlette(routes=routes), workspace)

    async def counted(scope: Any, receive: Any, send: Any) -> None:
        arrived.append(scope.get("path", ""))
        await gate(scope, receive, send)

    base = f"/desk/tasks/{task}"
    replies: list[Any] = []

    async def visit() -> None:
        host = "http://localhost:8501"
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=counted), base_url=host, timeout=60
        ) as ada:
            await ada.get(f"/join/{invite(workspace, 'Ada', 'annotator')}")
            [row] = workspace.store.rows("SELECT id FROM annotator")
            handed = queue.lease(workspace, task, Person(row["id"], "Ada", "annotator"), ANSWERS)
            assert len(handed) == ANSWERS

            async def send(one: Handed) -> None:
                answer = {
                    "uid": f"answer-{one.item.id:04}", "item": one.item.id, "lease": one.lease.id,
                    "response": {"choice": "p0"}, "active_s": 1.0, "answered_at": time.time(),
                }  # fmt: skip
                headers = {"Origin": host}
                sent = {"answers": [answer]}
                replies.append(await ada.post(f"{base}/answers", json=sent, headers=headers))

            with workspace.store.write():
                senders = [asyncio.create_task(send(one)) for one in handed]
                while arrived.count(f"{base}/answers") < ANSWERS:
                    await asyncio.sleep(0.01)
                assert (await ada.get("/part")).text == "a page"
                assert replies == []
            await asyncio.gather(*senders)

    asyncio.run(asyncio.wait_for(visit(), 120))
    preparer.stop()
    statuses = [reply.json()["results"][0]["status"] for reply in replies]
    assert statuses == ["stored"] * ANSWERS
