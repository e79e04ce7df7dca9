from fractions import Fraction
from itertools import product

import pytest

from annotations.answering import queue
from annotations.planning.item_list import task_summary
from annotations.record.stage import Grid
from annotations.task import Shown
from annotations.tasks import object_check
from annotations.tasks._object_report import report
from annotations.tasks.object_check import (
    check_response,
    check_settings,
    decide,
    distance,
    feedback,
    labels,
    settled,
)

PLAIN = check_settings({})
SHOWN = Shown({"objects": ["cup", "ball", "dog"]})


def given(*ticked: str, **classes: str) -> dict:
    return {"objects": {"ticked": list(ticked), "classes": classes}, "note": ""}


def drafts(workspace, *rows: dict):
    return list(object_check.build_items(workspace, PLAIN, list(rows)))


def test_a_row_names_its_frame_by_index_or_by_the_time_at_which_it_is_on_the_screen(
    workspace, add_video
):
    # Frames at 0, 0.1, 0.5 and 0.6 s: at 0.49 s the second is still on the screen.
    add_video("vfr.mp4", pts=(0, 10, 50, 60), unit=Fraction(1, 100))
    row = {"video": "vfr.mp4", "objects": ["cup"]}
    times = {0: 0, 0.1: 1, 0.49: 1, 0.5: 2, "0:00.65": 3}
    for time, index in times.items():
        [one] = drafts(workspace, {**row, "time": time})
        assert one.payload["frame"] == index, time
    [one] = drafts(workspace, {**row, "frame": "2", "source": "a model"})
    assert one.uid == "frame:vfr.mp4#2 a model"
    assert one.payload["objects"] == ["cup"]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"frame": 60}, r"row 1, field frame: no such frame \(got 60\). Allowed: 0 to 59"),
        ({"frame": -1}, "Allowed: 0 to 59"),
        ({"frame": "1.5"}, "Allowed: 0 to 59"),
        ({}, "field frame: lacking"),
        ({"time": 2.0}, "field time: beyond the video"),
        ({"time": 0, "objects": []}, "field objects: no list of objects"),
        ({"time": 0, "objects": ["a", ""]}, "2 objects"),
        ({"time": 0, "objects": "cup; Cup"}, "field objects: listed twice"),
        ({"time": 0, "objects": 7}, "no list of objects"),
        ({"time": 0, "video": "b.mp4"}, "field video: there is no such video"),
    ],
)
def test_a_row_that_is_none_is_refused_with_field_value_and_what_is_allowed(
    workspace, add_video, part, words
):
    add_video("a.mp4")
    with pytest.raises(ValueError, match=words):
        drafts(workspace, {"video": "a.mp4", "objects": ["cup"], **part})


def test_a_cell_of_a_table_may_hold_the_list(workspace, add_video):
    add_video("a.mp4")
    for cell in ('["cup", "red ball"]', "cup; red ball", "cup, red ball", "cup\nred ball"):
        [one] = drafts(workspace, {"video": "a.mp4", "frame": 0, "objects": cell})
        assert one.payload["objects"] == ["cup", "red ball"]


def test_the_same_frame_twice_needs_another_source_or_id(workspace, add_video):
    add_video("a.mp4")
    row = {"video": "a.mp4", "frame": 3, "objects": ["cup"]}
    with pytest.raises(ValueError, match="row 2: the same item as row 1"):
        drafts(workspace, row, row)
    assert len(drafts(workspace, row, {**row, "source": "other model"})) == 2


def test_every_object_that_is_not_ticked_needs_a_class():
    stored = check_response(
        {"objects": {"ticked": ["dog", "cup"], "classes": {"ball": "hallucination"}}}, SHOWN
    )
    assert stored == given("cup", "dog", ball="hallucination")  # in the list's order
    # A class that was given before the object was ticked falls away.
    late = {"ticked": ["cup", "ball", "dog"], "classes": {"ball": "other"}}
    assert check_response({"objects": late}, SHOWN) == given("cup", "ball", "dog")
    with pytest.raises(ValueError, match="'ball' is not ticked: say what is wrong"):
        check_response({"objects": {"ticked": ["dog", "cup"], "classes": {}}}, SHOWN)
    with pytest.raises(ValueError, match="'ball' is not ticked"):
        check_response({"objects": {"ticked": ["dog", "cup"], "classes": {"ball": "x"}}}, SHOWN)
    with pytest.raises(ValueError, match="'cat' is not in the list"):
        check_response({"objects": {"ticked": ["cat"], "classes": {}}}, SHOWN)
    with pytest.raises(ValueError, match="Nothing is ticked"):
        check_response({"objects": None}, SHOWN)


def test_each_object_is_decided_for_itself_first_whether_it_is_seen_then_what_is_wrong():
    answers = [
        given("cup", ball="hallucination", dog="other"),
        given("cup", ball="misclassification", dog="visible"),
        given("ball", cup="other", dog="attribute_error"),
        given("cup", ball="hallucination", dog="attribute_error"),
    ]
    found = decide(answers, PLAIN)
    # ball: 3 of 4 do not see it, 2 of these 3 say hallucination. dog: 3 of 4 do not, 2 of 3.
    assert found.value == {"cup": "visible", "ball": "hallucination", "dog": "attribute_error"}
    assert "ball: hallucination 2 of 3" in found.words
    # Visible after all counts as seen.
    assert decide([given(dog="visible"), given("dog")], PLAIN).value == {"dog": "visible"}


def test_an_object_on_which_people_tie_is_left_open_and_the_item_goes_to_an_author():
    found = decide([given("cup", "dog"), given("cup", dog="hallucination")], PLAIN)
    assert found.status == "tie"
    assert found.value == {"cup": "visible", "dog": None}
    classes = [given(dog="hallucination"), given(dog="other")]
    assert decide(classes, PLAIN).value == {"dog": None}
    assert decide([], PLAIN).status == "none"


def test_it_is_settled_exactly_when_no_further_answers_could_change_it():
    kinds = [
        given("cup"),
        given(cup="visible"),
        given(cup="hallucination"),
        given(cup="misclassification"),
        given(cup="other"),
    ]
    for size, left in product(range(4), range(3)):
        for answers in product(kinds, repeat=size):
            now = decide(list(answers), PLAIN).value
            later = [decide([*answers, *m], PLAIN).value for m in product(kinds, repeat=left)]
            unchanged = all(one == now for one in later)
            assert settled(list(answers), left, PLAIN) == unchanged, (answers, left)


def test_two_objects_are_settled_only_together():
    answers = [given("cup", "dog"), given("cup", dog="other"), given("cup", "dog")]
    assert not settled(answers, 1, PLAIN)  # cup 3:0 stands, dog 2:1 may become a tie
    assert settled([given("cup", "dog")] * 3, 2, PLAIN)


def test_feedback_names_the_object_that_is_wrong():
    expected = {"objects": {"ticked": ["cup"], "classes": {"dog": "hallucination"}}, "why": "Look."}
    assert feedback(given("cup", dog="hallucination"), expected, {}) == (True, "Right. Look.")
    assert feedback(given("cup", "dog"), expected, {}) == (False, "“dog” cannot be seen. Look.")
    assert feedback(given(cup="other", dog="hallucination"), expected, {})[1].startswith(
        "“cup” can be"
    )
    assert "hallucination" in feedback(given("cup", dog="other"), expected, {})[1]


def test_distance_counts_whole_what_only_one_sees_and_half_what_is_classed_otherwise():
    first = given("cup", ball="other", dog="other")
    assert distance(first, given("cup", ball="hallucination", dog="other")) == 0.5 / 3
    assert distance(first, given(cup="other", ball="other", dog="other")) == pytest.approx(1 / 3)
    assert distance(first, first) == 0
    assert distance(first, given("cup")) is None


def test_the_frame_is_shown_by_itself_and_answers_flow_into_the_report(
    workspace, add_video, add_task, add_person, respond
):
    sha256 = add_video("a.mp4")
    row = {"video": "a.mp4", "time": 1.0, "objects": ["cup", "dog"]}
    task = add_task("object_check", [row], overlap=2)
    ann = add_person("Ann")
    [item] = queue.lease(workspace, task, ann, 1)
    content = object_check.content(workspace, item.item, item.shown)
    assert content.stage == Grid(sha256, (30,), (1.0,))
    assert content.values["objects"][1] == {"id": "dog", "label": "dog"}
    answers = [given("cup", dog="hallucination"), given("cup", "dog")]
    assert task_summary(workspace, task) is None
    assert respond(task, ann, answers[0]).status == "stored"
    summary = task_summary(workspace, task)
    assert summary is not None
    assert summary.words == "1 of 2 objects visible (50.0 %), 1 hallucinated (50.0 %)."
    assert summary.columns["Class"][0] == "ticked at once"
    assert summary.columns["Objects"][0] == 1
    judged = [label for one in answers for label in labels(one).values()]
    found = report(judged)
    assert (found.objects, found.visible, found.hallucination_rate) == (4, 3, 0.25)
