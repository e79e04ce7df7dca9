"""A small real server that speaks the desk's protocol, with state in one JSON file.

    python stub_server.py --port 8600 --state /tmp/state.json

`/?task=1&person=ada&theme=dark` shows the desk on a bare page, mounted as Streamlit mounts it.
`/stub/state` shows what was stored; `/stub/set` makes the server misbehave.
"""

import argparse
import asyncio
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

import stub_media  # noqa: E402
import stub_tasks  # noqa: E402

from ui.components.desk.desk import assets_folder, assets_hash  # noqa: E402

QUEUE = 16
EMPTY: dict[str, Any] = {
    "answers": [],
    "drafts": {},
    "leases": {},
    "released": [],
    "taken": [],
    "fail": None,
    "delay_s": 0,
    "refuse": {},
    "requests": [],
}


class Stub:
    """What is stored, kept in a file so that a killed server comes back as it was."""

    def __init__(self, path: Path, clips: stub_tasks.Clips):
        self.path = path
        self.clips = clips
        self.state = EMPTY | (json.loads(path.read_text()) if path.exists() else {})

    def save(self) -> None:
        """The state on disk, whole."""
        temporary = self.path.with_suffix(".part")
        temporary.write_text(json.dumps(self.state))
        temporary.replace(self.path)

    def answered(self, task: int, person: str) -> dict[int, dict[str, Any]]:
        """A person's current answer per item."""
        own = [a for a in self.state["answers"] if a["person"] == person and a["task"] == task]
        return {answer["item"]: answer for answer in own}

    def item(self, number: int) -> dict[str, Any]:
        """One item as the desk gets it."""
        task, k = divmod(number, 1000)
        return {
            "id": number,
            "lease": number * 10,
            "label": f"count {k}",
            "stage": stub_tasks.stage(task, k, self.clips),
            "values": stub_tasks.values(task, k),
            "draft": None,
            "answer": None,
            **stub_tasks.extras(task, k),
        }

    def lease(self, task: int, person: str, have: list[int]) -> list[dict[str, Any]]:
        """Items for a person: those with a draft or a lease first."""
        done, given = self.answered(task, person), []
        for k in range(1, stub_tasks.TASKS[task]["items"] + 1):
            number = task * 1000 + k
            if len(given) + len(have) >= QUEUE:
                break
            if number in done or number in have or number in self.state["taken"]:
                continue
            draft = self.state["drafts"].get(f"{person}/{number}")
            given.append(self.item(number) | {"draft": draft})
        return given

    def progress(self, task: int, person: str) -> dict[str, Any]:
        """The person's numbers."""
        done = self.answered(task, person)
        own = [a for a in self.state["answers"] if a["person"] == person and a["task"] == task]
        numbers = [task * 1000 + k + 1 for k in range(stub_tasks.TASKS[task]["items"])]
        free = [n for n in numbers if n not in done and n not in self.state["taken"]]
        active = sum(answer["active_s"] for answer in own)
        return {
            "done": len(done),
            "open_for_me": len(free),
            "total": len(numbers),
            "active_s": active,
            "pay": 15.0 * active / 3600,
        }

    def store(self, task: int, person: str, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Receipts, one per answer; an uid that is known is not stored twice."""
        results = []
        for answer in given:
            reason = self.state["refuse"].get(str(answer["item"]))
            if any(old["uid"] == answer["uid"] for old in self.state["answers"]):
                status = "again"
            elif reason:
                status = "refused"
            else:
                status = "stored"
                self.state["answers"].append({**answer, "person": person, "task": task})
                self.state["drafts"].pop(f"{person}/{answer['item']}", None)
            told = stub_tasks.feedback(task, answer["item"] % 1000, answer["response"])
            receipt = {"uid": answer["uid"], "status": status, "reason": reason or ""}
            results.append(receipt | told)
        self.save()
        return results


def routes(stub: Stub) -> list[Route | Mount]:
    """The desk's routes, the media, the bare page and the levers."""

    async def open_desk(request: Request) -> dict[str, Any]:
        task, person = where(request)
        done = stub.answered(task, person)
        mine = [
            {
                "item": number,
                "answered_at": answer["answered_at"],
                "skipped": answer["response"] is None,
                "label": f"count {number % 1000}",
            }
            for number, answer in done.items()
        ]
        return {
            "task": stub_tasks.header(task),
            "person": {"id": person, "name": person},
            "items": stub.lease(task, person, []),
            "mine": mine,
            "idle": stub_tasks.TASKS[task].get("idle"),
            "progress": stub.progress(task, person),
        }

    async def lease(request: Request) -> dict[str, Any]:
        task, person = where(request)
        have = (await request.json())["have"]
        return {
            "items": stub.lease(task, person, have),
            "idle": stub_tasks.TASKS[task].get("idle"),
            "progress": stub.progress(task, person),
        }

    async def release(request: Request) -> dict[str, Any]:
        stub.state["released"] += (await request.json())["items"]
        stub.save()
        return {}

    async def answers(request: Request) -> dict[str, Any]:
        task, person = where(request)
        given = (await request.json())["answers"]
        return {
            "results": stub.store(task, person, given),
            "progress": stub.progress(task, person),
        }

    async def draft(request: Request) -> dict[str, Any]:
        task, person = where(request)
        body = await request.json()
        if body["item"] not in stub.answered(task, person):
            kept = {"response": body["response"], "active_s": body["active_s"]}
            stub.state["drafts"][f"{person}/{body['item']}"] = kept
        stub.save()
        return {}

    async def item(request: Request) -> dict[str, Any]:
        task, person = where(request)
        number = int(request.path_params["item"])
        given = stub.answered(task, person).get(number)
        answer = given and {"response": given["response"], "skip": given["skip"]}
        return stub.item(number) | {"answer": answer}

    def desk(path: str, action: Any, method: str) -> Route:
        async def handle(request: Request) -> Response:
            stub.state["requests"].append([method, path, time.time()])
            await asyncio.sleep(stub.state["delay_s"])
            if stub.state["fail"]:
                words = "made to fail"
                return JSONResponse({"error": words}, stub.state["fail"])
            if method == "POST" and path != "/release" and "x-rushes" not in request.headers:
                return JSONResponse({"error": "The header X-Rushes is absent."}, 400)
            return JSONResponse(await action(request))

        return Route("/desk/tasks/{task:int}" + path, handle, methods=[method])

    return [
        desk("", open_desk, "GET"),
        desk("/lease", lease, "POST"),
        desk("/release", release, "POST"),
        desk("/answers", answers, "POST"),
        desk("/draft", draft, "POST"),
        desk("/items/{item:int}", item, "GET"),
        *levers(stub),
        *media(stub),
    ]


def where(request: Request) -> tuple[int, str]:
    """Task and person of a request; here the person's cookie is their name."""
    return request.path_params["task"], request.cookies.get("person", "ada")


def levers(stub: Stub) -> list[Route | Mount]:
    """The bare page, and what a test turns or reads."""

    async def page(request: Request) -> Response:
        query = request.query_params
        text = (HERE / "bare.html").read_text()
        data = {
            "base": "/desk",
            "task": int(query.get("task", 1)),
            "person": query.get("person", "ada"),
            "assets": f"/desk/assets/{assets_hash()}/",
        }
        if "workspace" in query:
            data["workspace"] = query["workspace"]
        text = text.replace("THEME", query.get("theme", "light"))
        reply = HTMLResponse(text.replace("DATA", json.dumps(data)))
        reply.set_cookie("person", query.get("person", "ada"))
        return reply

    async def state(request: Request) -> Response:
        return JSONResponse(stub.state)

    async def change(request: Request) -> Response:
        stub.state |= await request.json()
        stub.save()
        return JSONResponse({})

    return [
        Route("/", page),
        Route("/stub/state", state),
        Route("/stub/set", change, methods=["POST"]),
        Mount(f"/desk/assets/{assets_hash()}", StaticFiles(directory=assets_folder())),
    ]


def media(stub: Stub) -> list[Route | Mount]:
    """Pictures drawn on request, and the two clips."""

    async def drawn(request: Request) -> Response:
        name, file = request.path_params["name"], request.path_params["file"]
        parts = re.fullmatch(r"(\d+)-(\d+)-(\d+)-(\d+)-(\d+)x(\d+)", name)
        if not parts:
            return Response(status_code=404)
        task, k, count, columns, width, height = map(int, parts.groups())
        hue = 37 * k + 11 * task
        if file == "sheet.jpg":
            data = stub_media.sheet(f"{k}:", count, columns, (width, height), hue)
        else:
            i = int(file.partition(".")[0])
            image = stub_media.picture(f"{k}: {i + 1}", i, 3 * width, 3 * height, hue)
            data = stub_media.jpeg(image)
        cache = {"Cache-Control": "private, max-age=86400, immutable"}
        return Response(data, media_type="image/jpeg", headers=cache)

    return [
        Mount("/pictures/clips", StaticFiles(directory=stub.clips.folder)),
        Route("/pictures/{name}/{file}", drawn),
    ]


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--state", type=Path, required=True)
    given = parser.parse_args()
    stub = Stub(given.state, stub_tasks.Clips(given.state.parent / "clips"))
    uvicorn.run(Starlette(routes=routes(stub)), port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
