"""Who somebody is by what an organisation says of them, and how long they are signed in."""

import pytest

from annotations.access import end_access
from annotations.organisation.sign_in_people import SESSION_S, follow_settings, let_in
from annotations.people import Person, signed_in
from annotations.reading.sign_in_settings import Claims, SignIn, claims_of, read_sign_in, role_of
from annotations.settings_file import read_settings
from core.refusal import Forbidden, Refusal

SIGN_IN = SignIn(
    "secrets.toml", "Uni", "email",
    (("ada@uni.example", "author"), ("group:lab", "author"), ("@uni.example", "annotator")),
)  # fmt: skip


def told(email="ben@uni.example", **more):
    return {
        "iss": "https://idp", "sub": email, "aud": "rushes", "email": email,
        "email_verified": True, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "groups", "role"),
    [
        ("ada@uni.example", (), "author"),
        ("ADA@Uni.Example", (), "author"),
        ("ben@uni.example", (), "annotator"),
        ("ben@uni.example", ("lab",), "author"),
        ("cy@elsewhere.example", ("lab",), "author"),
        ("cy@elsewhere.example", ("labs",), None),
        ("ada@uni.example.evil", (), None),
        ('"x@uni.example"@evil.example', (), None),
        ("uni.example", (), None),
        ("", (), None),
    ],
)
def test_a_role_comes_from_ones_own_name_then_a_group_then_the_domain(value, groups, role):
    assert role_of(SIGN_IN, Claims(value, groups)) == role


def test_an_address_that_nobody_verified_names_nobody():
    for verified in (False, None, "true"):
        with pytest.raises(Refusal, match="verified"):
            claims_of(SIGN_IN, told(email_verified=verified))
    with pytest.raises(Refusal, match="did not say your email"):
        claims_of(SIGN_IN, told(email=""))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[sign_in]\nname='U'", "secrets is None"),
        ("[sign_in]\nsecrets='s'", "says nobody"),
        ("[sign_in]\nsecrets='s'\n[sign_in.roles]\n'@u' = 'boss'", "'boss'. Allowed: annotator"),
        ("[sign_in]\nsecrets='s'\n[sign_in.roles]\n'@' = 'author'", "names nobody"),
        ("[sign_in]\nsecrets='s'\nclient='x'", "has client. Allowed"),
        ("sign_in = 3", "has to be a table"),
    ],
)
def test_settings_that_cannot_work_are_said(tmp_path, text, words):
    (tmp_path / "rushes.toml").write_text(text)
    with pytest.raises(Refusal, match=words):
        read_settings(tmp_path / "rushes.toml")


def test_it_is_off_by_default(workspace):
    assert workspace.settings.sign_in is None
    assert read_sign_in(None, "x") is None


def test_people_are_known_by_the_providers_id_alone(workspace, add_person):
    add_person("Ada", "admin")
    person, session = let_in(workspace, SIGN_IN, told("ada@uni.example", name="Ada"), "rushes")
    assert (person.name, person.role) == ("Ada 2", "author")
    assert signed_in(workspace, session) == person
    again, _ = let_in(workspace, SIGN_IN, told("ada@uni.example", name="Another"), "rushes")
    assert again == person


def test_a_token_for_another_service_signs_nobody_in(workspace):
    for audience in ("other", ["other"], None):
        with pytest.raises(Forbidden, match="another service"):
            let_in(workspace, SIGN_IN, told(aud=audience), "rushes")
    assert let_in(workspace, SIGN_IN, told(aud=["other", "rushes"]), "rushes")


def test_a_session_ends_after_twelve_hours(workspace, monkeypatch):
    import time

    _, session = let_in(workspace, SIGN_IN, told(), "rushes")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + SESSION_S - 5)
    assert signed_in(workspace, session) is not None
    monkeypatch.setattr(time, "time", lambda: now + SESSION_S + 5)
    assert signed_in(workspace, session) is None


def test_who_is_taken_out_of_the_settings_is_signed_out_and_can_be_put_back(workspace):
    person, session = let_in(workspace, SIGN_IN, told(), "rushes")
    nobody = SignIn("s", "Uni", "email", (("ada@uni.example", "author"),))
    assert follow_settings(workspace, nobody) == 1
    assert signed_in(workspace, session) is None
    with pytest.raises(Forbidden, match="nobody has given you access"):
        let_in(workspace, nobody, told(), "rushes")
    assert follow_settings(workspace, nobody) == 0
    back, later = let_in(workspace, SIGN_IN, told(), "rushes")
    assert back == person
    assert signed_in(workspace, later) == person
    assert signed_in(workspace, session) is None
    assert follow_settings(workspace, None) == 1


def test_whose_access_an_author_has_ended_is_not_let_in_by_the_provider(workspace):
    person, session = let_in(workspace, SIGN_IN, told(), "rushes")
    end_access(workspace, Person(0, "Clara", "author"), person.name)
    assert signed_in(workspace, session) is None
    for _ in range(2):
        with pytest.raises(Forbidden, match="has ended"):
            let_in(workspace, SIGN_IN, told(), "rushes")
        follow_settings(workspace, SIGN_IN)


def test_another_role_in_the_settings_holds_from_the_start_on(workspace):
    _, session = let_in(workspace, SIGN_IN, told(), "rushes")
    changed = SignIn("s", "Uni", "email", (("ben@uni.example", "author"),))
    assert follow_settings(workspace, changed) == 0
    person = signed_in(workspace, session)
    assert person is not None
    assert person.role == "author"
