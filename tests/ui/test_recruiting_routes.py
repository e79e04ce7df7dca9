"""Strangers over HTTP: twenty of them, and those who write other people's ids into an address."""

import csv
import io
import json
import re
import time
import uuid
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from annotations.people import invite
from annotations.planning.task_store import create_task, grow
from annotations.recruiting.onboarding import Onboarding, set_onboarding
from annotations.recruiting.payment_files import payment_files
from annotations.recruiting.payments import mark_paid, payments
from annotations.recruiting.recruitment import link_token, make_recruitment
from annotations.recruiting.site_files import read_site_file
from annotations.recruiting.sites import SITES
from annotations.video.preparer import Preparer
from ui.routes.desk import desk_routes
from ui.routes.recruiting import recruiting_routes
from ui.routes.recruiting_pages import submit_address
from ui.routes.sessions import session_routes
from ui.shell.gate import Gate
from ui.survey_links import external_question, survey_link

URL = "http://localhost:8501"
KEY = 1
TURK = "https://www.mturk.com"


@pytest.fixture
def study(workspace, add_question):
    """Twenty items of work, two of practice and two of attention; the key is option 1."""
    for number in range(24):
        add_question(f"q/{number:02}", key=KEY)
    task = create_task(
        workspace, "study", "human_evaluation", {"condition": "full video"}, 50,
        order="as imported",
    )  # fmt: skip
    grow(workspace, task)
    with workspace.store.write() as database:
        for number, role in (
            (20, "practice"),
            (21, "practice"),
            (22, "attention"),
            (23, "attention"),
        ):
            database.conn.execute(
                "UPDATE item SET role = ?, expected = ? WHERE uid = ?",
                [role, json.dumps({"choice": KEY}), f"question:q/{number}"],
            )  # fmt: skip
    set_onboarding(workspace, task, Onboarding(pass_mark=1.0, attention_mark=0.5))
    return task


@pytest.fixture
def app(workspace):
    preparer = Preparer(workspace)
    routes = [
        *session_routes(workspace),
        *recruiting_routes(workspace),
        *desk_routes(workspace, preparer),
    ]
    yield Gate(Starlette(routes=routes), workspace)
    preparer.stop()


@pytest.fixture
def made(workspace, study):
    return make_recruitment(
        workspace, name="pilot", site="mturk", task_id=study, items=4, places=50, reward=0.5,
        consent="We keep **your answers**. <script>alert(1)</script>",
    )  # fmt: skip


class Stranger:
    """A browser of its own that comes with the parameters of Mechanical Turk."""

    def __init__(self, app, workspace, made, number, assignment=None):
        self.client = TestClient(app, base_url=URL)
        self.task = made.task_id
        self.parameters = {
            "workerId": f"A{number:013}",
            "assignmentId": f"3{(assignment or number):029}",
            "hitId": f"3{0:029}",
        }
        self.path = f"/recruit/{link_token(workspace, made)}"

    @property
    def address(self):
        return f"{self.path}?{urlencode(self.parameters)}"

    def agree(self):
        self.client.get(self.address)
        return self.client.post(self.address, data={"agree": "1"})

    def work(self, practice=KEY, attention=KEY, known=()):
        """Answer whatever the desk hands out; `known` are the items with known answers."""
        while True:
            items = self.client.get(f"/desk/tasks/{self.task}").json()["items"]
            if not items:
                return
            answers = []
            for item in items[:1] if items[0]["practice"] else items:
                choice = practice if item["practice"] else KEY
                choice = attention if item["id"] in known else choice
                answers.append(
                    {
                        "uid": uuid.uuid4().hex, "item": item["id"], "lease": item["lease"],
                        "response": {"choice": choice}, "active_s": 1.0, "answered_at": time.time(),
                    }
                )  # fmt: skip
            self.client.post(f"/desk/tasks/{self.task}/answers", json={"answers": answers})

    def page(self):
        return self.client.get("/recruit/work").text

    def code(self):
        found = re.findall(r"<p class=code><code>(\w+)</code>", self.page())
        return found[0] if found else ""


@pytest.fixture
def stranger(app, workspace, made):
    return lambda number, assignment=None: Stranger(app, workspace, made, number, assignment)


@pytest.fixture
def attention_items(workspace, study):
    return {
        row["id"] for row in workspace.store.rows("SELECT id FROM item WHERE role = 'attention'")
    }


def test_twenty_strangers_and_a_payment_file_that_agrees_with_a_hand_count(
    stranger, workspace, made, attention_items
):
    people = [stranger(number) for number in range(1, 21)]
    for number, one in enumerate(people, 1):
        assert "Not all is done yet" in one.agree().text or "Welcome" in one.page()
        # Every fifth fails practice, every seventh sleeps through attention items.
        one.work(
            practice=0 if number % 5 == 0 else KEY,
            attention=0 if number % 7 == 0 else KEY,
            known=attention_items,
        )
    failed = {5, 10, 15, 20}
    codes = {number: one.code() for number, one in enumerate(people, 1)}
    assert {number for number, code in codes.items() if not code} == failed
    assert len(set(codes.values()) - {""}) == 16
    assert {number: one.code() for number, one in enumerate(people, 1)} == codes
    for number in failed:
        assert "Practice not passed" in people[number - 1].page()
    # The site's list: 3 hands in the code of 4, 8 nothing; 21 was never here and invents one.
    handed = {n: code for n, code in codes.items() if code} | {3: codes[4], 8: "", 21: "AAAABBBB"}
    batch = io.StringIO()
    writer = csv.writer(batch)
    writer.writerow(["HITId", "AssignmentId", "WorkerId", "Answer.surveycode"])
    for number, code in handed.items():
        writer.writerow([f"3{0:029}", f"3{number:029}", f"A{number:013}", code])
    with workspace.store.write() as database:  # everybody took a minute for each answer
        database.conn.execute("UPDATE annotation SET active_s = 60")
    site_file = read_site_file(SITES["mturk"], batch.getvalue().encode())
    due = payments(workspace, made, site_file.claims)
    files = payment_files(workspace, made, due, site_file)
    filled = list(csv.DictReader(io.StringIO(files["mturk_batch.csv"].decode())))
    approved = {int(row["WorkerId"][1:]) for row in filled if row["Approve"] == "x"}
    # By hand: 16 have finished, without 3 and 8 (codes) and without 7 and 14 (attention).
    assert approved == {1, 2, 4, 6, 9, 11, 12, 13, 16, 17, 18, 19}
    assert all(row["Reject"] == "" for row in filled)
    # 2 of practice, 4 of work and 1 of attention are 7 min: 1.75 at 15 an hour, 1.25 as a bonus.
    bonuses = list(csv.DictReader(io.StringIO(files["mturk_bonuses.csv"].decode())))
    assert {(row["WorkerId"], row["BonusAmount"]) for row in bonuses} == {
        (f"A{number:013}", "1.25") for number in approved
    }
    mark_paid(workspace, [one for one in due if one.suggestion == "approve"])
    again = [one for one in payments(workspace, made, site_file.claims) if one.paid_at is None]
    later = payment_files(workspace, made, again, site_file)
    filled = csv.DictReader(io.StringIO(later["mturk_batch.csv"].decode()))
    assert not any(row["Approve"] for row in filled)


def test_a_forged_id_opens_nobody_elses_work(stranger, workspace):
    first = stranger(1)
    first.agree()
    first.work()
    code = first.code()
    forger = stranger(1)
    reply = forger.agree()
    assert reply.status_code == 403
    assert "another browser" in reply.text
    assert code not in forger.page()
    assert forger.client.get("/recruit/work").status_code == 401
    assert forger.client.get(f"/desk/tasks/{first.task}").status_code == 401
    # Nor does somebody who is at work here already by writing another id into the address.
    second = stranger(2)
    second.agree()
    second.parameters = first.parameters
    assert second.agree().status_code == 403
    assert code not in second.page()
    # Nor by swapping only the assignment: it is their own work still.
    third = stranger(3, assignment=1)
    third.agree()
    third.work()
    assert third.code() not in ("", code)


def test_the_same_worker_in_two_tabs_is_one_person_with_one_code(stranger, workspace):
    one = stranger(1)
    one.agree()
    one.agree()
    one.work()
    assert one.agree().status_code == 200
    assert one.code()
    [counts] = workspace.store.rows(
        "SELECT (SELECT count(*) FROM recruited_worker) AS workers,"
        " (SELECT count(*) FROM recruited_submission) AS submissions"
    )
    assert counts == {"workers": 1, "submissions": 1}


def test_signing_out_and_coming_back_in_the_same_browser_is_coming_back(stranger):
    one = stranger(1)
    one.agree()
    one.work()
    code = one.code()
    one.client.get("/leave")
    assert one.client.get("/recruit/work").status_code == 401
    one.agree()
    assert one.code() == code


def test_the_return_link_opens_ones_own_work_in_another_browser(stranger):
    one = stranger(1)
    one.agree()
    back = re.findall(r"<code>(http://[^<]+/join/[^<?]+)", one.page())[0]
    other = stranger(1)
    other.client.get(urlsplit(back).path, follow_redirects=False)
    assert other.agree().status_code == 200
    other.work()
    assert other.code() == one.code() != ""


@pytest.mark.parametrize("missing", ["workerId", "assignmentId", "hitId"])
def test_an_address_that_lacks_a_part_makes_nobody(stranger, workspace, missing):
    one = stranger(1)
    del one.parameters[missing]
    reply = one.agree()
    assert reply.status_code == 400
    assert missing in reply.text
    assert workspace.store.rows("SELECT count(*) AS n FROM recruited_worker") == [{"n": 0}]


def test_a_preview_shows_the_job_and_keeps_nothing(stranger, workspace):
    one = stranger(1)
    one.parameters = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "3HIT"}
    reply = one.client.get(one.address)
    assert "This is a preview" in reply.text
    assert "<button" not in reply.text
    assert one.agree().status_code == 400
    assert workspace.store.rows("SELECT count(*) AS n FROM annotator") == [{"n": 0}]


def test_nobody_is_here_before_they_agree(stranger, workspace):
    one = stranger(1)
    reply = one.client.get(one.address)
    assert "We keep <strong>your answers</strong>." in reply.text
    assert "<script>alert" not in reply.text
    assert one.client.post(one.address, data={}).status_code == 400
    assert workspace.store.rows("SELECT count(*) AS n FROM annotator") == [{"n": 0}]


def test_a_browser_without_cookies_is_told_so(stranger):
    one = stranger(1)
    reply = one.client.post(one.address, data={"agree": "1"})
    assert reply.status_code == 400
    assert "cookies" in reply.text


def test_another_site_cannot_agree_for_somebody(stranger, workspace):
    one = stranger(1)
    one.client.get(one.address)
    reply = one.client.post(
        one.address, data={"agree": "1"}, headers={"origin": "https://evil.example"}
    )
    assert reply.status_code == 403
    assert workspace.store.rows("SELECT count(*) AS n FROM annotator") == [{"n": 0}]


def test_an_author_is_told_to_use_a_private_window(stranger, workspace):
    one = stranger(1)
    one.client.get(f"/join/{invite(workspace, 'Clara', 'author')}", follow_redirects=False)
    reply = one.agree()
    assert reply.status_code == 403
    assert "signed in here as Clara" in reply.text
    assert one.client.get("/recruit/work").status_code == 404


def test_the_frame_is_the_one_page_that_the_sites_may_embed(stranger, workspace, made):
    one = stranger(1)
    frame = one.path.replace("/recruit/", "/recruit/frame/")
    query = urlencode({**one.parameters, "turkSubmitTo": TURK})
    reply = one.client.get(f"{frame}?{query}")
    assert "x-frame-options" not in reply.headers
    policy = reply.headers["content-security-policy"]
    assert f"frame-ancestors {TURK} " in policy
    assert f'action="{TURK}/mturk/externalSubmit"' in reply.text
    link = re.findall(r'target="_blank" rel="noopener" href="([^"]+)"', reply.text)[0]
    assert parse_qs(urlsplit(link.replace("&amp;", "&")).query)["workerId"] == ["A0000000000001"]
    assert not reply.cookies
    for path in (one.address, "/recruit/work"):
        headers = one.client.get(path).headers
        assert headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_a_code_is_handed_in_at_no_address_but_the_sites():
    assert submit_address(TURK, (TURK,)) == f"{TURK}/mturk/externalSubmit"
    for asked in ("https://evil.example", "javascript:alert(1)", "", f"{TURK}.evil.example"):
        assert submit_address(asked, (TURK,)) == ""


def test_links_are_what_the_sites_take(workspace, made, study):
    assert "/recruit/frame/" in external_question(workspace, made)
    prolific = make_recruitment(
        workspace, name="p", site="prolific", task_id=study, items=4, places=50, reward=0.5,
        codes={"finished": "C1"},
    )  # fmt: skip
    link = survey_link(workspace, prolific)
    assert link.endswith(
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
