"""What the desk asks for: leases, answers, drafts. The server checks everything again."""

import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from annotations import task as tasks
from annotations.answering import answer_store, availability, queue
from annotations.answering.idle import idle_reason
from annotations.answering.own_answers import own_answer, own_answers, own_drafts
from annotations.answering.progress import hourly_rate, open_task, progress, progress_in
from annotations.people import Person
from annotations.planning.own_tasks import next_task
from annotations.record.lease import shown_in_leases
from annotations.record.task import Task
from annotations.shown_places import content_for_desk, response_for_desk
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from core.refusal import Missing
from ui.access import EVERYBODY
from ui.form import form
from ui.languages import ENGLISH, instructions
from ui.routes.body import holds_items, integer, integers, number, record, text
from ui.routes.desk_json import answers_of, as_stored, instructions_html, item_facts, receipt_facts
from ui.routes.handled import answered
from ui.routes.language import language_of_desk
from ui.routes.stages import Stages
from ui.routes.windows import Windows
from ui.sentences import translated

LOG = logging.getLogger(__name__)
QUEUE_LENGTH = 16
MOST_HELD = 64
SKIP_REASONS = (
    "The video or the frames do not show",
    "The question makes no sense",
    "No option is right",
    "Too dark, small or blurred to tell",
)


class Desk:
    """The desk's server side for one workspace; each method answers one kind of request."""

    def __init__(self, workspace: Workspace, preparer: Preparer):
        """Keep the workspace and the preparer of frame images."""
        self.workspace = workspace
        self.preparer = preparer
        self.windows = Windows(workspace.settings.lease_s)

    def open(
        self, person: Person, task_id: int, language: str = ENGLISH, window: str = ""
    ) -> dict[str, Any]:
        """Return what the desk needs to begin: task, items, own answers, progress."""
        task = open_task(self.workspace, task_id)
        items = self._lease(person, task, frozenset(), window)
        mine = own_answers(self.workspace, task_id, person)
        return {
            "task": self.task_facts(task, language),
            "person": {"id": person.id, "name": person.name},
            "items": items,
            "mine": [
                {
                    "item": past.item_id,
                    "answered_at": past.answered_at,
                    "skipped": bool(past.skipped),
                    "label": past.uid.partition(":")[2].replace("/", " "),
                }
                for past in mine
            ],
            "progress": progress(self.workspace, task_id, person, task),
            "idle": None if items else self._idle(person, task_id),
        }

    def task_facts(self, task: Task, language: str = ENGLISH) -> dict[str, Any]:
        """Return the facts of a task that the desk uses; texts of the form in a language."""
        settings = self.workspace.settings
        return {
            "id": task.id,
            "name": task.name,
            "kind": task.kind,
            "status": task.status,
            "condition": task.settings.get("condition", ""),
            "instructions": instructions_html(
                task.instructions or instructions(task.kind, task.settings, language)
            ),
            "form": translated(form(task.kind, task.settings), language),
            "skip_reasons": list(SKIP_REASONS),
            "lease_s": settings.lease_s,
            "idle_s": settings.idle_s,
            "rate": hourly_rate(self.workspace, task),
            "currency": settings.currency,
            "pay": settings.show_pay,
            "preview": False,
        }

    def lease(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Return more items for the desk, and which of those it has are not open any more."""
        have = frozenset(integers(body, "have", MOST_HELD, optional=True))
        stale = queue.stale(self.workspace, person, have)
        have -= stale
        window = _window(text(body, "window", ""))
        task = open_task(self.workspace, task_id)
        items = self._lease(person, task, have, window)
        with self.workspace.store.read() as database:
            names = availability.names(database, task, person)
            gone = queue.gone_in(database, names, have)
            stands = progress_in(database, names, hourly_rate(self.workspace, task))
        return {
            "items": items,
            "idle": None if items or have else self._idle(person, task_id),
            "gone": sorted({*gone, *stale}),
            "progress": stands,
        }

    def release(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """End the leases of items that were not begun, but for what another window holds."""
        del task_id
        items = integers(body, "items", MOST_HELD)
        window = _window(text(body, "window", ""))
        queue.release(self.workspace, person, self.windows.let_go(person.id, window, items))
        return {}

    def answer(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Store answers; what has a receipt other than 'refused' is on the disk."""
        task = open_task(self.workspace, task_id)
        sent = answers_of(body)
        with self.workspace.store.single() as database:
            shown = shown_in_leases(database, person.id, (answer.lease_id for answer in sent))
        answers = [as_stored(task, answer, shown.get(answer.lease_id)) for answer in sent]
        receipts = answer_store.store(self.workspace, task_id, person, answers)
        return {
            "results": [
                receipt_facts(task, receipt, shown.get(answer.lease_id))
                for answer, receipt in zip(answers, receipts, strict=True)
            ],
            "progress": progress(self.workspace, task_id, person, task),
        }

    def draft(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Store the draft of an answer."""
        del task_id
        answer_store.save_draft(
            self.workspace,
            person,
            integer(body, "item"),
            integer(body, "lease"),
            json.dumps(record(body, "response")),
            number(body, "active_s"),
        )
        return {}

    def item(self, person: Person, task_id: int, item_id: int) -> dict[str, Any]:
        """Return one item that the person answered, to look at and to correct.

        Raises:
            LookupError: if they have not answered it.
        """
        past = own_answer(self.workspace, task_id, person, item_id)
        if past is None:
            raise Missing("You have not answered this item.")
        annotation = past.annotation
        kind, shown = annotation.task_kind, annotation.shown
        answer = {
            "response": response_for_desk(kind, annotation.response, shown),
            "skip": annotation.skip_reason,
        }
        stages = Stages(self.workspace, self.preparer, person)
        content = content_for_desk(kind, past.content, shown)
        facts = item_facts(stages, past.item, annotation.lease_id or 0, content)
        return {**facts, "draft": None, "answer": answer}

    def _idle(self, person: Person, task_id: int) -> dict[str, Any]:
        """Why there is nothing for a person, and the task to go on with."""
        following = next_task(self.workspace, person, task_id)
        return {
            "reason": idle_reason(self.workspace, task_id, person),
            "next": following and {"id": following.id, "name": following.name},
        }

    def _lease(
        self, person: Person, task: Task, have: frozenset[int], window: str
    ) -> list[dict[str, Any]]:
        wanted = max(0, QUEUE_LENGTH - len(have))
        handed = queue.lease(
            self.workspace,
            task.id,
            person,
            wanted,
            have=have,
            ready=self.preparer.ready,
            task=task,
        )
        pairs = [(row.item, row.shown) for row in handed]
        contents = tasks.content_many(tasks.kind(task.kind), self.workspace, pairs)
        drafts = own_drafts(self.workspace, person, handed)
        stages = Stages(self.workspace, self.preparer, person)
        stages.look_up(content.stage for content in contents)
        result: list[dict[str, Any]] = []
        for row, drawn in zip(handed, contents, strict=True):
            content = content_for_desk(task.kind, drawn, row.shown)
            try:
                facts = item_facts(stages, row.item, row.lease.id, content, row.remark)
            except OSError:  # a lost folder costs its own items, not the desk
                LOG.warning("item %s has lost its media", row.item.id, exc_info=True)
                continue
            draft = drafts.get(row.item.id)
            if draft is not None:
                response = response_for_desk(task.kind, draft.response, row.shown)
                draft = {"response": response, "active_s": draft.active_s}
            result.append({**facts, "draft": draft, "answer": None})
        self.windows.hold(person.id, window, have | {item["id"] for item in result})
        return result


def _window(name: str) -> str:
    """Return the name of a browser's window, cut to what is kept."""
    return name[:64]


class Server(Protocol):
    """What answers a desk: the desk itself, or a preview of it."""

    def open(
        self, person: Person, task_id: int, language: str = ENGLISH, window: str = ""
    ) -> dict[str, Any]:
        """Return what the desk needs to begin: task, items, own answers, progress."""
        ...

    def item(self, person: Person, task_id: int, item_id: int) -> dict[str, Any]:
        """One item that was answered."""
        ...

    def lease(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """More items."""
        ...

    def release(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Items given back."""
        ...

    def answer(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Receipts of answers."""
        ...

    def draft(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Store the draft of an answer."""
        ...


def desk_routes(workspace: Workspace, preparer: Preparer) -> list[Route]:
    """The desk's addresses under `/desk/tasks/TASK`."""
    return server_routes(workspace, Desk(workspace, preparer), "/desk", EVERYBODY)


def server_routes(
    workspace: Workspace, desk: Server, base: str, roles: frozenset[str]
) -> list[Route]:
    """Addresses under `BASE/tasks/TASK` that a desk with this base asks."""

    def posted(
        method: Callable[[Person, int, dict[str, Any]], dict[str, Any]],
        is_ahead: Callable[[bytes], bool] = lambda sent: False,
    ):
        async def handle(request: Request) -> Response:
            return await answered(workspace, request, method, roles, is_ahead)

        return handle

    async def open_desk(request: Request) -> Response:
        language = language_of_desk(request)
        window = _window(request.headers.get("x-rushes-window", ""))
        return await answered(
            workspace, request, lambda p, task, body: desk.open(p, task, language, window), roles
        )

    async def item(request: Request) -> Response:
        number = request.path_params["item"]
        return await answered(
            workspace, request, lambda p, task, body: desk.item(p, task, number), roles
        )

    task = base + "/tasks/{task:int}"
    return [
        Route(task, open_desk),
        Route(task + "/items/{item:int}", item),
        Route(task + "/lease", posted(desk.lease, holds_items), methods=["POST"]),
        Route(task + "/release", posted(desk.release), methods=["POST"]),
        Route(task + "/answers", posted(desk.answer), methods=["POST"]),
        Route(task + "/draft", posted(desk.draft), methods=["POST"]),
    ]
