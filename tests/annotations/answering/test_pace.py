import json
import time

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.pace import Pace, fast_people
from annotations.planning.task_store import create_task, grow


@pytest.fixture
def answer_in(workspace):
    """Lets a person answer the next items of a task, each in so many seconds."""

    def answer(task, person, seconds):
        for active_s in seconds:
            [row, *_] = queue.lease(workspace, task, person, 1)
            with workspace.store.write() as database:  # as if it had been handed out long ago
                database.conn.execute("UPDATE lease SET leased_at = leased_at - 3600")
            uid, now = f"{person.name}-answers-{row.item.id}", time.time()
            given = Answer(uid, row.item.id, row.lease.id, {"choice": 0}, None, active_s, now)
            [receipt] = answer_store.store(workspace, task, person, [given])
            assert receipt.status == "stored", receipt

    return answer


def test_who_needs_less_than_a_third_of_the_others_time_is_named(
    workspace, add_question, add_person, answer_in
):
    for number in range(5):
        add_question(f"count/{number}")
    settings = {"condition": "text only", "shuffle_options": False}
    task = create_task(workspace, "t", "human_evaluation", settings, 4)
    grow(workspace, task)
    people = {name: add_person(name) for name in ("Ada", "Ben", "Cem", "Dora")}
    # Medians: Ada 6, Ben 0.5 (one pause of 60 s does not hide it), Cem 9; Dora has one answer only.
    seconds = {
        "Ada": [5, 6, 6, 7, 8], "Ben": [0.5, 0.5, 0.5, 0.6, 60], "Cem": [9] * 5, "Dora": [0.1],
    }  # fmt: skip
    for name, all_s in seconds.items():
        answer_in(task, people[name], all_s)
    # The others' medians are 6 and 9, so 7.5 in the middle; a third of it is 2.5.
    assert fast_people(workspace) == {people["Ben"].id: (Pace("t", 0.5, 7.5),)}
    assert Pace("t", 0.5, 7.5).words == "t: 0.5 s an item, others 7.5 s"


@pytest.mark.parametrize(
    ("condition", "seconds", "flagged"),
    [
        # Half a second for a video of 30 s is a sixtieth of it; nobody else has to have answered.
        ("full video", [0.5, 0.5, 0.6, 0.5, 40], True),
        ("full video", [3.5, 4, 4, 5, 6], False),  # more than a tenth
        ("full video", [0.5] * 4, False),  # too few to tell
        ("4 frames", [0.5] * 5, False),  # frames are seen at a glance
        ("text only", [0.5] * 5, False),
    ],
)
def test_who_cannot_have_seen_the_videos_is_named_without_others(
    workspace, add_question, add_person, answer_in, condition, seconds, flagged
):
    for number in range(5):
        add_question(f"count/{number}")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET facts = ?", [json.dumps({"duration_s": 30.0})])
    settings = {"condition": condition, "shuffle_options": False}
    task = create_task(workspace, "t", "human_evaluation", settings, 1)
    grow(workspace, task)
    ada = add_person("Ada")
    answer_in(task, ada, seconds)
    expected = {ada.id: (Pace("t", 0.5, None, 30.0),)} if flagged else {}
    assert fast_people(workspace) == expected
    assert Pace("t", 0.5, None, 30.0).words == "t: 0.5 s an item, of videos that last 30.0 s"
