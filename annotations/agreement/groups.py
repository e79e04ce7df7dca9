"""By what agreement is grouped and filtered: category and video of items, names of annotators."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from annotations.agreement.votes import TaskVotes
from annotations.scoring.snapshot import Snapshot
from annotations.video.families import FAMILY
from core.statistics.ratings import Bools, Ints

Among = Literal["everybody", "people", "models", "people and models"]
WITH_RUNS: frozenset[Among] = frozenset({"models", "people and models"})
NO_CATEGORY = "no category"

_FACTS = """
  SELECT i.id, {fact} FROM item i LEFT JOIN current_question q ON q.question_id = i.question_id
  LEFT JOIN clip c ON c.id = q.clip_id LEFT JOIN video v ON v.id = coalesce(c.video_id, i.video_id)
  WHERE i.task_id = ? ORDER BY i.position, i.id
"""
_FACT = {
    "category": f"coalesce(nullif(q.category, ''), '{NO_CATEGORY}')",
    "video": f"coalesce({FAMILY}, 'item ' || i.id)",
}


@dataclass(frozen=True)
class Rater:
    """Somebody whose answers are compared: `kind` is 'person' or 'model'; `role` of a person."""

    name: str
    kind: str
    role: str


def tasks_of_runs(snapshot: Snapshot) -> frozenset[int]:
    """Ids of the tasks in which models have answered in runs."""
    return frozenset(
        row[0]
        for row in snapshot.tuples(
            "SELECT r.task_id FROM run r JOIN tally t ON t.what = 'answered' AND t.id = r.id"
            " WHERE t.count > 0"
        )
    )


def item_facts(
    snapshot: Snapshot, votes: TaskVotes, fact: Literal["category", "video"]
) -> tuple[tuple[str, ...], Ints]:
    """The distinct categories or videos of a task's items, in the order of work, and each item's.

    A category is that of the question now; an item about no video at all is its own.
    """
    if fact not in votes.memo:
        stored = snapshot.tuples(_FACTS.format(fact=_FACT[fact]), [votes.task_id])
        ids: list[int] = [row[0] for row in stored]
        texts: list[str] = [row[1] for row in stored]
        codes = {text: code for code, text in enumerate(dict.fromkeys(texts))}
        of = np.full(max(ids, default=-1) + 1, -1)
        of[ids] = [codes[text] for text in texts]
        votes.memo[fact] = tuple(codes), of[votes.items]
    return votes.memo[fact]


def annotators(snapshot: Snapshot, votes: TaskVotes) -> list[Rater]:
    """Who answered, by code."""
    if "people" not in votes.memo:
        stored = snapshot.rows("SELECT id, name, kind, role FROM annotator")
        by_id = {row["id"]: Rater(row["name"], row["kind"], row["role"]) for row in stored}
        votes.memo["people"] = [by_id[annotator_id] for annotator_id in votes.annotators]
    return votes.memo["people"]


def names(snapshot: Snapshot, votes: TaskVotes) -> list[str]:
    """Name of each annotator, by code."""
    return [rater.name for rater in annotators(snapshot, votes)]


def chosen_among(snapshot: Snapshot, votes: TaskVotes, among: Among) -> Bools:
    """Which answers are of those that are asked for."""
    people = np.array(
        [rater.kind == "person" for rater in annotators(snapshot, votes)], dtype=np.bool_
    )
    if among in ("everybody", "people and models"):
        return np.ones(len(votes.ratings.item), dtype=np.bool_)
    return people[votes.ratings.rater] == (among == "people")
