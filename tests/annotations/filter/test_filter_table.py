"""What was kept and brought up to date is what is read afresh, after each kind of change."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from building import make_answer

from annotations.adjudication.resolution import resolve, sign
from annotations.answering.early_stop import set_overlap
from annotations.answering.exclusion import put_aside, take_back
from annotations.answering.returns import withdraw
from annotations.filter.calibration import forget_threshold, keep_threshold
from annotations.filter.filter_table import Filtered, filtered
from annotations.filter.send_to_people import send_as_task
from annotations.people import Person
from annotations.planning.task_store import create_task, grow, set_status
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import ensure_run
from annotations.scoring import snapshot as module
from annotations.scoring.columns import Kept
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.result import Reading
from core.statistics.ratings import Ints
from core.statistics.threshold import ACCEPTED, REJECTED, UNJUDGED

READ = Reading(None, "read", "threshold", "")
SETTINGS = {"reasons": ["dark", "still"], "duplicates": False}
ACCEPT = {"verdict": "accept", "reasons": [], "note": ""}
DARK = {"verdict": "reject", "reasons": ["dark"], "note": ""}
STILL = {"verdict": "reject", "reasons": ["still"], "note": ""}


def give(
    workspace: Workspace, person: Person, item: int, response: dict[str, Any], revision: int = 1
) -> None:
    """A counted answer, put straight into the database."""
    with workspace.store.write() as database:
        make_answer(database, item, person.id, response, revision=revision)


@pytest.fixture
def run(workspace: Workspace, add_question: Callable[..., int]) -> int:
    """A filter that went over six of eight clips."""
    for number in range(8):
        add_question(f"count/{number}")
    task = create_task(workspace, "Footage", "screening", SETTINGS, 2)
    grow(workspace, task)
    run = ensure_run(workspace, "CLIP", task, "clip_similarity")
    answer(workspace, run, *((place, ACCEPT if place % 2 else DARK) for place in range(6)))
    return run


def answer(workspace: Workspace, run: int, *given: tuple[int, dict[str, Any]]) -> None:
    """The filter's answers to items by their place in the order of work."""
    items = items_of(workspace)
    store_answers(workspace, run, [
        ModelAnswer(items[place], None, response, {}, READ, score=place / 10)
        for place, response in given
    ])  # fmt: skip


def items_of(workspace: Workspace, task: int = 1) -> list[int]:
    found = workspace.store.rows("SELECT id FROM item WHERE task_id = ? ORDER BY position", [task])
    return [row["id"] for row in found]


def afresh(workspace: Workspace, run: int, monkeypatch: pytest.MonkeyPatch) -> Filtered:
    """The table as somebody reads it who has kept nothing."""
    with monkeypatch.context() as patched:
        patched.setattr(module, "_memories", Kept(1))
        return filtered(take(workspace), run)


def differences(one: Filtered, other: Filtered) -> list[str]:
    """Names of the columns that differ; the run's own progress is no column."""
    found: list[str] = []
    for name in (field.name for field in fields(Filtered)):
        a, b = getattr(one, name), getattr(other, name)
        if name == "run":
            a, b = a.facts, b.facts
        same = np.array_equal(a, b, equal_nan=True) if name == "score" else (
            np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b)  # fmt: skip
        if name != "serial" and not same:
            found.append(name)
    return found


def test_after_every_change_the_kept_table_is_that_read_afresh(
    workspace: Workspace,
    run: int,
    add_person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
):
    ada, ben, eva = add_person("Ada"), add_person("Ben"), add_person("Eva", "author")
    items = items_of(workspace)
    wanted: list[int] = []

    def send() -> None:
        table = filtered(take(workspace), run)
        wanted.append(send_as_task(workspace, table, np.array([3, 6]), "Sent"))

    def video_replaced() -> None:
        with workspace.store.write() as database:
            database.conn.execute(
                "UPDATE video SET sha256 = ? WHERE id = (SELECT video_id FROM item WHERE id = ?)",
                ["e" * 64, items[4]],
            )

    changes: list[tuple[str, Callable[[], object]]] = [
        ("a first answer", lambda: give(workspace, ada, items[0], DARK)),
        ("a second, which makes a tie", lambda: give(workspace, ben, items[0], ACCEPT)),
        ("a correction, which ends it", lambda: give(workspace, ben, items[0], STILL, 2)),
        ("the filter answers more", lambda: answer(workspace, run, (6, DARK))),
        ("the filter answers otherwise", lambda: answer(workspace, run, (1, STILL), (2, ACCEPT))),
        ("somebody's work is put aside", lambda: put_aside(workspace, "Ada")),
        ("and taken back", lambda: take_back(workspace, "Ada")),
        ("a threshold is kept", lambda: keep_threshold(workspace, run, 0.3, "Eva")),
        ("and forgotten", lambda: forget_threshold(workspace, run)),
        ("clips are sent to people", send),
        ("who answer there", lambda: give(workspace, ada, items_of(workspace, wanted[0])[0], DARK)),
        ("the task is closed", lambda: set_status(workspace, "Sent", "closed")),
        ("and opened", lambda: set_status(workspace, "Sent", "open")),
        ("an item there goes to models alone", lambda: set_overlap(
            workspace, eva, [items_of(workspace, wanted[0])[1]], 3)),
        ("an item is withdrawn", lambda: withdraw(workspace, eva, [items[2]], "twice")),
        ("a file is another", video_replaced),
        ("another answer", lambda: give(workspace, ada, items[5], ACCEPT)),
    ]  # fmt: skip
    before = filtered(take(workspace), run)
    for what, change in changes:
        change()
        kept = filtered(take(workspace), run)
        assert differences(kept, afresh(workspace, run, monkeypatch)) == [], what
        if what != "an item there goes to models alone":
            assert kept.serial != before.serial, what
        before = kept


def test_what_authors_decide_arrives_when_enough_have_signed(
    workspace: Workspace,
    run: int,
    add_person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
):
    ada, ben, eva = add_person("Ada"), add_person("Ben"), add_person("Eva", "author")
    item = items_of(workspace)[0]
    give(workspace, ada, item, DARK)
    give(workspace, ben, item, ACCEPT)
    assert filtered(take(workspace), run).tie[0]
    given = workspace.store.rows("SELECT id FROM annotation WHERE counted = 1 ORDER BY id")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET signatures = 2")
    first = resolve(workspace, item, eva, "first", answers=tuple(row["id"] for row in given),
                    seen_revision=0)  # fmt: skip
    assert filtered(take(workspace), run).tie[0]
    sign(workspace, item, add_person("Edda", "author"), first.revision)
    table = filtered(take(workspace), run)
    assert table.people[0] == REJECTED
    assert differences(table, afresh(workspace, run, monkeypatch)) == []


def test_what_others_do_leaves_the_same_table(
    workspace: Workspace, run: int, add_person: Callable[..., Person]
):
    kept = filtered(take(workspace), run)
    other = ensure_run(workspace, "Another", 1, "clip_similarity")
    store_answers(workspace, other, [ModelAnswer(items_of(workspace)[0], None, DARK, {}, READ)])
    elsewhere = create_task(
        workspace, "By other criteria", "screening", {**SETTINGS, "criteria": ["Blue."]}, 1
    )
    grow(workspace, elsewhere)
    give(workspace, add_person("Ada"), items_of(workspace, elsewhere)[0], DARK)
    assert filtered(take(workspace), run) is kept
    assert kept.people.tolist() == [UNJUDGED] * 8


def test_a_table_that_somebody_holds_does_not_change(
    workspace: Workspace, run: int, add_person: Callable[..., Person]
):
    held = filtered(take(workspace), run)
    people: Ints = held.people.copy()
    give(workspace, add_person("Ada"), items_of(workspace)[1], ACCEPT)
    assert filtered(take(workspace), run).people[1] == ACCEPTED
    assert np.array_equal(held.people, people)
