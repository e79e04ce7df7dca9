"""Answers that are added to what was read before are those of one who reads everything."""

from collections.abc import Callable

import numpy as np
import pytest
from building import make_answer

from annotations.answering.exclusion import put_aside, take_back
from annotations.answering.returns import withdraw
from annotations.people import Person
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import condition_task, ensure_run
from annotations.scoring import snapshot
from annotations.scoring.columns import Kept
from annotations.scoring.people_columns import Answers
from annotations.scoring.snapshot import data_version, take
from annotations.workspace import Workspace
from core.reply.result import Reading

COLUMNS = ("state", "right", "question_id", "video", "active_s")
READ = Reading(None, "read", "letter at the end", "")


def give(
    workspace: Workspace,
    person: Person,
    item: int,
    choice: int | None,
    revision: int = 1,
    condition: str = "16 frames",
) -> None:
    """An answer, or a skip where there is no choice, put straight into the database."""
    shown = {"condition": condition, "option_order": [0, 1, 2]}
    with workspace.store.write() as database:
        make_answer(
            database, item, person.id, {"choice": choice}, shown=shown, revision=revision,
            skip="dark" if choice is None else None, active_s=2,
        )  # fmt: skip


def seen(table: Answers) -> dict[str, list[object]]:
    """The columns by name, with people and conditions in words."""
    found = {name: getattr(table, name).tolist() for name in COLUMNS}
    found["person"] = [table.people[one] for one in table.person.tolist()]
    found["condition"] = [table.conditions[one] for one in table.condition.tolist()]
    return found


def afresh(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Answers:
    """The table as somebody reads it who has kept nothing."""
    with monkeypatch.context() as patched:
        patched.setattr(snapshot, "_memories", Kept(1))
        return take(workspace).people


@pytest.fixture
def items(workspace: Workspace, add_question: Callable[..., int]) -> list[int]:
    for number in range(4):
        add_question(f"count/{number}")
    task = condition_task(workspace, "16 frames")
    return [row["id"] for row in workspace.store.rows(
        "SELECT id FROM item WHERE task_id = ? ORDER BY id", [task])]  # fmt: skip


@pytest.mark.parametrize("many_models", [False, True], ids=["mostly people", "mostly models"])
def test_after_every_change_the_kept_answers_are_those_read_afresh(
    workspace: Workspace,
    items: list[int],
    add_person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
    many_models: bool,
):
    ada, ben, eva = add_person("Zoe"), add_person("Ben"), add_person("Eva", "author")
    for name in ("one", "two", "three") if many_models else ():
        run = ensure_run(workspace, name, 1)
        store_answers(workspace, run, [
            ModelAnswer(item, 1 + place, {"choice": 0}, {"option_order": [0, 1, 2]}, READ)
            for place, item in enumerate(items)
        ])  # fmt: skip
    changes: list[tuple[str, Callable[[], object]]] = [
        ("an answer", lambda: give(workspace, ada, items[0], 1)),
        ("a wrong one", lambda: give(workspace, ben, items[0], 0)),
        ("its correction", lambda: give(workspace, ben, items[0], 1, 2)),
        ("a skip", lambda: give(workspace, ben, items[1], None)),
        ("another condition", lambda: give(workspace, ada, items[2], 1, 1, "full video")),
        ("work put aside", lambda: put_aside(workspace, "Ben")),
        ("and taken back", lambda: take_back(workspace, "Ben")),
        ("an item withdrawn", lambda: withdraw(workspace, eva, [items[2]], "twice")),
        ("one more", lambda: give(workspace, eva, items[3], 2)),
    ]
    before = take(workspace).people
    for what, change in changes:
        change()
        kept = take(workspace).people
        assert kept.version != before.version, what
        assert seen(kept) == seen(afresh(workspace, monkeypatch)), what
        before = kept
    assert len(before.state) == 5  # Zoe's two, Ben's two and Eva's: of each item the newest


def test_what_models_answer_changes_nothing_for_people(workspace: Workspace, items: list[int]):
    run = ensure_run(workspace, "gpt", 1)
    version, table = data_version(workspace), take(workspace).people
    store_answers(workspace, run, [ModelAnswer(items[0], 1, {"choice": 1}, {}, READ)])
    assert (data_version(workspace), take(workspace).people) == (version, table)


def test_what_filters_answer_changes_nothing_for_predictions(
    workspace: Workspace, items: list[int]
):
    run = ensure_run(workspace, "gpt", 1)
    store_answers(workspace, run, [ModelAnswer(items[0], 1, {"choice": 1}, {}, READ)])
    table = take(workspace).predictions
    other = {"verdict": "accept", "reasons": [], "note": ""}
    store_answers(workspace, run, [ModelAnswer(items[1], None, other, {}, READ)])
    assert take(workspace).predictions is table
    store_answers(workspace, run, [ModelAnswer(items[2], 3, {"choice": 2}, {}, READ)])
    found = take(workspace).predictions
    assert found.item_id.tolist() == [items[0], items[2]]
    assert np.array_equal(found.choice, [1, 2])
