"""Which of people's answers in words the figures stand on, and why the others do not."""

from dataclasses import dataclass

import numpy as np

from annotations.scoring.met_clips import Meetings, meetings, met_before
from annotations.scoring.population import LEFT_OUT, SCORED, SEEN, Population, states
from annotations.scoring.snapshot import Snapshot

PURPOSE = "People who answered in words of their own"
_ANSWERS = """
  SELECT a.id, a.item_id, i.task_id, i.question_id, a.annotator_id,
    a.question_revision_id AS revision_id, a.skip_reason IS NOT NULL AS skipped, a.counted,
    c.video_id, r.clip_id,
    coalesce(json_extract(a.shown, '$.condition'), '') AS condition,
    r.text <> q.text OR r.clip_id <> q.clip_id AS earlier
  FROM task t JOIN item i ON i.task_id = t.id JOIN current_annotation a ON a.item_id = i.id
  JOIN annotator p ON p.id = a.annotator_id
  JOIN question_revision r ON r.id = a.question_revision_id
  JOIN current_question q ON q.question_id = i.question_id JOIN clip c ON c.id = q.clip_id
  WHERE t.kind = 'human_evaluation' AND p.kind = 'person' AND i.role = 'work'
    AND coalesce(json_extract(a.shown, '$.free_text'), json_type(a.response, '$.text') = 'text')
  ORDER BY a.id
"""


@dataclass(frozen=True)
class FreePopulation:
    """Answers in words.

    Attributes:
        scored: ids of the annotations that figures stand on.
        population: the same in counts and words, with what is left out.
    """

    scored: frozenset[int]
    population: Population


def free_population(snapshot: Snapshot) -> FreePopulation:
    """People's answers in words that count, by the rules that hold for answers with options."""
    name = ("free answers of people", snapshot.leave_out_seen)
    return snapshot.derived(name, lambda: _read(snapshot))


def _read(snapshot: Snapshot) -> FreePopulation:
    rows = snapshot.rows(_ANSWERS)

    def column(name: str) -> np.ndarray:
        return np.array([row[name] for row in rows], dtype=np.int64)

    counted, skipped = column("counted") > 0, column("skipped") > 0
    state = states(
        snapshot.database,
        column("item_id"),
        column("annotator_id"),
        column("revision_id"),
        skipped,
        counted,
        np.ones(len(rows), dtype=np.bool_),  # what nothing is held against is said to be unscored
    )
    writers = column("annotator_id")
    own = Meetings(
        column("id"), writers, column("clip_id"), tuple(row["condition"] for row in rows)
    )
    met = met_before(own, meetings(snapshot.database, in_words=False, people=set(writers.tolist())))
    if snapshot.leave_out_seen:
        state = np.where(met & (state == SCORED), SEEN, state)
    used = [row for row, why in zip(rows, state.tolist(), strict=True) if why == SCORED]
    names = dict(snapshot.tuples("SELECT id, name FROM task"))
    left_out = np.bincount(state, minlength=len(LEFT_OUT) + 1)
    population = Population(
        purpose=PURPOSE,
        stands_on=len(used),
        people=len({row["annotator_id"] for row in used}),
        questions=len({row["question_id"] for row in used}),
        videos=len({row["video_id"] for row in used}),
        tasks=tuple(names[task] for task in sorted({row["task_id"] for row in used})),
        answers=tuple((why, int(left_out[at])) for at, why in LEFT_OUT.items() if left_out[at]),
        seen=int((met & (state == SCORED)).sum()),
        earlier=sum(row["earlier"] for row in used),
    )
    return FreePopulation(frozenset(row["id"] for row in used), population)
