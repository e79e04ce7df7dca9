"""Requests of the page Failures: cards, frames, tags, changed keys. Authors only."""

import random
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from annotations.failure import (
    failed_answer,
    failure_cards,
    failure_key,
    failure_tags,
    failure_wall,
)
from annotations.failure.failures import (
    ORDERS,
    OUTCOMES,
    PEOPLE,
    RUNS,
    TAGGED,
    FailureFilter,
    WrongAnswers,
)
from annotations.people import Person
from annotations.scoring.prediction_columns import STATES
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import Snapshot, take
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import AUTHORS
from ui.routes.body import integer, integers, number, record, text, texts
from ui.routes.failure_listings import Listings
from ui.routes.failure_views import view_route
from ui.routes.handled import handled
from ui.routes.media import small_sheet_address
from ui.routes.stages import Stages

BASE = "/desk/failures"
MOST_CARDS = 100
MOST_TAGGED = 5_000
MOST_COMPARED = 100
MOST_CLASSES = 100
MOST_TAGGED_AT_ONCE = 200

Json = dict[str, Any]


class Room:
    """The server side of the failures; each method answers one kind of request."""

    def __init__(self, workspace: Workspace, preparer: Preparer):
        """Keep the workspace, and what makes stills."""
        self.workspace = workspace
        self.preparer = preparer
        self._listings = Listings()

    def open(self, person: Person, body: Json) -> Json:
        """All that the room needs to begin."""
        del body
        snapshot = take(self.workspace)
        table = snapshot.predictions
        answering = set(np.unique(table.run).tolist())  # others answer no questions
        runs = [run for number, run in enumerate(table.runs) if number in answering]
        tags: dict[str, dict[str, None]] = {}
        categories: dict[str, None] = {}
        for question in table.people.current:
            categories.setdefault(question.category)
            for name, value in question.tags.items():
                tags.setdefault(name, {}).setdefault(value)
        return {
            "person": {"id": person.id, "name": person.name},
            "runs": [
                {
                    "id": run.id,
                    "name": run.name,
                    "model": run.model,
                    "condition": run.condition or run.task,
                    "errors": run.errors,
                }
                for run in runs
            ],
            "conditions": list(dict.fromkeys(run.condition for run in runs if run.condition)),
            "categories": list(categories),
            "tags": [f"{name}: {value}" for name, values in tags.items() for value in values],
            "states": list(STATES),
            "outcomes": OUTCOMES,
            "people": PEOPLE,
            "others": RUNS,
            "tagged": TAGGED,
            "orders": ORDERS,
            "standing": failure_key.standing(table),
            **_population(snapshot),
            **self._tagging(),
        }

    def _tagging(self) -> Json:
        return {
            "tagging": [asdict(task) for task in failure_tags.tagging_tasks(self.workspace)],
            "usual": failure_tags.usual_classes(),
            "own_task": failure_tags.OWN_TASK,
        }

    def page(self, person: Person, body: Json) -> Json:
        """Some cards of a list, which is made if it is not known."""
        del person
        snapshot = take(self.workspace)
        tags = failure_tags.all_tags(snapshot)
        name, listing = self._listed(snapshot, body, tags)
        offset = max(0, integer(body, "offset", 0))
        limit = min(MOST_CARDS, max(1, integer(body, "limit", 20)))
        rows: list[int] = listing.rows[offset : offset + limit].tolist()
        compare = integers(body, "compare", MOST_COMPARED, optional=True)
        cards = failure_cards.page(snapshot, listing.table, tags, rows, compare)
        return {
            "listing": name,
            "offset": offset,
            "total": len(listing.rows),
            "pool": listing.pool,
            "wrong": listing.wrong,
            **vars(cards),
        }

    def wall(self, person: Person, body: Json) -> Json:
        """Some questions of a list, each once, with what was seen and every run's answer."""
        snapshot = take(self.workspace)
        tags = failure_tags.all_tags(snapshot)
        name, listing = self._listed(snapshot, body, tags, once=True)
        offset = max(0, integer(body, "offset", 0))
        limit = min(MOST_CARDS, max(1, integer(body, "limit", 40)))
        rows: list[int] = listing.rows[offset : offset + limit].tolist()
        cards = failure_wall.wall(snapshot, self.workspace.media, listing.table, tags, rows)
        return {
            "listing": name,
            "offset": offset,
            "total": len(listing.rows),
            "pool": listing.pool,
            "wrong": listing.wrong,
            "questions": {},
            "cards": [card.facts | {"picture": self._picture(person, card)} for card in cards],
        }

    def _picture(self, person: Person, card: failure_wall.WallCard) -> str | None:
        if card.picture is None:
            return None
        sha256, frames = card.picture.sha256, card.picture.frames
        return small_sheet_address(self.workspace, person, sha256, frames)

    def _listed(
        self, snapshot: Snapshot, body: Json, tags: failure_tags.Tags, *, once: bool = False
    ) -> tuple[str, WrongAnswers]:
        name = body.get("listing")
        known = self._listings.known(name)
        if known is not None:
            return str(name), known
        wanted = FailureFilter.from_json(record(body, "filter", {}))
        return self._listings.make(snapshot, tags, replace(wanted, once=True) if once else wanted)

    def stage(self, person: Person, annotation_id: int, whole: bool) -> Json:
        """What the model saw, or the whole clip of it, and what has to be said about it."""
        seen = failed_answer.seen(self.workspace, annotation_id)
        stage = failed_answer.stage(self.workspace, seen)
        note = failed_answer.not_known(self.workspace, seen)
        moving = failed_answer.has_video(self.workspace, seen)
        if whole and moving:
            stage, note = failed_answer.clip(seen), ""
        drawn = Stages(self.workspace, self.preparer, person).json(stage)
        if drawn["type"] == "none" and not drawn["note"]:
            drawn["note"] = note
        return {"stage": drawn, "note": note, "clip": moving}

    def reply(self, annotation_id: int) -> Json:
        """All that the model replied."""
        return {"reply": failure_cards.whole_reply(take(self.workspace), annotation_id)}

    def tag(self, person: Person, body: Json) -> Json:
        """Keep what the person says of a failure."""
        annotation_id = integer(body, "prediction")
        failure_tags.tag(
            self.workspace,
            person,
            annotation_id,
            texts(body, "classes", MOST_CLASSES),
            text(body, "note", ""),
            uid=text(body, "uid"),
            task_id=None if body.get("task") is None else integer(body, "task"),
            active_s=number(body, "active_s", 0.0),
        )
        tags = failure_tags.all_tags(take(self.workspace))
        return {"tags": failure_cards.tags_json(tags, annotation_id), **self._tagging()}

    def tag_several(self, person: Person, body: Json) -> Json:
        """Keep the same of several failures; those that cannot be tagged cost themselves."""
        numbers = integers(body, "predictions", MOST_TAGGED_AT_ONCE)
        classes, note = texts(body, "classes", MOST_CLASSES), text(body, "note", "")
        uid = text(body, "uid")
        task_id = None if body.get("task") is None else integer(body, "task")
        refused: dict[str, list[int]] = {}
        for number_of in numbers:
            try:
                failure_tags.tag(self.workspace, person, number_of, classes, note,
                                 uid=f"{uid}-{number_of}", task_id=task_id)  # fmt: skip
            except Refusal as refusal:
                refused.setdefault(str(refusal), []).append(number_of)
        tags = failure_tags.all_tags(take(self.workspace))
        return {
            "tags": {number_of: sorted(tags.classes.get(number_of, ())) for number_of in numbers},
            "refused": [
                {"why": why, "predictions": numbers_of} for why, numbers_of in refused.items()
            ],
            **self._tagging(),
        }

    def key(self, person: Person, body: Json) -> Json:
        """Change a question's key; how every run stands afterwards."""
        message = failure_key.fix_key(
            self.workspace,
            person,
            integer(body, "question"),
            seen_revision=integer(body, "revision"),
            key=integer(body, "key"),
            reason=text(body, "reason", ""),
        )
        table = take(self.workspace).predictions
        self._listings.move_to(table)
        return {"words": message, "standing": failure_key.standing(table)}

    def task(self, person: Person, body: Json) -> Json:
        """Make a task in which people tag what is listed."""
        del person
        snapshot = take(self.workspace)
        tags = failure_tags.all_tags(snapshot)
        _, listing = self._listed(snapshot, body, tags)
        table = listing.table
        rows = listing.rows[(table.scored & ~table.right)[listing.rows]]
        ids: list[int] = table.annotation_id[rows].tolist()
        limit = min(MOST_TAGGED if body.get("most") is None else integer(body, "most"), MOST_TAGGED)
        if len(ids) > limit and body.get("draw"):
            kept = sorted(random.Random(text(body, "name")).sample(range(len(ids)), limit))
            ids = [ids[index] for index in kept]
        task_id = failure_tags.tag_these(
            self.workspace, text(body, "name"), ids[:limit], integer(body, "overlap", 2)
        )
        return {"task": task_id, "items": len(ids[:limit]), **self._tagging()}

    def history(self, question_id: int) -> Json:
        """How a question came to be what it is."""
        return failure_key.question_history(self.workspace, question_id)


def _population(snapshot: Snapshot) -> Json:
    """Whose answers "people are right" stands on in sentences, and how many are left out."""
    stands_on = population(snapshot)
    return {
        "population": [stands_on.words, *stands_on.sentences()],
        "left_out": sum(count for _, count in stands_on.answers),
    }


def failure_routes(workspace: Workspace, preparer: Preparer) -> list[Route]:
    """The room's addresses under `/desk/failures`."""
    room = Room(workspace, preparer)

    def answering(method: Callable[[Person, Json], Json]):
        async def handle(request: Request) -> Response:
            return await handled(workspace, request, method, AUTHORS, preface="")

        return handle

    async def stage(request: Request) -> Response:
        number, whole = request.path_params["id"], "whole" in request.query_params
        return await answering(lambda person, body: room.stage(person, number, whole))(request)

    async def reply(request: Request) -> Response:
        number = request.path_params["id"]
        return await answering(lambda person, body: room.reply(number))(request)

    async def history(request: Request) -> Response:
        number = request.path_params["id"]
        return await answering(lambda person, body: room.history(number))(request)

    return [
        Route(BASE, answering(room.open)),
        Route(f"{BASE}/page", answering(room.page), methods=["POST"]),
        Route(f"{BASE}/stages/{{id:int}}", stage),
        Route(f"{BASE}/replies/{{id:int}}", reply),
        Route(f"{BASE}/questions/{{id:int}}", history),
        Route(f"{BASE}/wall", answering(room.wall), methods=["POST"]),
        Route(f"{BASE}/tags", answering(room.tag_several), methods=["POST"]),
        Route(f"{BASE}/tag", answering(room.tag), methods=["POST"]),
        Route(f"{BASE}/key", answering(room.key), methods=["POST"]),
        Route(f"{BASE}/task", answering(room.task), methods=["POST"]),
        view_route(workspace, BASE),
    ]
