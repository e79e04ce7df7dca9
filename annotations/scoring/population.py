"""Which answers of people a figure stands on, and why the others do not.

Human accuracy is that of people who could not know the key and who answered for that purpose. What
else they answered is told apart by a reason, counted, and named beside the number.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.people import STORED_KEYS
from core.statistics.ratings import Bools, Ints

(
    SCORED, SKIPPED, WITHDRAWN, ASIDE, KEY_CHECK, AUTHOR, REVISED, EXTRA, OPEN_DECISION,
    UNLABELLED, SEEN, WHOLE_SET,
) = range(12)  # fmt: skip
LEFT_OUT = {
    SKIPPED: "skipped",
    WITHDRAWN: "on withdrawn items",
    ASIDE: "of people whose work is put aside",
    KEY_CHECK: "given to check the stored keys",
    AUTHOR: "of authors, who may see the keys",
    REVISED: "to an earlier version of the question, which is asked again",
    EXTRA: "extra, beyond the overlap",
    OPEN_DECISION: "asked only because the answers before them differed",
    UNLABELLED: "on questions without a key",
    SEEN: "of people who had met the clip before, under a condition that shows more",
    WHOLE_SET: "to questions of which several options may be right, scored apart by the whole set",
}

# Of a current annotation a of annotator p, `SCORED` or why it decides nothing, where authors answer
# with everybody else and no key could be known.
WHY = f"""CASE WHEN a.skip_reason IS NOT NULL THEN {SKIPPED}
  WHEN p.aside_at IS NOT NULL THEN {ASIDE} WHEN a.counted = 0 THEN {EXTRA} ELSE {SCORED} END"""


@dataclass(frozen=True)
class Population:
    """Which answers a figure stands on, and which others there are.

    Attributes:
        purpose: what is measured, in words.
        stands_on: answers in the figure.
        people: how many gave them.
        questions: distinct ones, and `videos` distinct ones that these are about.
        tasks: names of the tasks in which they were given.
        answers: what is in no figure, (why, how many answers).
        videos_lost: (why, how many videos) that a question needs and that cannot be used.
        questions_lost: how many questions those videos take along.
        seen: answers in the figure of people who had met the clip under a condition that shows
            more.
        earlier: answers in the figure to an earlier version of their question, which its author
            let stay or which the task kept when it was closed.
        among: further answers in the figure that are to be told apart, (whose, how many).
        who: who gives the answers, one and several.
        about: what an answer is to, one and several.
    """

    purpose: str
    stands_on: int
    people: int
    questions: int
    videos: int
    tasks: tuple[str, ...]
    answers: tuple[tuple[str, int], ...]
    videos_lost: tuple[tuple[str, int], ...] = ()
    questions_lost: int = 0
    seen: int = 0
    earlier: int = 0
    among: tuple[tuple[str, int], ...] = ()
    who: tuple[str, str] = ("person", "people")
    about: tuple[str, str] = ("question", "questions")

    @property
    def words(self) -> str:
        """What the figure stands on, as one sentence."""
        if not self.stands_on:
            return f"{self.purpose}: no answers yet"
        tasks = ", ".join(f"“{name}”" for name in self.tasks)
        return (
            f"{self.purpose}: {_count(self.stands_on, 'answer')} of"
            f" {_count(self.people, *self.who)} to {_count(self.questions, *self.about)}"
            f" about {_count(self.videos, 'video')}, given in {tasks}"
        )

    def sentences(self) -> list[str]:
        """What is left out and what is to be known of the rest; empty when there is nothing."""
        sentences = [f"{_count(count, 'answer')} left out: {why}" for why, count in self.answers]
        if self.videos_lost:
            total = sum(count for _, count in self.videos_lost)
            reasons = ", ".join(f"{why} ({count:,})" for why, count in self.videos_lost)
            sentences.append(
                f"{_count(total, 'video')} left out, and with {'them' if total != 1 else 'it'} "
                f"{_count(self.questions_lost, 'question')}: {reasons}"
            )
        if self.seen:
            sentences.append(
                f"{self.seen:,} of the answers that count are of people who had met the clip"
                " before, under a condition that shows more"
            )
        if self.earlier:
            sentences.append(
                f"{self.earlier:,} of the answers that count are to an earlier version of their"
                " question, which was not asked again"
            )
        sentences += [
            f"{count:,} of the answers that count are {whose}" for whose, count in self.among
        ]
        return sentences

    def as_dict(self) -> dict[str, Any]:
        """The population as JSON can hold it, with its words."""
        return {
            "purpose": self.purpose,
            "stands_on": self.stands_on,
            "people": self.people,
            "questions": self.questions,
            "videos": self.videos,
            "tasks": list(self.tasks),
            "left_out": dict(self.answers),
            "videos_lost": dict(self.videos_lost),
            "questions_lost": self.questions_lost,
            "seen_before": self.seen,
            "earlier_version": self.earlier,
            "among": dict(self.among),
            "words": [self.words, *self.sentences()],
        }


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


_KEY_CHECKS = """
  SELECT i.id FROM item i WHERE i.task_id IN (
    SELECT k.task_id FROM annotator p JOIN annotation a ON a.annotator_id = p.id
    JOIN item k ON k.id = a.item_id WHERE p.name = ?)
"""
_ADAPTIVE = """
  SELECT i.id, coalesce(i.overlap, t.overlap) / 2 + 1 FROM item i JOIN task t ON t.id = i.task_id
  WHERE t.adaptive = 1 ORDER BY i.id
"""

_ASKED_AGAIN = "SELECT id, asked_from FROM item WHERE asked_from > 0 ORDER BY id"


def states(
    database: Database,
    item: Ints,
    annotator: Ints,
    revision: Ints,
    skipped: Bools,
    counted: Bools,
    labelled: Bools,
) -> Ints:
    """For each current answer `SCORED`, or the reason of `LEFT_OUT` why it is in no accuracy.

    An adaptive task asks for another person only while the answers differ. Those further answers
    are to hard questions alone, so accuracy takes only the answers that are asked whatever happens:
    of each item the first floor(overlap / 2) + 1. Decisions use all of them.

    Args:
        database: in a read transaction.
        item: (answers,) ids, in the order in which the answers were stored.
        annotator: (answers,) ids.
        revision: (answers,) ids of the question's revision that was shown.
        skipped: (answers,) whether it is no answer but a skip.
        counted: (answers,) whether it counts for the decision.
        labelled: (answers,) whether the question has a key.
    """

    def ids(sql: str, *values: object) -> list[int]:
        return [row[0] for row in database.conn.execute(sql, values)]

    state = np.select(
        [
            skipped,
            np.isin(item, ids("SELECT id FROM item WHERE status = 'withdrawn'")),
            np.isin(annotator, ids("SELECT id FROM annotator WHERE aside_at IS NOT NULL")),
            np.isin(item, ids(_KEY_CHECKS, STORED_KEYS)),
            np.isin(annotator, ids("SELECT id FROM annotator WHERE role <> 'annotator'")),
            to_earlier_version(database, item, revision),
            ~counted,
            ~labelled,
        ],
        [SKIPPED, WITHDRAWN, ASIDE, KEY_CHECK, AUTHOR, REVISED, EXTRA, UNLABELLED],
        SCORED,
    ).astype(np.int64)
    state[open_decision(database, item, state == SCORED)] = OPEN_DECISION
    return state


def open_decision(database: Database, item: Ints, counted: Bools) -> Bools:
    """Which counted answers were asked for only because those before them differed.

    Args:
        database: in a read transaction.
        item: (answers,) ids, in the order in which the answers were stored.
        counted: (answers,) which of them count.
    """
    adaptive = np.array(
        [tuple(row) for row in database.conn.execute(_ADAPTIVE)], dtype=np.int64
    ).reshape(-1, 2)
    further = np.zeros(len(item), dtype=np.bool_)
    if len(adaptive):
        further[beyond_the_first(item, counted, adaptive)] = True
    return further


def to_earlier_version(database: Database, item: Ints, revision: Ints) -> Bools:
    """Which answers are to a version of the question before the one that is asked again.

    Args:
        database: in a read transaction.
        item: (answers,) ids.
        revision: (answers,) ids of the question's revision that was shown.
    """
    reasked = np.array(
        [tuple(row) for row in database.conn.execute(_ASKED_AGAIN)], dtype=np.int64
    ).reshape(-1, 2)
    earlier = np.isin(item, reasked[:, 0])
    rows = np.flatnonzero(earlier)
    since = reasked[np.searchsorted(reasked[:, 0], item[rows]), 1]
    earlier[rows] = revision[rows] < since
    return earlier


def beyond_the_first(item: Ints, scored: Bools, adaptive: Ints) -> Ints:
    """Indices of the scored answers to adaptive items that come after those always asked for.

    Args:
        adaptive: (items, 2) of item id, ascending, and how many answers are always asked for.
    """
    rows = np.flatnonzero(scored & np.isin(item, adaptive[:, 0]))
    order = rows[np.argsort(item[rows], kind="stable")]
    _, start = np.unique(item[order], return_index=True)
    sizes = np.diff(np.append(start, len(order)))
    place = np.arange(len(order)) - np.repeat(start, sizes)
    always = adaptive[np.searchsorted(adaptive[:, 0], item[order]), 1]
    return order[place >= always]


def seen_before(person: Ints, clip: Ints, shown: Ints) -> Bools:
    """Which answers are of people who had met the clip under a richer condition before, (answers,).

    Args:
        person: (answers,) whole numbers from 0, in the order in which the answers were stored.
        clip: (answers,) of the question's clip.
        shown: (answers,) rank of the condition, greater for what shows more.
    """
    if not len(person):
        return np.zeros(0, dtype=np.bool_)
    pair = person * (int(clip.max()) + 1) + clip
    order = np.argsort(pair, kind="stable")
    _, group = np.unique(pair[order], return_inverse=True)
    span = int(shown.max()) + 1
    # Groups ascend, so the running maximum never carries over from one to the next.
    richest = np.maximum.accumulate(group * span + shown[order])
    seen = np.zeros(len(person), dtype=np.bool_)
    same = group[1:] == group[:-1]
    seen[order[1:]] = same & (richest[:-1] - group[1:] * span > shown[order][1:])
    return seen
