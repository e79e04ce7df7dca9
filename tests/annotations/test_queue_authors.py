import itertools

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.assignments import assign, assigned, is_for
from annotations.answering.early_stop import set_adaptive, set_overlap, set_priority
from annotations.answering.progress import progress
from annotations.answering.returns import open_again, return_answer, waiting_items, withdraw
from annotations.people import everyone
from annotations.planning.task_store import all_tasks, create_task, grow, set_rate, set_status

uids = (f"uid-{number:06}" for number in itertools.count())


@pytest.fixture
def make(workspace, add_question):
    def make(items=6, overlap=2, **columns):
        for number in range(items):
            add_question(f"q/{number}", options=("a", "b", "c"))
        task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, overlap)
        grow(workspace, task)
        with workspace.store.write() as database:
            for name, value in columns.items():
                database.conn.execute(f"UPDATE task SET {name} = ?", [value])
        return task

    return make


@pytest.fixture
def people(add_person):
    return [add_person(name) for name in ("Ada", "Ben", "Cid", "Dan", "Eve")]


@pytest.fixture
def clara(add_person):
    return add_person("Clara", "author")


def answer(workspace, task, person, row, choice=0, skip=None):
    given = Answer(
        next(uids), row.item.id, row.lease.id, None if skip else {"choice": choice}, skip, 4.8, 0.0
    )
    return answer_store.store(workspace, task, person, [given])[0]


def ids(workspace):
    return [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY position")]


def handed(workspace, task, person, wanted=16):
    return [row.item.id for row in queue.lease(workspace, task, person, wanted)]


def item(workspace, item_id):
    [row] = workspace.store.rows("SELECT * FROM item WHERE id = ?", [item_id])
    return row


def newest(workspace, person):
    [row] = workspace.store.rows(
        "SELECT max(id) AS id FROM annotation WHERE annotator_id = ?", [person.id]
    )
    return row["id"]


def take(workspace, task, person, item_id, choice=0, skip=None):
    """Answer one chosen item, which the queue has to offer."""
    rows = {row.item.id: row for row in queue.lease(workspace, task, person, 16)}
    receipt = answer(workspace, task, person, rows.pop(item_id), choice, skip)
    queue.release(workspace, person, list(rows))
    return receipt


# Early ends


def test_two_equal_answers_of_three_end_an_item_and_the_saving_is_told(workspace, make, people):
    task = make(items=1, overlap=3, adaptive=1)
    ada, ben, cid, *_ = people
    [one] = ids(workspace)
    take(workspace, task, ada, one, choice=1)
    assert item(workspace, one)["settled"] == 0
    take(workspace, task, ben, one, choice=1)
    assert item(workspace, one)["settled"] == 1
    assert handed(workspace, task, cid) == []
    [row] = all_tasks(workspace)
    assert (row.saved, row.finished, row.answers, row.wanted) == (1, 1, 2, 2)


def test_two_different_answers_of_three_ask_for_a_third(workspace, make, people):
    task = make(items=1, overlap=3, adaptive=1)
    [one] = ids(workspace)
    take(workspace, task, people[0], one, choice=1)
    take(workspace, task, people[1], one, choice=2)
    assert take(workspace, task, people[2], one, choice=2).status == "stored"
    assert item(workspace, one)["settled"] == 0  # it has all its answers, nothing was saved
    assert all_tasks(workspace)[0].saved == 0


def test_no_more_people_work_at_once_than_could_end_an_item(workspace, make, people):
    task = make(items=1, overlap=3, adaptive=1)
    assert [len(handed(workspace, task, person)) for person in people[:3]] == [1, 1, 0]


def test_a_correction_opens_a_settled_item_again(workspace, make, people):
    task = make(items=1, overlap=3, adaptive=1)
    ada, ben, cid, *_ = people
    [row] = queue.lease(workspace, task, ada, 1)
    answer(workspace, task, ada, row, choice=1)
    take(workspace, task, ben, row.item.id, choice=1)
    answer(workspace, task, ada, row, choice=2)
    assert item(workspace, row.item.id)["settled"] == 0
    assert handed(workspace, task, cid) == [row.item.id]


def test_a_settled_item_is_taken_from_the_desks_that_hold_it(workspace, make, people):
    task = make(items=2, overlap=3)
    ada, ben, cid, *_ = people
    one, two = ids(workspace)
    have = frozenset(handed(workspace, task, cid))
    set_adaptive(workspace, task, True)
    take(workspace, task, ada, one, choice=1)
    rows = {row.item.id: row for row in queue.lease(workspace, task, ben, 16)}
    assert two in rows or one in rows
    answer(workspace, task, ben, queue.hand(workspace, task, ben, one), choice=1)
    assert queue.gone(workspace, task, cid, have) == [one]


def test_adaptive_can_be_switched_while_people_work(workspace, make, people):
    task = make(items=1, overlap=3)
    [one] = ids(workspace)
    take(workspace, task, people[0], one, choice=1)
    take(workspace, task, people[1], one, choice=1)
    set_adaptive(workspace, task, True)
    assert handed(workspace, task, people[2]) == []
    set_adaptive(workspace, task, False)
    assert handed(workspace, task, people[2]) == [one]


# Priorities and overlap of chosen items


def test_chosen_items_come_first(workspace, make, people, clara):
    task = make(items=6, overlap=1)
    chosen = ids(workspace)[4:]
    set_priority(workspace, clara, chosen, 5)
    assert handed(workspace, task, people[0], 3)[:2] == chosen


def test_a_raised_overlap_asks_more_people_about_a_part(workspace, make, people, clara):
    task = make(items=3, overlap=1)
    for one in ids(workspace):
        take(workspace, task, people[0], one)
    assert handed(workspace, task, people[1]) == []
    set_overlap(workspace, clara, ids(workspace)[:1], 2)
    assert handed(workspace, task, people[1]) == ids(workspace)[:1]
    with pytest.raises(ValueError, match="at least 1"):
        set_overlap(workspace, clara, ids(workspace), 0)


def test_a_raised_overlap_asks_on_where_an_item_was_settled(workspace, make, people, clara):
    task = make(items=1, overlap=3, adaptive=1)
    [one] = ids(workspace)
    for person in people[:2]:
        take(workspace, task, person, one, choice=1)
    # Two equal answers settle three, but of five the other three could still win.
    set_overlap(workspace, clara, [one], 5)
    assert handed(workspace, task, people[2]) == [one]


# Named people


def test_with_names_only_those_named_work_on_a_task(workspace, make, people):
    task = make()
    ada, ben, *_ = people
    assign(workspace, task, ["ada"])
    assert assigned(workspace, task) == ["Ada"]
    assert len(handed(workspace, task, ada)) == 3  # half of what is open
    assert handed(workspace, task, ben) == []
    assert progress(workspace, task, ben)["total"] == 0
    assert (is_for(workspace, task, ada), is_for(workspace, task, ben)) == (True, False)
    assign(workspace, task, [])
    assert len(handed(workspace, task, ben)) == 3


def test_names_for_an_item_come_before_names_for_the_task(workspace, make, people):
    task = make(items=3)
    ada, ben, *_ = people
    first, *others = ids(workspace)
    assign(workspace, task, ["Ada"])
    assign(workspace, task, ["Ben"], items=[first])
    assert handed(workspace, task, ada) == others
    assert handed(workspace, task, ben) == [first]
    assert is_for(workspace, task, ben)


def test_nobody_unknown_can_be_named(workspace, make, people):
    with pytest.raises(ValueError, match=r"Zoe: nobody here is called so.*Ada, Ben"):
        assign(workspace, make(), ["Ada", "Zoe"])


# Skipped items


def test_k_skips_send_an_item_to_an_author_with_the_reasons(workspace, make, people):
    task = make(items=2, overlap=2, skip_limit=2)
    first, second = ids(workspace)
    take(workspace, task, people[0], first, skip="too dark")
    assert first in handed(workspace, task, people[1])
    take(workspace, task, people[1], first, skip="black")
    assert handed(workspace, task, people[2]) == [second]
    [found] = waiting_items(workspace, task)
    assert (found.id, found.reasons) == (first, ("Ada: too dark", "Ben: black"))
    assert all_tasks(workspace)[0].waiting == 1


def test_who_answers_after_all_takes_their_skip_back(workspace, make, people):
    task = make(items=1, overlap=2, skip_limit=2)
    [row] = queue.lease(workspace, task, people[0], 1)
    answer(workspace, task, people[0], row, skip="too dark")
    take(workspace, task, people[1], row.item.id, skip="black")
    answer(workspace, task, people[0], row, choice=1)
    assert waiting_items(workspace, task) == []
    assert handed(workspace, task, people[2]) == [row.item.id]


def test_an_item_opened_again_comes_back_to_those_who_skipped_it_with_the_comment(
    workspace, make, people, clara
):
    task = make(items=1, overlap=2, skip_limit=2)
    [one] = ids(workspace)
    for person in people[:2]:
        take(workspace, task, person, one, skip="too dark")
    open_again(workspace, clara, [one], "Look at the left edge.")
    assert waiting_items(workspace, task) == []
    [row] = queue.lease(workspace, task, people[0], 1)
    assert (row.item.id, row.remark) == (one, "Look at the left edge.")
    [new] = queue.lease(workspace, task, people[2], 1)
    assert (new.item.id, new.remark) == (one, "")
    # The earlier skips are not counted again: it takes two new ones.
    answer(workspace, task, people[2], new, skip="no")
    assert waiting_items(workspace, task) == []
    answer(workspace, task, people[0], row, skip="still no")
    assert [item.id for item in waiting_items(workspace, task)] == [one]


def test_a_skip_that_was_returned_waits_for_room(workspace, make, people, clara):
    task = make(items=1, overlap=1, skip_limit=1)
    [one] = ids(workspace)
    take(workspace, task, people[0], one, skip="too dark")
    open_again(workspace, clara, [one])
    take(workspace, task, people[1], one)
    assert handed(workspace, task, people[0]) == []


def test_a_withdrawn_item_is_handed_out_no_more_and_its_history_says_why(
    workspace, make, people, clara
):
    task = make(items=1, overlap=2)
    [one] = ids(workspace)
    with pytest.raises(ValueError, match="1 to 2000 characters"):
        withdraw(workspace, clara, [one], " ")
    withdraw(workspace, clara, [one], "The clip is cut off.")
    assert handed(workspace, task, people[0]) == []
    [event] = workspace.store.rows("SELECT * FROM item_event")
    assert (event["action"], event["words"]) == ("withdrawn", "The clip is cut off.")
    assert event["author_id"] == clara.id
    open_again(workspace, clara, [one])
    assert handed(workspace, task, people[0]) == [one]


# Returned answers


def test_a_returned_answer_comes_back_first_and_is_done_when_they_answer_again(
    workspace, make, people, clara
):
    task = make(items=6, overlap=1)
    ada, ben, *_ = people
    last = ids(workspace)[-1]
    set_priority(workspace, clara, [last], 1)
    take(workspace, task, ada, last, choice=1)
    set_priority(workspace, clara, [last], -1)
    return_answer(workspace, clara, newest(workspace, ada), "Count again, please.")
    rows = queue.lease(workspace, task, ada, 3)
    assert (rows[0].item.id, rows[0].remark) == (last, "Count again, please.")
    assert rows[1].remark == ""
    assert last not in handed(workspace, task, ben)
    receipt = answer(workspace, task, ada, rows[0], choice=2)
    assert (receipt.status, receipt.revision) == ("stored", 2)
    assert item(workspace, last)["answers"] == 1
    assert last not in handed(workspace, task, ada)
    assert len(workspace.store.rows("SELECT * FROM remark")) == 1  # kept


def test_a_corrected_answer_cannot_be_returned_by_its_old_revision(workspace, make, people, clara):
    task = make(items=1)
    [row] = queue.lease(workspace, task, people[0], 1)
    answer(workspace, task, people[0], row, choice=1)
    old = newest(workspace, people[0])
    answer(workspace, task, people[0], row, choice=2)
    with pytest.raises(ValueError, match="Ada has corrected this answer since"):
        return_answer(workspace, clara, old, "Again.")
    with pytest.raises(LookupError):
        return_answer(workspace, clara, 999, "Again.")


# State and pay


def test_a_task_is_paused_closed_and_opened_by_name(workspace, make, people):
    task = make()
    for state in ("paused", "closed"):
        set_status(workspace, "t", state)
        assert handed(workspace, task, people[0]) == []
    set_status(workspace, "t", "open")
    assert len(handed(workspace, task, people[0])) == 3
    with pytest.raises(LookupError, match=r"no task 'x'. There are: 't'"):
        set_status(workspace, "x", "open")
    with pytest.raises(ValueError, match="Allowed: open, paused, closed"):
        set_status(workspace, "t", "asleep")


def test_a_tasks_rate_replaces_the_workspaces(workspace, make, people):
    task = make(items=1)
    take(workspace, task, people[0], ids(workspace)[0])
    # 4.8 s at 15 an hour: 0.02; at 30 an hour: 0.04
    assert progress(workspace, task, people[0])["pay"] == 0.02
    set_rate(workspace, task, 30.0)
    assert progress(workspace, task, people[0])["pay"] == 0.04
    assert round(next(row.earned for row in everyone(workspace)), 9) == 0.04
    with pytest.raises(ValueError, match="0 or more"):
        set_rate(workspace, task, -1)
