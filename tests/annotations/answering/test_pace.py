import time

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.pace import Pace, fast_people
from annotations.planning.task_store import create_task, grow


def test_who_needs_less_than_a_third_of_the_others_time_is_named(
    workspace, add_question, add_person
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
        for active_s in all_s:
            [row, *_] = queue.lease(workspace, task, people[name], 1)
            with workspace.store.write() as database:  # as if it had been handed out long ago
                database.conn.execute("UPDATE lease SET leased_at = leased_at - 3600")
            uid, now = f"{name}-answers-{row.item.id}", time.time()
            given = Answer(uid, row.item.id, row.lease.id, {"choice": 0}, None, active_s, now)
            [receipt] = answer_store.store(workspace, task, people[name], [given])
            assert receipt.status == "stored", receipt
    # The others' medians are 6 and 9, so 7.5 in the middle; a third of it is 2.5.
    assert fast_people(workspace) == {people["Ben"].id: (Pace("t", 0.5, 7.5),)}
    assert Pace("t", 0.5, 7.5).words == "t: 0.5 s an item, others 7.5 s"
