"""Finding failures among all stored predictions: filters as masks over columns, a chosen order.

Nothing here reads a single prediction from the database, so that a page of cards is found in
milliseconds among a hundred thousand.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np

from annotations.failure.failure_tags import Tags
from annotations.failure.telling import how_much_is_seen, people_right, telling, wrong_share
from annotations.scoring.people_columns import Bools, Ints
from annotations.scoring.prediction_columns import STATES, Predictions
from annotations.scoring.snapshot import Snapshot
from core.refusal import Refusal

OUTCOMES = {"wrong": "wrong", "right": "right", "all": "wrong or right"}
PEOPLE = {
    "": "whatever people say",
    "right": "people are right",
    "wrong": "people are wrong, too",
    "none": "no person has answered",
}
RUNS = {
    "": "whatever other runs say",
    "all wrong": "all runs wrong",
    "some right": "another run is right",
    "differ": "runs differ",
}
TAGGED = {"": "tagged or not", "yes": "tagged", "no": "not tagged"}
ORDERS = {
    "telling": "Most telling first",
    "question": "Order of questions",
    "hard": "Most runs wrong first",
    "people": "People most right first",
    "run": "Run by run",
    "new": "Newest first",
}


@dataclass(frozen=True)
class FailureFilter:
    """Which predictions are looked at; what is empty leaves all in.

    Attributes:
        outcome: a key of `OUTCOMES`.
        runs: ids of runs. 'All runs' are these, under these conditions.
        conditions: names.
        categories: of the question as it is now.
        tags: 'NAME: VALUE' of the question.
        states: how the reply was read, of `STATES`.
        people: a key of `PEOPLE`; over all scored answers of people to the question.
        others: a key of `RUNS`.
        tagged: a key of `TAGGED`.
        classes: ids of failure classes; any of them.
        text: is in the question, its options, its name, or in the reply.
        question: the name of one question.
        once: each question once, by its first prediction in the order.
        order: a key of `ORDERS`.
    """

    outcome: str = "wrong"
    runs: tuple[int, ...] = ()
    conditions: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    people: str = ""
    others: str = ""
    tagged: str = ""
    classes: tuple[str, ...] = ()
    text: str = ""
    question: str = ""
    once: bool = False
    order: str = "question"

    @classmethod
    def from_json(cls, payload: dict[str, Any]) -> "FailureFilter":
        """What a browser or an address asks for.

        Raises:
            ValueError: for a part that does not exist or has a value that is not allowed.
        """
        types = {field.name: field.default for field in fields(cls)}
        read: dict[str, Any] = {}
        for name, value in payload.items():
            if name not in types:
                raise Refusal(f"There is no filter {name!r}. Allowed: {', '.join(types)}.")
            read[name] = _like(name, value, types[name])
        wanted = cls(**read)
        for name, allowed in (
            ("outcome", OUTCOMES), ("people", PEOPLE), ("others", RUNS), ("tagged", TAGGED),
            ("order", ORDERS),
        ):  # fmt: skip
            if getattr(wanted, name) not in allowed:
                listed = ", ".join(map(repr, allowed))
                raise Refusal(f"{name} is {getattr(wanted, name)!r}. Allowed: {listed}.")
        unknown = set(wanted.states) - set(STATES)
        if unknown:
            raise Refusal(f"states holds {unknown.pop()!r}. Allowed: {', '.join(STATES)}.")
        return wanted


def _like(name: str, value: object, like: object) -> Any:
    if isinstance(like, tuple) and isinstance(value, list):
        listed = cast("list[object]", value)
        kind = int if name == "runs" else str
        if all(type(item) is kind for item in listed):
            return tuple(listed)
    elif isinstance(value, str) and isinstance(like, str):
        return " ".join(value.split())
    elif isinstance(value, bool) and isinstance(like, bool):
        return value
    raise Refusal(f"Filter {name} is {value!r}; it has to look like {json.dumps(like)}.")


@dataclass(frozen=True, eq=False)
class WrongAnswers:
    """Predictions under a filter, in order.

    Attributes:
        table: the state of the data in which they were found.
        rows: their rows in the table.
        pool: how many predictions there are of the same runs and conditions, and how many of
            them are wrong.
    """

    table: Predictions
    rows: Ints
    pool: int
    wrong: int


def find(snapshot: Snapshot, tags: Tags, wanted: FailureFilter) -> WrongAnswers:
    """The predictions under a filter, in its order.

    People are right about a question where more than half of their scored answers to it, under
    whatever condition, are. 'All runs' and 'runs differ' are about the predictions of the chosen
    runs and conditions; an answer that was not read differs from every option.
    """
    table = snapshot.predictions
    pool = _pool(table, wanted)
    chosen = pool & table.scored
    asked, wrong = int(chosen.sum()), int((chosen & ~table.right).sum())
    if wanted.outcome == "all":
        chosen = pool.copy()
    else:
        chosen &= table.right == (wanted.outcome == "right")
    chosen &= _of_questions(snapshot, table, wanted)
    if wanted.states:
        chosen &= np.isin(table.state, [STATES.index(state) for state in wanted.states])
    if wanted.people:
        share = people_right(table)
        chosen &= {"right": share > 0.5, "wrong": share <= 0.5, "none": np.isnan(share)}[
            wanted.people
        ][table.question_id]
    if wanted.others:
        chosen &= _others(table, pool, wanted.others)
    if wanted.tagged or wanted.classes:
        chosen &= _tagged(table, tags, wanted)
    if wanted.text:
        chosen &= _with_text(snapshot, table, wanted.text)
    indices = _ordered(table, np.flatnonzero(chosen), pool, wanted.order)
    if wanted.once:
        newest = np.unique(table.question_id[indices], return_index=True)[1]
        indices = indices[np.sort(newest)]
    return WrongAnswers(table, indices, asked, wrong)


def _pool(table: Predictions, wanted: FailureFilter) -> Bools:
    """The predictions of the chosen runs under the chosen conditions."""
    fits = np.array(
        [
            (not wanted.runs or run.id in wanted.runs)
            and (not wanted.conditions or run.condition in wanted.conditions)
            for run in table.runs
        ],
        dtype=np.bool_,
    )
    return fits[table.run] if len(fits) else np.zeros(len(table.run), dtype=np.bool_)


def _of_questions(snapshot: Snapshot, table: Predictions, wanted: FailureFilter) -> Bools:
    """The predictions about questions of the chosen categories and tags."""
    fits = np.ones(len(table.questions), dtype=np.bool_)
    if wanted.categories:
        fits &= [question.category in wanted.categories for question in table.questions]
    by_name: dict[str, set[str]] = {}
    for tag in wanted.tags:
        name, _, value = tag.partition(": ")
        by_name.setdefault(name, set()).add(value)
    for name, values in by_name.items():
        fits &= [question.tags.get(name) in values for question in table.questions]
    if wanted.question:
        rows = snapshot.rows("SELECT id FROM question WHERE uid = ?", [wanted.question])
        number = rows[0]["id"] if rows else -1
        fits &= [question.question_id == number for question in table.questions]
    return fits[table.question]


def _others(table: Predictions, pool: Bools, others: str) -> Bools:
    if others != "differ":
        share = wrong_share(table, pool)[table.question_id]
        return share == 1.0 if others == "all wrong" else share < 1.0
    asked = table.question[pool]
    size = len(table.questions)
    least, highest = np.full(size, np.iinfo(np.int64).max), np.full(size, -2)
    np.minimum.at(least, asked, table.choice[pool])
    np.maximum.at(highest, asked, table.choice[pool])
    return (least < highest)[table.question]


def _tagged(table: Predictions, tags: Tags, wanted: FailureFilter) -> Bools:
    fits = np.ones(len(table.run), dtype=np.bool_)
    if wanted.tagged:
        fits &= _among(table, tags.classes) == (wanted.tagged == "yes")
    if wanted.classes:
        classes = set(wanted.classes)
        fits &= _among(
            table, [prediction for prediction, named in tags.classes.items() if classes & named]
        )
    return fits


def _among(table: Predictions, annotation_ids: Collection[int]) -> Bools:
    return np.isin(table.annotation_id, list(annotation_ids))


def _with_text(snapshot: Snapshot, table: Predictions, text: str) -> Bools:
    """The predictions with a text in question, options, name or reply; case makes no difference."""
    if table.memo.get("text", ("", None))[0] != text:
        pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        revisions = {
            row[0]
            for row in snapshot.tuples(
                "SELECT r.id FROM question_revision r JOIN question q ON q.id = r.question_id"
                " WHERE r.text LIKE ?1 ESCAPE '\\' OR r.options LIKE ?1 ESCAPE '\\'"
                " OR q.uid LIKE ?1 ESCAPE '\\'",
                [pattern],
            )
        }
        ids = snapshot.tuples("SELECT id FROM question_revision ORDER BY id")
        replies = [
            row[0]
            for row in snapshot.tuples(
                "SELECT annotation_id FROM prediction WHERE reply LIKE ? ESCAPE '\\'", [pattern]
            )
        ]
        asked = np.array([row[0] in revisions for row in ids], dtype=np.bool_)
        fits = np.isin(table.annotation_id, replies)
        table.memo["text"] = (text, fits | asked[table.question] if len(asked) else fits)
    contains: Bools = table.memo["text"][1]
    return contains


def _ordered(table: Predictions, indices: Ints, pool: Bools, order: str) -> Ints:
    """The places in an order; what is equal in it stands by question, then by run."""
    question, run = table.question_id[indices], table.run[indices]
    match order:
        case "telling":
            # Of one question, who saw most comes first, and the text alone last.
            least = -how_much_is_seen(table)[indices]
            return indices[np.lexsort((run, least, question, -telling(table, pool)[question]))]
        case "hard":
            rank: Any = -wrong_share(table, pool)[question]
        case "people":
            rank = -np.nan_to_num(people_right(table), nan=-1.0)[question]
        case "run":
            rank = run
        case "new":
            rank = -table.annotation_id[indices]
        case _:
            rank = question
    return indices[np.lexsort((run, question, rank))]
