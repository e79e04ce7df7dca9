"""What a changed question does to leases, answers and figures."""

import uuid
from collections.abc import Callable
from dataclasses import replace

import pytest

from annotations.adjudication.cross_check import check_keys
from annotations.adjudication.resolution import resolve
from annotations.answering import answer_store, progress, queue
from annotations.people import Person
from annotations.question.questions import effect_of_changes, revise
from annotations.question.reasking import Effect, Wording, change_between
from annotations.question.replacement import replace_clip, replacements
from annotations.run.runs import condition_task
from annotations.scoring.human_accuracy import accuracy_table
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row

KEY = 1  # of every question that add_question makes: left, right, up
BASE = Wording(1, "Which way?", ("left", "right", "up"), KEY)


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ("nothing", {}),
        ("key", {"key": 0}),
        ("spelling", {"text": "which  way ?"}),
        ("spelling", {"options": ("Left.", "right", "up")}),
        ("order", {"options": ("up", "right", "left")}),
        ("order", {"options": ("up", "right", "left"), "key": 0}),
        ("wording", {"text": "Which way in the first half?"}),
        ("wording", {"text": "Which way in the first half?", "key": 0}),
        ("wording", {"text": "Which ways?", "options": ("up", "right", "left")}),
        ("options", {"options": ("left", "right", "down")}),
        ("options", {"options": ("left", "right")}),
        ("clip", {"clip": 2, "options": ("left", "right")}),
    ],
)
def test_a_change_is_named_by_what_weighs_most(change, after):
    assert change_between(BASE, replace(BASE, **after)) == change


def test_options_that_differ_in_a_sign_or_a_point_are_other_options():
    numbers = replace(BASE, options=("-5", "1.5"), key=0)
    assert change_between(numbers, replace(numbers, options=("5", "1.5"))) == "options"
    assert change_between(numbers, replace(numbers, options=("-5", "15"))) == "options"


def test_the_effect_is_told_in_words():
    assert Effect().words == "nobody has answered yet"
    assert Effect(40, 12).words == "40 answers stay, 12 are asked again"
    assert Effect(1, 1).words == "1 answer stays, 1 is asked again"
    assert Effect(0, 12).words == "12 answers are asked again"
    assert Effect(3, 0, 2).words == "3 answers stay, 2 in somebody's hands handed out anew"


@pytest.fixture
def study(workspace: Workspace, add_question: Callable[..., int], add_person):
    """Two questions under 16 frames, each asked of two people."""
    ids = [add_question(f"count/{number}") for number in range(2)]
    task = condition_task(workspace, "16 frames")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET overlap = 2, status = 'open' WHERE id = ?", [task])
    return task, ids, add_person("Ann"), add_person("Ben")


def send(workspace: Workspace, task: int, person: Person, handed, choice: int):
    given = answer_store.Answer(
        uuid.uuid4().hex, handed.item.id, handed.lease.id, {"choice": choice}, None, 2.0, 0.0
    )
    [receipt] = answer_store.store(workspace, task, person, [given])
    return receipt


def answer_all(workspace: Workspace, task: int, person: Person, choice: int = KEY) -> int:
    count = 0
    while handed := queue.lease(workspace, task, person, 1):
        assert send(workspace, task, person, handed[0], choice).status == "stored"
        count += 1
    return count


def scored(workspace: Workspace) -> tuple[float | None, int, dict[str, int]]:
    with take(workspace) as snapshot:
        [row] = accuracy_table(snapshot, condition="16 frames")
        return row.accuracy.value, row.accuracy.n, dict(population(snapshot).answers)


def test_a_new_wording_is_asked_of_the_same_people_again(workspace, study):
    task, (first, _), ann, ben = study
    assert (answer_all(workspace, task, ann), answer_all(workspace, task, ben)) == (2, 2)
    with workspace.store.write() as database:
        changes = {"text": "Which way in the FIRST HALF?", "key": 0}
        change, effect = effect_of_changes(database, first, changes)
        assert (change, effect) == ("wording", Effect(0, 2))
        revise(database, first, changes)
    # The two answers were right by the key they were asked with; they count no more.
    assert scored(workspace) == (
        1.0, 2, {"to an earlier version of the question, which is asked again": 2},
    )  # fmt: skip
    assert progress.progress(workspace, task, ann)["open_for_me"] == 1
    assert answer_all(workspace, task, ann, 0) == 1
    assert answer_all(workspace, task, ben, 2) == 1
    # Of the question of before 2 right of 2; of the new one Ann's 0 is the key, Ben's 2 is not.
    value, n, others = scored(workspace)
    assert (value, n, others) == (0.75, 4, {})
    assert progress.progress(workspace, task, ann)["open_for_me"] == 0


def test_an_author_may_let_answers_to_another_wording_stay(workspace, study):
    task, (first, _), ann, ben = study
    answer_all(workspace, task, ann)
    answer_all(workspace, task, ben)
    with workspace.store.write() as database:
        revise(database, first, {"text": "In which direction?"}, ask_again=False)
    assert scored(workspace) == (1.0, 4, {})
    assert answer_all(workspace, task, ann) == 0


def test_a_new_key_or_another_order_of_options_scores_old_answers_by_what_they_say(
    workspace, study
):
    task, (first, _), ann, _ = study
    answer_all(workspace, task, ann)  # "right", twice
    with workspace.store.write() as database:
        revise(database, first, {"options": ["up", "right", "left"], "key": 2})
    # The key is "left" now, whatever its place: one of two answers is right.
    assert scored(workspace)[:2] == (0.5, 2)
    with workspace.store.write() as database:
        revise(database, first, {"key": 1})
    assert scored(workspace)[:2] == (1.0, 2)


def test_a_lease_without_an_answer_ends_and_the_desk_gets_the_new_version(workspace, study):
    task, (first, _), ann, _ = study
    held = queue.lease(workspace, task, ann, 2)
    have = frozenset(handed.item.id for handed in held)
    [old] = [handed for handed in held if handed.item.question_id == first]
    assert queue.stale(workspace, ann, have) == frozenset()
    with workspace.store.write() as database:
        revise(database, first, {"options": ["left", "right", "down"]})
        current = first_row(
            database, "SELECT id FROM current_question WHERE question_id = ?", [first]
        )
    assert queue.stale(workspace, ann, have) == {old.item.id}
    [again] = queue.lease(workspace, task, ann, 2, have=have - {old.item.id})
    assert again.item.id == old.item.id
    assert current
    assert again.shown.question_revision_id == current["id"]
    # What was on screen meanwhile is kept and does not finish the item.
    receipt = send(workspace, task, ann, old, KEY)
    assert (receipt.status, receipt.reason) == ("extra", answer_store.REVISED)
    assert workspace.store.rows("SELECT answers FROM item WHERE id = ?", [old.item.id]) == [
        {"answers": 0}
    ]
    [third] = queue.lease(workspace, task, ann, 2, have=have - {old.item.id})
    assert send(workspace, task, ann, third, KEY).status == "stored"


def test_a_closed_task_and_a_check_of_keys_keep_their_answers(workspace, study):
    task, (first, _), ann, ben = study
    answer_all(workspace, task, ann)
    keys = check_keys(workspace, "Keys", "human_evaluation", {"condition": "full video"}, ("Ben",))
    answer_all(workspace, keys, ben)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = 'closed' WHERE id = ?", [task])
        change, effect = effect_of_changes(database, first, {"text": "Whither?"})
        assert (change, effect.again) == ("wording", 0)
        revise(database, first, {"text": "Whither?"})
    assert scored(workspace)[:2] == (1.0, 2)
    assert answer_all(workspace, keys, ben) == 0


def test_four_replaced_videos_are_asked_again_everywhere(
    workspace, add_question, add_person, study
):
    task, _, ann, ben = study
    clara, dora = add_person("Clara", "author"), add_person("Dora", "author")
    replaced = [add_question(f"direction/{number}", key=0) for number in range(4)]
    for number in range(4):
        add_question(f"spare/{number}", video=f"new {number}.mp4")
    condition_task(workspace, "16 frames")  # takes the questions that came
    answer_all(workspace, task, ann)
    answer_all(workspace, task, ben, 0)
    for question in replaced:
        [item] = workspace.store.rows(
            "SELECT id FROM item WHERE task_id = ? AND question_id = ?", [task, question]
        )
        answers = [
            row["id"]
            for row in workspace.store.rows(
                "SELECT id FROM annotation WHERE item_id = ? ORDER BY id", [item["id"]]
            )
        ]
        resolve(
            workspace, item["id"], clara, "replace_video", answers=tuple(answers), seen_revision=0,
            reason="too dark",
        )  # fmt: skip
    listed = replacements(workspace)
    assert [(entry.uid, entry.replaced) for entry in listed] == [
        (f"direction/{number}", False) for number in range(4)
    ]
    assert scored(workspace)[2] == {"on withdrawn items": 8}
    with pytest.raises(Refusal, match="about this clip already"):
        replace_clip(workspace, replaced[0], listed[0].video, author=clara)
    with pytest.raises(Refusal, match="no usable video"):
        replace_clip(workspace, replaced[0], "elsewhere.mp4", author=clara)
    with pytest.raises(Refusal, match="no author"):
        replace_clip(workspace, replaced[0], "new 0.mp4", author=ann)
    for number, question in enumerate(replaced):
        effect = replace_clip(workspace, question, f"new {number}.mp4", author=dora)
        assert effect.words == "2 answers are asked again, 1 item opened again"
    assert all(entry.replaced for entry in replacements(workspace))
    assert (answer_all(workspace, task, ann, 0), answer_all(workspace, task, ben, 0)) == (4, 4)
    value, n, others = scored(workspace)
    # 6 questions with key 1: Ann's 6 are right, Ben's 6 are not; 4 replaced with key 0: all 8.
    assert (value, n, others) == (14 / 20, 20, {})
