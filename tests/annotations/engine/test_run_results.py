from collections.abc import Callable

import pytest
from building import make_answer, make_item

from annotations.annotator import TextLine
from annotations.engine.run_results import by_reason, failures, newest_results, usual_seconds
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.record.item import item_in
from annotations.run.run_answers import ModelAnswer, store_answers, store_errors
from annotations.run.runs import condition_task, ensure_run
from annotations.video.video_texts import NewText, store_texts
from annotations.workspace import Workspace
from core.reply.result import Reading

READ = Reading(None, "read", "threshold", "similarity 0.3, not below 0.1")


@pytest.fixture
def items(workspace: Workspace, add_question: Callable[..., int]) -> list[int]:
    """Four clips to screen."""
    for number in range(4):
        add_question(f"count/{number}")
    settings = {"reasons": ["Too dark", "Still"], "duplicates": False}
    task = create_task(workspace, "Footage", "screening", settings, 1)
    grow(workspace, task)
    return [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY position")]


def said(*reasons: str) -> dict[str, object]:
    return {"verdict": "reject" if reasons else "accept", "reasons": list(reasons), "note": ""}


def test_a_filters_results_say_the_reasons_by_their_labels_newest_first(
    workspace: Workspace, items: list[int]
):
    run = ensure_run(workspace, "CLIP", 1, "clip_similarity")
    store_answers(workspace, run, [ModelAnswer(items[0], None, said(), {}, READ, score=0.3)])
    store_answers(
        workspace, run, [ModelAnswer(items[1], None, said("too_dark", "still"), {}, READ)]
    )
    first, second = newest_results(workspace, run)
    assert (first.accepted, first.words, first.score) == (False, "Too dark, Still", None)
    assert (second.accepted, second.words, second.score) == (True, "", 0.3)
    assert second.note == READ.reason
    assert len(second.sha256) == 64
    assert [one.item_id for one in newest_results(workspace, run, 1)] == [items[1]]


def test_an_answer_that_was_changed_is_shown_once_as_it_is_now(
    workspace: Workspace, items: list[int]
):
    run = ensure_run(workspace, "CLIP", 1, "clip_similarity")
    for response in (said(), said("still")):
        store_answers(workspace, run, [ModelAnswer(items[0], None, response, {}, READ)])
    [only] = newest_results(workspace, run)
    assert only.words == "Still"


def test_the_newest_of_many_results_cost_what_those_of_few_do(
    workspace: Workspace, items: list[int]
):
    """Counted in thousands of steps of the database's machine, which no load changes."""

    def steps() -> int:
        counted = 0

        def step() -> None:
            nonlocal counted
            counted += 1

        with workspace.store.read() as database:
            database.conn.set_progress_handler(step, 1000)
        newest_results(workspace, run)
        with workspace.store.read() as database:
            database.conn.set_progress_handler(None, 0)
        return counted

    with workspace.store.write() as database:
        item = item_in(database, 1)
        for number in range(10, 1000):
            make_item(
                database, item.task_id, f"{item.uid}/{number}", video=item.video_id,
                payload=item.payload, position=number,
            )  # fmt: skip
    many = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id")]
    run = ensure_run(workspace, "CLIP", 1, "clip_similarity")
    store_answers(workspace, run, (ModelAnswer(one, None, said(), {}, READ) for one in many[:30]))
    few = steps()
    store_answers(workspace, run, (ModelAnswer(one, None, said(), {}, READ) for one in many))
    assert [one.item_id for one in newest_results(workspace, run, 2)] == many[:-3:-1]
    assert steps() <= few + 2


def test_answers_to_questions_and_replies_that_are_none_have_their_own_words(
    workspace: Workspace, items: list[int]
):
    task = condition_task(workspace, "16 frames")
    rows = workspace.store.rows(
        "SELECT i.id, q.id AS revision FROM item i JOIN current_question q"
        " ON q.question_id = i.question_id WHERE i.task_id = ? ORDER BY i.position",
        [task],
    )
    run = ensure_run(workspace, "gpt-x", task)
    unread = Reading(None, "unread", "", "no option is named")
    store_answers(
        workspace,
        run,
        [
            ModelAnswer(rows[0]["id"], rows[0]["revision"], {"choice": 1}, {}, READ),
            ModelAnswer(rows[1]["id"], rows[1]["revision"], {"choice": None}, {}, unread),
        ],
    )
    second, first = newest_results(workspace, run)
    assert first.accepted is None
    assert first.words == "right"  # the option, not its number
    assert (second.words, second.note, second.state) == ("unread", "no option is named", "unread")


def test_texts_are_results_too(workspace: Workspace, items: list[int]):
    run = ensure_run(workspace, "whisper", 1, "transcript")
    lines = (TextLine(0.5, 1.0, "Good morning"), TextLine(2.0, 3.0, "everybody"))
    store_texts(workspace, run, [NewText(items[0], "", "speech", "found", lines)])
    [only] = newest_results(workspace, run)
    assert only.words == "0.5 s: Good morning / 2.0 s: everybody"


def test_failures_are_counted_by_their_reason(workspace: Workspace, items: list[int]):
    run = ensure_run(workspace, "CLIP", 1, "clip_similarity")
    store_errors(workspace, run, [(items[0], "time-out: 120 s"), (items[1], "broken JSON: {")])
    store_errors(workspace, run, [(items[2], "time-out: 60 s"), (items[1], "broken JSON: {")])
    found = failures(workspace, run)
    assert [one.tries for one in found if one.item_id == items[1]] == [2]
    assert [(reason, count) for reason, count, _ in by_reason(found)] == [
        ("time-out", 2),
        ("broken JSON", 1),
    ]


def test_what_an_answer_took_is_that_of_people_only(
    workspace: Workspace, items: list[int], add_person: Callable[..., Person]
):
    assert usual_seconds(workspace, "screening") is None
    run = ensure_run(workspace, "CLIP", 1, "clip_similarity")
    store_answers(workspace, run, [ModelAnswer(items[0], None, said(), {}, READ, active_s=0.1)])
    assert usual_seconds(workspace, "screening") is None
    ada = add_person("Ada")
    with workspace.store.write() as database:
        for item, seconds in zip(items, (4.0, 6.0, 20.0), strict=False):
            make_answer(database, item, ada.id, active_s=seconds)
    assert usual_seconds(workspace, "screening") == 6.0
