import json
import time

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from annotations.answering.returns import return_answer
from annotations.people import invite
from annotations.planning.task_store import create_task, grow
from annotations.video.preparer import Preparer
from ui.routes.desk import desk_routes
from ui.routes.preview import preview_routes
from ui.routes.sessions import session_routes


@pytest.fixture
def sign_in(workspace):
    preparer = Preparer(workspace)
    app = Starlette(
        routes=[
            *session_routes(workspace),
            *desk_routes(workspace, preparer),
            *preview_routes(workspace, preparer),
        ]
    )

    def client(name: str, role: str) -> TestClient:
        browser = TestClient(app)
        browser.get(f"/join/{invite(workspace, name, role)}", follow_redirects=False)
        return browser

    yield client
    preparer.stop()


@pytest.fixture
def task(workspace, add_question):
    """Four items of work, one of practice."""
    for number in range(5):
        add_question(f"count/{number}")
    made = create_task(
        workspace, "t", "human_evaluation", {"condition": "full video"}, 2, order="as imported"
    )
    grow(workspace, made)
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET role = 'practice', expected = ? WHERE uid = 'question:count/4'",
            [json.dumps({"choice": 1})],
        )
    return made


def test_a_preview_says_that_items_wait_for_a_picked_frame_and_not_for_others(
    workspace, sign_in, add_question
):
    add_question("count/0")
    made = create_task(workspace, "t", "human_evaluation", {"condition": "1 handpicked frame"}, 2)
    grow(workspace, made)
    author = sign_in("Clara", "author")
    base = f"/desk/preview/tasks/{made}"
    opened = author.get(base).json()
    assert (opened["items"], opened["progress"]["total"]) == ([], 1)
    assert opened["idle"]["reason"] == "not_ready"
    assert author.post(f"{base}/lease", json={"have": []}).json()["idle"]["reason"] == "not_ready"


def given(item, choice=0, skip=None, uid="uid-000001"):
    return {
        "uid": uid,
        "item": item["id"],
        "lease": item["lease"],
        "response": None if skip else {"choice": choice},
        "skip": skip,
        "active_s": 2.0,
        "answered_at": time.time(),
    }


def answer(client, base, item, **more):
    reply = client.post(f"{base}/answers", json={"answers": [given(item, **more)]})
    return reply.json()["results"][0]


def test_a_preview_checks_answers_gives_feedback_and_stores_nothing(sign_in, workspace, task):
    clara, base = sign_in("Clara", "author"), f"/desk/preview/tasks/{task}"
    found = clara.get(base).json()
    assert found["task"]["preview"] is True
    labels = [item["label"] for item in found["items"]]
    assert labels == ["count 4", "count 0", "count 1", "count 2", "count 3"]
    practice, work, *_ = found["items"]
    assert (practice["practice"], work["practice"]) == (True, False)
    right = answer(clara, base, practice, choice=1)
    texts = [option["text"] for option in practice["values"]["options"]]
    place = texts.index("right")  # option 1 of the file
    known = {"right": True, "words": "", "expected": {"choice": f"p{place}"}}
    assert (right["status"], right["feedback"]) == ("stored", known)
    assert answer(clara, base, work, choice=9)["status"] == "refused"
    assert answer(clara, base, work, choice=0)["feedback"] is None
    for table in ("annotation", "lease", "draft"):
        assert workspace.store.rows(f"SELECT * FROM {table}") == []


def test_a_preview_goes_on_where_it_is_and_begins_anew_when_opened(sign_in, task):
    clara, base = sign_in("Clara", "author"), f"/desk/preview/tasks/{task}"
    first, *others = clara.get(base).json()["items"]
    answer(clara, base, first, skip="too dark")
    have = [item["id"] for item in others[:2]]
    more = clara.post(f"{base}/lease", json={"have": have}).json()
    assert [item["id"] for item in more["items"]] == [item["id"] for item in others[2:]]
    assert (more["progress"]["skipped"], more["progress"]["total"]) == (1, 5)
    look = clara.get(f"{base}/items/{first['id']}").json()
    assert look["answer"] == {"response": {}, "skip": "too dark"}
    assert clara.get(f"{base}/items/{others[0]['id']}").status_code == 404
    assert clara.get(base).json()["items"][0]["id"] == first["id"]


def test_a_paused_task_can_be_previewed_and_only_authors_can(sign_in, workspace, task):
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = 'paused'")
    base = f"/desk/preview/tasks/{task}"
    assert len(sign_in("Clara", "author").get(base).json()["items"]) == 5
    reply = sign_in("Ada", "annotator").get(base)
    assert (reply.status_code, reply.json()["error"]) == (403, "This is for authors.")


def test_practice_gives_feedback_at_the_desk_and_attention_is_not_told(sign_in, workspace, task):
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET role = 'attention', expected = ? WHERE uid = 'question:count/0'",
            [json.dumps({"choice": 1})],
        )
    ada, base = sign_in("Ada", "annotator"), f"/desk/tasks/{task}"
    reply = ada.get(base)
    practice, *others = reply.json()["items"]
    assert practice["practice"] is True
    assert not any(item["practice"] for item in others)
    assert "attention" not in reply.text
    assert "expected" not in reply.text
    feedback = answer(ada, base, practice, choice=0)["feedback"]
    assert (feedback["right"], bool(feedback["words"])) == (False, True)
    attention = next(item for item in others if item["label"] == "count 0")
    assert answer(ada, base, attention, choice=0, uid="uid-000002")["feedback"] is None


def test_a_returned_answer_comes_with_the_comment_and_what_was_answered(
    sign_in, workspace, task, add_person
):
    ada, base = sign_in("Ada", "annotator"), f"/desk/tasks/{task}"
    item = ada.get(base).json()["items"][1]
    answer(ada, base, item, choice=2)
    [row] = workspace.store.rows("SELECT id FROM annotation")
    return_answer(workspace, add_person("Clara", "author"), row["id"], "Look again.")
    first = ada.get(base).json()["items"][0]
    assert (first["id"], first["remark"]) == (item["id"], {"text": "Look again."})
    place = [option["text"] for option in first["values"]["options"]].index("up")
    assert first["draft"] == {"response": {"choice": f"p{place}"}, "active_s": 0.0}


def test_a_desk_is_told_which_of_its_items_are_gone(sign_in, workspace, task):
    ada, base = sign_in("Ada", "annotator"), f"/desk/tasks/{task}"
    have = [item["id"] for item in ada.get(base).json()["items"]]
    with workspace.store.write() as database:
        database.conn.execute("UPDATE item SET status = 'withdrawn' WHERE id = ?", [have[2]])
    assert ada.post(f"{base}/lease", json={"have": have}).json()["gone"] == [have[2]]
