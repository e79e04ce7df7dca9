import json
import time

import pytest

from annotations.answering import queue
from annotations.answering.answer_store import Answer, store
from annotations.condition import Condition
from annotations.planning.task_store import create_task, grow
from annotations.scoring.human_accuracy import accuracy_table, weighted
from annotations.scoring.snapshot import take
from annotations.task import Shown
from annotations.tasks import human_evaluation
from annotations.tasks.human_evaluation import (
    check_response,
    check_settings,
    content,
    decide,
    distance,
    feedback,
    settled,
)
from core.refusal import Refusal
from ui.form import form


@pytest.fixture
def shown(workspace, add_question, make_item):
    """What one person is shown of a question under some settings, and the item's content."""

    def show(seed: str = "x", **settings):
        if not workspace.store.rows("SELECT id FROM question"):
            add_question("direction/1", ("Left.", "Right.", "Up."), key=1)
        checked = check_settings(settings)
        [draft] = human_evaluation.build_items(workspace, checked, None)
        item = make_item(draft)
        found = human_evaluation.show(workspace, item, checked, seed)
        return found, content(workspace, item, found)

    return show


def texts(values: dict) -> list[str]:
    return [one["text"] for one in values["options"]]


def test_no_option_is_right_and_cannot_tell_stand_below_the_options_when_switched_on(shown):
    for seed in "abc":
        _, drawn = shown(seed, none_right=True, cannot_tell=True)
        assert texts(drawn.values)[3:] == ["None of these is right.", "I cannot tell."]
    found, _ = shown(none_right=True, cannot_tell=True)
    assert check_response({"choice": "none_right"}, found) == {"choice": "none_right"}
    assert check_response({"choice": 2}, found) == {"choice": 2}
    plain, _ = shown()
    for name in ("none_right", "cannot_tell"):
        with pytest.raises(ValueError, match="No option is chosen"):
            check_response({"choice": name}, plain)


def test_descriptions_explain_the_options_that_they_name_and_are_kept_with_the_answer(shown):
    found, drawn = shown(descriptions={"left": "Towards the left edge."})
    described = {one["text"]: one["description"] for one in drawn.values["options"]}
    assert described == {"Left.": "Towards the left edge.", "Right.": "", "Up.": ""}
    assert found.facts["descriptions"] == {"0": "Towards the left edge."}


def test_free_text_takes_words_instead_of_options(shown):
    found, drawn = shown(free_text=True)
    assert drawn.values["options"] == []
    assert "option_order" not in found.facts
    assert check_response({"text": " to the right "}, found) == {"text": "to the right"}
    with pytest.raises(ValueError, match="Write the answer"):
        check_response({"text": " "}, found)
    with pytest.raises(ValueError, match="Write the answer"):
        check_response({"choice": 1}, found)


def test_free_text_may_have_a_way_out_but_not_both(shown):
    found, _ = shown(free_text=True, cannot_tell=True)
    assert check_response({"choice": "cannot_tell"}, found) == {"choice": "cannot_tell"}
    with pytest.raises(ValueError, match="not both"):
        check_response({"choice": "cannot_tell", "text": "left"}, found)


def test_text_only_shows_nothing_and_needs_no_video(workspace, shown):
    assert Condition.parse("Text  only").name == "text only"
    assert Condition.parse("text only").frames(range(9), "x") == ()
    shown()
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET status = 'missing', sha256 = ''")
    found, drawn = shown(condition="text only")
    assert drawn.stage is None
    assert found.facts["frames"] == []
    assert "video" not in found.facts
    frames = check_settings({"condition": "16 frames"})
    assert list(human_evaluation.build_items(workspace, frames, None)) == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"condition": "17 words"}, "'text only'"),
        ({"free_text": True, "none_right": True}, "needs options"),
        ({"descriptions": {"left": 1}}, "text of an option: words"),
        ({"cannot_tell": "yes"}, "has to look like False"),
        ({"colour": 1}, "no setting 'colour'"),
    ],
)
def test_a_setting_that_is_not_allowed_is_named(settings, words):
    with pytest.raises(ValueError, match=words):
        check_settings(settings)


def test_words_that_differ_in_case_and_full_stop_are_the_same_answer():
    answers = [{"text": "To the right."}, {"text": "to the  right"}, {"text": "left"}]
    found = decide(answers, {})
    assert (found.value, found.words) == ("To the right.", "2 of 3")
    assert not settled(answers, 1, {})  # another "left" makes a tie
    assert distance(answers[0], answers[1]) == 0
    assert distance(answers[0], {"choice": "cannot_tell"}) == 1
    assert feedback({"text": "LEFT"}, {"text": "left", "why": "See."}, {}) == (True, "Right. See.")
    assert not feedback({"choice": "cannot_tell"}, {"choice": 1}, {})[0]


def test_an_answer_from_before_these_settings_is_read_as_it_was(shown):
    found, _ = shown()
    assert {"extra", "descriptions", "free_text"}.isdisjoint(found.facts)
    old = Shown({"condition": "full video", "option_order": [0, 1], "frames": []})
    assert check_response({"choice": 1}, old) == {"choice": 1}
    assert form("human_evaluation", {"condition": "full video"})["fields"][0]["type"] == "choice"


def test_in_metrics_none_right_is_a_wrong_answer_and_words_are_left_out(
    workspace, add_question, add_person
):
    add_question("direction/1", ("Left.", "Right.", "Up."), key=1)
    ann = add_person("Ann")
    for name, settings, response in (
        ("extra", {"none_right": True}, {"choice": "none_right"}),
        ("words", {"free_text": True, "condition": "text only"}, {"text": "right"}),
    ):
        settings = {**settings, "meet_once": False}  # Ann answers both
        task = create_task(workspace, name, "human_evaluation", settings, 1)
        grow(workspace, task)
        [row] = queue.lease(workspace, task, ann, 1)
        given = Answer(
            f"answer {name}", row.item.id, row.lease.id, response, None, 1.0, time.time()
        )
        assert store(workspace, task, ann, [given])[0].status == "stored"
    found = {
        row.condition: (row.accuracy.n, row.accuracy.value)
        for row in accuracy_table(take(workspace))
    }
    assert found == {"full video": (1, 0.0), "text only": (0, None)}


def test_the_form_asks_for_words_and_offers_the_way_out():
    plain = form("human_evaluation", check_settings({"free_text": True}))["fields"]
    assert [(one["type"], one["required"]) for one in plain] == [("text", True)]
    both = form("human_evaluation", check_settings({"free_text": True, "cannot_tell": True}))
    assert [(one["type"], one["required"]) for one in both["fields"]] == [
        ("text", False),
        ("choice", False),
    ]


def test_a_sample_holds_each_category_in_its_share_and_does_not_grow(
    workspace, add_question, add_person
):
    for number in range(20):
        add_question(f"count/{number}")
    for number in range(10):
        add_question(f"direction/{number}")
    settings = {"condition": "text only", "sample": 6}
    task = create_task(workspace, "sampled", "human_evaluation", settings, 1)
    assert grow(workspace, task) == 6
    uids = [row["uid"] for row in workspace.store.rows("SELECT uid FROM item ORDER BY id")]
    assert sum(uid.startswith("question:count/") for uid in uids) == 4
    add_question("count/20")
    assert grow(workspace, task) == 0
    ann = add_person("Ann")
    for row in workspace.store.rows("SELECT id, uid FROM item ORDER BY id"):
        handed = queue.hand(workspace, task, ann, row["id"])
        choice = 1 if row["uid"].startswith("question:count/") else 0
        given = Answer(f"sampled {row['id']}", row["id"], handed.lease.id, {"choice": choice},
                       None, 1.0, 0.0)  # fmt: skip
        store(workspace, task, ann, [given])
    with take(workspace) as snapshot:
        [(condition, estimate)] = weighted(snapshot)
    # All of count are right, none of direction: 21 of 31 questions are of count.
    assert condition == "text only"
    assert estimate.value == pytest.approx(21 / 31)


def test_a_sample_of_less_than_nothing_is_refused():
    with pytest.raises(ValueError, match="allowed: 0 for all"):
        check_settings({"condition": "text only", "sample": -1})


@pytest.mark.parametrize(
    ("only", "asked"),
    [
        ({}, ["count/1", "count/2", "turn/1"]),
        ({"category": ["count"]}, ["count/1", "count/2"]),
        ({"category": ["count", "turn"], "hard": ["true"]}, ["count/1", "turn/1"]),
        ({"people": ["2"]}, ["count/2"]),
        ({"category": []}, ["count/1", "count/2", "turn/1"]),
        ({"unknown": ["x"]}, []),
    ],
)
def test_questions_are_chosen_by_category_and_tags(workspace, add_question, only, asked):
    tags = {"count/1": {"hard": True}, "count/2": {"people": 2}, "turn/1": {"hard": True}}
    for uid in tags:
        add_question(uid)
    with workspace.store.write() as database:
        for uid, known in tags.items():
            database.conn.execute(
                "UPDATE question_revision SET tags = ? WHERE question_id ="
                " (SELECT id FROM question WHERE uid = ?)", [json.dumps(known), uid],
            )  # fmt: skip
    settings = check_settings({"only": only})
    drafts = human_evaluation.build_items(workspace, settings, None)
    assert sorted(draft.uid.removeprefix("question:") for draft in drafts) == asked


@pytest.mark.parametrize("only", [["count"], {"category": "count"}, {"category": [1]}])
def test_a_choice_of_questions_that_is_none_is_refused(only):
    with pytest.raises(Refusal, match="Setting only"):
        check_settings({"only": only})
