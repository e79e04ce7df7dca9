import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.people import Person, add_annotator
from annotations.planning.task_store import create_task, grow
from annotations.question.questions import revise
from annotations.review.apply_review import results
from annotations.review.question_changes import Reviewed
from annotations.review.review_results import ReviewResult
from annotations.workspace import Workspace
from ui.components.task.reviewed_questions import _table

OPTIONS = ("left", "right", "<b>up</b>", "down", "round")
SHELL = """
from pathlib import Path
from annotations.people import Person
from ui.pages import tasks
from ui.serving import workspace
tasks.render(workspace(), Person({number}, "Clara", "author"))
"""


def keep(*kept: str, key: str = "1", flags: tuple[str, ...] = ()) -> dict:
    return {
        "verdict": "keep",
        "question": "Which way <i>now</i>?",
        "options": {"key": key, "kept": list(kept), "texts": {}},
        "flags": list(flags),
    }


def review(workspace: Workspace, task: int, person: Person, response: dict) -> int:
    """The id of the item that a person reviewed, the next one that they are handed."""
    [row] = queue.lease(workspace, task, person, 1)
    given = Answer(f"review-{row.lease.id:06}", row.item.id, row.lease.id, response, None, 1.0, 0.0)
    assert answer_store.store(workspace, task, person, [given])[0].status == "stored"
    return int(row.item.id)


@pytest.fixture
def task(workspace, add_question, add_person):
    """A review of five questions: one changed, one discarded, one edited since, two not decided."""
    for number in range(5):
        add_question(f"direction/{number}", OPTIONS)
    made = create_task(workspace, "Review", "question_review", {}, 1)
    grow(workspace, made)
    ann = add_person("Ann")
    review(workspace, made, ann, keep("0", "2", "3", flags=("wrong_segment",)))
    review(workspace, made, ann, {"verdict": "discard"})
    item = review(workspace, made, ann, keep("0", "2", "3"))
    with workspace.store.write() as database:
        found = database.conn.execute("SELECT question_id FROM item WHERE id = ?", [item])
        revise(database, found.fetchone()[0], {"text": "Whither?"})
    return made


@pytest.fixture
def page(served, add_person):
    clara = add_person("Clara", "author")

    def open_page(task):
        app = AppTest.from_string(SHELL.format(number=clara.id), default_timeout=30)
        app.query_params["task"] = str(task)
        app.session_state["tasks-tab-reviewed"] = "Reviewed questions"
        return fine(app.run())

    return open_page


def fine(app):
    assert not app.exception
    return app


def html(app) -> str:
    return "\n".join(str(one.proto.body) for one in app.get("html"))


def test_the_panel_counts_shows_old_and_new_and_carries_over_once(page, workspace, task):
    app = page(task)
    shown = html(app)
    raised = next(one.value for one in app.markdown if one.value.startswith("Raised in 3 reviews"))
    assert "Wrong segment **1**" in raised
    assert "Discard **1**" in raised
    assert "direction/0" in shown
    assert "direction/2" not in shown  # edited since: in a list of its own
    app = fine(app.segmented_control(key="reviewed-state").set_value("changed since").run())
    assert "Whither?" in html(app)
    assert "As reviewed" in html(app)
    button = next(one for one in app.button if one.label.startswith("Carry"))
    assert button.label == "Carry 2 over into the questions"
    app = fine(button.click().run())
    assert "2 questions carried over" in app.toast[0].value
    button = next(one for one in app.button if "carry over" in one.label)
    assert (button.label, button.disabled) == ("Nothing to carry over", True)
    texts = workspace.store.rows("SELECT text, tags FROM current_question ORDER BY question_id")
    assert [row["text"] for row in texts[:3]] == [
        "Which way <i>now</i>?", "Which way?", "Whither?",
    ]  # fmt: skip
    assert json.loads(texts[1]["tags"]) == {"discarded": True}


def test_other_tasks_have_no_such_panel(page, workspace, task):
    other = create_task(workspace, "People", "human_evaluation", {}, 1)
    grow(workspace, other)
    assert not any("Reviewed" in tab.label for tab in page(other).tabs)


def test_a_review_that_nobody_began_says_so(page, workspace, add_question):
    made = create_task(workspace, "Review", "question_review", {"mode": "write"}, 1, rows=[])
    app = page(made)
    assert any("handed out here yet" in one.value for one in app.caption)


def test_words_of_people_are_never_markup_and_differences_are_marked(workspace, task):
    first, second, *_ = results(workspace, task)
    shown = _table([first])
    assert "<ins>Which way &lt;i&gt;now&lt;/i&gt;?</ins>" in shown
    assert "<del>round</del>" in shown
    assert "&lt;b&gt;up&lt;/b&gt;" in shown
    assert "<b>up" not in shown
    assert shown.count('class="key"') == 2
    assert '<span class="out">discard</span>' in _table([second])


def test_another_key_is_marked_and_no_change_is_said():
    before = Reviewed("q", "Which?", ("a", "b"), 0, "", {})
    item = {"uid": "question:q"}

    def shown(after: Reviewed) -> str:
        value = {"verdict": "keep"}
        return _table([ReviewResult(item, "ready", "", (), (), value, before, (after,))])

    assert "key moved" in shown(Reviewed("q", "Which?", ("a", "b"), 1, "", {}))
    assert "stays as it is" in shown(before)


@pytest.mark.browser
def test_an_author_carries_reviews_over_in_a_browser(demo: Any, person: Callable[..., Page]):
    workspace = demo.workspace()
    with workspace.store.write() as database:
        # An annotator would first have to answer these questions, which are asked elsewhere.
        number = add_annotator(database.conn, "Ann", "person", "author")
        ann = Person(number, "Ann", "author")
    task = create_task(workspace, "Last look", "question_review", {"keep": [1, 2, 3, 4]}, 1)
    grow(workspace, task)
    [row] = queue.lease(workspace, task, ann, 1)
    options = row.shown.facts["question"]["options"]
    kept = [str(place) for place in range(1, len(options))]
    given = {
        "verdict": "keep", "question": "What is seen here?",
        "options": {"key": "0", "kept": kept[:1], "texts": {"0": "Something else"}}, "flags": [],
    }  # fmt: skip
    answer = Answer("last look 1", row.item.id, row.lease.id, given, None, 1.0, 0.0)
    assert answer_store.store(workspace, task, ann, [answer])[0].status == "stored"

    page = person(demo, "Clara", "author")
    page.goto(f"{demo.url}/tasks?task={task}")
    page.get_by_role("tab", name="Reviewed questions").click()
    table = page.locator(".rushes-reviewed")
    expect(table.locator("ins").first).to_have_text("What is seen here?")
    expect(table).to_contain_text("Something else")
    page.get_by_role("button", name="Carry 1 over into the questions").click()
    expect(page.get_by_text("1 question carried over: 1 changed")).to_be_visible()
    expect(page.get_by_role("button", name="Nothing to carry over")).to_be_disabled()
    [current] = workspace.store.rows(
        "SELECT text, options, key, revision FROM current_question WHERE question_id = ?",
        [row.item.question_id],
    )
    assert (current["text"], current["revision"]) == ("What is seen here?", 2)
    assert json.loads(current["options"])[current["key"]] == "Something else"
