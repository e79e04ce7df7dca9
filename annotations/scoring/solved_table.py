"""Runs of models and of people as one table: how often each was right on each question.

A run of people is everybody who answered under one condition. The table is made once for a state of
the data and kept with it.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from annotations.condition import shown_first
from annotations.scoring.people_columns import Bools, Ints
from annotations.scoring.population import SCORED
from annotations.scoring.prediction_columns import Predictions
from annotations.scoring.scored_questions import Question
from annotations.scoring.snapshot import Snapshot
from core.refusal import Missing
from core.statistics.metric import Floats

PEOPLE = "People"
DURATION = "duration"
NO_TAG = "not stated"
# Upper ends in s, and what is below each.
DURATIONS = (
    (5.0, "under 5 s"),
    (10.0, "5 to 10 s"),
    (30.0, "10 to 30 s"),
    (60.0, "30 to 60 s"),
    (300.0, "1 to 5 min"),
    (float("inf"), "5 min or more"),
)
UNKNOWN_DURATION = "unknown duration"


@dataclass(frozen=True, slots=True)
class Entry:
    """A model, or people, under one condition.

    Attributes:
        key: stable over sessions, such as 'run 3' or 'people 16 frames'.
        model: name of the annotator, or 'People'; where two tasks share the condition, with the
            name of the task but for the first.
        run: place in `Predictions.runs`; None for people.
        line: index into the lines of people's answers; None for a model.
        task: name of the task of a run; its prompt is part of `model`.
        made: day on which a run was made, such as '2026-03-01'.
    """

    key: str
    model: str
    condition: str
    run: int | None
    line: int | None = None
    task: str = ""
    made: str = ""

    @property
    def name(self) -> str:
        """As people speak of a run."""
        return f"{self.model} · {self.condition}"


@dataclass(frozen=True)
class Which:
    """Questions that a table is about; everything left out means all of them.

    Attributes:
        categories: only these.
        tag: name of a tag, and `value` the value that it has to have.
        split: id of a split of which only what it kept is taken.
        common: only questions that every model answered, under whatever condition it has.
    """

    categories: tuple[str, ...] = ()
    tag: str = ""
    value: str = ""
    split: int | None = None
    common: bool = False


EVERY_QUESTION = Which()


@dataclass(frozen=True, eq=False)
class SolvedTable:
    """Who was right on what: (questions, entries) tables over the questions somebody answered.

    Attributes:
        entries: models in the order of their runs, then people; of each from least to most shown.
        question_id: of each row, ascending.
        questions: as scored, in the newest revision that was answered.
        video: number of each question's video.
        right: right answers; of a model 0 or 1.
        answers: scored answers, unread ones among them.
        row: of each prediction in `Predictions`, -1 where it is not scored.
    """

    entries: tuple[Entry, ...]
    question_id: Ints
    questions: tuple[Question, ...]
    video: Ints
    right: Floats
    answers: Floats
    row: Ints

    def column(self, key: str) -> int:
        """Where an entry stands.

        Raises:
            LookupError: if there is none with this key.
        """
        for index, entry in enumerate(self.entries):
            if entry.key == key:
                return index
        known = ", ".join(entry.key for entry in self.entries) or "none"
        raise Missing(f"There is no run {key!r} with answers. There are: {known}.")


def solved_table(snapshot: Snapshot) -> SolvedTable:
    """The table of the data as they are now."""
    table = snapshot.predictions
    if "solved table" not in table.memo:
        table.memo["solved table"] = _solved_table(table)
    return cast("SolvedTable", table.memo["solved table"])


def _solved_table(table: Predictions) -> SolvedTable:
    people = table.people
    counted = np.flatnonzero(people.state == SCORED)
    scored = np.flatnonzero(table.scored)
    asked = np.concatenate([table.question[scored], people.question[counted]])
    ids = np.concatenate([table.question_id[scored], people.question_id[counted]])
    order = np.lexsort([-asked, ids])
    unique, representatives = np.unique(ids[order], return_index=True)
    newest: list[int] = asked[order][representatives].tolist()
    entries = _entries(table, people.condition[counted])
    right = np.zeros((len(unique), len(entries)))
    answered = np.zeros((len(unique), len(entries)))
    row = np.full(len(table.question), -1, dtype=np.int64)
    row[scored] = np.searchsorted(unique, table.question_id[scored])
    people_row = np.searchsorted(unique, people.question_id)
    for index, entry in enumerate(entries):
        if entry.run is not None:
            own_rows = scored[table.run[scored] == entry.run]
            rows, hits = row[own_rows], table.right[own_rows]
        else:
            own_rows = counted[people.condition[counted] == entry.line]
            rows, hits = people_row[own_rows], people.right[own_rows]
        answered[:, index] = np.bincount(rows, minlength=len(unique))
        right[:, index] = np.bincount(rows, weights=hits, minlength=len(unique))
    videos: dict[str, int] = {}
    questions = tuple(people.questions[index] for index in newest)
    codes = [videos.setdefault(question.video, len(videos)) for question in questions]
    return SolvedTable(
        entries=tuple(entries),
        question_id=unique,
        questions=questions,
        video=np.array(codes, dtype=np.int64),
        right=right,
        answers=answered,
        row=row,
    )


def _entries(table: Predictions, answered: Ints) -> list[Entry]:
    """Runs that have a condition, and people on the lines of their answers."""
    people = table.people
    entries: list[Entry] = []
    taken: set[tuple[str, str]] = set()
    for index, run in enumerate(table.runs):
        if run.condition:
            again = (run.model, run.condition) in taken
            model = f"{run.model} · {run.task}" if again else run.model
            taken.add((run.model, run.condition))
            entries.append(
                Entry(f"run {run.id}", model, run.condition, index, None, run.task,
                      run.created_at[:10])
            )  # fmt: skip
    lines: list[int] = np.unique(answered).tolist()
    for line in lines:
        name, shown = people.conditions[line], people.shown[line]
        model = PEOPLE if name == shown else f"{PEOPLE}{name.removeprefix(shown)}"
        entries.append(Entry(f"people {name}", model, shown, None, line))
    first_seen: dict[str, int] = {}
    for entry in entries:
        first_seen.setdefault(entry.model, len(first_seen))
    return sorted(
        entries, key=lambda entry: (first_seen[entry.model], shown_first(entry.condition))
    )


def question_ids(snapshot: Snapshot, which: Which) -> Ints:
    """Ids of all questions that a table is about, answered or not, ascending."""
    table = snapshot.predictions
    memo_key = ("ids", which)
    if memo_key not in table.memo:
        fitting = {
            question.question_id
            for question in table.questions
            if (not which.categories or question.category in which.categories)
            and (not which.tag or question.tags.get(which.tag, NO_TAG) == which.value)
        }
        if which.split is not None:
            kept = snapshot.rows(
                "SELECT question_id FROM split_question WHERE split_id = ? AND kept", [which.split]
            )
            fitting &= {row["question_id"] for row in kept}
        if which.common:
            fitting &= set(answered_by_all(snapshot).tolist())
        table.memo[memo_key] = np.array(sorted(fitting), dtype=np.int64)
    return cast("Ints", table.memo[memo_key])


def answered_by_all(snapshot: Snapshot) -> Ints:
    """Ids of the questions that every run of a model has an answer to, ascending."""
    solved = solved_table(snapshot)
    models = [i for i, entry in enumerate(solved.entries) if entry.run is not None]
    return solved.question_id[(solved.answers[:, models] > 0).all(axis=1)]


def chosen_rows(snapshot: Snapshot, which: Which = EVERY_QUESTION) -> Bools:
    """Which rows of the sheet a table is about, (questions,)."""
    return np.isin(solved_table(snapshot).question_id, question_ids(snapshot, which))


def groups(snapshot: Snapshot, by: str) -> tuple[tuple[str, ...], Ints]:
    """Names of the groups of questions, and the group of each row of the sheet.

    Args:
        by: 'category', 'duration' of the clip in bins, or the name of a tag.
    """
    solved = solved_table(snapshot)
    memo = snapshot.predictions.memo
    if ("groups", by) in memo:
        return cast("tuple[tuple[str, ...], Ints]", memo["groups", by])
    if by == DURATION:
        names = _durations(snapshot, solved)
        known = [name for _, name in DURATIONS] + [UNKNOWN_DURATION]
    else:
        names = [
            question.category if by == "category" else question.tags.get(by, NO_TAG)
            for question in solved.questions
        ]
        known = list(dict.fromkeys(names))
    present = [name for name in known if name in set(names)]
    code_of = {name: i for i, name in enumerate(present)}
    memo["groups", by] = tuple(present), np.array([code_of[name] for name in names], dtype=np.int64)
    return cast("tuple[tuple[str, ...], Ints]", memo["groups", by])


def _durations(snapshot: Snapshot, solved: SolvedTable) -> list[str]:
    """The bin of each question's clip, from the probed length of its video."""
    stored = snapshot.rows(
        "SELECT r.question_id, c.start_s, coalesce(c.end_s, json_extract(v.facts, '$.duration_s'))"
        " AS end_s FROM current_question r JOIN clip c ON c.id = r.clip_id"
        " JOIN video v ON v.id = c.video_id"
    )
    lengths = {
        row["question_id"]: row["end_s"] - row["start_s"]
        for row in stored
        if row["end_s"] is not None
    }

    def name(length: float | None) -> str:
        if length is None:
            return UNKNOWN_DURATION
        return next(label for end, label in DURATIONS if length < end)

    return [name(lengths.get(question_id)) for question_id in solved.question_id.tolist()]
