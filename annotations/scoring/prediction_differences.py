"""Imported scores against ours: where a harness and our rules make something else of a reply.

    comparison = compare(snapshot, run_id)          # counts, both accuracies, counts by rule
    rows = differences(snapshot, run_id)            # the replies that are scored otherwise
    rows = differences(snapshot, run_id, every=True)  # all replies of the run, for export
    table = [row.as_dict() for row in rows]          # columns in words, for a table or a file

A harness's score is comparable where it is 0 or 1 and the question has a key.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations.scoring.people_columns import NO_CHOICE
from annotations.scoring.prediction_columns import Predictions
from annotations.scoring.snapshot import Snapshot
from core.number_text import percent_text
from core.refusal import Missing
from core.reply.verdict import (
    BOTH_RIGHT,
    NOT_COMPARABLE,
    ONLY_OURS,
    ONLY_THEIRS,
    VERDICTS,
    verdict,
)

BATCH = 500


@dataclass(frozen=True, slots=True)
class Difference:
    """One reply as a harness and as our rules score it.

    Attributes:
        options: in the question's own order, as are `key` and `choice`.
        key: index of the right option; None if unlabelled.
        choice: what our rules read; None where nothing was read.
        state: how: 'read', 'unread', 'refused', 'several' or 'empty'; `rule` and `words` say why.
        theirs: the harness's score; None if it gave none; `theirs_name` is what it calls it.
        theirs_read: what the harness read out of the reply; '' if not said.
    """

    annotation_id: int
    item_id: int
    question_id: int
    uid: str
    category: str
    video: str
    question: str
    options: tuple[str, ...]
    key: int | None
    reply: str | None
    state: str
    rule: str
    words: str
    choice: int | None
    theirs: float | None
    theirs_name: str
    theirs_read: str
    verdict: str

    def as_dict(self) -> dict[str, Any]:
        """A row of a table, for people: options in words, columns named in words."""
        return {
            "question": self.uid,
            "category": self.category,
            "video": self.video,
            "text": self.question,
            "key": _option(self.options, self.key),
            "reply": self.reply or "",
            "our reading": _option(self.options, self.choice) or self.state,
            "rule": self.rule,
            "why": self.words,
            "their score": self.theirs,
            "their reading": self.theirs_read,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Comparison:
    """A run's imported scores against ours.

    Attributes:
        name: what the harness calls its score; '' if it gave none.
        counts: replies by verdict, 'not comparable' among them.
        n: replies that both scored.
        ours: accuracy by our rules over those, in [0, 1]; None if there are none.
        theirs: the harness's accuracy over the same; None if there are none.
        by_rule: for each rule of ours: its name, replies it read, how many only we and only they
            call right; most differences first.
    """

    name: str
    counts: dict[str, int]
    n: int
    ours: float | None
    theirs: float | None
    by_rule: tuple[tuple[str, int, int, int], ...]

    @property
    def differ(self) -> int:
        """How many replies are scored otherwise."""
        return self.counts[ONLY_OURS] + self.counts[ONLY_THEIRS]

    @property
    def words(self) -> str:
        """The comparison on one line for a person."""
        if self.ours is None or self.theirs is None:
            return "nothing to compare: the files hold no score of 0 or 1 for labelled questions"
        return (
            f"ours {percent_text(self.ours)}, theirs {percent_text(self.theirs)} ({self.name}) "
            f"over {self.n:,} replies; {self.counts[ONLY_OURS]:,} right by ours only, "
            f"{self.counts[ONLY_THEIRS]:,} right by theirs only"
        )


@dataclass(frozen=True)
class _Columns:
    """A run's predictions with what stands beside them, one a row."""

    annotation_ids: list[int]
    right: list[bool | None]
    choice: list[int]
    question: list[int]
    rules: list[str]
    theirs: list[float | None]
    name: str

    @property
    def verdicts(self) -> list[str]:
        return [verdict(*pair) for pair in zip(self.right, self.theirs, strict=True)]


def compare(snapshot: Snapshot, run_id: int) -> Comparison:
    """Counts of a run's imported scores against ours, as keys stand now; kept until data change."""
    table = snapshot.predictions
    memo_key = ("imported scores", run_id)
    if memo_key not in table.memo:
        table.memo[memo_key] = _compared(_columns(snapshot, table, run_id))
    comparison: Comparison = table.memo[memo_key]
    return comparison


def _compared(columns: _Columns) -> Comparison:
    verdicts = columns.verdicts
    counts: Counter[str] = Counter(verdicts)
    n = len(verdicts) - counts[NOT_COMPARABLE]
    comparable = [
        (rule, outcome)
        for rule, outcome in zip(columns.rules, verdicts, strict=True)
        if outcome != NOT_COMPARABLE
    ]
    return Comparison(
        name=columns.name,
        counts={name: counts[name] for name in VERDICTS},
        n=n,
        ours=(counts[BOTH_RIGHT] + counts[ONLY_OURS]) / n if n else None,
        theirs=(counts[BOTH_RIGHT] + counts[ONLY_THEIRS]) / n if n else None,
        by_rule=_by_rule(comparable),
    )


def differences(snapshot: Snapshot, run_id: int, *, every: bool = False) -> list[Difference]:
    """The replies of a run that a harness scores otherwise than we do, in the order of import.

    Args:
        every: all replies of the run, whatever the verdict.
    """
    table = snapshot.predictions
    columns = _columns(snapshot, table, run_id)
    wanted = [
        (index, outcome)
        for index, outcome in enumerate(columns.verdicts)
        if every or outcome in (ONLY_OURS, ONLY_THEIRS)
    ]
    details = _details(snapshot, [columns.annotation_ids[index] for index, _ in wanted])
    listed: list[Difference] = []
    for index, outcome in wanted:
        row = details[columns.annotation_ids[index]]
        choice = columns.choice[index]
        listed.append(
            Difference(
                **{name: row[name] for name in _PLAIN},
                options=tuple(json.loads(row["options"])),
                key=table.questions[columns.question[index]].key,
                choice=None if choice == NO_CHOICE else choice,
                verdict=outcome,
            )
        )
    return listed


def _columns(snapshot: Snapshot, table: Predictions, run_id: int) -> _Columns:
    run = next((i for i, stored_run in enumerate(table.runs) if stored_run.id == run_id), None)
    if run is None:
        raise Missing(f"There is no run {run_id}.")
    own_rows = np.flatnonzero(table.run == run)
    beside = {
        row[0]: row[1:]
        for row in snapshot.tuples(
            "SELECT annotation_id, rule, state, theirs, theirs_name FROM prediction"
            " WHERE run_id = ?",
            [run_id],
        )
    }
    ids: list[int] = table.annotation_id[own_rows].tolist()
    scored, right = table.scored[own_rows].tolist(), table.right[own_rows].tolist()
    names = Counter(name for annotation_id in ids if (name := beside[annotation_id][3]))
    return _Columns(
        annotation_ids=ids,
        right=[r if s else None for r, s in zip(right, scored, strict=True)],
        choice=table.choice[own_rows].tolist(),
        question=table.question[own_rows].tolist(),
        rules=[beside[annotation_id][0] or beside[annotation_id][1] for annotation_id in ids],
        theirs=[beside[annotation_id][2] for annotation_id in ids],
        name=names.most_common(1)[0][0] if names else "",
    )


def _by_rule(verdicts: Iterable[tuple[str, str]]) -> tuple[tuple[str, int, int, int], ...]:
    counts: dict[str, Counter[str]] = {}
    for rule, outcome in verdicts:
        counts.setdefault(rule, Counter())[outcome] += 1
    rows = [
        (rule, count.total(), count[ONLY_OURS], count[ONLY_THEIRS])
        for rule, count in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-(row[2] + row[3]), -row[1], row[0])))


_PLAIN = (
    "annotation_id", "item_id", "question_id", "uid", "category", "video", "question", "reply",
    "state", "rule", "words", "theirs", "theirs_name", "theirs_read",
)  # fmt: skip
_DETAILS = """
  SELECT p.annotation_id, a.item_id, r.question_id, q.uid, r.category, v.name AS video,
         r.text AS question, r.options, p.reply, p.state, p.rule, p.words, p.theirs,
         p.theirs_name, p.theirs_read
  FROM prediction p JOIN annotation a ON a.id = p.annotation_id
  JOIN question_revision r ON r.id = a.question_revision_id JOIN question q ON q.id = r.question_id
  JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id
  WHERE p.annotation_id IN ({marks})
"""


def _details(snapshot: Snapshot, ids: Sequence[int]) -> dict[int, Any]:
    details: dict[int, Any] = {}
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        marks = ", ".join("?" * len(part))
        for row in snapshot.rows(_DETAILS.format(marks=marks), list(part)):
            details[row["annotation_id"]] = row
    return details


def _option(options: Sequence[str], index: int | None) -> str:
    if index is None or not 0 <= index < len(options):
        return ""
    return f"{chr(ord('A') + index)}. {options[index]}"
