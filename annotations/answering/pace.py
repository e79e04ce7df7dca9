"""People who answer far faster than the others at the same task, or than its videos last."""

import json
from dataclasses import dataclass
from statistics import median
from typing import Any

from annotations.workspace import Workspace

# Fewer answers say little about a person's pace.
LEAST_ANSWERS = 5
FAST = 1 / 3
# Nobody has seen a moving clip in less than a tenth of its length, however fast it was played.
HARDLY_SEEN = 1 / 10
LOOKED_AT = 50  # newest answers of a person at a task whose clips are measured
_ANSWERS = """
  SELECT t.id AS task_id, t.name AS task, a.annotator_id AS person, a.active_s
  FROM current_annotation a JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id
  JOIN annotator p ON p.id = a.annotator_id
  WHERE i.role = 'work' AND p.kind = 'person' AND a.skip_reason IS NULL ORDER BY t.id
"""
_SHOWN = """
  SELECT a.active_s, a.shown FROM current_annotation a JOIN item i ON i.id = a.item_id
  WHERE i.task_id = ? AND a.annotator_id = ? AND i.role = 'work' AND a.skip_reason IS NULL
  ORDER BY a.id DESC LIMIT ?
"""


@dataclass(frozen=True)
class Pace:
    """A pace that wants a look.

    Attributes:
        task: the task's name.
        own_s: the person's median active time an answer, s.
        others_s: the median of the other people's medians, s; None where nobody else has answered
            enough, or the person is not faster than they are.
        clip_s: the median length of the moving clips that were answered in less than a tenth of
            it, s; None where they were not.
    """

    task: str
    own_s: float
    others_s: float | None
    clip_s: float | None = None

    @property
    def words(self) -> str:
        """The pace beside the others' and beside the clips, for an author."""
        beside = [f"{self.own_s:.1f} s an item"]
        if self.others_s is not None:
            beside.append(f"others {self.others_s:.1f} s")
        if self.clip_s is not None:
            beside.append(f"of videos that last {self.clip_s:.1f} s")
        return f"{self.task}: {', '.join(beside)}"


def fast_people(workspace: Workspace) -> dict[int, tuple[Pace, ...]]:
    """By person the tasks that they answer too fast to have looked.

    That is in less than a third of the others' time, per task, as tasks take unlike times; or in
    less than a tenth of what the clips last, which needs nobody to compare with. Over answers to
    real work, each person with at least `LEAST_ANSWERS` of them. The median does not move with one
    long pause.
    """
    times: dict[tuple[int, str], dict[int, list[float]]] = {}
    for row in workspace.store.rows(_ANSWERS):
        of_task = times.setdefault((row["task_id"], row["task"]), {})
        of_task.setdefault(row["person"], []).append(row["active_s"])
    flags: dict[int, tuple[Pace, ...]] = {}
    for (task_id, task), people in times.items():
        medians = {
            person: median(seconds)
            for person, seconds in people.items()
            if len(seconds) >= LEAST_ANSWERS
        }
        for person, own_s in medians.items():
            others = [value for colleague, value in medians.items() if colleague != person]
            typical = median(others) if others else None
            others_s = typical if typical is not None and own_s < FAST * typical else None
            clip_s = _hardly_seen(workspace, task_id, person)
            if others_s is not None or clip_s is not None:
                pace = Pace(task, own_s, others_s, clip_s)
                flags[person] = (*flags.get(person, ()), pace)
    return flags


def _hardly_seen(workspace: Workspace, task_id: int, person: int) -> float | None:
    """The median length of a person's clips, s, if they were answered too fast to be seen."""
    answers = workspace.store.rows(_SHOWN, [task_id, person, LOOKED_AT])
    shown = [(row["active_s"], json.loads(row["shown"])) for row in answers]
    lengths = _lengths(workspace, {str(facts.get("video")) for _, facts in shown})
    seen = [
        (active_s, length_s)
        for active_s, facts in shown
        if (length_s := _length(facts, lengths)) is not None
    ]
    if len(seen) < LEAST_ANSWERS:
        return None
    if median(active_s / length_s for active_s, length_s in seen) >= HARDLY_SEEN:
        return None
    return median(length_s for _, length_s in seen)


def _lengths(workspace: Workspace, contents: set[str]) -> dict[str, float]:
    """How long videos last, s, by content hash; those of which it is not known are left out."""
    rows = workspace.store.rows(
        "SELECT sha256, json_extract(facts, '$.duration_s') AS length_s FROM video"
        " WHERE sha256 IN (SELECT value FROM json_each(?)) AND length_s > 0",
        [json.dumps(sorted(contents))],
    )
    return {row["sha256"]: float(row["length_s"]) for row in rows}


def _length(facts: dict[str, Any], lengths: dict[str, float]) -> float | None:
    """The length of the moving clip that was shown, s; None for frames, a text or no clip."""
    if not facts.get("video") or facts.get("frames"):
        return None
    end = facts.get("end_s")
    last = lengths.get(facts["video"]) if end is None else float(end)
    length = None if last is None else last - float(facts.get("start_s") or 0.0)
    return length if length and length > 0 else None
