"""Items with known answers: where they are mixed in, and how well people do on them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, TypeVar

from annotations import task as tasks
from annotations.workspace import Workspace
from core.stored_json import stored_json

LEAST_DISTANCE = 3

T = TypeVar("T")


def distance(work: int, attention: int) -> float:
    """How many items of work lie between two attention items on average, at least three.

    Args:
        work: items of work that a person has done or can still do.
        attention: attention items of the task.
    """
    return max(float(LEAST_DISTANCE), work / (attention + 1))


def reached(work: int, attention: int) -> int:
    """How many of the attention items come before the work is done."""
    return min(attention, int(work / distance(work, attention))) if work else 0


def due(number: int, every: float, seed: str) -> int:
    """After how many items of work an attention item comes: drawn in a stretch of its own.

    At even distances they could be told from work by counting.

    Args:
        number: of the attention item, from 0.
        every: the distance, which is the length of a stretch.
        seed: of the draw, such as task and person.
    """
    begin = int(number * every)
    width = max(1, int((number + 1) * every) - begin)
    drawn = hashlib.sha256(f"attention/{seed}/{number}".encode()).digest()
    return begin + 1 + int.from_bytes(drawn[:4]) % width


def mixed(
    work: Iterable[T],
    attention: Iterable[T],
    *,
    work_done: int,
    met: int,
    every: float,
    seed: str,
    most: int,
) -> list[T]:
    """Work with attention items in between, never two in a row.

    Args:
        work: in order.
        attention: in order, those that the person has not met.
        work_done: items of work that come before these.
        met: attention items that come before these.
        every: the distance.
        seed: of the draw of their places.
        most: attention items that come in all.
    """
    remaining = list(attention)
    result: list[T] = []

    def add_what_is_due() -> None:
        nonlocal met
        if remaining and met < most and work_done >= due(met, every, seed):
            result.append(remaining.pop(0))
            met += 1

    for item in work:
        add_what_is_due()
        result.append(item)
        work_done += 1
    add_what_is_due()
    return result


def attention_accuracy(workspace: Workspace) -> dict[int, tuple[int, int]]:
    """Right answers and all answers to attention items, by annotator; skips are left out."""
    rights: defaultdict[int, list[bool]] = defaultdict(list)
    for row in workspace.store.rows(
        "SELECT a.annotator_id, a.response, i.expected, t.kind, t.settings FROM item i"
        " JOIN current_annotation a ON a.item_id = i.id JOIN task t ON t.id = i.task_id"
        " WHERE i.role = 'attention' AND i.status = 'open' AND i.expected IS NOT NULL"
        " AND a.skip_reason IS NULL"
    ):
        right, _ = judged(
            row["kind"],
            stored_json(row["response"]),
            json.loads(row["expected"]),
            json.loads(row["settings"]),
        )
        rights[row["annotator_id"]].append(right)
    return {person: (sum(rights), len(rights)) for person, rights in rights.items()}


def judged(
    kind: str, response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether a response is right by the known answer, with what there is to say beyond that."""
    right, words = tasks.kind(kind).feedback(response, expected, settings)
    return right, words.removeprefix("Right.").lstrip()
