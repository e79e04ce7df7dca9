"""Which stored keys people check next: drawn by chance, more where models doubt them together.

Where many models choose the same other option the key is more likely wrong, so a check says more
there (active statistical inference, Zrnic and Candès 2024). Each chance is stored, because every
estimate weighs a check by one over it.
"""

from collections.abc import Sequence

import numpy as np

from annotations.adjudication.cross_check import check_keys
from annotations.people import STORED_KEYS, now_text
from annotations.run.runs import Run
from annotations.scoring.people_columns import Ints
from annotations.scoring.prediction_columns import READ, Predictions
from annotations.scoring.snapshot import Snapshot
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics import prediction_powered as powered
from core.statistics.metric import Floats

EVEN = 0.3  # which part of the checks is drawn evenly
KIND = "human_evaluation"


def draw_checks(
    workspace: Workspace,
    snapshot: Snapshot,
    budget: int,
    name: str,
    condition: str = "full video",
    people: Sequence[str] = (),
) -> int:
    """The id of a new task in which people check the keys of questions that were drawn.

    What an earlier sample has drawn is not drawn again.

    Args:
        budget: how many checks, at least 10.
        condition: what people are shown.
        people: names; nobody named means anybody.

    Raises:
        Refusal: for too small a budget, a name that is taken, or if there is nothing to draw from.
    """
    if budget < powered.LEAST_LABELS:
        raise Refusal(f"{budget} checks say too little. Draw {powered.LEAST_LABELS} or more.")
    run = _fullest(snapshot.predictions)
    item_of = dict(
        snapshot.tuples(
            "SELECT i.question_id, i.id FROM item i WHERE i.task_id = ? AND i.role = 'work'"
            " AND i.status = 'open' AND i.question_id IS NOT NULL ORDER BY i.id",
            [run.task_id],
        )
    )
    questions = np.array(
        [q.question_id for q in snapshot.people.current
         if q.key is not None and q.usable and q.question_id in item_of],
        dtype=np.int64,
    )  # fmt: skip
    earlier = [
        row[0]
        for row in snapshot.tuples(
            "SELECT i.question_id FROM label_chance c JOIN item i ON i.id = c.item_id"
            " JOIN label_sample s ON s.id = c.sample_id WHERE c.drawn AND s.task_id IN"
            " (SELECT k.task_id FROM annotation a JOIN item k ON k.id = a.item_id"
            "  JOIN annotator p ON p.id = a.annotator_id WHERE p.name = ?)",
            [STORED_KEYS],
        )
    ]
    seed = int(snapshot.tuples("SELECT count(*) FROM label_sample")[0][0])
    chance = powered.chances(key_doubt(snapshot.predictions, questions), budget, even=EVEN)
    fresh = ~np.isin(questions, earlier)
    chosen = powered.drawn(chance * fresh, seed) & fresh
    if not chosen.any():
        raise Refusal("Every key that could be drawn was drawn already.")
    task_id = check_keys(
        workspace, name.strip(), KIND, {"condition": condition}, tuple(people),
        only=questions[chosen].tolist(),
    )  # fmt: skip
    with workspace.store.write() as database:
        sample = database.conn.execute(
            "INSERT INTO label_sample (run_id, task_id, seed, threshold, created_at)"
            " VALUES (?, ?, ?, NULL, ?) RETURNING id",
            [run.id, task_id, seed, now_text()],
        ).fetchone()[0]
        database.conn.executemany(
            "INSERT INTO label_chance (sample_id, item_id, chance, drawn) VALUES (?, ?, ?, ?)",
            [
                [sample, item_of[question], float(probability), int(is_drawn)]
                for question, probability, is_drawn in zip(
                    questions.tolist(), chance, chosen, strict=True
                )
            ],
        )
    return task_id


def key_doubt(table: Predictions, questions: Ints) -> Floats:
    """How much a check of each key would say, (questions,): from 0 to 1.

    The root of the share of a question's answers that choose the commonest option beside the key.
    """
    current = {q.question_id: q.key for q in table.people.current}
    place = {number: index for index, number in enumerate(questions.tolist())}
    most = np.zeros(len(questions))
    asked = np.zeros(len(questions))
    others: dict[tuple[int, int], int] = {}
    for row in np.flatnonzero(table.scored).tolist():
        at = place.get(int(table.question_id[row]))
        if at is None:
            continue
        asked[at] += 1
        choice = int(table.choice[row])
        if int(table.state[row]) == READ and choice != current[int(table.question_id[row])]:
            others[at, choice] = others.get((at, choice), 0) + 1
            most[at] = max(most[at], others[at, choice])
    return np.sqrt(np.divide(most, asked, out=np.zeros_like(most), where=asked > 0))


def _fullest(table: Predictions) -> Run:
    """The run with the most answers, whose task's items stand for the questions."""
    if not len(table.run):
        raise Refusal("No model has answered yet, so there is no run whose keys could be checked.")
    counts = np.bincount(table.run, minlength=len(table.runs))
    return table.runs[int(np.argmax(counts))]
