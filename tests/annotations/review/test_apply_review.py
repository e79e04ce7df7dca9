import json

import pytest

from annotations.adjudication.history import events
from annotations.adjudication.resolution import reopen, resolve
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.failure.failure_key import question_history
from annotations.planning.task_store import all_tasks, create_task, grow
from annotations.question.questions import revise
from annotations.question.reasking import Effect
from annotations.review.apply_review import Foreseen, carry_over, foreseen, results
from annotations.review.review_results import CARRIED, CHANGED, READY, UNDECIDED

OPTIONS = ("left", "right", "up", "down", "round", "nowhere")
DISCARD = {"verdict": "discard"}
ROW = {
    "video": "video of direction/1",
    "question": "Where to?",
    "answer": "north",
    "negatives": ["south", "east", "west", "down"],
    "category": "direction",
    "start": 0.5,
    "id": "g1",
}
WRITTEN = {"category": "count", "question": "How many?", "answer": "3", "wrong": "1\n2\n4"}


def review(**options) -> dict:
    parts = {"kept": ["0", "2", "3"], "texts": {"2": "upwards"}, "key": "1", **options}
    return {"verdict": "keep", "question": "Which way now?", "options": parts, "flags": []}


@pytest.fixture
def clara(add_person):
    return add_person("Clara", "author")


@pytest.fixture
def answer(workspace):
    """Has a person answer the next item of a task; the item's id comes back."""

    def give(task: int, person, response: dict, item: int | None = None) -> int:
        row = (
            queue.lease(workspace, task, person, 1)[0]
            if item is None
            else queue.hand(workspace, task, person, item)
        )
        uid = f"answer of {person.name} in lease {row.lease.id}"
        given = Answer(uid, row.item.id, row.lease.id, response, None, 1.0, 0.0)
        [receipt] = answer_store.store(workspace, task, person, [given])
        assert receipt.status == "stored", receipt.reason
        return row.item.id

    return give


@pytest.fixture
def review_task(workspace, add_question):
    """A review of so many questions, by so many people each."""

    def make(overlap: int = 1, questions: int = 1) -> int:
        for number in range(1, questions + 1):
            add_question(f"direction/{number}", OPTIONS, key=1)
        task = create_task(workspace, "review", "question_review", {}, overlap)
        grow(workspace, task)
        return task

    return make


@pytest.fixture
def revisions(workspace):
    def read() -> list[dict]:
        return workspace.store.rows("SELECT * FROM question_revision ORDER BY revision")

    return read


def states(workspace, task) -> list[str]:
    return [one.state for one in results(workspace, task)]


def test_a_decided_review_is_the_next_revision_and_the_first_stays(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task()
    item = answer(task, add_person("Ann"), review())
    [one] = results(workspace, task)
    assert (one.state, one.words, one.question.options) == (
        READY, "keep: single vote; 3 wrong options kept", OPTIONS,
    )  # fmt: skip
    done = carry_over(workspace, task, clara)
    assert done.words == "1 question carried over: 1 changed"
    first, second = revisions()
    assert json.loads(first["options"]) == list(OPTIONS)
    assert json.loads(second["options"]) == ["left", "right", "upwards", "down"]
    assert (second["key"], second["text"], second["revision"]) == (1, "Which way now?", 2)
    assert second["clip_id"] == first["clip_id"]
    assert events(workspace, item)[-1].detail.endswith("decided by Ann")


def test_what_carrying_over_does_to_answers_is_said_before(
    workspace, review_task, answer, add_person, clara
):
    task = review_task(questions=2)
    evaluation = create_task(workspace, "people", "human_evaluation", {"condition": "16 frames"}, 1)
    grow(workspace, evaluation)
    for _ in range(2):
        answer(evaluation, add_person(f"Cem {_}"), {"choice": 1})
    assert foreseen(workspace, task).words == "nobody has answered yet"
    ann = add_person("Ann")
    answer(task, ann, review())
    # Other options: the one answer of the evaluation is asked again; the review itself is none.
    assert foreseen(workspace, task).words == "1 answer is asked again"
    answer(task, ann, DISCARD)
    assert foreseen(workspace, task).words == (
        "1 answer is asked again; 1 is to a question that is discarded, and leaves every figure"
    )
    carry_over(workspace, task, clara)
    assert foreseen(workspace, task) == Foreseen(Effect())
    counted = workspace.store.rows(
        "SELECT sum(a.counted) AS n FROM annotation a JOIN item i ON i.id = a.item_id"
        " WHERE i.task_id = ? AND i.status = 'open'", [evaluation],
    )  # fmt: skip
    assert counted == [{"n": 0}]


def test_carrying_over_twice_changes_nothing_the_second_time(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task()
    answer(task, add_person("Ann"), review())
    carry_over(workspace, task, clara)
    assert carry_over(workspace, task, clara).words == "nothing to carry over"
    assert len(revisions()) == 2
    [one] = results(workspace, task)
    assert (one.state, one.question.options, one.after[0].options) == (
        CARRIED, OPTIONS, ("left", "right", "upwards", "down"),
    )  # fmt: skip


def test_the_revision_is_signed_by_those_who_decided_and_not_by_who_carried_it_over(
    workspace, review_task, answer, add_person, clara
):
    task = review_task(overlap=2)
    answer(task, add_person("Ann"), review())
    item = answer(task, add_person("Bob"), review())
    carry_over(workspace, task, clara)
    [row] = workspace.store.rows("SELECT question_id FROM item WHERE id = ?", [item])
    history = question_history(workspace, row["question_id"])["events"]
    assert [one["who"] for one in history if one["what"].startswith("revision 2")] == [
        "Ann and Bob"
    ]
    assert [one["who"] for one in history if one["what"] == "carried over"] == ["Clara"]


def test_what_authors_decided_is_carried_over_and_signed_by_them(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task(overlap=2)
    item = answer(task, add_person("Ann"), review())
    answer(task, add_person("Bob"), DISCARD)
    [one] = results(workspace, task)
    assert (one.state, one.words) == (UNDECIDED, "tie: settle it under Disagreements")
    assert carry_over(workspace, task, clara).words == "nothing to carry over"
    table = workspace.store.rows("SELECT id FROM annotation ORDER BY id")
    resolve(
        workspace, item, clara, "first", answers=tuple(row["id"] for row in table), seen_revision=0,
        signatures=1,
    )  # fmt: skip
    assert carry_over(workspace, task, None).changed == 1
    assert revisions()[-1]["text"] == "Which way now?"
    [row] = workspace.store.rows("SELECT annotator_id FROM revision_signature")
    assert row["annotator_id"] == clara.id


def test_a_resolution_that_waits_for_a_signature_is_not_carried_over(
    workspace, review_task, answer, add_person, clara
):
    task = review_task()
    item = answer(task, add_person("Ann"), review())
    [row] = workspace.store.rows("SELECT id FROM annotation")
    resolve(
        workspace, item, clara, "first", answers=(row["id"],), seen_revision=0, signatures=2
    )  # fmt: skip
    [one] = results(workspace, task)
    assert (one.state, one.words) == (UNDECIDED, "signed by 1 of 2")


def test_an_item_that_lacks_answers_is_not_carried_over_yet(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task(overlap=2)
    answer(task, add_person("Ann"), review())
    [one] = results(workspace, task)
    assert (one.state, one.words) == (UNDECIDED, "1 of 2 answers")
    carry_over(workspace, task, clara)
    assert len(revisions()) == 1


def test_a_discarded_question_is_tagged_and_leaves_other_tasks(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task()
    other = create_task(workspace, "people", "human_evaluation", {}, 2)
    grow(workspace, other)
    ann = add_person("Ann", "author")  # may see keys of what is asked elsewhere
    answer(task, ann, DISCARD)
    assert carry_over(workspace, task, clara).words == "1 question carried over: 1 discarded"
    _, second = revisions()
    assert json.loads(second["tags"]) == {"discarded": True}
    assert json.loads(second["options"]) == list(OPTIONS)
    assert queue.lease(workspace, other, ann, 5) == []
    assert states(workspace, task) == [CARRIED]  # the review still shows what it decided
    assert grow(workspace, other) == 0
    carry_over(workspace, task, clara)
    assert len(revisions()) == 2


def test_a_question_that_is_discarded_no_more_comes_back(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task()
    other = create_task(workspace, "people", "human_evaluation", {}, 2)
    grow(workspace, other)
    ann = add_person("Ann", "author")  # may see keys of what is asked elsewhere
    item = answer(task, ann, DISCARD)
    carry_over(workspace, task, clara)
    answer(task, ann, review(), item)
    assert states(workspace, task) == [READY]
    carry_over(workspace, task, clara)
    assert json.loads(revisions()[-1]["tags"]) == {}
    assert len(queue.lease(workspace, other, ann, 5)) == 1


def test_a_question_that_authors_retired_stays_retired(
    workspace, review_task, answer, add_person, clara
):
    task = review_task()
    other = create_task(workspace, "people", "human_evaluation", {}, 2)
    grow(workspace, other)
    ann = add_person("Ann", "author")  # may see keys of what is asked elsewhere
    answer(task, ann, review())
    [one] = workspace.store.rows("SELECT id FROM item WHERE task_id = ?", [other])
    answer(other, ann, {"choice": 1}, one["id"])
    [table] = workspace.store.rows("SELECT id FROM annotation WHERE item_id = ?", [one["id"]])
    resolve(
        workspace, one["id"], clara, "retire", answers=(table["id"],), seen_revision=0,
        signatures=1,
    )  # fmt: skip
    assert states(workspace, task) == []
    assert carry_over(workspace, task, clara).words == "nothing to carry over"
    reopen(workspace, one["id"], clara, 1, "A mistake.")
    assert states(workspace, task) == [READY]


def test_a_review_never_undoes_what_was_changed_after_it_but_lists_it(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task(questions=2)
    ann = add_person("Ann")
    first = answer(task, ann, review())
    answer(task, ann, review())
    with workspace.store.write() as database:
        [row] = database.conn.execute("SELECT question_id FROM item WHERE id = ?", [first])
        question = row[0]
        revise(database, question, {"text": "Newer?"})
    assert sorted(states(workspace, task)) == sorted([CHANGED, READY])
    done = carry_over(workspace, task, clara)
    assert (done.changed, len(done.changed_since)) == (1, 1)
    assert "1 question changed since the review and left alone" in done.words
    current = workspace.store.rows(
        "SELECT text FROM current_question WHERE question_id = ?", [question]
    )
    assert current[0]["text"] == "Newer?"
    answer(task, ann, review(), first)  # reviewed again, on the newer revision
    assert carry_over(workspace, task, clara).changed == 1


def test_a_key_that_is_fixed_after_carrying_over_stays_fixed(
    workspace, review_task, answer, add_person, clara, revisions
):
    task = review_task()
    ann = add_person("Ann")
    item = answer(task, ann, review())
    carry_over(workspace, task, clara)
    with workspace.store.write() as database:
        revise(database, revisions()[0]["question_id"], {"key": 2})
    assert states(workspace, task) == [CARRIED]
    assert carry_over(workspace, task, clara).words == "nothing to carry over"
    answer(task, ann, DISCARD, item)  # on the fixed question: nothing of it is overwritten unseen
    assert states(workspace, task) == [READY]


def test_what_was_answered_before_keeps_what_it_was_shown_and_is_asked_again(
    workspace, review_task, answer, add_person, clara
):
    task = review_task()
    other = create_task(workspace, "people", "human_evaluation", {"condition": "full video"}, 3)
    grow(workspace, other)
    ann, bob = add_person("Ann"), add_person("Bob")
    answer(other, ann, {"choice": 5})
    [held] = queue.lease(workspace, other, bob, 1)
    answer(task, ann, review())
    carry_over(workspace, task, clara)
    given = Answer("held before", held.item.id, held.lease.id, {"choice": 4}, None, 1.0, 0.0)
    [receipt] = answer_store.store(workspace, other, bob, [given])
    # Kept, but the review has changed the wording: Bob is asked again in the new version.
    assert (receipt.status, receipt.reason) == ("extra", answer_store.REVISED)
    [again] = queue.lease(workspace, other, bob, 1)
    assert again.item.id == held.item.id
    answer(other, clara, {"choice": 2})
    found = workspace.store.rows(
        "SELECT r.revision, a.response FROM annotation a JOIN question_revision r"
        " ON r.id = a.question_revision_id WHERE a.task_kind = 'human_evaluation' ORDER BY a.id"
    )
    assert [(row["revision"], json.loads(row["response"])["choice"]) for row in found] == [
        (1, 5), (1, 4), (2, 2),
    ]  # fmt: skip


def test_a_generated_question_becomes_a_question_whose_key_is_not_always_first(
    workspace, add_question, answer, add_person, clara
):
    add_question("direction/1", OPTIONS)
    task = create_task(workspace, "generated", "question_review", {}, 1, rows=[ROW])
    ann = add_person("Ann")
    item = answer(task, ann, review(key="0", kept=["1", "2", "3"], texts={}))
    done = carry_over(workspace, task, clara)
    assert done.words == "1 question carried over: 1 made"
    [row] = workspace.store.rows(
        "SELECT r.*, q.uid, c.start_s FROM current_question r JOIN question q"
        " ON q.id = r.question_id JOIN clip c ON c.id = r.clip_id WHERE q.source = 'review'"
    )
    assert row["uid"] == "generated/g1"
    assert (row["category"], row["start_s"]) == ("direction", 0.5)
    assert sorted(json.loads(row["options"])) == ["east", "north", "south", "west"]
    assert json.loads(row["options"])[row["key"]] == "north"
    # It is asked like any other question from now on.
    tasks = {one.name: one.items for one in all_tasks(workspace)}
    assert tasks["Human evaluation: 16 frames"] == 2
    assert done.grown > 0
    # Discarded later, it is tagged and withdrawn.
    answer(task, ann, DISCARD, item)
    assert carry_over(workspace, task, clara).discarded == 1
    [row] = workspace.store.rows("SELECT tags FROM current_question WHERE source = 'review'")
    assert json.loads(row["tags"]) == {"discarded": True}
    assert {one.name: one.items for one in all_tasks(workspace)}["Human evaluation: 16 frames"] == 1


def test_a_discarded_row_becomes_no_question(workspace, add_question, answer, add_person, clara):
    add_question("direction/1", OPTIONS)
    task = create_task(workspace, "generated", "question_review", {}, 1, rows=[ROW])
    answer(task, add_person("Ann"), DISCARD)
    assert carry_over(workspace, task, clara).words == "1 question carried over: 1 discarded"
    assert workspace.store.rows("SELECT 1 FROM question WHERE source = 'review'") == []
    assert states(workspace, task) == [CARRIED]


def test_every_written_question_becomes_one_and_a_correction_changes_its_own(
    workspace, add_question, answer, add_person, clara
):
    add_question("direction/1", OPTIONS)
    rows = [{"video": "video of direction/1"}]
    task = create_task(workspace, "write", "question_review", {"mode": "write"}, 2, rows=rows)
    ann = add_person("Ann")
    item = answer(task, ann, WRITTEN)
    answer(task, add_person("Bob"), {**WRITTEN, "answer": "4", "wrong": "1\n2\n3"})
    assert carry_over(workspace, task, clara).created == 2

    def keys() -> list[str]:
        found = workspace.store.rows(
            "SELECT * FROM current_question WHERE source = 'review' ORDER BY question_id"
        )
        return [json.loads(row["options"])[row["key"]] for row in found]

    assert keys() == ["3", "4"]
    answer(task, ann, {**WRITTEN, "answer": "5"}, item)
    done = carry_over(workspace, task, clara)
    assert (done.changed, done.same, done.created) == (1, 1, 0)
    assert keys() == ["5", "4"]


def test_only_authors_carry_over_and_only_what_makes_questions(
    workspace, review_task, add_person, clara
):
    task = review_task()
    with pytest.raises(ValueError, match="Ann is no author"):
        carry_over(workspace, task, add_person("Ann"))
    other = create_task(workspace, "people", "human_evaluation", {}, 2)
    with pytest.raises(ValueError, match="Allowed: Question review"):
        carry_over(workspace, other, clara)
    with pytest.raises(LookupError):
        carry_over(workspace, 99, clara)


def test_an_item_without_a_decision_has_no_value(workspace, review_task):
    task = review_task()
    [one] = results(workspace, task)
    assert (one.state, one.words, one.value, one.after) == (UNDECIDED, "0 of 1 answers", None, ())
