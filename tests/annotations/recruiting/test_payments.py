"""What is paid: each answer once, by the site's own list, and never by an address alone."""

import csv
import io

import pytest
from strangers import prolific, turk

from annotations.answering.exclusion import put_aside
from annotations.recruiting.onboarding import Onboarding, set_onboarding
from annotations.recruiting.payment_files import payment_files
from annotations.recruiting.payments import APPROVE, NOTHING, REVIEW, mark_paid, payments
from annotations.recruiting.site_files import Claim, read_site_file
from annotations.recruiting.sites import SITES
from annotations.recruiting.submissions import standings
from annotations.recruiting.workers import begin
from core.refusal import Refusal


@pytest.fixture
def times(workspace):
    """Sets how long somebody was at each of their answers, s: the clock of a test is too short."""

    def change(name, seconds):
        with workspace.store.write() as database:
            database.conn.execute(
                "UPDATE annotation SET active_s = ? WHERE annotator_id ="
                " (SELECT id FROM annotator WHERE name = ?)", [seconds, name],
            )  # fmt: skip

    return change


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def by_name(found):
    return {payment.name: payment for payment in found}


def test_a_payment_agrees_with_a_count_by_hand(workspace, study, link, works, times):
    recruitment = link(items=4, reward=1.0)
    first = begin(workspace, recruitment, turk(1), "one", None)
    second = begin(workspace, recruitment, turk(2), "two", None)
    for begun in (first, second):
        assert works(begun.person).count == 3 + 4 + 1
    times("Turk 1", 90.0)
    times("Turk 2", 10.0)
    found = by_name(payments(workspace, recruitment))
    # 8 answers of 90 s are 720 s, a fifth of an hour: 3.00 at 15 an hour, 2.00 beyond the reward.
    slow = found["Turk 1"]
    assert (slow.active_min, slow.owed, slow.reward, slow.bonus) == (12.0, 3.0, 1.0, 2.0)
    # 80 s are 0.33: the reward covers it.
    quick = found["Turk 2"]
    assert (quick.active_min, quick.owed, quick.reward, quick.bonus) == (1.33, 0.33, 1.0, 0.0)
    assert (quick.items, quick.attention_right, quick.attention_total) == (4, 1, 1)
    assert {payment.suggestion for payment in found.values()} == {APPROVE}


def test_two_assignments_share_no_second(workspace, study, link, works, times):
    recruitment = link(items=4, reward=0.0)
    begun = begin(workspace, recruitment, turk(1), "one", None)
    begin(workspace, recruitment, turk(1, assignment=2), "one", begun.person)
    works(begun.person)
    standings(workspace, begun.person)
    times("Turk 1", 60.0)
    found = payments(workspace, recruitment)
    assert [payment.items for payment in found] == [4, 4]
    # Three of practice, eight of work and two of attention: 13 min, each counted once.
    assert sum(payment.active_min for payment in found) == 13.0


def test_a_correction_after_the_end_is_paid_with_it(workspace, study, link, works, times):
    from annotations.answering import answer_store
    from annotations.answering.answer_store import Answer

    recruitment = link(items=4, reward=0.0)
    begun = begin(workspace, recruitment, turk(1), "one", None)
    works(begun.person)
    standings(workspace, begun.person)
    [last] = workspace.store.rows("SELECT * FROM annotation ORDER BY id DESC LIMIT 1")
    answer_store.store(
        workspace, study, begun.person,
        [Answer("corrected-1", last["item_id"], last["lease_id"], {"choice": 0}, None, 1.0, 0.0)],
    )  # fmt: skip
    times("Turk 1", 60.0)
    [payment] = payments(workspace, recruitment)
    assert (payment.items, payment.active_min) == (4, 9.0)


def test_nobody_is_paid_twice(workspace, study, link, works):
    recruitment = link(items=4)
    begun = begin(workspace, recruitment, turk(1), "one", None)
    works(begun.person)
    found = payments(workspace, recruitment)
    assert mark_paid(workspace, found) == 1
    assert mark_paid(workspace, found) == 0
    [again] = payments(workspace, recruitment)
    assert again.paid_at is not None
    files = payment_files(workspace, recruitment, [p for p in [again] if p.paid_at is None])
    assert rows_of(files["mturk_batch.csv"]) == []
    assert rows_of(files["payments.csv"]) == []


def test_failed_practice_and_work_put_aside_are_not_approved_by_themselves(
    workspace, study, link, works
):
    set_onboarding(workspace, study, Onboarding(pass_mark=1.0, attention_mark=0.5))
    recruitment = link(items=4)
    people = {
        name: begin(workspace, recruitment, turk(number), name, None).person
        for number, name in enumerate(("fails", "sleeps", "leaves", "works"), 1)
    }
    works(people["fails"], practice=0)
    works(people["sleeps"], attention=0)
    works(people["leaves"])
    put_aside(workspace, people["leaves"].name)
    works(people["works"])
    found = payments(workspace, recruitment)
    assert [(p.outcome, p.suggestion) for p in found] == [
        ("failed", NOTHING), ("finished", REVIEW), ("finished", REVIEW), ("finished", APPROVE),
    ]  # fmt: skip
    assert "0 of 1, below the mark of 50 %" in found[1].reason
    assert "put aside" in found[2].reason
    with pytest.raises(Refusal, match="nothing is due"):
        mark_paid(workspace, found)


def test_the_sites_list_decides_who_is_approved(workspace, study, link, works):
    recruitment = link(items=2)
    codes = {}
    for number in range(1, 6):
        begun = begin(workspace, recruitment, turk(number), f"browser {number}", None)
        works(begun.person)
        codes[number] = standings(workspace, begun.person)[0].code
    typed = f" {codes[1][:4].lower()}-{codes[1][4:]} "  # as people copy
    claims = [
        Claim(turk(1).worker, turk(1).session, typed, "Submitted"),
        Claim(turk(2).worker, turk(2).session, codes[1], "Submitted"),  # another's code
        Claim(turk(3).worker, turk(3).session, "", "Submitted"),
        Claim(turk(9).worker, turk(4).session, codes[4], "Submitted"),  # not whose it is
    ]
    found = by_name(payments(workspace, recruitment, claims))
    assert [p.suggestion for p in found.values()] == [APPROVE, REVIEW, REVIEW, REVIEW, REVIEW]
    words = [p.reason for p in found.values()]
    assert "not this worker's" in words[1]
    assert "No code" in words[2]
    assert "another worker's" in words[3]
    assert "holds no such assignment" in words[4]


def test_two_workers_with_one_assignment_are_looked_at(workspace, study, link, works):
    recruitment = link(items=2)
    for number in (1, 2):
        begun = begin(workspace, recruitment, turk(number, assignment=1), f"b{number}", None)
        works(begun.person)
    found = payments(workspace, recruitment)
    assert [p.suggestion for p in found] == [REVIEW, REVIEW]
    assert "Two workers" in found[0].reason


def test_mechanical_turks_batch_goes_back_as_it_came_with_two_columns_filled(
    workspace, study, link, works, times
):
    recruitment = link(items=2, reward=0.5)
    codes = []
    for number in (1, 2):
        begun = begin(workspace, recruitment, turk(number), f"browser {number}", None)
        works(begun.person)
        times(begun.person.name, 90.0)
        codes.append(standings(workspace, begun.person)[0].code)
    batch = io.StringIO()
    writer = csv.writer(batch)
    writer.writerow(["HITId", "AssignmentId", "WorkerId", "Answer.surveycode", "Approve", "Reject"])
    for number, code in ((1, codes[0]), (2, "guessed"), (3, codes[0])):
        writer.writerow(["3HIT", turk(number).session, turk(number).worker, code, "", ""])
    site_file = read_site_file(SITES["mturk"], batch.getvalue().encode())
    due = payments(workspace, recruitment, site_file.claims)
    files = payment_files(workspace, recruitment, due, site_file)
    assert set(files) == {"payments.csv", "mturk_batch.csv", "mturk_bonuses.csv"}
    filled = rows_of(files["mturk_batch.csv"])
    assert [(row["AssignmentId"], row["Approve"], row["Reject"]) for row in filled] == [
        (turk(1).session, "x", ""), (turk(2).session, "", ""), (turk(3).session, "", ""),
    ]  # fmt: skip
    # Three of practice and two of work, 450 s at 15 an hour: 1.88 (1.875), 1.38 beyond the reward.
    [bonus] = rows_of(files["mturk_bonuses.csv"])
    assert (bonus["WorkerId"], bonus["AssignmentId"]) == (turk(1).worker, turk(1).session)
    assert bonus["BonusAmount"] == "1.38"
    assert (
        bonus["UniqueRequestToken"]
        == rows_of(payment_files(workspace, recruitment, due)["mturk_bonuses.csv"])[0][
            "UniqueRequestToken"
        ]
    )


def test_prolific_gets_ids_to_approve_and_bonuses_line_by_line(
    workspace, study, link, works, times
):
    recruitment = link("prolific", items=2, reward=0.5)
    begun = begin(workspace, recruitment, prolific(1), "one", None)
    works(begun.person)
    times("Prolific 1", 90.0)
    [now] = standings(workspace, begun.person)
    assert now.code == "CDONE1"
    files = payment_files(workspace, recruitment, payments(workspace, recruitment))
    assert files["prolific_approve.txt"].decode() == f"{prolific(1).session}\n"
    assert files["prolific_bonuses.txt"].decode() == f"{prolific(1).worker},1.38\n"


def test_a_site_file_that_is_none_says_what_is_absent():
    with pytest.raises(Refusal, match="no column assignmentid"):
        read_site_file(SITES["mturk"], b"WorkerId\nA1\n")
    with pytest.raises(Refusal, match="twice"):
        read_site_file(SITES["mturk"], b"AssignmentId,WorkerId\n3A,A1\n3A,A2\n")
    with pytest.raises(Refusal, match="not UTF-8"):
        read_site_file(SITES["mturk"], b"\xff\xfe")
    with pytest.raises(Refusal, match="empty"):
        read_site_file(SITES["prolific"], b"")
    with pytest.raises(Refusal, match="assignments without an id: 1 of 1"):
        read_site_file(SITES["mturk"], b"AssignmentId,WorkerId\n,A1\n")
    with pytest.raises(Refusal, match="no whole CSV"):
        read_site_file(SITES["mturk"], b'AssignmentId,WorkerId\n3A,"A1\n3B,A2\n')


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_site_file_that_a_spreadsheet_saved_is_read(delimiter):
    lines = (
        ("AssignmentId", "WorkerId", "Answer.text"),
        ("3A", "A1", "x" * 200_000),
        ("", " ", ""),
    )
    content = "\n".join(delimiter.join(line) for line in lines).encode()
    [claim] = read_site_file(SITES["mturk"], content).claims
    assert (claim.session, claim.worker) == ("3A", "A1")


@pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT", "Rejected"])
def test_what_the_site_has_ended_unpaid_is_never_suggested_for_approval(
    workspace, study, link, works, status
):
    recruitment = link("prolific", items=2, reward=0.5)
    begun = begin(workspace, recruitment, prolific(1), "one", None)
    works(begun.person)
    standings(workspace, begun.person)
    claims = [Claim(prolific(1).worker, prolific(1).session, "", status)]
    [due] = payments(workspace, recruitment, claims)
    assert due.suggestion == REVIEW
    assert f"lists this submission as {status}" in due.reason


def test_ids_of_the_sites_leave_in_payment_files_only(workspace, study, link, works, tmp_path):
    from annotations.exporting.export import export

    recruitment = link(items=2)
    begun = begin(workspace, recruitment, turk(1), "one", None)
    works(begun.person)
    standings(workspace, begun.person)
    export(workspace, tmp_path / "out", "jsonl")
    written = b"".join(p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert turk(1).worker.encode() not in written
    assert turk(1).session.encode() not in written
