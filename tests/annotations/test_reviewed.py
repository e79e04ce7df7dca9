import json

import pytest

from annotations import answers, queue
from annotations.answers import Answer
from annotations.evaluation import create_task, grow
from annotations.reviewed import apply_review, reviewed

OPTIONS = ("left", "right", "up", "down", "round", "nowhere")


def review(**options) -> dict:
    parts = {"kept": ["0", "2", "3"], "texts": {"2": "upwards"}, "key": "1", **options}
    return {"verdict": "keep", "question": "Which way now?", "options": parts, "flags": []}


@pytest.fixture
def answer(workspace):
    """Has a person answer the one item of a task; the item's id comes back."""

    def give(task: int, person, response: dict) -> int:
        [row] = queue.lease(workspace, task, person, 1)
        uid = f"answer of {person.name} to {row['id']}"
        given = Answer(uid, row["id"], row["lease_id"], response, None, 1.0, 0.0)
        [receipt] = answers.store(workspace, task, person, [given])
        assert receipt.status == "stored", receipt.reason
        return row["id"]

    return give


@pytest.fixture
def review_task(workspace, add_question):
    def make(overlap: int = 1) -> int:
        add_question("direction/1", OPTIONS, key=1)
        task = create_task(workspace, "review", "question_review", {}, overlap)
        grow(workspace, task)
        return task

    return make


def revisions(workspace) -> list[dict]:
    return workspace.store.rows("SELECT * FROM question_revision ORDER BY revision")


def test_a_decided_review_is_the_next_revision_and_the_first_stays(
    workspace, review_task, answer, add_person
):
    item = answer(review_task(), add_person("Ann"), review())
    [made] = apply_review(workspace, item)
    first, second = revisions(workspace)
    assert json.loads(first["options"]) == list(OPTIONS)
    assert (second["id"], second["revision"]) == (made, 2)
    assert json.loads(second["options"]) == ["left", "right", "upwards", "down"]
    assert (second["key"], second["text"]) == (1, "Which way now?")
    assert second["clip_id"] == first["clip_id"]
    assert apply_review(workspace, item) == [made]
    assert len(revisions(workspace)) == 2


def test_a_discarded_question_keeps_its_text_and_is_tagged(
    workspace, review_task, answer, add_person
):
    item = answer(review_task(), add_person("Ann"), {"verdict": "discard"})
    apply_review(workspace, item)
    _, second = revisions(workspace)
    assert json.loads(second["tags"]) == {"discarded": True}
    assert json.loads(second["options"]) == list(OPTIONS)
    apply_review(workspace, item)
    assert len(revisions(workspace)) == 2


def test_a_tie_or_a_question_that_was_changed_meanwhile_makes_no_revision(
    workspace, review_task, answer, add_person
):
    task = review_task(overlap=2)
    item = answer(task, add_person("Ann"), review())
    answer(task, add_person("Bob"), {"verdict": "discard"})
    with pytest.raises(ValueError, match=r"not decided yet \(tie\)"):
        apply_review(workspace, item)
    assert len(revisions(workspace)) == 1


def test_a_review_never_undoes_what_was_changed_after_it(
    workspace, review_task, answer, add_person
):
    item = answer(review_task(), add_person("Ann"), review())
    with workspace.store.write() as database:
        database.conn.execute(
            "INSERT INTO question_revision (question_id, revision, clip_id, text, options, key,"
            " created_at) SELECT question_id, 2, clip_id, 'Newer?', options, key, created_at"
            " FROM question_revision"
        )
    with pytest.raises(ValueError, match="was changed after it was reviewed"):
        apply_review(workspace, item)
    assert [row["text"] for row in revisions(workspace)][-1] == "Newer?"


def test_a_generated_question_becomes_a_question_whose_key_is_not_always_first(
    workspace, add_question, answer, add_person
):
    add_question("direction/1", OPTIONS)
    rows = [
        {
            "video": "video of direction/1",
            "question": "Where to?",
            "answer": "north",
            "negatives": ["south", "east", "west", "down"],
            "category": "direction",
            "start": 0.5,
            "id": "g1",
        }
    ]
    task = create_task(workspace, "generated", "question_review", {}, 1, rows=rows)
    given = review(key="0", kept=["1", "2", "3"], texts={})
    item = answer(task, add_person("Ann"), given)
    [made] = apply_review(workspace, item)
    [row] = workspace.store.rows(
        "SELECT r.*, q.uid, c.start_s FROM question_revision r JOIN question q"
        " ON q.id = r.question_id JOIN clip c ON c.id = r.clip_id WHERE r.id = ?",
        [made],
    )
    assert row["uid"] == "generated/g1"
    assert (row["category"], row["start_s"]) == ("direction", 0.5)
    assert sorted(json.loads(row["options"])) == ["east", "north", "south", "west"]
    assert json.loads(row["options"])[row["key"]] == "north"
    assert apply_review(workspace, item) == [made]


def test_keys_of_generated_questions_are_spread_over_all_places():
    before = {"text": "?", "options": list("abcde"), "key": 0, "category": ""}
    value = {
        "verdict": "keep",
        "question": "?",
        "key": "0",
        "kept": ["1", "2", "3"],
        "texts": dict(zip("0123", "abcd", strict=True)),
        "flags": ["answer_on_screen"],
    }
    made = [reviewed(f"g{i}", before, value, seed=f"g{i}") for i in range(60)]
    assert {one.key for one in made} == {0, 1, 2, 3}
    assert all(one.key is not None and one.options[one.key] == "a" for one in made)
    assert made[0].tags == {"flags": ["answer_on_screen"]}
    with pytest.raises(ValueError, match="no wrong option"):
        reviewed("g", before, {**value, "kept": []})


def test_every_written_question_becomes_one(workspace, add_question, answer, add_person):
    add_question("direction/1", OPTIONS)
    rows = [{"video": "video of direction/1"}]
    task = create_task(workspace, "write", "question_review", {"mode": "write"}, 2, rows=rows)
    given = {"category": "count", "question": "How many?", "answer": "3", "wrong": "1\n2\n4"}
    item = answer(task, add_person("Ann"), given)
    answer(task, add_person("Bob"), {**given, "answer": "4", "wrong": "1\n2\n3"})
    made = apply_review(workspace, item)
    rows = workspace.store.rows("SELECT * FROM current_question WHERE source = 'review'")
    assert [row["id"] for row in rows] == made
    assert [json.loads(row["options"])[row["key"]] for row in rows] == ["3", "4"]
    assert apply_review(workspace, item) == made
