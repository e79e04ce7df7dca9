"""Strangers by a survey link: who they are, what they may do, and their code."""

import threading
from dataclasses import replace

import pytest
from strangers import KEY, prolific, turk

from annotations.access import end_access
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.exclusion import put_aside
from annotations.answering.idle import idle_reason
from annotations.answering.progress import progress
from annotations.people import Person, accept_invite, invite
from annotations.planning.own_tasks import tasks_of_person
from annotations.planning.task_store import create_task, grow, set_status
from annotations.recruiting.onboarding import Onboarding, set_onboarding
from annotations.recruiting.recruitment import (
    link_token,
    make_recruitment,
    recruitment_of,
    set_state,
)
from annotations.recruiting.sites import SITES, read_arrival
from annotations.recruiting.submissions import standings
from annotations.recruiting.workers import begin
from core.refusal import Forbidden, Missing, Refusal

FULL_MARK = Onboarding(pass_mark=1.0)


def query(arrival, site="mturk"):
    values = (arrival.worker, arrival.session, arrival.study)
    return list(zip(SITES[site].parameters, values, strict=True))


def test_a_worker_practises_works_and_gets_one_code(workspace, study, link, works):
    set_onboarding(workspace, study, replace(FULL_MARK, attention_mark=0.5))
    recruitment = link(items=4)
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    assert begun.person.name == "Turk 1"
    # Of 12 items of work 4 are asked for, so that of two attention items one comes after three.
    assert progress(workspace, study, begun.person)["total"] == 3 + 4 + 1
    done = works(begun.person)
    assert done.roles[:3] == ["practice"] * 3
    assert (done.of("work"), done.of("attention")) == (4, 1)
    assert idle_reason(workspace, study, begun.person) == "batch"
    [now] = standings(workspace, begun.person)
    assert (now.outcome, now.answers, len(now.code)) == ("finished", 4, 12)
    again = begin(workspace, recruitment, turk(1), "browser", begun.person)
    assert (again.person, again.submission_id) == (begun.person, begun.submission_id)
    assert standings(workspace, begun.person) == [now]


def test_a_code_needs_finished_work(workspace, study, link, works):
    begun = begin(workspace, link(items=4), turk(1), "browser", None)
    [now] = standings(workspace, begun.person)
    assert (now.answers, now.reason) == (0, "")
    works(begun.person, most=3 + 3)
    [now] = standings(workspace, begun.person)
    assert now.reason == ""
    assert (now.outcome, now.answers, now.code) == ("", 3, "")


def test_skips_are_no_answers_and_cannot_make_a_code(workspace, study, link, works):
    begun = begin(workspace, link(items=4), turk(1), "browser", None)
    done = works(begun.person, skip=True)
    assert done.of("work") == 12  # a skip takes no place of the four
    [now] = standings(workspace, begun.person)
    assert (now.outcome, now.code) == ("nothing", "")


def test_another_browser_with_the_same_worker_id_gets_nothing(workspace, study, link, works):
    recruitment = link()
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    works(begun.person)
    for browser in ("another", ""):
        with pytest.raises(Forbidden, match="another browser"):
            begin(workspace, recruitment, turk(1), browser, None)
    [noted, _] = workspace.store.rows("SELECT * FROM recruited_refusal ORDER BY id")
    assert (noted["site_id"], noted["session"]) == (turk(1).worker, turk(1).session)
    # With the return link that only they were shown, the second browser is theirs as well.
    accepted = accept_invite(workspace, invite(workspace, begun.person.name, "annotator"))
    assert accepted is not None
    assert begin(workspace, recruitment, turk(1), "another", accepted[0]).person == begun.person


def test_one_browser_is_one_worker(workspace, study, link):
    recruitment = link()
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    for person in (begun.person, None):  # signed in, or signed out meanwhile
        with pytest.raises(Forbidden, match="another Mechanical Turk ID already"):
            begin(workspace, recruitment, turk(2), "browser", person)
    assert workspace.store.rows("SELECT count(*) AS n FROM recruited_worker") == [{"n": 1}]


def test_somebody_with_an_invite_is_no_stranger(workspace, study, link, add_person):
    clara = add_person("Clara", "author")
    with pytest.raises(Forbidden, match="signed in here as Clara"):
        begin(workspace, link(), turk(1), "browser", clara)


def test_a_second_browser_is_let_in_after_an_author_makes_a_new_link(workspace, study, link):
    recruitment = link()
    squatter = begin(workspace, recruitment, turk(1), "squatter", None)
    token = invite(workspace, squatter.person.name, "annotator", renew=True)
    rightful = accept_invite(workspace, token)
    assert rightful is not None
    begin(workspace, recruitment, turk(1), "rightful", rightful[0])
    with pytest.raises(Forbidden):
        begin(workspace, recruitment, turk(1), "squatter", None)


def test_whoever_was_faster_is_the_worker(workspace, study, link):
    recruitment = link()
    ends: list[object] = []

    def arrive(browser: str) -> None:
        try:
            ends.append(begin(workspace, recruitment, turk(1), browser, None).person.name)
        except Forbidden:
            ends.append("refused")

    threads = [threading.Thread(target=arrive, args=(name,)) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, ends)) == ["Turk 1", "refused", "refused"]


def test_two_tabs_are_handed_no_more_than_was_asked_for(workspace, study, link, works):
    begun = begin(workspace, link(items=4), turk(1), "browser", None)
    works(begun.person, most=3)
    tabs: list[set[int]] = []

    def take() -> None:
        handed = queue.lease(workspace, study, begun.person, 16)
        tabs.append({one.item.id for one in handed if one.item.role == "work"})

    threads = [threading.Thread(target=take) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tabs[0] | tabs[1]) == 4


def test_a_second_assignment_goes_on_and_is_paid_for_other_answers(workspace, study, link, works):
    recruitment = link(items=4)
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    works(begun.person)
    begin(workspace, recruitment, turk(1, assignment=2), "browser", begun.person)
    assert works(begun.person).of("work") == 4
    second, first = standings(workspace, begun.person)
    assert (first.outcome, second.outcome) == ("finished", "finished")
    assert first.code != second.code
    bound = workspace.store.rows(
        "SELECT count(DISTINCT annotation_id) AS n, count(*) AS all_rows FROM recruited_answer"
    )
    assert bound == [{"n": 3 + 8 + 2, "all_rows": 13}]


def test_two_assignments_at_once_are_done_one_after_the_other(workspace, study, link, works):
    recruitment = link(items=4)
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    begin(workspace, recruitment, turk(1, assignment=2), "browser", begun.person)
    works(begun.person, most=3 + 1 + 5)  # practice, one attention item, five answers
    second, first = standings(workspace, begun.person)
    assert (first.answers, first.outcome) == (4, "finished")
    assert (second.answers, second.outcome) == (1, "")


def test_failed_practice_ends_it_and_later_answers_do_not_help(workspace, study, link, works):
    set_onboarding(workspace, study, Onboarding(pass_mark=0.6))
    recruitment = link()
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    assert works(begun.person, practice=0).roles == ["practice"] * 3
    practice = workspace.store.rows(
        "SELECT item_id, lease_id FROM annotation WHERE annotator_id = ?", [begun.person.id]
    )
    corrected = [
        Answer(f"corrected-{row['item_id']}", row["item_id"], row["lease_id"],
               {"choice": KEY}, None, 1.0, 0.0)
        for row in practice
    ]  # fmt: skip
    answer_store.store(workspace, study, begun.person, corrected)
    assert works(begun.person).count == 0
    assert idle_reason(workspace, study, begun.person) == "failed"
    [now] = standings(workspace, begun.person)
    assert (now.outcome, now.code) == ("failed", "")
    with pytest.raises(Refusal, match="did not reach the mark"):
        begin(workspace, recruitment, turk(1, assignment=2), "browser", begun.person)


def test_two_of_three_pass_a_mark_of_six_tenths(workspace, study, link, works):
    set_onboarding(workspace, study, Onboarding(pass_mark=0.6))
    begun = begin(workspace, link(), turk(1), "browser", None)
    works(begun.person, practice=0, most=1)
    works(begun.person, most=2)
    assert works(begun.person).of("work") == 4  # 2 of 3 = 0.67


def test_what_was_passed_once_is_carried_over_to_tasks_of_the_same_name(
    workspace, study, link, works, add_question
):
    set_onboarding(workspace, study, replace(FULL_MARK, qualification="moves"))
    begun = begin(workspace, link(), turk(1), "browser", None)
    works(begun.person)
    other = create_task(workspace, "second", "human_evaluation", {"condition": "16 frames"}, 50)
    grow(workspace, other)
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET role = 'practice', expected = '{\"choice\": 1}'"
            " WHERE task_id = ? AND uid LIKE '%q/1_'", [other],
        )  # fmt: skip
    set_onboarding(workspace, other, replace(FULL_MARK, qualification="moves"))
    begin(workspace, link(name="second", task=other), turk(1, 2), "browser", begun.person)
    handed = queue.lease(workspace, other, begun.person, 16)
    # Clips that they met in the first task are not asked again: six are left, half at a time.
    assert [one.item.role for one in handed] == ["work"] * 3
    assert progress(workspace, other, begun.person)["total"] == 4


def test_who_knows_the_clips_that_are_left_is_paid_for_what_they_did(workspace, study, link, works):
    begun = begin(workspace, link(items=4), turk(1), "browser", None)
    works(begun.person)
    second = create_task(workspace, "second", "human_evaluation", {"condition": "16 frames"}, 50)
    grow(workspace, second)
    recruitment = link(name="second", task=second, items=17)
    begin(workspace, recruitment, turk(1, 2), "browser", begun.person)
    # Of 17 questions they have met eight: three of practice, four of work, one of attention.
    done = works(begun.person, task=second)
    assert done.of("work") == 9
    assert idle_reason(workspace, second, begun.person) == "met"
    newest, _ = standings(workspace, begun.person)
    assert (newest.outcome, newest.answers, len(newest.code)) == ("ran_out", 9, 12)


def test_who_comes_to_the_limit_in_the_middle_is_paid_for_what_they_did(
    workspace, study, link, works
):
    set_onboarding(workspace, study, Onboarding(total_limit=6))
    recruitment = link(items=4)
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    works(begun.person)
    standings(workspace, begun.person)
    begin(workspace, recruitment, turk(1, assignment=2), "browser", begun.person)
    assert works(begun.person).of("work") == 2
    second, first = standings(workspace, begun.person)
    assert (first.outcome, first.answers) == ("finished", 4)
    assert (second.outcome, second.answers, len(second.code)) == ("ran_out", 2, 12)


def test_limits_of_a_day_and_in_total_hold_for_everybody(workspace, study, works, add_person):
    set_onboarding(workspace, study, Onboarding(daily_limit=3, total_limit=5))
    ada = add_person("Ada")
    assert works(ada).of("work") == 3
    assert idle_reason(workspace, study, ada) == "today"
    with workspace.store.write() as database:  # it was yesterday
        database.conn.execute("UPDATE annotation SET stored_at = stored_at - 86400")
    assert works(ada).of("work") == 2
    assert idle_reason(workspace, study, ada) == "limit"
    assert works(add_person("Clara", "author")).of("work") == 12


def test_who_has_done_as_much_as_one_may_is_told_so_before_they_begin(
    workspace, study, link, works
):
    set_onboarding(workspace, study, Onboarding(total_limit=4))
    recruitment = link(items=4)
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    works(begun.person)
    standings(workspace, begun.person)
    with pytest.raises(Refusal, match="as much of this work as one person may"):
        begin(workspace, recruitment, turk(1, assignment=2), "browser", begun.person)
    with pytest.raises(Refusal, match="items: got 5"):
        link(name="too long", items=5)


def test_a_stranger_sees_the_task_of_their_link_alone(workspace, study, link, add_person):
    other = create_task(workspace, "own", "human_evaluation", {"condition": "16 frames"}, 2)
    grow(workspace, other)
    begun = begin(workspace, link(), turk(1), "browser", None)
    assert [own.task.id for own in tasks_of_person(workspace, begun.person)] == [study]
    assert queue.lease(workspace, other, begun.person, 4) == []
    assert queue.lease(workspace, other, add_person("Ada"), 4) != []


def test_where_people_are_named_for_a_task_a_stranger_of_its_link_may_work_too(
    workspace, study, link, works, add_person
):
    from annotations.answering.assignments import assign

    add_person("Ada")
    assign(workspace, study, ["Ada"])
    begun = begin(workspace, link(items=2), turk(1), "browser", None)
    assert works(begun.person).of("work") == 2


def test_work_that_runs_out_is_paid_and_work_that_is_gone_is_said(
    workspace, study, link, works, add_person
):
    with workspace.store.write() as database:
        database.conn.execute("UPDATE item SET overlap = 1 WHERE role = 'work'")
    works(add_person("Ada"), most=3 + 10 + 2)  # ten of twelve
    recruitment = link(items=4)
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    assert works(begun.person).of("work") == 2
    [now] = standings(workspace, begun.person)
    assert (now.outcome, now.answers, len(now.code)) == ("ran_out", 2, 12)
    with pytest.raises(Refusal, match="no work left"):
        begin(workspace, recruitment, turk(2), "second", None)


def test_whose_work_is_put_aside_ends_politely_with_what_they_did(workspace, study, link, works):
    recruitment = link()
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    works(begun.person, most=3 + 2)
    put_aside(workspace, begun.person.name)
    assert idle_reason(workspace, study, begun.person) == "aside"
    [now] = standings(workspace, begun.person)
    assert (now.outcome, now.answers, len(now.code)) == ("aside", 2, 12)
    with pytest.raises(Refusal, match="ended your work"):
        begin(workspace, recruitment, turk(1, assignment=2), "browser", begun.person)


def test_access_that_has_ended_is_not_given_back_by_a_link(workspace, study, link):
    recruitment = link()
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    end_access(workspace, Person(0, "Clara", "author"), begun.person.name)
    with pytest.raises(Refusal):
        begin(workspace, recruitment, turk(1), "browser", None)


def test_closed_full_and_paused_links_say_so(workspace, study, link):
    recruitment = link(places=1)
    begin(workspace, recruitment, turk(1), "browser", None)
    with pytest.raises(Refusal, match="All places"):
        begin(workspace, recruitment, turk(2), "second", None)
    set_status(workspace, "study", "paused")
    with pytest.raises(Refusal, match="paused"):
        begin(workspace, recruitment, turk(3), "third", None)
    set_state(workspace, recruitment.id, "closed")
    with pytest.raises(Refusal, match="closed"):
        begin(workspace, recruitment_of(workspace, link_token(workspace, recruitment)),
              turk(3), "third", None)  # fmt: skip


def test_who_has_begun_comes_back_to_a_closed_link(workspace, study, link):
    recruitment = link()
    begun = begin(workspace, recruitment, turk(1), "browser", None)
    set_state(workspace, recruitment.id, "closed")
    closed = recruitment_of(workspace, link_token(workspace, recruitment))
    assert begin(workspace, closed, turk(1), "browser", None).person == begun.person


def test_addresses_are_read_by_each_sites_names():
    assert read_arrival(SITES["mturk"], query(turk(1))) == turk(1)
    assert read_arrival(SITES["prolific"], query(prolific(1), "prolific")) == prolific(1)
    assert read_arrival(SITES["prolific"], []) is None
    preview = [("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"), ("hitId", "3HIT")]
    assert read_arrival(SITES["mturk"], preview) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda q: q[1:], "lacks workerId"),
        (lambda q: q[:1], "lacks assignmentId"),
        (lambda q: [*q, q[0]], "workerId twice"),
        (lambda q: [("workerId", "A' OR 1=1"), *q[1:]], "workerId in the address is no id"),
        (lambda q: [("workerId", "A" * 4000), *q[1:]], "is no id"),
        (lambda q: [q[0], ("assignmentId", "../../etc/passwd"), q[2]], "assignmentId in"),
    ],
)
def test_an_address_that_cannot_be_true_is_refused(change, words):
    with pytest.raises(Refusal, match=words):
        read_arrival(SITES["mturk"], change(query(turk(1))))


def test_links_cannot_be_guessed(workspace, link):
    token = link_token(workspace, link())
    assert recruitment_of(workspace, token).name == "mturk"
    for guess in ("1", token[:-1], token + "x", ""):
        with pytest.raises(Missing):
            recruitment_of(workspace, guess)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"site": "elsewhere"}, "site: got 'elsewhere'"),
        ({"items": 0}, "items: got 0"),
        ({"places": 0}, "places: got 0"),
        ({"reward": -1}, "reward: got -1"),
        ({"name": " "}, "name: got"),
        ({"codes": {"finished": "C1"}}, "codes are made here"),
        ({"site": "prolific"}, "codes: Prolific makes the completion code"),
        ({"site": "prolific", "codes": {"finished": "a b"}}, "letters and digits"),
        ({"site": "prolific", "codes": {"finished": "C1", "bad": "C2"}}, "codes: got bad"),
    ],
)  # fmt: skip
def test_a_link_that_could_not_work_is_not_made(workspace, study, changed, words):
    usual = {"name": "n", "site": "mturk", "task_id": study, "items": 4, "places": 9, "reward": 1}
    with pytest.raises(Refusal, match=words):
        make_recruitment(workspace, **{**usual, **changed})


def test_a_mark_needs_practice(workspace, add_question):
    add_question("q/1")
    task = create_task(workspace, "bare", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, task)
    with pytest.raises(Refusal, match="no practice items"):
        set_onboarding(workspace, task, FULL_MARK)
    with pytest.raises(Refusal, match="pass_mark: got 80"):
        set_onboarding(workspace, task, Onboarding(pass_mark=80))
