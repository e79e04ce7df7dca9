import pytest

from annotations.people import accept_invite, everyone, invite, signed_in


def test_an_invite_link_signs_in_and_the_session_says_who(workspace):
    token = invite(workspace, "  Ada   Lovelace ", "annotator")
    accepted = accept_invite(workspace, token)
    assert accepted is not None
    person, session = accepted
    assert (person.name, person.role, person.is_author) == ("Ada Lovelace", "annotator", False)
    assert signed_in(workspace, session) == person


def test_asking_again_gives_the_same_link_and_renewing_ends_the_old_one(workspace):
    first = invite(workspace, "Ada", "annotator")
    assert invite(workspace, "ada", "annotator") == first
    session = accept_invite(workspace, first)[1]
    second = invite(workspace, "Ada", "annotator", renew=True)
    assert second != first
    assert accept_invite(workspace, first) is None
    assert signed_in(workspace, session) is None
    assert accept_invite(workspace, second) is not None


def test_a_link_of_another_workspace_opens_nothing(workspace, tmp_path):
    from annotations.workspace import Workspace

    other = Workspace.create(tmp_path / "other")
    token = invite(other, "Ada", "admin")
    invite(workspace, "Ada", "admin")
    assert accept_invite(workspace, token) is None
    assert signed_in(workspace, accept_invite(other, token)[1]) is None


@pytest.mark.parametrize("token", ["", "x", "WzEsIngiXQ.abc", "1", "null", "[]"])
def test_made_up_links_open_nothing(workspace, token):
    invite(workspace, "Ada", "annotator")
    assert accept_invite(workspace, token) is None
    assert signed_in(workspace, token) is None


def test_a_session_is_no_invite_and_an_invite_is_no_session(workspace):
    token = invite(workspace, "Ada", "annotator")
    session = accept_invite(workspace, token)[1]
    assert accept_invite(workspace, session) is None
    assert signed_in(workspace, token) is None


def test_who_is_put_aside_is_out_at_once(workspace):
    session = accept_invite(workspace, invite(workspace, "Ada", "annotator"))[1]
    with workspace.store.write() as database:
        database.conn.execute("UPDATE annotator SET active = 0")
    assert signed_in(workspace, session) is None


@pytest.mark.parametrize(
    ("name", "role", "words"),
    [
        ("", "annotator", "1 to 60"),
        ("x" * 61, "annotator", "1 to 60"),
        ("a\x00b", "annotator", "printable"),
        ("Ada", "boss", "no role"),
    ],
)
def test_a_bad_name_or_role_is_refused_in_words(workspace, name, role, words):
    with pytest.raises(ValueError, match=words):
        invite(workspace, name, role)


def test_a_person_does_not_change_role_by_another_invite(workspace):
    invite(workspace, "Ada", "annotator")
    with pytest.raises(ValueError, match="annotator already"):
        invite(workspace, "Ada", "admin")


def test_somebody_new_has_done_nothing_yet(workspace):
    invite(workspace, "Ada", "annotator")
    [row] = everyone(workspace)
    assert (row.answers, row.skips, row.extras, row.active_s) == (0, 0, 0, 0.0)
    assert row.last_at is None
