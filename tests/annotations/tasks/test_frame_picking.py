import json
import time
from itertools import product

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.condition import Condition
from annotations.planning.task_store import create_task, grow
from annotations.tasks import frame_picking as kind
from annotations.tasks import human_evaluation

SETTINGS = kind.check_settings({})


def pick(frame: int) -> dict:
    """A pick in a video of 30 frames a second."""
    return {"frame": frame, "time": round(frame / 30, 6)}


@pytest.fixture
def picking(workspace, add_question):
    add_question("count/0")
    add_question("count/1")
    task = create_task(workspace, "picks", "frame_picking", {}, 3, order="as imported")
    grow(workspace, task)
    return task


def test_every_question_with_a_usable_video_is_an_item(workspace, picking):
    found = workspace.store.rows("SELECT uid, question_id FROM item")
    assert [item["uid"] for item in found] == ["question:count/0", "question:count/1"]


def test_rows_choose_questions(workspace, add_question, add_task):
    add_question("count/0")
    add_question("count/1")
    add_task("frame_picking", [{"question": "count/1"}])
    assert [row["uid"] for row in workspace.store.rows("SELECT uid FROM item")] == [
        "question:count/1"
    ]
    with pytest.raises(ValueError, match="row 2, field question: there is no such question"):
        add_task("frame_picking", [{"question": "count/0"}, {"question": "count/9"}])


def test_a_grid_of_sixteen_comes_first_and_the_clip_behind_it(workspace, picking, add_person):
    [row] = queue.lease(workspace, picking, add_person("Ada"), 1)
    content = kind.content(workspace, row.item, row.shown)
    assert len(content.stage.grid.frames) == 16
    assert content.stage.grid.frames[-1] == 59
    assert content.stage.player.end_s is None
    assert content.values == {"question": "Which way?", "options": "left · right · up"}
    assert row.shown.question_revision_id is not None


def test_only_frames_of_the_clip_can_be_picked(workspace, picking, add_person, respond):
    with workspace.store.write() as database:
        # The clip runs from 0.5 s to before 1 s: frames 15 to 29 of 30 a second.
        database.conn.execute("UPDATE clip SET start_s = 0.5, end_s = 1.0")
    ada = add_person("Ada")
    for frame, words in (
        (None, "No frame"),
        (14, "frames 15 to 29"),
        (30, "15 to 29"),
        ("x", "'x'"),
    ):
        receipt = respond(picking, ada, {"frame": frame})
        assert receipt.status == "refused"
        assert words in receipt.reason
    assert respond(picking, ada, {"frame": 29}).status == "stored"
    [stored] = workspace.store.rows("SELECT response FROM annotation")
    assert json.loads(stored["response"]) == {"frame": 29, "time": 0.966667}


def test_the_middle_pick_is_taken_and_the_spread_in_time_is_said():
    # 1.0, 1.2 and 3.0 s: the middle is 1.2 s; 1.0 is within half a second, 3.0 is not.
    decision = kind.decide([pick(90), pick(30), pick(36)], SETTINGS)
    assert decision.value == pick(36)
    assert decision.words == (
        "the frame at 1.200 s, the middle of 3 picks from 1.000 to 3.000 s (spread 2.000 s); "
        "2 of 3 within 0.5 s of it"
    )


def test_of_two_middle_picks_the_earlier_is_taken_whatever_the_order():
    assert kind.decide([pick(50), pick(10)], SETTINGS).value == pick(10)
    assert kind.decide([pick(10), pick(50)], SETTINGS).value == pick(10)
    assert kind.decide([pick(7)], SETTINGS).words == "single pick, 0.233 s"
    assert kind.decide([], SETTINGS).status == "none"


def test_it_is_settled_exactly_when_no_further_picks_can_change_it():
    # Frames 0 and 4 stand for picks before and after all others.
    for size, left in product(range(5), range(4)):
        for frames in product((1, 2, 3), repeat=size):
            responses = [pick(frame) for frame in frames]
            now = kind.decide(responses, SETTINGS).value
            later = [
                kind.decide([*responses, *map(pick, more)], SETTINGS).value
                for more in product(range(5), repeat=left)
            ]
            assert kind.settled(responses, left, SETTINGS) == all(one == now for one in later)


def test_picks_are_as_far_apart_as_their_times_up_to_a_second():
    assert kind.distance(pick(30), pick(30)) == 0
    assert kind.distance(pick(30), pick(45)) == pytest.approx(0.5)
    assert kind.distance(pick(0), pick(59)) == 1


def test_feedback_by_time_or_by_frame():
    known = {"time": 1.0, "near_s": 0.2, "why": "The door is open."}
    assert kind.feedback(pick(36), known, {}) == (True, "Right. The door is open.")
    assert kind.feedback(pick(37), known, {}) == (
        False,
        "Your frame is at 1.23 s; the telling ones are from 0.80 to 1.20 s. The door is open.",
    )
    assert kind.feedback(pick(36), {"frame": 35, "near_frames": 1}, {}) == (True, "Right.")
    assert not kind.feedback(pick(36), {"frame": 35}, {})[0]


def test_one_handpicked_frame_is_a_condition():
    assert Condition.parse("1 Handpicked  frame").name == "1 handpicked frame"
    assert not Condition.parse("1 handpicked frame").is_video
    for text in ("2 handpicked frames", "handpicked frame"):
        with pytest.raises(ValueError, match="1 handpicked frame"):
            Condition.parse(text)


@pytest.fixture
def handpicked(workspace, picking):
    settings = {"condition": "1 handpicked frame"}
    task = create_task(
        workspace, "handpicked", "human_evaluation", settings, 1, order="as imported"
    )
    grow(workspace, task)
    return task


def test_people_answer_from_the_frame_that_others_picked(
    workspace, picking, handpicked, add_person, respond
):
    people = [add_person(name) for name in ("Ada", "Ben", "Cy")]
    assert queue.lease(workspace, handpicked, people[0], 5) == []
    for person, frame in zip(people, (30, 36, 55), strict=True):
        assert respond(picking, person, {"frame": frame}).status == "stored"
    [row] = queue.lease(workspace, handpicked, people[0], 5)
    assert row.item.uid == "question:count/0"
    assert row.shown.facts["frames"] == [36]
    assert row.shown.facts["times"] == [1.2]


def test_without_picks_the_reason_is_said_in_words(workspace, handpicked, items_of):
    item = items_of(handpicked)[0]
    settings = human_evaluation.check_settings({"condition": "1 handpicked frame"})
    with pytest.raises(ValueError, match="Nobody has picked a frame"):
        human_evaluation.show(workspace, item, settings, "")


def test_a_newer_task_of_picking_takes_the_place_of_an_older_one(
    workspace, picking, handpicked, add_person, respond, items_of
):
    ada = add_person("Ada")
    respond(picking, ada, {"frame": 30})
    again = create_task(workspace, "again", "frame_picking", {}, 1, order="as imported")
    grow(workspace, again)
    item = items_of(handpicked)[0]
    settings = human_evaluation.check_settings({"condition": "1 handpicked frame"})

    def frames() -> list[int]:
        return human_evaluation.show(workspace, item, settings, "").facts["frames"]

    assert frames() == [30]  # the newer one has no picks yet
    respond(again, ada, {"frame": 40})
    assert frames() == [40]


def test_a_pick_outside_a_clip_that_changed_is_refused_in_words(
    workspace, picking, handpicked, add_person, respond, items_of
):
    respond(picking, add_person("Ada"), {"frame": 30})
    with workspace.store.write() as database:
        database.conn.execute("UPDATE clip SET start_s = 1.5")
    item = items_of(handpicked)[0]
    settings = human_evaluation.check_settings({"condition": "1 handpicked frame"})
    with pytest.raises(ValueError, match="frame 30 was picked, but the clip changed"):
        human_evaluation.show(workspace, item, settings, "")


def test_skips_and_corrections_are_not_double_picks(workspace, picking, add_person, respond):
    ada = add_person("Ada")
    [row] = queue.lease(workspace, picking, ada, 1)
    for uid, frame in (("first-pick", 10), ("second-pick", 20)):
        given = Answer(uid, row.item.id, row.lease.id, {"frame": frame}, None, 1.0, time.time())
        assert answer_store.store(workspace, picking, ada, [given])[0].status == "stored"
    [video] = workspace.store.rows("SELECT sha256 FROM video WHERE name = 'video of count/0'")
    found = kind.handpicked_frame(workspace, row.item.question_id, video["sha256"], range(60))
    assert found == 20
