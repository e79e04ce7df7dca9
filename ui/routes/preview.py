"""The desk as an annotator would see it, for authors: answers are checked and never stored."""

from collections import defaultdict
from threading import Lock
from typing import Any

from starlette.routing import Route

from annotations import task as tasks
from annotations.answering.answer_store import Answer, checked_response
from annotations.answering.attention import judged
from annotations.answering.progress import open_task
from annotations.answering.queue import seed_of
from annotations.people import Person
from annotations.planning.first_items import in_order
from annotations.record.item import Item
from annotations.record.shown import Shown
from annotations.record.stage import Content
from annotations.record.task import Task
from annotations.shown_places import content_for_desk, response_for_desk
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from ui.access import AUTHORS
from ui.languages import ENGLISH
from ui.routes.body import integers
from ui.routes.desk import MOST_HELD, QUEUE_LENGTH, Desk, server_routes
from ui.routes.desk_json import answers_of, as_stored, item_facts
from ui.routes.stages import Stages

BASE = "/desk/preview"


class Preview:
    """Answers a desk like `Desk`, but what is answered lives here until it is opened again."""

    def __init__(self, workspace: Workspace, preparer: Preparer):
        """Keep a desk for what both show alike."""
        self.workspace = workspace
        self.preparer = preparer
        self.desk = Desk(workspace, preparer)
        self._answers: defaultdict[tuple[int, int], dict[int, Answer]] = defaultdict(dict)
        self._lock = Lock()

    def open(
        self, person: Person, task_id: int, language: str = ENGLISH, window: str = ""
    ) -> dict[str, Any]:
        """All that the desk needs to begin, from the first item on.

        Raises:
            Missing: if there is no such task.
        """
        del window
        task = self._task(task_id)
        with self._lock:
            self._answers[person.id, task_id] = {}
        items = self._items(person, task, frozenset())
        progress = self._progress(person, task_id)
        return {
            "task": self.desk.task_facts(task, language) | {"status": "open", "preview": True},
            "person": {"id": person.id, "name": person.name},
            "items": items,
            "mine": [],
            "progress": progress,
            "idle": None if items else _idle(progress),
        }

    def lease(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """More items."""
        have = frozenset(integers(body, "have", MOST_HELD, optional=True))
        items = self._items(person, self._task(task_id), have)
        progress = self._progress(person, task_id)
        idle = None if items or have else _idle(progress)
        return {"items": items, "gone": [], "progress": progress, "idle": idle}

    def release(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Nothing was taken, so nothing is given back."""
        del person, task_id, body
        return {}

    def draft(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Nothing is kept."""
        del person, task_id, body
        return {}

    def answer(self, person: Person, task_id: int, body: dict[str, Any]) -> dict[str, Any]:
        """Receipts as for real answers, with feedback wherever the answer is known."""
        task = self._task(task_id)
        items = {item.id: item for item in in_order(self.workspace, task_id)}
        results = [self._receipt(person, task, items, answer) for answer in answers_of(body)]
        return {"results": results, "progress": self._progress(person, task_id)}

    def item(self, person: Person, task_id: int, item_id: int) -> dict[str, Any]:
        """One item that was answered in this preview.

        Raises:
            LookupError: if it was not.
        """
        task = self._task(task_id)
        answer = self._answers[person.id, task_id].get(item_id)
        if answer is None:
            raise Missing("You have not answered this item in this preview.")
        item = next(item for item in in_order(self.workspace, task_id) if item.id == item_id)
        shown, content = self._shown(person, task, item)
        response = response_for_desk(task.kind, answer.response or {}, shown)
        stored = {"response": response, "skip": answer.skip}
        return {**self._facts(person, item, content), "draft": None, "answer": stored}

    def _task(self, task_id: int) -> Task:
        return open_task(self.workspace, task_id)

    def _items(self, person: Person, task: Task, have: frozenset[int]) -> list[dict[str, Any]]:
        known = have | self._answers[person.id, task.id].keys()
        items: list[dict[str, Any]] = []
        for item in in_order(self.workspace, task.id):
            if len(items) + len(have) >= QUEUE_LENGTH:
                break
            if item.id in known:
                continue
            try:
                _, content = self._shown(person, task, item)
            except (Refusal, OSError):
                continue  # as in the queue: what cannot be shown is not handed out
            items.append({**self._facts(person, item, content), "draft": None, "answer": None})
        return items

    def _facts(self, person: Person, item: Item, content: Content) -> dict[str, Any]:
        return item_facts(Stages(self.workspace, self.preparer, person), item, item.id, content)

    def _shown(self, person: Person, task: Task, item: Item) -> tuple[Shown, Content]:
        kind = tasks.kind(task.kind)
        seed = seed_of(item, person)
        shown = kind.show(self.workspace, item, task.settings, seed)
        content = kind.content(self.workspace, item, shown)
        return shown, content_for_desk(task.kind, content, shown)

    def _receipt(
        self, person: Person, task: Task, items: dict[int, Item], answer: Answer
    ) -> dict[str, Any]:
        receipt: dict[str, Any] = {
            "uid": answer.uid, "status": "refused", "reason": "", "revision": None,
            "feedback": None,
        }  # fmt: skip
        item = items.get(answer.item_id)
        if item is None:
            return receipt | {"reason": "This item is not in the task any more."}
        try:
            shown, _ = self._shown(person, task, item)
            answer = as_stored(task, answer, shown)
            response = checked_response(task, answer, shown)
        except Refusal as error:
            return receipt | {"reason": str(error)}
        answers = self._answers[person.id, task.id]
        again = item.id in answers
        answers[item.id] = answer
        if item.expected and answer.skip is None:
            right, explanation = judged(task.kind, response, item.expected, task.settings)
            receipt["feedback"] = {
                "right": right,
                "words": explanation,
                "expected": response_for_desk(task.kind, item.expected, shown),
            }
        return receipt | {"status": "stored", "revision": 2 if again else 1}

    def _progress(self, person: Person, task_id: int) -> dict[str, Any]:
        answers = self._answers[person.id, task_id].values()
        skipped = sum(answer.skip is not None for answer in answers)
        total = len(in_order(self.workspace, task_id))
        return {
            "done": len(answers) - skipped,
            "skipped": skipped,
            "active_s": 0.0,
            "open_for_me": total - len(answers),
            "total": total,
            "pay": 0.0,
        }


def _idle(progress: dict[str, Any]) -> dict[str, Any]:
    """Why no item is shown: all were answered, or what is left cannot be shown yet."""
    return {"reason": "not_ready" if progress["open_for_me"] else "done", "next": None}


def preview_routes(workspace: Workspace, preparer: Preparer) -> list[Route]:
    """The preview's addresses under `/desk/preview/tasks/TASK`."""
    return server_routes(workspace, Preview(workspace, preparer), BASE, AUTHORS)
