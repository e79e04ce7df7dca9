"""Pages around the desk that need nothing but themselves: complete in every language."""

from dataclasses import replace

import pytest
from starlette.requests import Request

from annotations.organisation import sign_in_people
from annotations.planning.task_store import create_task
from annotations.reading import sign_in_settings
from annotations.reading.sign_in_settings import SignIn
from annotations.record.task import task_in
from annotations.recruiting import sites, workers
from annotations.recruiting.recruitment import OUTCOMES, make_recruitment
from annotations.recruiting.sites import Arrival
from annotations.recruiting.submissions import Standing
from core.refusal import Missing, Refusal
from ui import languages
from ui.routes import plain_page, recruiting, recruiting_pages, sessions, sign_in
from ui.routes.plain_page import Reader
from ui.shell import door

OTHERS = [code for code in languages.languages() if code != languages.ENGLISH]
REFUSALS = [
    sites.TWICE, sites.ABSENT, sites.NO_ID, workers.ELSEWHERE, workers.ANOTHER_ID,
    workers.SIGNED_IN, workers.FULL, *workers.REASONS.values(), recruiting.PREVIEW,
    recruiting.NOT_AGREED, recruiting.NO_COOKIES, recruiting.TOO_LARGE, recruiting.NOBODY,
    recruiting.NO_STRANGER, sessions.NOT_VALID, sign_in.OFF, *sign_in.NOT_SIGNED_IN.values(),
    sign_in_people.ENDED, sign_in_people.UNKNOWN, sign_in_people.ANOTHER_SERVICE,
    sign_in_settings.NO_CLAIM, sign_in_settings.UNVERIFIED, "Not signed in", "No sign-in",
    "No survey link", "Not here",
]  # fmt: skip


def reader_of(query="", **headers):
    asked = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Reader.of(
        Request(
            {
                "type": "http", "method": "GET", "scheme": "http", "path": "/recruit/TOKEN",
                "server": ("localhost", 80), "query_string": query.encode(), "headers": asked,
            }
        )
    )  # fmt: skip


@pytest.fixture
def unsaid(monkeypatch):
    """Gathers every text that a page says and that the language of its reader lacks."""
    lacking: list[str] = []
    say = languages.say

    def listening(code, words, **values):
        if code != languages.ENGLISH and words not in languages.texts(code):
            lacking.append(words)
        return say(code, words, **values)

    monkeypatch.setattr(plain_page, "say", listening)
    monkeypatch.setattr(door, "say", listening)
    return lacking


@pytest.fixture
def recruitments(workspace):
    task = create_task(workspace, "study", "human_evaluation", {"condition": "text only"}, 2)
    wanted = [
        ("mturk", 1, 0.5, "Who asks.", {}),
        ("prolific", 20, 2.0, "", {"finished": "C1", "failed": "C2"}),
    ]
    return [
        make_recruitment(
            workspace, name=site, site=site, task_id=task, items=items, places=5, reward=reward,
            consent=consent, codes=codes,
        )
        for site, items, reward, consent, codes in wanted
    ]  # fmt: skip


@pytest.mark.parametrize("code", OTHERS)
def test_whatever_strangers_are_told_is_said_in_every_language(
    code, workspace, recruitments, unsaid
):
    reader, settings = reader_of(f"language={code}"), workspace.settings
    pages: list[str] = []
    for made in recruitments:
        with workspace.store.read() as database:
            task = task_in(database, made.task_id)
        for preview in (True, False):
            pages.append(recruiting_pages.welcome(reader, settings, made, "", "/here", preview))
        arrival = Arrival("A1", "3A", "3H")
        for known, target in ((None, ""), (arrival, ""), (arrival, "https://turk")):
            pages.append(recruiting_pages.frame(reader, settings, made, "", known, "/link", target))
        running = Standing(1, made, task, "3A", 1, "", "", "", 0.0, 0.0)
        standings = [
            running,
            replace(running, active_s=60.0),
            *(replace(running, reason=reason) for reason in recruiting_pages.WAITING),
            *(replace(running, outcome=outcome) for outcome in OUTCOMES),
            *(replace(running, outcome=outcome, code="C1", owed=9.0) for outcome in OUTCOMES),
        ]
        pages += [
            recruiting_pages.work(reader, settings, "Turk 1", [newest, *standings[-2:]], "/back")
            for newest in standings
        ]
    pages += [reader.refused(Refusal(words)) for words in REFUSALS]
    own = SignIn("secrets.toml", "Uni", "email", ())
    for kept in (replace(settings, demo=True), replace(settings, sign_in=own), settings):
        object.__setattr__(workspace, "settings", kept)
        pages.append(door.door_html(workspace, reader))
    assert sorted(set(unsaid)) == []
    assert all(f'<html lang="{code}">' in page for page in pages)


def test_german_is_said_with_its_values_as_text():
    page = reader_of(accept_language="de-AT,de;q=0.9,en;q=0.5").refused(
        Refusal(sites.ABSENT, name="workerId", site="<b>")
    )
    assert "In der Adresse fehlt workerId. Öffnen Sie den Link auf der Seite von &lt;b&gt;" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("query", "headers", "code"),
    [
        ("language=de", {"accept_language": "en"}, "de"),
        ("language=en", {"cookie": "rushes_language=de"}, "en"),
        ("", {"cookie": "rushes_language=de", "accept_language": "en"}, "de"),
        ("", {"accept_language": "fr, de;q=0.5"}, "de"),
        ("language=../../x", {}, "en"),
        ("", {}, "en"),
    ],
)
def test_the_address_then_the_cookie_then_the_browser_choose_the_language(query, headers, code):
    assert reader_of(query, **headers).language == code


def test_links_to_other_languages_keep_what_the_site_wrote_into_the_address():
    page = reader_of("workerId=A1&assignmentId=3%22x&language=en").message("Welcome", "Welcome")
    assert (
        'href="/recruit/TOKEN?workerId=A1&amp;assignmentId=3%22x&amp;language=de" lang="de"' in page
    )


def test_a_refusal_keeps_its_words_apart_from_its_values():
    error = Missing("There is no {what} on {where}.", what="job", where="{what}")
    assert str(error) == "There is no job on {what}."
    assert (error.words, error.values["what"]) == ("There is no {what} on {where}.", "job")
    assert str(Refusal("A brace {stays}.")) == "A brace {stays}."
