"""Cross-checking: a blind second pass, and the report of what it found (TOMATO 4.3 and G.3)."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from annotations import task as tasks
from annotations.adjudication.outcomes import OUTCOMES
from annotations.agreement.disagreements import disagreements
from annotations.agreement.groups import NO_CATEGORY
from annotations.answering.assignments import assign
from annotations.answering.progress import open_task
from annotations.people import STORED_KEYS, Person, add_annotator
from annotations.planning.task_plan import (
    ROWS,
    SHUFFLED,
    TaskPlan,
    planned_items,
    seed_of,
    usual_source,
)
from annotations.planning.task_store import create_task, grow, make_task
from annotations.record.annotation import Annotation, add_annotation, count_answers
from annotations.record.question import Question
from annotations.record.shown import Shown
from annotations.scoring.snapshot import Snapshot
from annotations.task_parts import HasKey
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.refusal import Refusal
from db.connection import first_row, rows


@dataclass(frozen=True)
class Report:
    """How a cross-check ended.

    Attributes:
        checked: items with at least two answers.
        disagreements: how many of them differ.
        ended: resolved ones by outcome, zeros included; 'later' beside 'other' for an answer that
            was the third or a later one on the table.
        open: disagreements that no resolution settles yet.
    """

    checked: int
    disagreements: int
    ended: dict[str, int]
    open: int

    @property
    def words(self) -> str:
        """The report as one sentence for a paper."""
        counts = [(count, _PAST[name]) for name, count in self.ended.items()]
        counts.append((self.open, "are still open"))
        parts = [f"{count:,} {_in_number(count, phrase)}" for count, phrase in counts if count]
        share = f" ({percent_text(self.disagreements / self.checked)})" if self.checked else ""
        ended = f": {', '.join(parts)}" if parts else ""
        return (
            f"{self.checked:,} {_in_number(self.checked, 'items were')} answered twice, blind; "
            f"{self.disagreements:,}{share} in disagreement{ended}."
        )


def _in_number(count: int, phrase: str) -> str:
    """A phrase about several, or about one."""
    if count != 1:
        return phrase
    return phrase.replace("items", "item").replace("were", "was").replace("are ", "is ")


# How a report calls 'another answer' that was one of those on the table.
LATER = "later"

_PAST = {
    "first": "kept the first answer",
    "second": "kept the second answer",
    LATER: "kept a third or later answer",
    "other": "got another answer",
    "replace_video": "had the video replaced",
    "fix_question": "had the question fixed",
    "retire": "were retired",
}


def check_keys(
    workspace: Workspace,
    name: str,
    kind: str,
    settings: dict[str, Any],
    people: tuple[str, ...],
    *,
    only: Collection[int] | None = None,
) -> int:
    """The id of a task in which named people answer again what has a stored key.

    The stored keys stand in it as the answers of an annotator of their own, so that whoever
    disagrees with a key shows up as a disagreement of two annotators.

    Args:
        only: ids of the questions to check; None for all of them, also those still to come.

    Raises:
        ValueError: if the kind has no stored keys, or a task of this name exists.
    """
    module = tasks.kind(kind)
    if not isinstance(module, HasKey):
        raise Refusal(f"Tasks of the kind {kind} have no stored keys to check.")
    if workspace.store.rows("SELECT 1 FROM task WHERE name = ?", [name]):
        raise Refusal(f"There is a task {name!r} already. Choose another name.")
    if only is None:
        task_id = create_task(workspace, name, kind, settings, 2)
        grow(workspace, task_id)
    else:
        checked, wanted = module.check_settings(settings), set(only)
        every = planned_items(workspace, kind, checked, usual_source(module.SOURCES), None)
        items = tuple(item for item in every if item.draft.question_id in wanted)
        # A task of rows does not grow.
        plan = TaskPlan(name, kind, checked, 2, ROWS, items, order_seed=seed_of(SHUFFLED, name))
        task_id = make_task(workspace, plan)
    _answer_with_keys(workspace, task_id, module)
    if people:
        assign(workspace, task_id, people)
    return task_id


def _answer_with_keys(workspace: Workspace, task_id: int, kind: HasKey) -> None:
    task = open_task(workspace, task_id)
    version = tasks.kind(task.kind).SCHEMA_VERSION
    with workspace.store.write() as database:
        annotator = first_row(database, "SELECT id FROM annotator WHERE name = ?", [STORED_KEYS])
        keys = annotator["id"] if annotator else add_annotator(database.conn, STORED_KEYS, "model")
        asked = rows(
            database,
            "SELECT i.id AS item_id, q.* FROM item i JOIN current_question q"
            " ON q.question_id = i.question_id WHERE i.task_id = ?",
            [task_id],
        )
        questions = {row["item_id"]: Question.from_row(row) for row in asked}
        keyed = {item: question for item, question in questions.items() if question.right_options}
        for item_id, question in keyed.items():
            facts = {
                "condition": "stored key",
                "option_order": list(range(len(question.options))),
                **({"several": True} if question.asks_several else {}),
            }
            annotation = Annotation(
                uid=f"key-{item_id:08}",
                item_id=item_id,
                annotator_id=keys,
                task_kind=task.kind,
                schema_version=version,
                response=kind.key_response(question),
                shown=Shown(facts, question.revision_id),
                counted=True,
            )
            add_annotation(database, annotation)
        count_answers(database, ((item_id, 1) for item_id in keyed))


def second_pass(workspace: Workspace, task_id: int, people: tuple[str, ...] = ()) -> None:
    """One more blind answer for every item of a task, by the people named or by anybody.

    Everything is asked again: an adaptive task ends no items early from now on.
    """
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET overlap = overlap + 1 WHERE task_id = ? AND overlap > 0",
            [task_id],
        )
        database.conn.execute("UPDATE item SET settled = 0 WHERE task_id = ?", [task_id])
        database.conn.execute(
            "UPDATE task SET overlap = overlap + 1, status = 'open', adaptive = 0 WHERE id = ?",
            [task_id],
        )
    if people:
        assign(workspace, task_id, people)


@dataclass(frozen=True)
class Decided:
    """An item that authors decided about.

    Attributes:
        outcome: one of `OUTCOMES`.
        value: the response that holds; None where there is none.
        changes: what becomes of the question where it is fixed.
        signed_by: names in the order of signing.
        decided_at: of the first signature, ISO 8601 in UTC.
        holds: whether all have signed.
        answers: (annotator, response) of the blind answers that were on the table.
    """

    item_id: int
    uid: str
    task: str
    category: str
    outcome: str
    value: dict[str, Any] | None
    changes: dict[str, Any] | None
    reason: str
    signed_by: tuple[str, ...]
    decided_at: str
    holds: bool
    answers: tuple[tuple[str, dict[str, Any]], ...]


_DECIDED = """
  SELECT r.*, i.uid, t.name AS task, coalesce(nullif(q.category, ''), ?) AS category,
    (SELECT json_group_array(p.name) FROM (SELECT author_id FROM signature s
       WHERE s.resolution_id = r.id ORDER BY s.id) x JOIN annotator p ON p.id = x.author_id)
       AS signed_by,
    (SELECT json_group_array(json_array(p.name, json(a.response))) FROM json_each(r.answers) e
       JOIN annotation a ON a.id = e.value JOIN annotator p ON p.id = a.annotator_id) AS given
  FROM current_resolution r JOIN item i ON i.id = r.item_id JOIN task t ON t.id = i.task_id
  LEFT JOIN current_question q ON q.question_id = i.question_id
  WHERE r.outcome <> 'reopen' AND i.task_id IN (SELECT value FROM json_each(?))
  ORDER BY t.id, i.id
"""


def decided(snapshot: Snapshot, task_ids: Sequence[int]) -> list[Decided]:
    """Every item of some tasks that authors decided about, in the order of work."""
    return [
        Decided(
            row["item_id"], row["uid"], row["task"], row["category"], row["outcome"],
            None if row["value"] is None else json.loads(row["value"]),
            None if row["changes"] is None else json.loads(row["changes"]),
            row["reason"], tuple(json.loads(row["signed_by"])), row["created_at"],
            row["signed"] >= row["signatures"],
            tuple((name, response) for name, response in json.loads(row["given"])),
        )
        for row in snapshot.rows(_DECIDED, [NO_CATEGORY, json.dumps(list(task_ids))])
    ]  # fmt: skip


def report(snapshot: Snapshot, task_id: int) -> Report:
    """How the cross-check of a task stands: resolved items are counted where they ended."""
    settled = {
        row["item_id"]: row["outcome"]
        for row in snapshot.rows(
            "SELECT r.item_id, iif(r.outcome = 'other' AND json(r.value) IN (SELECT"
            " json(a.response) FROM json_each(r.answers) e JOIN annotation a ON a.id = e.value"
            " WHERE e.key > 1), ?, r.outcome) AS outcome"
            " FROM current_resolution r JOIN item i ON i.id = r.item_id"
            " WHERE i.task_id = ? AND r.outcome <> 'reopen' AND r.signed >= r.signatures",
            [LATER, task_id],
        )
    }
    unsettled = disagreements(snapshot, [task_id], leave_out=settled, limit=0)
    ended = dict.fromkeys((*OUTCOMES, LATER), 0)
    for outcome in settled.values():
        ended[outcome] += 1
    twice = unsettled.checked + len(settled)
    return Report(twice, unsettled.total + len(settled), ended, unsettled.total)


def waiting_for(workspace: Workspace, author: Person) -> int:
    """How many decisions wait for a signature that this author can give."""
    [row] = workspace.store.rows(
        "SELECT count(*) AS waiting FROM current_resolution r WHERE r.outcome <> 'reopen'"
        " AND r.signed < r.signatures AND NOT EXISTS (SELECT 1 FROM signature s"
        " WHERE s.resolution_id = r.id AND s.author_id = ?)",
        [author.id],
    )
    return int(row["waiting"])
