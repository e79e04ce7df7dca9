"""What the accuracy of people covers: what it leaves out, and how far each condition is.

What is left out is counted and named: skips, extras beyond the overlap, withdrawn items, questions
without a key, and videos that cannot be used.
"""

from dataclasses import dataclass

import numpy as np

from annotations.scoring.people_columns import Answers, Bools
from annotations.scoring.population import LEFT_OUT, SCORED
from annotations.scoring.snapshot import Snapshot
from annotations.video.families import FAMILY


@dataclass(frozen=True)
class LeftOut:
    """What no accuracy includes.

    Attributes:
        answers: (why, how many).
        videos: (why, how many videos), of videos that a question needs and that cannot be used.
        questions: how many questions those videos take along.
        seen: scored answers, which are in the numbers, of people who had met the clip under a
            condition that shows more.
    """

    answers: tuple[tuple[str, int], ...]
    videos: tuple[tuple[str, int], ...]
    questions: int
    seen: int = 0

    def sentences(self) -> list[str]:
        """What is left out, in words; empty when nothing is."""
        sentences = [
            f"{count:,} answer{'s'[: count != 1]} left out: {why}" for why, count in self.answers
        ]
        if self.videos:
            total = sum(count for _, count in self.videos)
            reasons = ", ".join(f"{why} ({count:,})" for why, count in self.videos)
            sentences.append(
                f"{total:,} video{'s'[: total != 1]} left out, and with "
                f"{'them' if total != 1 else 'it'} {self.questions:,} "
                f"question{'s'[: self.questions != 1]}: {reasons}"
            )
        if self.seen:
            sentences.append(
                f"{self.seen:,} of the answers that count are of people who had met the clip"
                " before, under a condition that shows more"
            )
        return sentences


@dataclass(frozen=True)
class Progress:
    """Counted answers, and how many the open items of a condition ask for."""

    condition: str
    answers: int
    wanted: int


def left_out(snapshot: Snapshot) -> LeftOut:
    """Answers, videos and questions that no accuracy includes, with the reasons."""
    table = snapshot.people
    unusable = snapshot.rows(
        f"SELECT v.id, v.reason, v.status, {FAMILY} AS family, count(*) AS questions"
        " FROM current_question q"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
        " WHERE v.status <> 'usable' GROUP BY v.id"
    )
    used: list[int] = np.unique(table.question[table.state == SCORED]).tolist()
    scored = {table.questions[index].video for index in used}
    gone = [row for row in unusable if row["family"] not in scored]
    reasons: dict[str, int] = {}
    for row in gone:
        why = row["reason"] or ("file not found" if row["status"] == "missing" else "broken")
        reasons[why] = reasons.get(why, 0) + 1
    return LeftOut(
        answers=excluded(table, np.ones(len(table.state), dtype=np.bool_)),
        videos=tuple(sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))),
        questions=sum(row["questions"] for row in gone),
        seen=int((table.seen & (table.state == SCORED)).sum()),
    )


def progress(snapshot: Snapshot) -> list[Progress]:
    """How far each condition is, in the order of the tasks."""
    stored = snapshot.rows(
        "SELECT json_extract(t.settings, '$.condition') AS condition, sum(i.answers) AS answers,"
        " sum(iif(i.settled, i.answers, coalesce(i.overlap, t.overlap))) AS wanted FROM task t"
        " JOIN item i ON i.task_id = t.id AND i.status = 'open' AND i.role = 'work'"
        " WHERE json_type(t.settings, '$.condition') = 'text' GROUP BY 1"
        " HAVING max(t.status <> 'closed') OR sum(i.answers) > 0 ORDER BY min(t.id)"
    )
    return [Progress(row["condition"], row["answers"], row["wanted"]) for row in stored]


def excluded(table: Answers, chosen: Bools) -> tuple[tuple[str, int], ...]:
    """(why, how many) of the chosen answers that count for no accuracy."""
    counts = np.bincount(table.state[chosen], minlength=len(LEFT_OUT) + 1)
    return tuple((why, int(counts[state])) for state, why in LEFT_OUT.items() if counts[state])
