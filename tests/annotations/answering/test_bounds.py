"""What an answer may claim: its time, its pay, and that it counts."""

import json
import time
from uuid import uuid4

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.active_time import CLOCK_SLACK_S, free_seconds
from annotations.answering.answer_store import Answer
from annotations.planning.task_store import create_task, grow, set_status

SLACK = CLOCK_SLACK_S


@pytest.fixture
def task(workspace, add_question):
    for number in range(20):
        add_question(f"count/{number}")
    made = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, made)
    return made


@pytest.fixture
def ada(add_person):
    return add_person("Ada")


def answer(handed, active_s=1.0, answered_at=None, choice=0):
    at = time.time() if answered_at is None else answered_at
    return Answer(
        uuid4().hex, handed.item.id, handed.lease.id, {"choice": choice}, None, active_s, at
    )


def leased(workspace, task, person, count, ago_s):
    """Items that were handed to a person so many seconds ago."""
    items = [
        row["id"]
        for row in workspace.store.rows(
            "SELECT i.id FROM item i WHERE i.task_id = ? AND NOT EXISTS (SELECT 1 FROM lease l"
            " WHERE l.item_id = i.id AND l.annotator_id = ?) LIMIT ?",
            [task, person.id, count],
        )
    ]
    at = time.time() - ago_s
    return [queue.hand(workspace, task, person, item, at=at) for item in items]


def paid(workspace):
    return workspace.store.rows("SELECT sum(active_s) AS paid, sum(cut_s) AS cut FROM annotation")[
        0
    ]


def test_the_same_answer_sent_a_hundred_times_is_paid_once(workspace, task, ada):
    [handed] = leased(workspace, task, ada, 1, 20)
    for _ in range(10):
        answer_store.store(workspace, task, ada, [answer(handed, 1e9) for _ in range(10)])
    assert paid(workspace)["paid"] <= 20 + SLACK + 2
    assert paid(workspace)["cut"] > 9e10  # and the author sees what was cut


def test_sixteen_items_in_thirty_seconds_pay_thirty_seconds(workspace, task, ada):
    handed = leased(workspace, task, ada, 16, 30)
    answer_store.store(workspace, task, ada, [answer(row, 1e9) for row in handed])
    assert paid(workspace)["paid"] <= 30 + SLACK + 2


def test_honest_answers_that_arrive_together_are_paid_in_full(workspace, task, ada):
    # Ten items of a minute each were answered without a connection for ten minutes.
    handed = leased(workspace, task, ada, 10, 600)
    answer_store.store(workspace, task, ada, [answer(row, 60.0) for row in handed])
    assert paid(workspace) == {"paid": 600.0, "cut": 0.0}


def test_two_tabs_count_once_across_tasks(workspace, task, ada):
    other = create_task(workspace, "u", "human_evaluation", {"condition": "16 frames"}, 2)
    grow(workspace, other)
    for task_id in (task, other):
        [handed] = leased(workspace, task_id, ada, 1, 100)
        answer_store.store(workspace, task_id, ada, [answer(handed, 100.0)])
    assert 100 <= paid(workspace)["paid"] <= 100 + SLACK + 2


def test_what_one_person_spent_takes_nothing_from_another(workspace, task, ada, add_person):
    ben = add_person("Ben")
    for person in (ada, ben):
        [handed] = leased(workspace, task, person, 1, 50)
        answer_store.store(workspace, task, person, [answer(handed, 50.0)])
    assert paid(workspace) == {"paid": 100.0, "cut": 0.0}


def test_the_bound_by_hand(workspace, task, ada):
    now = time.time()
    first, second = leased(workspace, task, ada, 2, 100)
    [late] = leased(workspace, task, ada, 1, 10)
    answer_store.store(workspace, task, ada, [answer(first, 40.0), answer(late, 8.0)])
    with workspace.store.read() as database:
        # Handed out 100 s ago: 40 and 8 s of the 100 are spent.
        assert free_seconds(database, ada.id, now - 100, now) == pytest.approx(52 + SLACK, abs=1)
        # Handed out 10 s ago: 8 of those 10 s are spent.
        assert free_seconds(database, ada.id, now - 10, now) == pytest.approx(2 + SLACK, abs=1)
    assert second.lease.id != first.lease.id


@pytest.mark.parametrize(
    "wrong",
    [1e300, -1e300, 0.0, time.time() * 1000, time.time() + 3e6],
    ids=["huge", "huge and negative", "zero", "milliseconds", "a month ahead"],
)
def test_a_clock_that_cannot_be_right_is_not_believed(workspace, task, ada, wrong):
    [handed] = leased(workspace, task, ada, 1, 10)
    [receipt] = answer_store.store(workspace, task, ada, [answer(handed, answered_at=wrong)])
    assert receipt.status == "stored"
    [row] = workspace.store.rows("SELECT answered_at, stored_at FROM annotation")
    assert row["answered_at"] == row["stored_at"]


def test_an_answer_of_last_week_keeps_its_time(workspace, task, ada):
    [handed] = leased(workspace, task, ada, 1, 10)
    at = time.time() - 7 * 24 * 3600
    answer_store.store(workspace, task, ada, [answer(handed, answered_at=at)])
    assert workspace.store.rows("SELECT answered_at FROM annotation")[0]["answered_at"] == at


def test_after_closing_an_answer_is_an_extra_and_a_correction_changes_nothing(workspace, task, ada):
    early, late = leased(workspace, task, ada, 2, 10)
    answer_store.store(workspace, task, ada, [answer(early, choice=0)])
    set_status(workspace, "t", "closed")
    [receipt] = answer_store.store(workspace, task, ada, [answer(late, choice=1)])
    assert receipt.status == "extra"
    [receipt] = answer_store.store(workspace, task, ada, [answer(early, choice=1)])
    assert (receipt.status, "closed" in receipt.reason) == ("refused", True)
    rows = workspace.store.rows(
        "SELECT item_id, response, counted FROM current_annotation ORDER BY id"
    )
    assert [(row["item_id"], json.loads(row["response"]), row["counted"]) for row in rows] == [
        (early.item.id, {"choice": 0}, 1),
        (late.item.id, {"choice": 1}, 0),
    ]


def test_what_was_stored_before_it_was_bounded_is_exported(workspace, task, ada, tmp_path):
    from annotations.exporting.export import export

    [handed] = leased(workspace, task, ada, 1, 10)
    answer_store.store(workspace, task, ada, [answer(handed)])
    with workspace.store.write() as database:
        database.conn.execute("DROP TRIGGER IF EXISTS annotation_is_append_only")
        names = [
            row[0]
            for row in database.conn.execute("SELECT name FROM sqlite_master WHERE type='trigger'")
        ]
        for name in names:
            if "annotation" in name:
                database.conn.execute(f"DROP TRIGGER {name}")
        database.conn.execute(
            "UPDATE annotation SET answered_at = 1e300, response = ?",
            [json.dumps({"choice": 0, "note": "pre \ud800 post"})],
        )
    for format_name in ("jsonl", "csv", "parquet"):
        export(workspace, tmp_path / format_name, format_name)
    text = (tmp_path / "jsonl" / "votes.jsonl").read_text(encoding="utf-8")
    assert "pre \ufffd post" in text


def test_after_the_clock_was_set_back_people_are_paid_and_leases_end(
    workspace, task, ada, add_person
):
    """The server's clock was a day ahead while items were handed out; then it was put right."""
    handed = queue.lease(workspace, task, ada, 4)
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE lease SET leased_at = leased_at + 86400, expires_at = expires_at + 86400"
        )
    for row in handed[:3]:
        answer_store.store(workspace, task, ada, [answer(row, 400.0)])
    stored = workspace.store.rows("SELECT active_s FROM annotation ORDER BY id")
    # 900 s in all are believed: 400, 400, and 100 of the third 400.
    assert [row["active_s"] for row in stored] == pytest.approx([400.0, 400.0, 100.0])
    # What is handed out from now on is paid by the clock again.
    [late] = leased(workspace, task, ada, 1, 60)
    answer_store.store(workspace, task, ada, [answer(late, 50.0)])
    assert paid(workspace)["paid"] == pytest.approx(950.0)
    ben = add_person("Ben")
    while more := queue.lease(workspace, task, ben, 16):
        answer_store.store(workspace, task, ben, [answer(row, 0.1) for row in more])
    [row] = workspace.store.rows(
        "SELECT max(expires_at) AS latest FROM lease WHERE ended_at IS NULL"
    )
    assert row["latest"] < time.time() + workspace.settings.lease_s + 61


def test_an_hour_back_signs_nobody_out(workspace, ada, monkeypatch):
    from annotations import people

    token = people.invite(workspace, "Ada", "annotator")
    accepted = people.accept_invite(workspace, token)
    assert accepted is not None
    usual = time.time
    for later_s, is_here in ((-3600, True), (-47 * 3600, True), (-49 * 3600, False),
                             (29 * 86400, True), (31 * 86400, False)):  # fmt: skip
        monkeypatch.setattr(people.time, "time", lambda later_s=later_s: usual() + later_s)
        assert (people.signed_in(workspace, accepted[1]) is not None) == is_here
