"""What became of each run's questions: asked, answered, how the replies were read, what failed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotations.scoring.people_columns import Ints
from annotations.scoring.population import LEFT_OUT, SCORED, UNLABELLED, WHOLE_SET, WITHDRAWN
from annotations.scoring.prediction_columns import READ, REFUSED, STATES, Predictions
from annotations.scoring.scored_questions import Question
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import Entry, Which, question_ids, solved_table


@dataclass(frozen=True)
class Counts:
    """Counts of one run, over the questions that a table is about.

    Attributes:
        asked: questions that the run's task asks now, and `answered` those of them with an answer.
        states: scored answers by how they were read, in the order of `STATES`; all of people's are
            read.
        refusals: refused answers by kind, most first.
        failed: items that gave no answer at all.
        excluded: answers that no accuracy includes, (why, how many).
        earlier: scored answers to an earlier wording, other options or another clip of their
            question; they are right or wrong by the key of what was asked.
    """

    asked: int
    answered: int
    states: tuple[int, ...]
    refusals: tuple[tuple[str, int], ...]
    failed: int
    excluded: tuple[tuple[str, int], ...]
    earlier: int = 0

    @property
    def partial(self) -> bool:
        """Whether some questions have no answer."""
        return self.answered < self.asked

    def share(self, state: int) -> float | None:
        """Share of the scored answers that were read in such a way; None without any."""
        total = sum(self.states)
        return self.states[state] / total if total else None


def counts(snapshot: Snapshot, which: Which) -> list[Counts]:
    """The counts of every entry of the sheet, in its order."""
    table, solved = snapshot.predictions, solved_table(snapshot)
    wanted = question_ids(snapshot, which)
    asked = _items(snapshot, wanted)
    failed = _failures(snapshot, wanted)
    kinds = _refusal_kinds(snapshot, table)
    inside = np.isin(table.question_id, wanted)
    order = np.argsort(table.run, kind="stable")
    ends = np.searchsorted(table.run[order], np.arange(len(table.runs) + 1))
    result: list[Counts] = []
    for entry in solved.entries:
        if entry.run is None:
            result.append(_of_people(table, entry, wanted, asked.get(entry.condition, set())))
            continue
        own_rows = order[ends[entry.run] : ends[entry.run + 1]]
        run = table.runs[entry.run]
        items = asked.get(run.task_id, set())
        result.append(_of_run(table, own_rows[inside[own_rows]], items, kinds, failed[run.id]))
    return result


def _items(snapshot: Snapshot, wanted: Ints) -> dict[int | str, set[int]]:
    """Questions that each task asks, by its id, and all tasks of a condition, by its name."""
    ids = set(wanted.tolist())
    items: dict[int | str, set[int]] = {}
    for row in snapshot.rows(
        "SELECT t.id, json_extract(t.settings, '$.condition') AS condition, i.question_id"
        " FROM item i JOIN task t ON t.id = i.task_id WHERE i.status = 'open' AND i.role = 'work'"
        " AND i.question_id IS NOT NULL AND json_type(t.settings, '$.condition') = 'text'"
    ):
        if row["question_id"] in ids:
            for name in (row["id"], row["condition"]):
                items.setdefault(name, set()).add(row["question_id"])
    return items


def _failures(snapshot: Snapshot, wanted: Ints) -> Counter[int]:
    """Failed items by run id."""
    ids = set(wanted.tolist())
    return Counter(
        row["run_id"]
        for row in snapshot.rows(
            "SELECT e.run_id, i.question_id FROM run_error e JOIN item i ON i.id = e.item_id"
        )
        if row["question_id"] in ids
    )


def _refusal_kinds(snapshot: Snapshot, table: Predictions) -> dict[int, str]:
    """The kind of each refusal by its annotation."""
    if "refusals" not in table.memo:
        stored = snapshot.rows("SELECT annotation_id, rule FROM prediction WHERE state = 'refused'")
        table.memo["refusals"] = {row["annotation_id"]: row["rule"] for row in stored}
    return table.memo["refusals"]


def _of_run(
    table: Predictions, own_rows: Ints, items: set[int], kinds: dict[int, str], failed: int
) -> Counts:
    scored = own_rows[table.scored[own_rows]]
    refused = scored[table.state[scored] == REFUSED]
    unscored = own_rows[~table.scored[own_rows]]
    indices: list[int] = table.question[unscored].tolist()
    reasons = [_why_unscored(table.questions[index]) for index in indices]
    numbers: list[int] = table.annotation_id[refused].tolist()
    return Counts(
        asked=len(items),
        answered=len(items & set(table.question_id[own_rows].tolist())),
        states=_states(table.state[scored]),
        refusals=_most(kinds.get(number, "") or "refused" for number in numbers),
        failed=failed,
        excluded=_most(reasons),
        earlier=_earlier(table.questions, table.question[scored]),
    )


def _why_unscored(question: Question) -> str:
    """Why a model's reply to a question is in no accuracy."""
    if question.right:
        return LEFT_OUT[WHOLE_SET]
    return LEFT_OUT[UNLABELLED if question.key is None else WITHDRAWN]


def _of_people(table: Predictions, entry: Entry, wanted: Ints, items: set[int]) -> Counts:
    people = table.people
    own_rows = (people.condition == entry.line) & np.isin(people.question_id, wanted)
    scored = own_rows & (people.state == SCORED)
    states = [0] * len(STATES)
    states[READ] = int(scored.sum())
    unscored = people.state[own_rows & ~scored].tolist()
    return Counts(
        asked=len(items),
        answered=len(items & set(people.question_id[scored].tolist())),
        states=tuple(states),
        refusals=(),
        failed=0,
        excluded=_most(LEFT_OUT[state] for state in unscored),
        earlier=_earlier(people.questions, people.question[scored]),
    )


def _earlier(questions: Sequence[Question], asked: Ints) -> int:
    """How many of some answers are to a version of their question that has changed since."""
    indices: list[int] = asked.tolist()
    return sum(questions[index].earlier for index in indices)


def _states(codes: Ints) -> tuple[int, ...]:
    return tuple(np.bincount(codes, minlength=len(STATES)).tolist())


def _most(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """How often each comes up, most first."""
    return tuple(Counter(names).most_common())


def left_out(snapshot: Snapshot, which: Which) -> list[str]:
    """Sentences on what the numbers of runs leave out or count as wrong; empty for nothing."""
    solved = solved_table(snapshot)
    listed = counts(snapshot, which)
    models = [
        count for count, entry in zip(listed, solved.entries, strict=True) if entry.run is not None
    ]
    sentences: list[str] = []
    wrong = [sum(count.states[state] for count in models) for state in range(len(STATES))]
    named = [f"{n:,} {STATES[state]}" for state, n in enumerate(wrong) if state != READ and n]
    if named:
        sentences.append("Counted as wrong: " + ", ".join(named))
    reasons: Counter[str] = Counter()
    for count in models:
        reasons.update(dict(count.excluded))
    sentences += [
        f"{n:,} answer{'s'[: n != 1]} left out: {why}" for why, n in reasons.most_common()
    ]
    earlier = sum(count.earlier for count in models)
    if earlier:
        sentences.append(
            f"{earlier:,} of the answers that count {'are' if earlier != 1 else 'is'} to an earlier"
            " version of their question"
        )
    partial = sum(count.partial for count in models)
    if partial:
        sentences.append(
            f"{partial:,} of {len(models):,} runs answered a part of their questions only"
        )
    failed = sum(count.failed for count in models)
    if failed:
        sentences.append(f"{failed:,} item{'s'[: failed != 1]} failed and gave no answer")
    return sentences
