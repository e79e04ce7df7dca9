"""Several options may be right: chosen on the desk, settled by authors, shown on the pages."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from building import make_answer
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest

from annotations.free_answers.several_right import several_right
from annotations.planning.task_store import create_task, grow
from annotations.question.revisions import NewRevision, add_revision
from annotations.record.question import question_named
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace

OPTIONS = ("a ball", "a box", "a cup", "a hat")
SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import {page}
{page}.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def take_several(workspace: Workspace, uid: str, *right: int) -> None:
    """Makes some options of a question right in place of its key."""
    with workspace.store.write() as database:
        question = question_named(database, uid)
        reference = {"answers": [question.options[index] for index in right]}
        values = replace(NewRevision.of(question), key=None, reference=reference)
        add_revision(database, question.question_id, values, "here")


@pytest.fixture
def study(
    workspace: Workspace, add_question: Callable[..., int], add_person: Callable[..., Any]
) -> Workspace:
    """Two people about two such questions: three of the four answers are the right set."""
    for uid in ("s/1", "s/2"):
        add_question(uid, OPTIONS, 0)
        take_several(workspace, uid, 0, 2)
    settings = {"condition": "full video", "shuffle_options": False}
    task = create_task(workspace, "t", "human_evaluation", settings, 2)
    grow(workspace, task)
    people = [add_person(name) for name in ("Ada", "Ben")]
    shown = {"condition": "full video", "option_order": [0, 1, 2, 3], "several": True}
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id")]
    with workspace.store.write() as database:
        for person, sets in zip(people, (([0, 2], [0, 2]), ([0, 2], [0])), strict=True):
            for item, chosen in zip(items, sets, strict=True):
                make_answer(database, item, person.id, {"choice": chosen}, shown=shown)
    return workspace


def drawn(workspace: Workspace, name: str) -> AppTest:
    shell = SHELL.format(page=name, root=str(workspace.root))
    app = AppTest.from_string(shell, default_timeout=60).run()
    assert not app.exception
    return app


def test_metrics_show_how_often_people_choose_the_very_set(study: Workspace):
    app = drawn(study, "metrics")
    assert any("Several options may be right" in part.value for part in app.markdown)
    [table] = [part.value for part in app.dataframe if "Exactly the right ones %" in part.value]
    assert table[["Who", "Condition", "Answers", "Questions"]].to_numpy().tolist() == [
        ["People", "full video", 4, 2]
    ]
    assert table["Exactly the right ones %"].tolist() == [75.0]


def test_the_question_lists_what_people_chose(study: Workspace):
    from annotations.material.answers import about_question

    [asked] = about_question(study, 1)
    assert [answer.words for answer in asked.answers] == ["A. a ball; C. a cup"] * 2


@pytest.mark.browser
def test_somebody_chooses_several_options_in_chromium(demo: Any, sit_down: Callable[..., Any]):
    workspace = demo.workspace()
    for row in workspace.store.rows("SELECT uid FROM current_question WHERE key IS NOT NULL"):
        take_several(workspace, row["uid"], 0, 2)
    work = sit_down(demo, "Human evaluation: 16 frames", "Ada")
    boxes = work.root.locator('.option[role="checkbox"]')
    expect(boxes.first).to_be_visible()
    expect(work.root.locator(".several")).to_be_visible()
    item, options = work.item(), work.values()
    work.press("c", "a")
    expect(work.root.locator('.option[aria-checked="true"]')).to_have_count(2)
    work.server_keeps({"choice": [options[0], options[2]]})
    work.page.reload()
    work.ready()
    expect(work.root.locator('.option[aria-checked="true"]')).to_have_count(2)
    work.submit()
    assert work.stored(item)[1] == {"choice": sorted([options[0], options[2]])}
    with take(workspace) as snapshot:
        lines = [line for line in several_right(snapshot) if line.who == "People"]
    assert sum(line.replies for line in lines) >= 1
    assert json.dumps(work.stored(item)[1]).count("p") == 0
