import asyncio
import json
import time
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from annotations.people import Person, invite
from annotations.planning.task_store import create_task, grow
from annotations.record.stage import Grid
from annotations.video.frame_images import frame_at
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.routes.desk import desk_routes
from ui.routes.desk_json import instructions_html
from ui.routes.media import address, frames_address, media_routes
from ui.routes.sessions import session_routes
from ui.routes.stages import Stages
from ui.routes.windows import Windows


@pytest.fixture
def app(workspace: Workspace):
    preparer = Preparer(workspace)
    yield Starlette(
        routes=[
            *session_routes(workspace),
            *desk_routes(workspace, preparer),
            *media_routes(workspace, preparer),
        ]
    )
    preparer.stop()


@pytest.fixture
def sign_in(app, workspace):
    def client(name: str, role: str = "annotator") -> TestClient:
        browser = TestClient(app)
        browser.get(f"/join/{invite(workspace, name, role)}", follow_redirects=False)
        return browser

    return client


@pytest.fixture
def task(workspace, add_question):
    for number in range(3):
        add_question(f"count/{number}")
    made = create_task(
        workspace, "t", "human_evaluation", {"condition": "full video"}, 2, order="as imported"
    )
    grow(workspace, made)
    return made


def answered(item, choice=0, uid="uid-000001"):
    return {
        "uid": uid,
        "item": item["id"],
        "lease": item["lease"],
        "response": {"choice": choice},
        "active_s": 2.0,
        "answered_at": time.time(),
    }


def test_nobody_gets_anything_without_a_session(app, task):
    stranger = TestClient(app)
    for path in (f"/desk/tasks/{task}", f"/desk/tasks/{task}/items/1"):
        assert stranger.get(path).status_code == 401
    for verb in ("lease", "release", "answers", "draft"):
        reply = stranger.post(f"/desk/tasks/{task}/{verb}", json={})
        assert reply.status_code == 401
        assert "invite link" in reply.json()["error"]
    assert stranger.get("/join/made-up").status_code == 403


def test_the_desk_opens_with_items_form_and_progress(sign_in, task):
    found = sign_in("Ada").get(f"/desk/tasks/{task}").json()
    assert [item["label"] for item in found["items"]] == ["count 0", "count 1", "count 2"]
    assert found["task"]["form"]["fields"][0]["type"] == "choice"
    assert found["progress"]["total"] == 3
    stage = found["items"][0]["stage"]
    assert stage["type"] == "player"
    assert len(stage["times"]) == 60
    texts = sorted(option["text"] for option in found["items"][0]["values"]["options"])
    assert texts == ["left", "right", "up"]


def test_nothing_of_the_key_or_of_other_people_is_sent(sign_in, task, workspace):
    ada, ben = sign_in("Ada"), sign_in("Ben")
    item = ada.get(f"/desk/tasks/{task}").json()["items"][0]
    ada.post(f"/desk/tasks/{task}/answers", json={"answers": [answered(item, 1)]})
    reply = ben.get(f"/desk/tasks/{task}")
    assert reply.json()["mine"] == []
    assert all(found["answer"] is None for found in reply.json()["items"])
    assert '"key"' not in reply.text
    assert "Ada" not in reply.text
    assert ben.get(f"/desk/tasks/{task}/items/{item['id']}").status_code == 404


def test_an_answer_is_acknowledged_once_and_again(sign_in, task, workspace):
    ada = sign_in("Ada")
    item = ada.get(f"/desk/tasks/{task}").json()["items"][0]
    body = {"answers": [answered(item), answered(item)]}
    results = ada.post(f"/desk/tasks/{task}/answers", json=body).json()["results"]
    assert [result["status"] for result in results] == ["stored", "again"]
    look = ada.get(f"/desk/tasks/{task}/items/{item['id']}").json()
    [row] = workspace.store.rows("SELECT response, shown FROM annotation")
    assert json.loads(row["response"]) == {"choice": 0}
    place = json.loads(row["shown"])["option_order"].index(0)
    assert look["answer"] == {"response": {"choice": f"p{place}"}, "skip": None}


def test_an_option_is_named_by_its_place_and_stored_by_that_of_the_file(sign_in, task, workspace):
    ada = sign_in("Ada")
    for item in ada.get(f"/desk/tasks/{task}").json()["items"]:
        options = item["values"]["options"]
        assert [option["value"] for option in options] == ["p0", "p1", "p2"]
        body = {"answers": [answered(item, "p2", f"uid-{item['id']:06}")]}
        ada.post(f"/desk/tasks/{task}/answers", json=body)
        [row] = workspace.store.rows(
            "SELECT response FROM annotation WHERE item_id = ?", [item["id"]]
        )
        stored = json.loads(row["response"])["choice"]
        assert ["left", "right", "up"][stored] == options[2]["text"]
        for name in ("p3", "p-1", "p01", True, None):
            again = {"answers": [answered(item, name, f"bad-{item['id']}-{name!s:>4}")]}
            [result] = ada.post(f"/desk/tasks/{task}/answers", json=again).json()["results"]
            assert result["status"] == "refused"


@pytest.mark.parametrize(
    "body",
    [{}, {"answers": 3}, {"answers": [{}]}, {"answers": [{"uid": "x", "item": "y"}]}],
)
def test_a_request_that_is_none_is_refused_not_crashed_on(sign_in, task, body):
    reply = sign_in("Ada").post(f"/desk/tasks/{task}/answers", json=body)
    assert reply.status_code == 400
    assert "not understood" in reply.json()["error"]


def test_another_site_cannot_post_a_form(sign_in, task):
    reply = sign_in("Ada").post(f"/desk/tasks/{task}/answers", data={"answers": "[]"})
    assert reply.status_code == 400


def test_who_leaves_while_sending_changes_nothing_and_raises_nothing(sign_in, task, workspace):
    ada = sign_in("Ada")
    items = [item["id"] for item in ada.get(f"/desk/tasks/{task}").json()["items"]]
    begun = json.dumps({"items": items}).encode()  # whole, and yet it might have gone on
    messages = iter(
        [
            {"type": "http.request", "body": begun, "more_body": True},
            {"type": "http.disconnect"},
        ]
    )
    sent = []

    async def receive():
        return next(messages)

    async def send(message):
        sent.append(message)

    cookies = "; ".join(f"{name}={value}" for name, value in ada.cookies.items())
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/desk/tasks/{task}/release",
        "query_string": b"",
        "headers": [(b"cookie", cookies.encode()), (b"content-type", b"application/json")],
    }
    asyncio.run(ada.app(scope, receive, send))
    assert [message.get("status") for message in sent] == [400, None]
    held = workspace.store.rows("SELECT item_id FROM lease WHERE ended_at IS NULL")
    assert [row["item_id"] for row in held] == items


def test_an_old_tab_of_somebody_else_cannot_answer_in_my_name(sign_in, task):
    ben = sign_in("Ben")
    for name, status in (("Ada", 401), ("Ben", 200)):
        headers = {"X-Rushes-Person": name}
        assert ben.get(f"/desk/tasks/{task}", headers=headers).status_code == status


def test_an_unknown_task_is_said_to_be_unknown(sign_in):
    reply = sign_in("Ada").get("/desk/tasks/99")
    assert (reply.status_code, reply.json()["error"]) == (404, "There is no task 99.")


@pytest.fixture
def film(workspace, task):
    sha256 = workspace.store.rows("SELECT sha256 FROM video LIMIT 1")[0]["sha256"]
    path = workspace.media.original(sha256, ".mp4")
    path.write_bytes(bytes(range(256)) * 40)
    return sha256


def test_media_comes_in_byte_ranges_and_is_cached_for_good(sign_in, workspace, film):
    ada = sign_in("Ada")
    url = address(workspace, Person(1, "Ada", "annotator"), film, "player")
    part = ada.get(url, headers={"Range": "bytes=256-259"})
    assert (part.status_code, part.content) == (206, bytes([0, 1, 2, 3]))
    assert part.headers["content-range"] == "bytes 256-259/10240"
    assert "immutable" in part.headers["cache-control"]
    assert part.headers["content-type"] == "video/mp4"


def test_media_addresses_are_for_one_person_and_one_video(sign_in, workspace, film):
    ada, ben = sign_in("Ada"), sign_in("Ben")
    url = address(workspace, Person(1, "Ada", "annotator"), film, "player")
    assert ada.get(url).status_code == 200
    assert ben.get(url).status_code == 403
    assert TestClient(ada.app).get(url).status_code == 401
    assert ada.get(url.replace(film, "0" * 64)).status_code == 403


def test_a_media_address_opens_the_file_that_it_was_made_for_and_no_other(sign_in, workspace, film):
    ada, person = sign_in("Ada"), Person(1, "Ada", "annotator")
    for index in range(12):
        path = workspace.media.frame(film, index)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"jpeg")
    shown = address(workspace, person, film, "frames/4.jpg")
    assert ada.get(shown).status_code == 200
    for other in ("player", "frames/0.jpg", "thumbs/3.jpg", "frames/04.jpg"):
        assert ada.get(shown.replace("frames/4.jpg", other)).status_code in (403, 404)
    clip = frames_address(workspace, person, film, 3, 9)
    for index, status in ((2, 403), (3, 200), (9, 200), (10, 403), ("03", 403), ("٣", 403)):
        assert ada.get(clip.replace("{index}", str(index))).status_code == status
    for forged in (clip.replace("-3-9/", "-0-9/"), clip.replace("-3-9/", "/")):
        assert ada.get(forged.replace("{index}", "3")).status_code == 403
    assert ada.get(clip.replace("frames/{index}.jpg", "player")).status_code == 403


def test_shuffled_frames_are_named_by_their_place(workspace, film):
    frames, place = (9, 2, 5), 1
    sheet = workspace.media.sheet(film, frames)
    sheet.parent.mkdir(exist_ok=True)
    sheet.write_bytes(b"jpeg")
    facts = {"tile": [4, 4], "columns": 2, "statuses": ["exact"] * 3}
    sheet.with_suffix(".json").write_text(json.dumps(facts))  # as sheets were before
    preparer = Preparer(workspace)
    stages = Stages(workspace, preparer, Person(1, "Ada", "annotator"))
    drawn = stages.grid(Grid(film, frames, (None, None, None)))
    preparer.stop()
    assert [frame["index"] for frame in drawn["frames"]] == [0, 1, 2]
    assert all("/frames/" not in frame["large"] for frame in drawn["frames"])
    assert drawn["frames"][place]["large"].endswith(f"/sheets/{sheet.stem}/{place}.jpg")
    assert frame_at(workspace.media, film, sheet.stem, place) == 2
    assert frame_at(workspace.media, film, sheet.stem, 3) is None
    timed = stages.grid(Grid(film, frames, (0.9, 0.2, 0.5)))
    assert [frame["index"] for frame in timed["frames"]] == [9, 2, 5]


def test_a_media_address_ends(sign_in, workspace, film, monkeypatch):
    ada = sign_in("Ada")
    url = address(workspace, Person(1, "Ada", "annotator"), film, "player")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 49 * 3600)
    assert ada.get(url).status_code == 403


@pytest.mark.parametrize(
    "name",
    ["../../../rushes.db", "..%2f..%2f..%2frushes.db", "sheets/../original.mp4", "original.mp4"],
)
def test_no_path_leaves_the_media_of_the_video(sign_in, workspace, film, name):
    url = address(workspace, Person(1, "Ada", "annotator"), film, name)
    assert sign_in("Ada").get(url).status_code in (403, 404)


def test_an_authors_html_in_instructions_is_shown_as_text():
    html = instructions_html("**Look** <script>alert(1)</script> [x](javascript:alert(1))")
    assert "<strong>Look</strong>" in html
    assert "<script>" not in html
    assert 'href="javascript' not in html


def test_a_picture_of_the_instructions_has_an_address_and_others_keep_theirs():
    html = instructions_html("![a](windmill.jpg) ![b](https://example.org/b.png)")
    assert "/instructions/windmill.jpg" in html
    assert 'src="https://example.org/b.png"' in html


def test_a_first_answer_from_a_second_browser_replaces_nothing(sign_in, task, workspace):
    home, phone = sign_in("Ada"), sign_in("Ada")
    item, other = home.get(f"/desk/tasks/{task}").json()["items"][:2]
    [same, *_] = phone.get(f"/desk/tasks/{task}").json()["items"]
    assert same["id"] == item["id"]

    def send(client, what, uid, **more):
        body = {"answers": [{**answered(what, "p0", uid), **more}]}
        [result] = client.post(f"/desk/tasks/{task}/answers", json=body).json()["results"]
        return result

    assert send(home, item, "uid-at-home", fresh=True)["status"] == "stored"
    late = send(phone, item, "uid-on-phone", fresh=True)
    assert (late["status"], "another window" in late["reason"]) == ("refused", True)
    assert send(home, item, "uid-at-home", fresh=True)["status"] == "again"
    corrected = send(phone, item, "uid-corrects", fresh=False)
    assert (corrected["status"], corrected["revision"]) == ("stored", 2)
    assert send(phone, other, "uid-of-other", fresh=True)["revision"] == 1


def test_closing_one_window_takes_nothing_from_another(sign_in, task, workspace):
    ada = sign_in("Ada")
    base = f"/desk/tasks/{task}"

    def opened(window):
        reply = ada.get(base, headers={"X-Rushes-Window": window})
        return [item["id"] for item in reply.json()["items"]]

    items = opened("one")
    assert opened("two") == items

    def running():
        rows = workspace.store.rows("SELECT item_id FROM lease WHERE ended_at IS NULL")
        return sorted(row["item_id"] for row in rows)

    ada.post(f"{base}/release", json={"items": items[1:], "window": "two"})
    assert running() == sorted(items)
    ada.post(f"{base}/lease", json={"have": items, "window": "one"})
    ada.post(f"{base}/release", json={"items": items[1:], "window": "three"})
    assert running() == sorted(items)
    ada.post(f"{base}/release", json={"items": items[1:], "window": "one"})
    assert running() == items[:1]


def test_a_window_that_is_silent_for_longer_than_a_lease_holds_nothing():
    windows = Windows(0.0)
    windows.hold(1, "one", frozenset({7}))
    assert windows.let_go(1, "two", [7, 8]) == [7, 8]
    windows = Windows(900.0)
    for number in range(100):
        windows.hold(1, f"window {number}", frozenset({number}))
    assert windows.let_go(1, "two", list(range(100))) == list(range(68))  # the newest 32 are kept


def test_a_body_without_its_length_is_counted_while_it_comes(sign_in, task, workspace):
    sent = 0

    def parts() -> Iterator[bytes]:
        nonlocal sent
        yield b'{"have": "'
        for _ in range(20):
            sent += 1
            yield b"x" * 100_000

    headers = {"content-type": "application/json"}
    reply = sign_in("Ada").post(f"/desk/tasks/{task}/lease", content=parts(), headers=headers)
    assert reply.status_code == 413


def test_a_request_carries_at_most_a_hundred_answers_and_64_items_that_are_held(sign_in, task):
    ada = sign_in("Ada")
    [item, *_] = ada.get(f"/desk/tasks/{task}").json()["items"]
    many = [answered(item, "p0", f"uid-{number:06}") for number in range(101)]
    reply = ada.post(f"/desk/tasks/{task}/answers", json={"answers": many})
    assert (reply.status_code, "at most 100" in reply.json()["error"]) == (400, True)
    reply = ada.post(f"/desk/tasks/{task}/lease", json={"have": list(range(65))})
    assert (reply.status_code, "at most 64" in reply.json()["error"]) == (400, True)


def test_a_number_beyond_64_bits_in_an_address_names_nothing(sign_in, task):
    ada = sign_in("Ada")
    for number in (2**63, 10**24):
        assert ada.get(f"/desk/tasks/{number}").status_code == 404
        assert ada.get(f"/desk/tasks/{task}/items/{number}").status_code == 404
        assert ada.post(f"/desk/tasks/{number}/lease", json={"have": []}).status_code == 404
