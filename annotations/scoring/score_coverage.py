"""What the accuracy of people covers: what it leaves out, and how far each condition is.

What is left out is counted and named: skips, extras beyond the overlap, withdrawn items, questions
without a key, and videos that cannot be used.
"""

from dataclasses import dataclass

import numpy as np

from annotations.scoring.people_columns import Answers, Bools
from annotations.scoring.population import LEFT_OUT, SCORED, Population
from annotations.scoring.snapshot import Snapshot
from annotations.video.families import FAMILY

PURPOSE = "People who could not know the keys"


@dataclass(frozen=True)
class Progress:
    """Counted answers, and how many the open items of a condition ask for."""

    condition: str
    answers: int
    wanted: int


def population(snapshot: Snapshot) -> Population:
    """The answers that the accuracy of people stands on, and the others with their reasons."""
    table = snapshot.people
    unusable = snapshot.rows(
        f"SELECT v.id, v.reason, v.status, {FAMILY} AS family, count(*) AS questions"
        " FROM current_question q"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
        " WHERE v.status <> 'usable' GROUP BY v.id"
    )
    scored = table.state == SCORED
    used: list[int] = np.unique(table.question[scored]).tolist()
    videos = {table.questions[index].video for index in used}
    gone = [row for row in unusable if row["family"] not in videos]
    reasons: dict[str, int] = {}
    for row in gone:
        why = row["reason"] or ("file not found" if row["status"] == "missing" else "broken")
        reasons[why] = reasons.get(why, 0) + 1
    lines = set(np.unique(table.condition[scored]).tolist())
    names = dict(snapshot.tuples("SELECT id, name FROM task"))
    earlier = [index for index in used if table.questions[index].earlier]
    return Population(
        purpose=PURPOSE,
        stands_on=int(scored.sum()),
        people=len(np.unique(table.person[scored])),
        questions=len(np.unique(table.question_id[scored])),
        videos=len(videos),
        tasks=tuple(
            names[task] for task, line in sorted(table.line_of_task.items()) if line in lines
        ),
        answers=excluded(table, np.ones(len(table.state), dtype=np.bool_)),
        videos_lost=tuple(sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))),
        questions_lost=sum(row["questions"] for row in gone),
        seen=int((table.seen & scored).sum()),
        earlier=int((np.isin(table.question, earlier) & scored).sum()),
    )


def progress(snapshot: Snapshot) -> list[Progress]:
    """How far each line of answers is, in the order of the tasks."""
    table = snapshot.people
    stored = snapshot.rows(
        "SELECT t.id, json_extract(t.settings, '$.condition') AS condition,"
        " sum(i.answers) AS answers,"
        " sum(iif(i.settled, i.answers, coalesce(i.overlap, t.overlap))) AS wanted FROM task t"
        " JOIN item i ON i.task_id = t.id AND i.status = 'open' AND i.role = 'work'"
        " WHERE json_type(t.settings, '$.condition') = 'text' GROUP BY t.id"
        " HAVING max(t.status <> 'closed') OR sum(i.answers) > 0 ORDER BY t.id"
    )
    sums: dict[str, tuple[int, int]] = {}
    for row in stored:
        line = table.line_of_task.get(row["id"])
        name = row["condition"] if line is None else table.conditions[line]
        answers, wanted = sums.get(name, (0, 0))
        sums[name] = answers + row["answers"], wanted + row["wanted"]
    return [Progress(name, *counts) for name, counts in sums.items()]


def excluded(table: Answers, chosen: Bools) -> tuple[tuple[str, int], ...]:
    """(why, how many) of the chosen answers that count for no accuracy."""
    counts = np.bincount(table.state[chosen], minlength=len(LEFT_OUT) + 1)
    return tuple((why, int(counts[state])) for state, why in LEFT_OUT.items() if counts[state])
