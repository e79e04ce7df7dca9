"""What a simulated filter said of all footage, and two people of a part of it: made up.

No model was run. With it the pages Filters and Pipeline have something to say.
"""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from annotations import task as kinds
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.demo.clips import CLIPS
from annotations.demo.earlier import PEOPLE
from annotations.demo.tasks_b import COPY
from annotations.people import Person
from annotations.planning.task_store import create_task, grow, set_status
from annotations.record.item import Item, items_of_task
from annotations.run.run_answers import ModelAnswer, store_answers, store_errors
from annotations.run.runs import ensure_run
from annotations.workspace import Workspace
from core.reply.result import Reading

TASK = "Footage: is something alive in it?"
MODEL = "simulated filter (made up for the demo)"
FACTS = {"simulated": True, "words": "Made up for the demo: no model was run."}
ALIVE: dict[str, Any] = {
    "criteria": ["Accept clips in which a person or an animal moves. Here drawings are welcome."],
    "reasons": [
        {"id": "only_things", "label": "Only things", "description": "Nothing in it is alive."},
        {"id": "only_shapes", "label": "Only shapes", "description": "Patterns and figures."},
        {"id": "poor_quality", "label": "Poor picture", "description": "Too dark or too small."},
        {"id": "duplicate", "label": "Duplicate", "description": "It is there already."},
    ],
}
# What people find alive, and what the others are; the rest are things.
LIVING = frozenset(
    ("swinging a ball", "drifting plankton", "yellow glove", "bee", "treadmill", "firefly",
     "finger in the air", "ducks", "band", "clapping", "skipping rope", "glow-worm", "frog")
)  # fmt: skip
SHAPES = frozenset(("two planets", "flower pattern", "gears", "blob", "comets", "bouncing ball"))
DARK = frozenset(("glow-worm", "lighthouse"))
# Where the filter is sure of the wrong thing: small and dark animals, things with faces and arms.
MISTAKEN = {"drifting plankton": 0.22, "glow-worm": 0.18, "hammer": 0.81, "robot vacuum": 0.74}
FAILS = "xylophone", "the reply was no JSON: it ends in the middle of a word"
JUDGED = 26  # of all videos; the rest waits for people
SLIPS = frozenset(("firefly", "desk fan"))  # where the second person sees it another way


def add_earlier_filter(workspace: Workspace) -> int:
    """The id of the run; its task is closed, with all videos and what people said of some."""
    task_id = create_task(workspace, TASK, "screening", ALIVE, 2)
    grow(workspace, task_id)
    with workspace.store.read() as database:
        items = items_of_task(database, task_id)
    _people(workspace, task_id, items)
    set_status(workspace, TASK, "closed")
    run = ensure_run(workspace, MODEL, task_id, "simulated", FACTS)
    module, settings = kinds.kind("screening"), kinds.kind("screening").check_settings(ALIVE)
    shown_by_item = {
        item.id: (_name(item), module.show(workspace, item, settings, "models").facts)
        for item in items
    }
    store_answers(
        workspace,
        run,
        [
            _answer(item, name, facts)
            for item, (name, facts) in shown_by_item.items()
            if name != FAILS[0]
        ],
    )  # fmt: skip
    failed = [item for item, (name, _) in shown_by_item.items() if name == FAILS[0]]
    store_errors(workspace, run, [(item, FAILS[1]) for item in failed])
    return run


def _name(item: Item) -> str:
    """The name of the clip that an item is about."""
    uid = item.uid.removeprefix("video:")
    if uid == COPY:
        return "copy"
    return next(clip.name for clip in CLIPS if uid == f"{clip.demonstration}/{clip.key}")


def verdict_of(name: str) -> dict[str, Any]:
    """What is right to say of a clip."""
    if name in LIVING:
        return {"verdict": "accept", "reasons": [], "note": ""}
    reason = "duplicate" if name == "copy" else "only_shapes" if name in SHAPES else "only_things"
    reasons = [reason, "poor_quality"] if name in DARK else [reason]
    return {"verdict": "reject", "reasons": reasons, "note": ""}


def score_of(name: str) -> float:
    """How much the filter believes that something is alive in it, 0 to 1; equal everywhere."""
    if name in MISTAKEN:
        return MISTAKEN[name]
    middle = 0.72 if name in LIVING or name == "copy" else 0.28
    return round(min(0.98, max(0.02, Random(f"filter {name}").gauss(middle, 0.13))), 3)


def _answer(item: int, name: str, shown: dict[str, Any]) -> ModelAnswer:
    score = score_of(name)
    right = verdict_of(name)
    response: dict[str, Any] = {"verdict": "accept", "reasons": [], "note": ""}
    if score < 0.5:
        # A filter sees one video at a time: it cannot find duplicates, and mixes up two others.
        mixed = Random(f"reason {name}").random() < 0.3
        named = [reason for reason in right["reasons"] if reason != "duplicate"] or ["poor_quality"]
        response = {**response, "verdict": "reject", "reasons": ["only_shapes"] if mixed else named}
    reply = f'{{"verdict": "{response["verdict"]}", "reasons": {response["reasons"]}}}'.replace(
        "'", '"'
    )
    reading = Reading(None, "read", "json", "made up for the demo")
    return ModelAnswer(
        item, None, response, shown, reading, reply,
        {"accept": score, "reject": round(1 - score, 3)}, score, active_s=0.6,
    )  # fmt: skip


def _people(workspace: Workspace, task_id: int, items: list[Item]) -> None:
    """Two people screen a random part, by the ordinary way."""
    rows = workspace.store.rows("SELECT id, name, role FROM annotator WHERE kind = 'person'")
    known = {row["name"]: Person(row["id"], row["name"], row["role"]) for row in rows}
    chosen = Random("screened").sample(items, min(JUDGED, len(items)))
    clock = time.time() - 12 * 3600
    for number, (person, item) in enumerate(_turns(known, chosen)):
        response = verdict_of(_name(item))
        if person.name == PEOPLE[1].name and _name(item) in SLIPS:
            other_clip = "firefly" if response["verdict"] == "reject" else "desk fan"
            response = verdict_of(other_clip)
        handed = queue.hand(workspace, task_id, person, item.id, at=clock)
        clock += 5.0
        answer_store.store(
            workspace,
            task_id,
            person,
            [Answer(f"screened-{number:04}", item.id, handed.lease.id, response, None, 4, clock)],
        )


def _turns(known: dict[str, Person], items: list[Item]) -> Iterator[tuple[Person, Item]]:
    for member in PEOPLE:
        if member.name in known:
            yield from ((known[member.name], item) for item in items)
