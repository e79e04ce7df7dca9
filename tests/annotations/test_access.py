import pytest

from annotations.access import change_role, end_access, end_session, invite_as, new_link
from annotations.answering import queue
from annotations.answering.exclusion import put_aside
from annotations.people import accept_invite, everyone, invite, signed_in
from annotations.planning.task_store import create_task, grow
from core.refusal import Forbidden, Missing, Refusal


@pytest.fixture
def team(add_person):
    return {
        role: add_person(name, role)
        for role, name in (("admin", "Root"), ("author", "Eva"), ("annotator", "Ada"))
    }


@pytest.fixture
def task(workspace, add_question):
    for number in range(3):
        add_question(f"count/{number}")
    made = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 1)
    grow(workspace, made)
    return made


def session(workspace, token):
    return accept_invite(workspace, token)[1]


def test_only_administrators_invite_authors(workspace, team):
    assert invite_as(workspace, team["author"], "Ben", "annotator")
    assert invite_as(workspace, team["admin"], "Cleo", "author")
    for role in ("author", "admin"):
        with pytest.raises(Forbidden, match="administrators invite"):
            invite_as(workspace, team["author"], "Dora", role)
    with pytest.raises(Forbidden):
        invite_as(workspace, team["annotator"], "Dora", "annotator")
    assert {row.name for row in everyone(workspace)} == {"Root", "Eva", "Ada", "Ben", "Cleo"}


@pytest.mark.parametrize("role", ["author", "admin"])
def test_a_link_is_shown_once(workspace, team, role):
    with pytest.raises(Refusal, match="is here already"):
        invite_as(workspace, team[role], "  aDa ", "annotator")


def test_a_new_link_ends_the_earlier_one_and_is_for_administrators(workspace, team):
    old = session(workspace, invite(workspace, "Ada", "annotator"))
    with pytest.raises(Forbidden):
        new_link(workspace, team["author"], "Ada")
    token = new_link(workspace, team["admin"], "Ada")
    assert signed_in(workspace, old) is None
    assert signed_in(workspace, session(workspace, token)).name == "Ada"
    with pytest.raises(Missing):
        new_link(workspace, team["admin"], "Nobody")


def test_access_that_ends_ends_links_sessions_and_leases(workspace, team, task):
    token = invite(workspace, "Ada", "annotator")
    old = session(workspace, token)
    assert len(queue.lease(workspace, task, team["annotator"], 3)) == 3
    end_access(workspace, team["author"], "Ada")
    assert signed_in(workspace, old) is None
    assert accept_invite(workspace, token) is None
    assert len(queue.lease(workspace, task, team["author"], 3)) == 3  # the places are free
    with pytest.raises(Refusal, match="ended already"):
        end_access(workspace, team["admin"], "Ada")
    with pytest.raises(Refusal, match="has ended"):
        invite(workspace, "Ada", "annotator")
    assert accept_invite(workspace, new_link(workspace, team["admin"], "Ada")) is not None


def test_authors_end_no_access_of_authors_and_nobody_their_own(workspace, team):
    for name in ("Root", "Eva"):
        with pytest.raises(Forbidden):
            end_access(workspace, team["author"], name)
    with pytest.raises(Refusal, match="your own"):
        end_access(workspace, team["admin"], "Root")


def test_a_changed_role_holds_at_once_and_nobody_changes_their_own(workspace, team):
    old = session(workspace, invite(workspace, "Ada", "annotator"))
    with pytest.raises(Forbidden):
        change_role(workspace, team["author"], "Ada", "author")
    change_role(workspace, team["admin"], "Ada", "author")
    assert signed_in(workspace, old).is_author
    with pytest.raises(Refusal, match="no role"):
        change_role(workspace, team["admin"], "Ada", "root")
    with pytest.raises(Refusal, match="your own"):
        change_role(workspace, team["admin"], "Root", "author")


def test_signing_out_ends_that_session_and_no_other(workspace):
    token = invite(workspace, "Ada", "annotator")
    desk, phone = session(workspace, token), session(workspace, token)
    assert desk != phone
    end_session(workspace, desk)
    assert signed_in(workspace, desk) is None
    assert signed_in(workspace, phone) is not None


def test_who_is_put_aside_is_handed_nothing_and_holds_nothing(workspace, team, task):
    queue.lease(workspace, task, team["annotator"], 3)
    put_aside(workspace, "Ada")
    assert queue.lease(workspace, task, team["annotator"], 3) == []
    assert len(queue.lease(workspace, task, team["author"], 3)) == 3
