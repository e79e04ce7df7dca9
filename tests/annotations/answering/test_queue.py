import threading
import time

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.own_answers import Draft, own_drafts
from annotations.answering.progress import progress
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.task import Shown
from annotations.workspace import Workspace


def a_task(workspace: Workspace, overlap: int, condition: str = "16 frames") -> int:
    task = create_task(workspace, "t", "human_evaluation", {"condition": condition}, overlap)
    grow(workspace, task)
    return task


def answer(workspace: Workspace, task: int, person: Person, row: dict, choice: int = 0) -> str:
    uid = f"{person.name}-{row.item.id}-{time.monotonic_ns()}"
    given = Answer(uid, row.item.id, row.lease.id, {"choice": choice}, None, 1.0, time.time())
    return answer_store.store(workspace, task, person, [given])[0].status


def test_two_people_who_press_next_at_once_never_share_an_item_of_overlap_1(
    workspace, add_question, add_person
):
    for number in range(3):
        add_question(f"count/{number}")
    task = a_task(workspace, overlap=1)
    people = [add_person("ann_1"), add_person("ann_2")]
    given: dict[str, list[int]] = {}
    barrier = threading.Barrier(2)

    def work(person: Person) -> None:
        barrier.wait()
        mine = given.setdefault(person.name, [])
        while handed := queue.lease(workspace, task, person, 1):
            mine.append(handed[0].item.id)
            answer(workspace, task, person, handed[0])

    threads = [threading.Thread(target=work, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    items = given["ann_1"] + given["ann_2"]
    assert len(items) == 3
    assert len(set(items)) == 3


def test_with_overlap_2_both_people_get_each_item_once(workspace, add_question, add_person):
    for number in range(3):
        add_question(f"count/{number}")
    task = a_task(workspace, overlap=2)
    pairs = []
    for person in (add_person("ann_1"), add_person("ann_2")):
        handed = queue.lease(workspace, task, person, 16)
        pairs += [(row.item.id, person.id) for row in handed]
        assert [answer(workspace, task, person, row) for row in handed] == ["stored"] * 3
        assert queue.lease(workspace, task, person, 16) == []
    assert len(pairs) == len(set(pairs)) == 6


def test_nobody_takes_more_than_half_of_what_is_open(workspace, add_question, add_person):
    for number in range(20):
        add_question(f"count/{number}")
    task = a_task(workspace, overlap=1)
    first = queue.lease(workspace, task, add_person("Ada"), 16)
    second = queue.lease(workspace, task, add_person("Ben"), 16)
    assert len(first) == 10
    assert len(second) == 5
    assert not {row.item.id for row in first} & {row.item.id for row in second}


def test_a_reload_gives_back_the_same_items_with_what_was_shown(
    workspace, add_question, add_person
):
    for number in range(5):
        add_question(f"count/{number}", options=("a", "b", "c", "d", "e"))
    task = a_task(workspace, overlap=2)
    ada = add_person("Ada")
    before = queue.lease(workspace, task, ada, 3)
    after = queue.lease(workspace, task, ada, 3)
    assert [(r.item.id, r.lease.id, r.shown) for r in after] == [
        (r.item.id, r.lease.id, r.shown) for r in before
    ]


def test_the_item_with_a_draft_comes_first_after_a_reload(workspace, add_question, add_person):
    for number in range(4):
        add_question(f"count/{number}")
    task = a_task(workspace, overlap=1)
    ada = add_person("Ada")
    handed = queue.lease(workspace, task, ada, 3)
    answer_store.save_draft(
        workspace, ada, handed[2].item.id, handed[2].lease.id, '{"choice": 1}', 4.5
    )
    assert queue.lease(workspace, task, ada, 3)[0].item.id == handed[2].item.id
    draft = own_drafts(workspace, ada, handed)[handed[2].item.id]
    assert draft == Draft({"choice": 1}, 4.5)


def test_an_expired_lease_goes_to_others_and_its_late_answer_is_kept_as_an_extra(
    workspace, add_question, add_person
):
    add_question("count/1")
    task = a_task(workspace, overlap=1)
    ada, ben = add_person("Ada"), add_person("Ben")
    slow = queue.lease(workspace, task, ada, 1)[0]
    with workspace.store.write() as database:
        database.conn.execute("UPDATE lease SET expires_at = 0")
    quick = queue.lease(workspace, task, ben, 1)[0]
    assert quick.item.id == slow.item.id
    assert answer(workspace, task, ada, slow) == "extra"
    assert answer(workspace, task, ben, quick) == "stored"
    assert workspace.store.rows("SELECT answers FROM item") == [{"answers": 1}]


def test_a_late_answer_counts_where_nobody_else_took_the_place(workspace, add_question, add_person):
    add_question("count/1")
    task = a_task(workspace, overlap=1)
    ada = add_person("Ada")
    row = queue.lease(workspace, task, ada, 1)[0]
    with workspace.store.write() as database:
        database.conn.execute("UPDATE lease SET expires_at = 0")
    assert answer(workspace, task, ada, row) == "stored"


def test_items_that_are_not_begun_can_be_given_back(workspace, add_question, add_person):
    for number in range(4):
        add_question(f"count/{number}")
    task = a_task(workspace, overlap=1)
    ada, ben = add_person("Ada"), add_person("Ben")
    handed = queue.lease(workspace, task, ada, 3)
    answer_store.save_draft(workspace, ada, handed[0].item.id, handed[0].lease.id, "{}", 1.0)
    queue.release(workspace, ada, [row.item.id for row in handed])
    left = {row.item.id for row in queue.lease(workspace, task, ben, 16)}
    assert left == {row["id"] for row in workspace.store.rows("SELECT id FROM item")} - {
        handed[0].item.id
    }


def test_items_whose_pictures_are_not_ready_wait_unless_there_is_nothing_else(
    workspace, add_question, add_person
):
    for number in range(6):
        add_question(f"count/{number}")
    task = a_task(workspace, overlap=1)
    ada = add_person("Ada")
    slow: set[str] = set()

    def ready(shown: Shown) -> bool:
        return shown.facts["video"] not in slow

    slow |= {row["sha256"] for row in workspace.store.rows("SELECT sha256 FROM video LIMIT 4")}
    handed = queue.lease(workspace, task, ada, 3, ready=ready)
    assert len(handed) == 2
    assert all(ready(row.shown) for row in handed)
    have = frozenset(row.item.id for row in handed)
    assert len(queue.lease(workspace, task, ada, 3, have=have, ready=ready)) == 1


def test_a_paused_task_hands_out_nothing(workspace, add_question, add_person):
    add_question("count/1")
    task = a_task(workspace, overlap=1)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = 'paused'")
    assert queue.lease(workspace, task, add_person("Ada"), 3) == []


def test_progress_counts_answers_skips_and_what_is_left_for_this_person(
    workspace, add_question, add_person
):
    for number in range(4):
        add_question(f"count/{number}")
    task = a_task(workspace, overlap=1)
    ada, ben = add_person("Ada"), add_person("Ben")
    handed = queue.lease(workspace, task, ada, 3)
    answer(workspace, task, ada, handed[0])
    skip = Answer("skip-0001", handed[1].item.id, handed[1].lease.id, None, "black", 2.0, 0.0)
    answer_store.store(workspace, task, ada, [skip])
    # Ada answered 1 and skipped 1; item 3 is hers and item 4 is free: 2 open, 4 in all.
    found = progress(workspace, task, ada)
    assert (found["done"], found["skipped"], found["open_for_me"], found["total"]) == (1, 1, 2, 4)
    # For Ben the skipped item and item 4 are open, Ada's leased item is not.
    assert progress(workspace, task, ben)["open_for_me"] == 2
    # 3 s at 15 an hour: 0.0125, shown in cents.
    assert found["active_s"] == 3.0
    assert found["pay"] == 0.01
