from itertools import product

import pytest

from annotations.answering import queue
from annotations.record.stage import Player
from annotations.review.review_decision import flag_counts
from annotations.task import Shown
from annotations.tasks import question_review
from annotations.tasks.question_review import (
    build_items,
    check_response,
    check_settings,
    content,
    decide,
    distance,
    feedback,
    settled,
)
from ui.form import form

REVIEW = check_settings({})
WRITE = check_settings({"mode": "write"})
OPTIONS = ["hip throw", "shoulder throw", "outer sweep", "knee wheel", "a jump"]
SHOWN = Shown(
    {
        "mode": "review",
        "keep": [3, 4],
        "question": {"text": "Which throw?", "options": OPTIONS, "key": 0, "category": ""},
        "order": [3, 1, 0, 2, 4],
    }
)


def answer(**parts) -> dict:
    options = {"kept": ["1", "2", "3"], "texts": {}, "key": "0", **parts.pop("options", {})}
    return {"verdict": "keep", "question": "Which throw?", "options": options, **parts}


def stored(**parts) -> dict:
    return check_response(answer(**parts), SHOWN)


DISCARD = check_response({"verdict": "discard"}, SHOWN)


def test_a_review_is_stored_with_key_kept_options_and_the_words_of_both():
    found = stored(
        question="  Which throw is it? ",
        options={"texts": {"2": "outer reap ", "4": "dropped"}, "kept": ["3", "1", "2", "0"]},
        flags=["wrong_segment"],
    )
    assert found == {
        "verdict": "keep",
        "question": "Which throw is it?",
        "options": {
            "key": "0",
            "kept": ["1", "2", "3"],
            "texts": {
                "0": "hip throw",
                "1": "shoulder throw",
                "2": "outer reap",
                "3": "knee wheel",
            },
        },
        "flags": ["wrong_segment"],
        "note": "",
    }


def test_for_a_question_to_discard_nothing_else_is_asked():
    assert DISCARD == {"verdict": "discard", "flags": [], "note": ""}


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"verdict": None}, "nothing is chosen"),
        ({"question": " "}, "Write the question"),
        ({"options": {"key": None}}, "No option is marked as the key"),
        ({"options": {"key": "9"}}, "No option is marked"),
        ({"options": {"kept": ["1", "2"]}}, "2 wrong options are kept. Keep 3 or 4"),
        ({"options": {"kept": ["1", "2", "8"]}}, "'8' was not shown"),
        ({"options": {"texts": {"1": " "}}}, "Option: nothing is written"),
        ({"options": {"texts": {"1": "Hip  Throw"}}}, "Two options are the same"),
        ({"flags": ["boring"]}, "'boring' is no flag"),
    ],
)
def test_a_review_that_is_incomplete_is_refused_in_words(parts, words):
    with pytest.raises(ValueError, match=words):
        stored(**parts)


def test_where_there_are_fewer_wrong_options_than_wanted_all_of_them_are_kept():
    question = {**SHOWN.facts["question"], "options": OPTIONS[:3]}
    few = Shown({**SHOWN.facts, "question": question})
    assert check_response(answer(options={"kept": ["1", "2"]}), few)["options"]["kept"] == [
        "1",
        "2",
    ]
    with pytest.raises(ValueError, match="1 wrong options are kept"):
        check_response(answer(options={"kept": ["1"]}), few)


def test_a_row_brings_answer_and_negatives_or_options_and_key(workspace, add_video):
    add_video("a.mp4")
    row = {"video": "a.mp4", "question": "Which?", "start": 0.5, "end": 1.5, "category": "throws"}
    rows = [
        {**row, "answer": "hip throw", "negatives": OPTIONS[1:]},
        {**row, "options": OPTIONS, "key": 2},
        {**row, "options": OPTIONS, "key": "B"},
        {**row, "options": OPTIONS, "answer": "knee wheel", "id": "mine"},
        {**row, "options": OPTIONS},
    ]
    items = list(build_items(workspace, REVIEW, rows))
    assert [one.payload["key"] for one in items] == [0, 2, 1, 3, None]
    assert all(one.payload["options"] == OPTIONS for one in items)
    assert items[3].uid == "generated:mine"
    assert items[0].payload["clip"]["end"] == 1.5


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"question": "", "options": OPTIONS}, "field question: lacking"),
        ({"options": ["one"]}, "row 1, field options: 1 option"),
        ({"options": OPTIONS, "key": 5}, "row 1, field key"),
        ({"options": OPTIONS, "key": "none"}, "field key: answer text matches no option"),
        ({"negatives": ["x", "y"]}, "field answer: lacking"),
        ({"answer": "x", "negatives": ["x", "y"]}, "the answer is among the negatives"),
        ({"options": OPTIONS, "end": 9}, "beyond its video"),
    ],
)
def test_a_row_that_is_none_is_refused_with_its_field(workspace, add_video, part, words):
    add_video("a.mp4")
    row = {"video": "a.mp4", "question": "Which?", **part}
    with pytest.raises(ValueError, match=words):
        list(build_items(workspace, REVIEW, [row]))


def test_questions_of_the_workspace_are_shown_with_options_in_an_order_of_ones_own(
    workspace, add_question, make_item
):
    add_question("count/1", tuple("abcdefg"), key=2)
    [draft] = build_items(workspace, REVIEW, None)
    item = make_item(draft)
    orders = set()
    for person in range(6):
        shown = question_review.show(workspace, item, REVIEW, str(person))
        values = content(workspace, item, shown).values
        assert values["about"] == "Given key: c; category: Count"
        options = values["options"]
        assert [one["text"] for one in options if one["key"]] == ["c"]
        orders.add(tuple(one["id"] for one in options))
    assert len(orders) > 1
    blind = check_settings({"show_key": False})
    shown = question_review.show(workspace, item, blind, "x")
    values = content(workspace, item, shown).values
    assert values["about"] == "category: Count"
    assert not any(one["key"] for one in values["options"])


def test_most_keepers_decide_each_part():
    answers = [
        stored(options={"kept": ["1", "2", "3"]}, flags=["wrong_segment"]),
        stored(options={"kept": ["1", "2", "4"]}, flags=["wrong_segment"]),
        stored(options={"kept": ["1", "3", "4"], "texts": {"1": "one"}}),
        DISCARD,
    ]
    found = decide(answers, REVIEW)
    # 3 of 4 keep. Options: 1 by 3 of 3, 2, 3 and 4 by 2 of 3 each. Words of 1: 2 of 3 as they were.
    assert found.status == "decided"
    assert found.value["kept"] == ["1", "2", "3", "4"]
    assert found.value["texts"]["1"] == "shoulder throw"
    assert found.value["flags"] == ["wrong_segment"]
    assert flag_counts(answers)["wrong_segment"] == 2
    assert flag_counts(answers)["discard"] == 1


def test_parts_without_a_majority_are_open_and_go_to_an_author():
    found = decide([stored(), stored(question="Another?", options={"texts": {"0": "x"}})], REVIEW)
    assert found.status == "tie"
    assert found.value["question"] is None
    assert found.value["texts"]["0"] is None
    assert found.value["kept"] == ["1", "2", "3"]
    assert "no majority: question, words of option 0" in found.words
    assert decide([stored(), DISCARD], REVIEW).value is None
    assert decide([DISCARD], REVIEW).value == {"verdict": "discard"}
    assert decide([], REVIEW).status == "none"


def test_a_review_is_settled_exactly_when_no_further_reviews_could_change_it():
    # Reviews that differ in one part each; what could change a part is among them or in `more`.
    kinds = [
        stored(),
        stored(question="Other?"),
        stored(options={"key": "1", "kept": ["0", "2", "3"]}),
        stored(options={"kept": ["1", "2", "4"]}),
        stored(options={"texts": {"1": "changed"}}, flags=["wrong_key"]),
        DISCARD,
    ]
    # Everything at once that nobody has said yet, in two ways, and the others' parts together.
    more = [
        *kinds,
        stored(
            question="New?",
            options={"key": "4", "kept": ["1", "2", "3"], "texts": {"1": "q", "2": "r", "3": "s"}},
        ),
        stored(
            question="New 2?",
            options={"key": "2", "kept": ["0", "1", "4"], "texts": {"0": "t", "1": "u"}},
        ),
        stored(question="Other?", options={"texts": {"1": "changed"}}),
    ]
    for size, left in product(range(5), range(3)):
        further = list(product(more, repeat=left))
        for given in product(kinds, repeat=size):
            if list(given) != sorted(given, key=kinds.index):
                continue  # the order of answers makes no difference
            now = decide(list(given), REVIEW).value
            unchanged = all(decide([*given, *one], REVIEW).value == now for one in further)
            assert settled(list(given), left, REVIEW) == unchanged, (given, left)


def test_feedback_judges_the_parts_that_the_known_answer_names():
    expected = {"verdict": "keep", "options": {"key": 0, "kept": [2]}, "flags": ["wrong_key"]}
    assert feedback(stored(flags=["wrong_key"]), expected, {})[0]
    assert feedback(stored(), expected, {}) == (False, "Not flagged: wrong key.")
    assert feedback(DISCARD, expected, {}) == (False, "This question can be kept.")
    other = stored(options={"key": "1", "kept": ["0", "2", "3"]}, flags=["wrong_key"])
    assert feedback(other, expected, {}) == (False, "Another option is right.")
    left_out = stored(options={"kept": ["1", "3", "4"]}, flags=["wrong_key"])
    assert "plausible" in feedback(left_out, expected, {})[1]
    assert feedback(DISCARD, {"verdict": "discard", "why": "It is cut off."}, {}) == (
        True,
        "Right. It is cut off.",
    )


def test_distance_is_the_mean_over_question_key_and_kept_options():
    first = stored()
    assert distance(first, DISCARD) == 1
    assert distance(DISCARD, DISCARD) == 0
    # Same question and key; kept {1, 2, 3} and {1, 2, 4}: 2 of 4 named by one only.
    assert distance(first, stored(options={"kept": ["1", "2", "4"]})) == pytest.approx(0.5 / 3)
    assert distance(first, stored(question="Other?")) == pytest.approx(1 / 3)


def test_a_question_is_written_on_a_clip_from_six_templates(
    workspace, add_video, add_task, add_person, respond
):
    assert [one["id"] for one in WRITE["categories"]] == [
        "rotation",
        "direction",
        "velocity&frequency",
        "shape&trend",
        "visual_cues",
        "count",
    ]
    add_video("a.mp4")
    [draft] = build_items(workspace, WRITE, None)
    assert draft.uid == "clip:a.mp4"
    task = add_task("question_review", [{"video": "a.mp4"}], overlap=2, mode="write")
    ann = add_person("Ann")
    [row] = queue.lease(workspace, task, ann, 1)
    assert isinstance(content(workspace, row.item, row.shown).stage, Player)
    given = {"category": "count", "question": "How many?", "answer": "3", "wrong": "2\n4\n\n 5 "}
    checked = check_response(given, row.shown)
    assert checked["wrong"] == ["2", "4", "5"]
    assert check_response(checked, row.shown) == checked  # going back finds its own form again
    for part, words in {
        "category": "Category",
        "question": "Write the question",
        "answer": "Write the right answer",
        "wrong": "one a line",
    }.items():
        with pytest.raises(ValueError, match=words):
            check_response({**given, part: ""}, row.shown)
    with pytest.raises(ValueError, match="2 wrong answers are given; 3 or 4"):
        check_response({**given, "wrong": "2\n4"}, row.shown)
    with pytest.raises(ValueError, match="Two options are the same"):
        check_response({**given, "wrong": "2\n4\n3"}, row.shown)
    assert respond(task, ann, given).status == "stored"


def test_all_written_questions_are_wanted_so_each_further_person_adds_one():
    one = {"category": "count", "question": "How many?", "answer": "3", "wrong": ["1", "2", "4"]}
    assert decide([one, one], WRITE).value == {"written": [one, one]}
    assert not settled([one, one], 1, WRITE)
    assert settled([one, one], 0, WRITE)
    assert distance(one, one) is None
    assert feedback(one, {"question": "How often?", "answer": "3"}, {})[0]


def test_an_author_brings_categories_with_templates_of_their_own():
    found = check_settings(
        {"mode": "write", "categories": [{"label": "Cause", "template": "Why …?"}]}
    )
    [choice, *_] = form("question_review", found)["fields"]
    assert choice["options"] == [{"value": "cause", "text": "Cause", "description": "Why …?"}]
    for wrong in ({"keep": []}, {"keep": [0]}, {"mode": "x"}, {"categories": "none"}):
        with pytest.raises(ValueError, match=r"Setting|There is no list"):
            check_settings(wrong)


def test_who_does_not_see_the_key_cannot_flag_it_as_wrong():
    def flags(settings: dict) -> list[str]:
        fields = {one["name"]: one for one in form("question_review", settings)["fields"]}
        return [one["value"] for one in fields["flags"]["options"]]

    assert "wrong_key" in flags(REVIEW)
    assert "wrong_key" not in flags(check_settings({"show_key": False}))
