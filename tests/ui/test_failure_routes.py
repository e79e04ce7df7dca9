"""The room of failures over HTTP: for authors only, the list stable, everything as text."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from annotations.people import invite
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.routes.failures import failure_routes
from ui.routes.sessions import session_routes

SignIn = Callable[..., TestClient]
ADDRESSES = ("", "/stages/1", "/replies/1", "/questions/1")
POSTED = ("/page", "/wall", "/tags", "/tag", "/key", "/task", "/views")


@pytest.fixture
def sign_in(workspace: Workspace):
    preparer = Preparer(workspace)
    app = Starlette(routes=[*session_routes(workspace), *failure_routes(workspace, preparer)])

    def client(name: str, role: str = "author") -> TestClient:
        browser = TestClient(app)
        browser.get(f"/join/{invite(workspace, name, role)}", follow_redirects=False)
        return browser

    yield client
    preparer.stop()


@pytest.fixture
def wrong(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
) -> list[int]:
    for number in range(5):
        add_question(f"count/{number}")
    return [model_says("m", f"count/{number}", "A", "text only", frames=()) for number in range(5)]


def ask(browser: TestClient, path: str, body: Any = None) -> Any:
    address = f"/desk/failures{path}"
    return browser.get(address) if body is None else browser.post(address, json=body)


def test_annotators_and_strangers_get_nothing(wrong: list[int], sign_in: SignIn):
    annotator, stranger = sign_in("ada", "annotator"), TestClient(sign_in("x").app)
    for path, body in [(one, None) for one in ADDRESSES] + [(one, {}) for one in POSTED]:
        assert ask(annotator, path, body).status_code == 403, path
        assert ask(stranger, path, body).status_code == 401, path


def test_a_view_with_a_name_is_everybodys_until_it_is_deleted(sign_in: SignIn):
    clara, dora = sign_in("clara"), sign_in("dora")
    query = "outcome=all&category=count&view=wall"
    [view] = ask(clara, "/views", {"name": "  Counting  fails ", "query": query}).json()["views"]
    assert (view["name"], view["query"], view["author"]) == ("Counting fails", query, "clara")
    assert ask(dora, "/views").json()["views"] == [view]
    taken = ask(dora, "/views", {"name": "counting FAILS", "query": "view=cards"})
    assert (taken.status_code, "Choose another name" in taken.text) == (400, True)
    # The same name in other letters is no other view's.
    [renamed] = ask(dora, "/views", {"id": view["id"], "name": "Counting Fails"}).json()["views"]
    assert renamed == view | {"name": "Counting Fails"}
    assert ask(clara, "/views", {"id": view["id"], "name": " "}).status_code == 400
    assert ask(clara, "/views", {"id": view["id"]}).json()["views"] == []
    gone = ask(dora, "/views", {"id": view["id"], "name": "again"})
    assert (gone.status_code, "somebody has deleted it" in gone.text) == (404, True)


def test_a_list_stays_as_it_was_found_while_somebody_tags(wrong: list[int], sign_in: SignIn):
    clara = sign_in("clara")
    first = ask(clara, "/page", {"filter": {"tagged": "no"}, "limit": 2}).json()
    assert (first["total"], [card["id"] for card in first["cards"]]) == (5, wrong[:2])
    tagged = {"uid": "uid-00000001", "prediction": wrong[0], "classes": ["oversight"]}
    reply = ask(clara, "/tag", tagged).json()
    assert [one["classes"] for one in reply["tags"]] == [["oversight"]]
    again = {"filter": {"tagged": "no"}, "listing": first["listing"], "offset": 2, "limit": 2}
    assert [card["id"] for card in ask(clara, "/page", again).json()["cards"]] == wrong[2:4]
    assert ask(clara, "/page", {"filter": {"tagged": "no"}}).json()["total"] == 4


def test_a_fixed_key_shows_at_once_in_the_list_that_is_open(wrong: list[int], sign_in: SignIn):
    clara = sign_in("clara")
    listing = ask(clara, "/page", {"filter": {}}).json()["listing"]
    fixed = {"question": 1, "revision": 1, "key": 0, "reason": "it goes left"}
    reply = ask(clara, "/key", fixed)
    assert list(reply.json()["standing"]["runs"].values()) == [[1, 5]]
    page = ask(clara, "/page", {"filter": {}, "listing": listing}).json()
    assert [card["right"] for card in page["cards"]] == [True, False, False, False, False]
    refused = ask(clara, "/key", {**fixed, "key": 2})
    assert refused.status_code == 400
    assert "changed meanwhile" in refused.json()["error"]


def test_text_alone_is_said_to_have_no_picture(wrong: list[int], sign_in: SignIn):
    found = ask(sign_in("clara"), f"/stages/{wrong[0]}").json()
    assert found["stage"]["type"] == "none"
    assert found["stage"]["note"] == "This question is asked on purpose without its video."


def test_a_task_is_made_of_the_list(wrong: list[int], sign_in: SignIn):
    clara = sign_in("clara")
    made = ask(clara, "/task", {"filter": {}, "name": "why", "most": 3, "draw": True}).json()
    assert made["items"] == 3
    assert [one["name"] for one in made["tagging"]] == ["why"]
    taken = ask(clara, "/task", {"filter": {}, "name": "why"})
    assert (taken.status_code, "exists already" in taken.json()["error"]) == (400, True)


def test_what_is_not_there_or_not_allowed_is_refused_in_words(wrong: list[int], sign_in: SignIn):
    clara = sign_in("clara")
    assert ask(clara, "/page", {"filter": {"order": "up"}}).json()["error"].startswith("order is")
    assert ask(clara, "/replies/999").status_code == 404
    assert ask(clara, "/questions/999").status_code == 404
    assert "no prediction 999" in ask(clara, "/stages/999").json()["error"]


def test_the_wall_holds_each_question_once_and_its_list_is_the_cards_list(
    wrong: list[int], model_says: Callable[..., int], sign_in: SignIn
):
    model_says("n", "count/0", "A", "text only", frames=())
    clara = sign_in("clara")
    wall = ask(clara, "/wall", {"filter": {"order": "telling"}, "limit": 3}).json()
    assert wall["total"] == 5
    assert [len(card["answers"]["runs"]) for card in wall["cards"]].count(2) == 1
    again = {"filter": {}, "listing": wall["listing"], "limit": 3}
    cards = ask(clara, "/page", again).json()["cards"]
    assert [card["id"] for card in cards] == [card["id"] for card in wall["cards"]]


def test_a_card_without_a_picture_says_why(
    wrong: list[int], model_says: Callable[..., int], workspace: Workspace, sign_in: SignIn
):
    model_says("seeing", "count/1", "A", "16 frames", frames=(0, 30))
    with workspace.store.write() as database:
        database.execute("UPDATE video SET status = 'missing' WHERE name = 'video of count/1'")
    body = {"filter": {"conditions": ["16 frames"]}}
    [card] = ask(sign_in("clara"), "/wall", body).json()["cards"]
    assert (card["picture"], card["unseen"]) == (None, "the video is missing")
    blind = ask(sign_in("clara"), "/wall", {"filter": {"conditions": ["text only"]}}).json()
    assert {card["unseen"] for card in blind["cards"]} == {"no picture was seen"}


def test_several_get_the_same_tag_and_one_that_cannot_costs_itself(
    wrong: list[int], model_says: Callable[..., int], sign_in: SignIn
):
    right = model_says("n", "count/0", "B", "text only", frames=())
    body = {"uid": "several-0001", "predictions": [*wrong[:2], right], "classes": ["oversight"]}
    reply = ask(sign_in("clara"), "/tags", body).json()
    assert [reply["tags"][str(number)] for number in wrong[:2]] == [["oversight"]] * 2
    [refused] = reply["refused"]
    assert refused["predictions"] == [right]
    assert "not a wrong prediction" in refused["why"]
