import time

import pandas as pd
import pytest
from building import make_answer
from streamlit.testing.v1 import AppTest

from annotations.agreement.annotator_quality import work
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.people import accept_invite, invite, signed_in
from annotations.planning.task_store import create_task, grow
from annotations.scoring.snapshot import take
from ui.components.people_access import END, ROLE

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from ui.pages import people
people.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def page(workspace):
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=60)


@pytest.fixture
def study(workspace, add_question, add_person):
    """45 questions; Ada and Ben always choose 1; Cem too up to the 20th, then 2."""
    for number in range(45):
        add_question(f"count/{number}")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 3)
    grow(workspace, task)
    people = [add_person(name) for name in ("Ada", "Ben", "Cem")]
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id")]
    with workspace.store.write() as database:
        for place, item in enumerate(items):
            for person in people:
                choice = 2 if person.name == "Cem" and place >= 20 else 1
                make_answer(database, item, person.id, {"choice": choice}, active_s=4)
    return task


def test_quality_over_time_shows_when_somebody_begins_to_differ(workspace, study):
    found = work(take(workspace))
    assert found["Cem"].quality == ((20, 1.0), (40, 0.0), (45, 0.0))
    # Ada's others are Ben and Cem: split in halves on 25 items, which say nothing.
    assert found["Ada"].quality == ((20, 1.0),)
    # Cem agrees with both on 20 of 45; Ada with Ben on all and with Cem on 20 of 45.
    assert found["Cem"].agreement == pytest.approx(20 / 45)
    assert found["Ada"].agreement == pytest.approx((1 + 20 / 45) / 2)


@pytest.mark.parametrize(
    ("url", "warned"), [("", True), ("https://room.example.org", False)], ids=["here", "elsewhere"]
)
def test_a_link_that_opens_on_this_computer_only_says_so(workspace, study, url, warned):
    settings = workspace.root / "rushes.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('url = ""', f'url = "{url}"'), encoding="utf-8")
    app = page(workspace).run()
    app.text_input[0].set_value("Dan")
    next(one for one in app.button if one.label == "Invite").click().run()
    assert not app.exception
    assert app.code[0].value.startswith(f"{url or 'http://localhost'}")
    told = [one.value for one in app.warning]
    assert any("opens on this computer only" in words for words in told) == warned


def test_work_is_put_aside_and_taken_back_on_the_page(workspace, study):
    app = page(workspace).run()
    assert not app.exception
    table = app.dataframe[0].value
    assert list(table["Items"]) == [45, 45, 45]
    assert list(table["s per item"]) == [4.0, 4.0, 4.0]
    assert list(table["Agreement %"]) == [72.2, 72.2, 44.4]
    app.selectbox[1].select("Cem")
    app.button[1].click().run()
    assert not app.exception
    assert "45 answers of Cem count no more" in app.success[0].value
    table = app.dataframe[0].value
    assert list(table["Work"])[2].startswith("aside since")
    assert list(table["Agreement %"])[:2] == [100.0, 100.0]
    app.selectbox[1].select("Cem")
    app.button[1].click().run()
    assert "45 answers of Cem count again" in app.success[0].value


def test_the_author_sees_what_was_claimed_beyond_the_clock(workspace, add_question, add_person):
    add_question("count/1")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, task)
    for name, claimed_s in (("Ada", 1.0), ("Ben", 6000.0)):
        person = add_person(name)
        [handed] = queue.lease(workspace, task, person, 1)
        answer = Answer(f"{name}-claims", handed.item.id, handed.lease.id, {"choice": 0}, None,
                        claimed_s, time.time())  # fmt: skip
        answer_store.store(workspace, task, person, [answer])
    app = page(workspace).run()
    table = app.dataframe[0].value.set_index("Name")
    # 6,000 s were claimed of some moments: the clock allows a few seconds of slack.
    assert table["Cut min"]["Ben"] == pytest.approx(100, abs=0.5)
    assert table["Active min"]["Ben"] < 0.5
    assert pd.isna(table["Cut min"]["Ada"])


def test_access_is_ended_and_a_role_changed_on_the_page(workspace, add_person):
    root = add_person("Ann", "admin")
    ada = accept_invite(workspace, invite(workspace, "Ada", "annotator"))
    assert root.id == 1
    assert ada is not None
    shell = SHELL.replace('"author"', '"admin"').format(root=str(workspace.root))
    app = AppTest.from_string(shell, default_timeout=60).run()
    app.selectbox(key="access of").select("Ada").run()
    app.segmented_control(key="access what").select(ROLE).run()
    app.selectbox(key="access role").select("author").run()
    app.button(key="access act").click().run()
    assert not app.exception
    assert signed_in(workspace, ada[1]).role == "author"
    app.selectbox(key="access of").select("Ada").run()
    app.segmented_control(key="access what").select(END).run()
    app.button(key="access act").click().run()
    assert not app.exception
    assert signed_in(workspace, ada[1]) is None
