"""Which answers of people enter accuracy, and under what name the others are counted."""

import uuid
from collections.abc import Callable

import numpy as np
import pytest
from building import make_answer

from annotations.adjudication.cross_check import check_keys
from annotations.answering import answer_store, queue
from annotations.people import Person
from annotations.run.runs import condition_task
from annotations.scoring.human_accuracy import accuracy_table
from annotations.scoring.population import beyond_the_first, seen_before
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from ui.pages.metrics import _columns

KEY = 1  # of every question that add_question makes


def items_of(workspace: Workspace, task: int) -> list[int]:
    stored = workspace.store.rows("SELECT id FROM item WHERE task_id = ? ORDER BY id", [task])
    return [row["id"] for row in stored]


def answer(workspace: Workspace, task: int, person: Person, item: int, choice: int) -> None:
    handed = queue.hand(workspace, task, person, item)
    given = answer_store.Answer(
        uuid.uuid4().hex, item, handed.lease.id, {"choice": choice}, None, 2.0, 0.0
    )
    [receipt] = answer_store.store(workspace, task, person, [given], closed_counts=True)
    assert receipt.status in ("stored", "extra"), receipt


def test_answers_that_check_keys_and_answers_of_authors_are_no_human_accuracy(
    workspace: Workspace, add_question: Callable[..., int], add_person: Callable[..., Person]
):
    for number in range(3):
        add_question(f"count/{number}")
    ann, clara = add_person("Ann"), add_person("Clara", "author")
    task = condition_task(workspace, "16 frames")
    first, second, _ = items_of(workspace, task)
    answer(workspace, task, ann, first, KEY)
    answer(workspace, task, ann, second, 0)
    answer(workspace, task, clara, first, KEY)
    keys = check_keys(
        workspace, "Keys", "human_evaluation", {"condition": "16 frames"}, ("Ann", "Clara")
    )
    for item in items_of(workspace, keys):
        answer(workspace, keys, ann, item, KEY)
    snapshot = take(workspace)
    [row] = [row for row in accuracy_table(snapshot) if row.accuracy.n]
    # Ann's two answers, one of them right. Three answers check keys; one is an author's.
    assert (row.accuracy.value, row.accuracy.n) == (0.5, 2)
    assert dict(population(snapshot).answers) == {
        "given to check the stored keys": 3,
        "of authors, who may see the keys": 1,
    }


def test_answers_beside_the_options_are_wrong_and_reported(
    workspace: Workspace, add_question: Callable[..., int], add_person: Callable[..., Person]
):
    for number in range(4):
        add_question(f"count/{number}")
    ann = add_person("Ann")
    task = condition_task(workspace, "16 frames")
    shown = {"condition": "16 frames", "option_order": [0, 1, 2]}
    said = (KEY, "none_right", "cannot_tell", "cannot_tell")
    with workspace.store.write() as database:
        for item, choice in zip(items_of(workspace, task), said, strict=True):
            make_answer(database, item, ann.id, {"choice": choice}, shown=shown)
    [row] = [row for row in accuracy_table(take(workspace)) if row.accuracy.n]
    assert (row.accuracy.value, row.accuracy.n) == (0.25, 4)
    assert row.beside == (("none of these is right", 1), ("cannot tell", 2))
    # The page and its download have a column for each.
    columns = _columns([row], "Category")
    assert columns["None of these is right %"] == [25.0]
    assert columns["Cannot tell %"] == [50.0]


def test_an_adaptive_task_scores_the_answers_that_are_asked_whatever_happens(
    workspace: Workspace, add_question: Callable[..., int], add_person: Callable[..., Person]
):
    add_question("count/0")
    people = [add_person(name) for name in ("Ann", "Ben", "Cem")]
    task = condition_task(workspace, "16 frames")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET adaptive = 1, overlap = 3, status = 'open'")
    [item] = items_of(workspace, task)
    for person, choice in zip(people, (KEY, 0, KEY), strict=True):
        answer(workspace, task, person, item, choice)
    snapshot = take(workspace)
    [row] = [row for row in accuracy_table(snapshot) if row.accuracy.n]
    # Of overlap 3 two are asked whatever happens; the third came because they differed.
    assert (row.accuracy.value, row.accuracy.n) == (0.5, 2)
    assert population(snapshot).answers == (
        ("asked only because the answers before them differed", 1),
    )


def test_accuracy_of_an_adaptive_task_is_unbiased_over_200_000_items():
    random = np.random.default_rng(7)
    items = 200_000
    chance = np.where(np.arange(items) % 2 == 0, 0.95, 0.5)  # half easy, half hard: 72.5 %
    right = random.random((items, 3)) < chance[:, None]
    # A third person is asked only where the first two differ in what they chose; two wrong answers
    # are the same one, as with two options.
    asked = np.ones((items, 3), dtype=np.bool_)
    asked[:, 2] = right[:, 0] != right[:, 1]
    item, _ = np.nonzero(asked)
    value = right[asked]
    always = np.stack([np.arange(items), np.full(items, 3 // 2 + 1)], axis=1)
    kept = np.ones(len(item), dtype=np.bool_)
    kept[beyond_the_first(item, kept, always)] = False
    # Standard error of the mean of 400,000 answers is below 0.1 points.
    assert value[kept].mean() == pytest.approx(0.725, abs=0.003)
    assert kept.sum() == 2 * items
    # All answers together are biased: hard items have more of them.
    assert value.mean() < 0.705


def test_who_met_a_clip_under_a_richer_condition_before_is_told_apart():
    # 0: 1 frame, 1: 16 frames, 2: full video. In the order of answering:
    rows = [
        (0, 5, 2),  # Ann, clip 5, full video
        (0, 5, 1),  # Ann again with 16 frames: she had seen it
        (1, 5, 1),  # Ben first with 16 frames
        (1, 5, 2),  # then the full video: fine
        (1, 5, 0),  # then one frame: he had seen it
        (0, 6, 1),  # Ann, another clip
        (1, 6, 1),
    ]
    person, clip, shown = np.array(rows).T
    seen = seen_before(person, clip, shown)
    assert seen.tolist() == [False, True, False, False, True, False, False]
    assert seen_before(person[:0], clip[:0], shown[:0]).tolist() == []
