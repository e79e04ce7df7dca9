import json

import pytest
from building import make_answer, make_clip, make_video
from streamlit.testing.v1 import AppTest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.assignments import assigned
from annotations.answering.returns import waiting_items
from annotations.planning.task_store import all_tasks, create_task, grow
from annotations.record.stage import Content
from annotations.task import kinds
from ui.components.task.first_items import content_lines
from ui.components.task.settings_fields import read_settings
from ui.form import setting_fields, settings_editor

SHELL = """
from pathlib import Path
from annotations.people import Person
from ui.pages import tasks
from ui.serving import workspace
tasks.render(workspace(), Person({number}, "Clara", "author"))
"""


@pytest.fixture
def clara(add_person):
    return add_person("Clara", "author")


@pytest.fixture
def page(served, clara):
    def open_page(**query):
        app = AppTest.from_string(SHELL.format(number=clara.id), default_timeout=30)
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    return open_page


@pytest.fixture
def task(workspace, add_question):
    for number in range(4):
        add_question(f"count/{number}")
    made = create_task(
        workspace, "First", "human_evaluation", {"condition": "full video"}, 2, order="as imported"
    )
    grow(workspace, made)
    return made


def give(workspace, task, person, skip=None):
    """The next item of a person, answered or skipped."""
    [row] = queue.lease(workspace, task, person, 1)
    response = None if skip else {"choice": 2}
    answer = Answer(
        f"uid-{person.id}-{row.item.id:03}", row.item.id, row.lease.id, response, skip, 1.0, 0.0
    )
    [receipt] = answer_store.store(workspace, task, person, [answer])
    assert receipt.status == "stored"
    return row.item.id


def button(app, label):
    return next(one for one in app.button if one.label == label)


def fine(app):
    assert not app.exception
    assert not app.error
    return app


def test_without_tasks_the_page_says_how_they_are_made(page, workspace):
    app = fine(page())
    assert "No tasks yet" in app.info[0].value
    assert f"rushes task create FILE.toml --workspace {workspace.root}" in app.code[0].value


def test_the_page_lists_every_task_and_opens_the_one_of_the_address(page, workspace, task):
    other = create_task(workspace, "Second", "human_evaluation", {"condition": "16 frames"}, 3)
    grow(workspace, other)
    app = fine(page(task=str(other)))
    table = app.dataframe[0].value
    assert list(table["Task"]) == ["Second", "First"]  # the newest first
    assert list(table["Answers"]) == ["0 of 12", "0 of 8"]
    assert app.subheader[0].value == "Second"


def test_the_task_that_the_page_is_opened_with_is_among_the_rows_that_are_seen(page, workspace):
    for number in range(12):
        create_task(workspace, f"T{number}", "human_evaluation", {"condition": "full video"}, 1)
    app = fine(page())
    assert list(app.dataframe[0].value["Task"])[:2] == ["T11", "T10"]
    app = fine(page(task="1"))
    assert list(app.dataframe[0].value["Task"])[:3] == ["T0", "T11", "T10"]
    assert app.subheader[0].value == "T0"


def test_a_task_is_paused_closed_and_reopened(page, workspace, task):
    app = page()
    for label, status in (
        ("Pause", "paused"), ("Reopen", "open"), ("Close", "closed"), ("Reopen", "open"),
    ):  # fmt: skip
        app = fine(button(app, label).click().run())
        assert all_tasks(workspace)[0].status == status


def test_skipped_items_show_their_reasons_and_are_handed_out_again_with_a_comment(
    page, workspace, task, add_person
):
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET skip_limit = 2")
    ada, ben = add_person("Ada"), add_person("Ben")
    item = give(workspace, task, ada, skip="too dark")
    assert give(workspace, task, ben, skip="<b>black</b>") == item
    app = fine(page())
    assert app.tabs[0].label == "Waiting for you (1)"
    assert list(app.dataframe[1].value["Skipped by"]) == ["Ada: too dark; Ben: <b>black</b>"]
    comment = next(one for one in app.text_input if one.label == "Comment")
    comment.set_value("Look at the left edge.")
    app = fine(button(app, "Hand out again").click().run())
    assert waiting_items(workspace, task) == []
    [row] = queue.lease(workspace, task, ada, 1)
    assert (row.item.id, row.remark) == (item, "Look at the left edge.")


def test_an_item_is_withdrawn_only_with_a_reason(page, workspace, task, add_person):
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET skip_limit = 1")
    give(workspace, task, add_person("Ada"), skip="too dark")
    app = button(page(), "Withdraw").click().run()
    assert "1 to 2000 characters" in app.error[0].value
    next(one for one in app.text_input if one.label == "Comment").set_value("Cut off.")
    fine(button(app, "Withdraw").click().run())
    assert all_tasks(workspace)[0].items == 3


def test_chosen_items_get_a_priority(page, workspace, task):
    app = page()
    next(one for one in app.multiselect if one.label == "Items").select("count 3")
    next(one for one in app.number_input if one.label == "To").set_value(7)
    fine(button(app, "Change").click().run())
    found = workspace.store.rows("SELECT priority FROM item ORDER BY position")
    assert [row["priority"] for row in found] == [0, 0, 0, 7]


def test_people_pay_and_limits_are_saved(page, workspace, task, add_person):
    add_person("Ada")
    app = page()
    next(one for one in app.multiselect if one.label.startswith("Who may")).set_value(["Ada"])
    next(one for one in app.number_input if one.label == "USD per hour").set_value(20.0)
    next(one for one in app.number_input if one.label.startswith("Skips")).set_value(5)
    next(one for one in app.toggle if one.label.startswith("Stop")).set_value(True)
    app = fine(button(app, "Save").click().run())
    [row] = all_tasks(workspace)
    assert (row.rate, row.skip_limit, row.adaptive) == (20.0, 5, 1)
    assert assigned(workspace, task) == ["Ada"]
    assert any("20 USD an hour" in one.value for one in app.caption)


def test_an_answer_is_returned_with_a_comment(page, workspace, task, add_person):
    ada = add_person("Ada")
    item = give(workspace, task, ada)
    app = page()
    chosen = next(one for one in app.selectbox if one.label == "Answer")
    chosen.select_index(0)
    app = button(app, "Return it").click().run()
    assert "1 to 2000 characters" in app.error[0].value
    next(one for one in app.selectbox if one.label == "Answer").select_index(0)
    comments = [one for one in app.text_input if one.label == "Comment"]
    comments[-1].set_value("Count again.")
    fine(button(app, "Return it").click().run())
    [row, *_] = queue.lease(workspace, task, ada, 4)
    assert (row.item.id, row.remark) == (item, "Count again.")


def test_the_wizard_shows_the_first_items_before_it_creates_anything(
    page, workspace, add_question, monkeypatch
):
    for number in range(7):
        add_question(f"count/{number}", options=("*left*", "right"))
    app = page(new="1")
    app = fine(app.radio(key="new-kind").set_value("human_evaluation").run())
    app.text_input(key="new-name").set_value("Trial")
    app.number_input(key="new-human_evaluation-overlap").set_value(3)
    app.toggle(key="new-adaptive").set_value(True)
    app.selectbox(key="new-order").set_value("as imported")
    app = fine(button(app, "Look at the first items").click().run())
    assert all_tasks(workspace) == []
    shown = "\n".join(one.value for one in app.markdown)
    assert "7 items · 3 people each, fewer where they agree · in the order of import" in shown
    assert "count 0" in shown
    assert "\\*left\\*" in shown  # people's words are no markup
    app = fine(app.segmented_control(key="new-item").set_value(3).run())
    assert "count 2" in "\n".join(one.value for one in app.markdown)
    app = fine(button(app, "Create the task").click().run())
    [row] = all_tasks(workspace)
    assert (row.name, row.items, row.overlap, row.adaptive) == ("Trial", 7, 3, 1)
    assert row.order_seed is None
    assert row.instructions == ""  # the kind's own
    assert app.subheader[0].value == "Trial"


def test_the_wizard_says_what_is_wrong_and_keeps_what_was_written(page, workspace, task):
    app = page(new="1")
    app = app.radio(key="new-kind").set_value("human_evaluation").run()
    app.text_input(key="new-name").set_value("First")
    app = button(app, "Look at the first items").click().run()
    assert "exists already" in app.error[0].value
    assert app.text_input(key="new-name").value == "First"
    app.text_input(key="new-name").set_value("Other")
    app.text_input(key="new-human_evaluation-condition").set_value("16 cakes")
    app = button(app, "Look at the first items").click().run()
    assert "settings:" in app.error[0].value.replace("\\", "")
    assert all_tasks(workspace)[0].name == "First"


def test_what_was_written_is_there_again_after_going_back(page, workspace, task):
    app = page(new="1")
    app = app.radio(key="new-kind").set_value("human_evaluation").run()
    app.text_input(key="new-name").set_value("Trial")
    app = fine(button(app, "Look at the first items").click().run())
    app = fine(button(app, "Back").click().run())
    assert app.text_input(key="new-name").value == "Trial"
    assert app.radio(key="new-kind").value == "human_evaluation"


def test_every_kind_can_be_described(page):
    app = page(new="1")
    for kind in kinds():
        app = fine(app.radio(key="new-kind").set_value(kind).run())


FIELDS = """
import streamlit as st
from annotations import task
from ui.components.task.settings_fields import read_settings, settings_fields
defaults = task.kind({kind!r}).check_settings({{}})
st.session_state.read = read_settings(settings_fields({kind!r}, defaults), defaults)
st.session_state.defaults = defaults
"""


@pytest.mark.parametrize("kind", [kind for kind in kinds() if settings_editor(kind) is None])
def test_settings_that_nobody_touches_are_the_usual_ones_and_each_has_words(kind):
    app = fine(AppTest.from_string(FIELDS.format(kind=kind), default_timeout=30).run())
    read, defaults = app.session_state.read, app.session_state.defaults
    assert read == defaults
    assert setting_fields(kind).keys() == defaults.keys()


def test_a_file_of_known_answers_makes_practice_items(page, workspace, task, tmp_path):
    row = {"question": "count/3", "role": "practice", "expected": {"chioce": 1}}
    app = page(new="1")
    app = app.radio(key="new-kind").set_value("human_evaluation").run()
    app.text_input(key="new-name").set_value("Trial")
    app.file_uploader(key="new-file").upload(
        "known.jsonl", json.dumps(row).encode(), "application/jsonl"
    )
    app = button(app, "Look at the first items").click().run()
    said = app.error[0].value.replace("\\", "")
    assert "known.jsonl: row 1: expected: got a field 'chioce'. Allowed: choice, why." in said
    row["expected"] = {"choice": 1}
    app.file_uploader(key="new-file").set_value(
        ("known.jsonl", json.dumps(row).encode(), "application/jsonl")
    )
    app = fine(button(app, "Look at the first items").click().run())
    shown = "\n".join(one.value for one in app.markdown)
    assert "3 items, 1 of practice" in shown
    assert "count 3" in shown  # practice comes first


def test_texts_of_a_file_that_nobody_would_read_are_named_before_the_task_is_made(page, task):
    app = page(new="1")
    app = app.radio(key="new-kind").set_value("own_form").run()
    app.text_input(key="new-name").set_value("Captions")
    rows = "video,start,caption,topic\nvideo of count/0,0,A dog runs,dogs\n"
    app.file_uploader(key="new-file").upload("captions.csv", rows.encode(), "text/csv")
    app = fine(button(app, "Look at the first items").click().run())
    [hint] = [one.value.replace("\\", "") for one in app.warning]
    assert "Annotators read nothing of the columns caption, topic." in hint
    assert "such as Caption: {caption}" in hint
    app = fine(button(app, "Back").click().run())
    app = app.text_area(key="form-text").set_value("{caption}").run()
    app.text_input(key="new-name").set_value("Captions")
    app = fine(button(app, "Look at the first items").click().run())
    assert not app.warning


def test_drawing_again_makes_no_new_widgets(page, task):
    app = page()
    before = set(app.session_state)
    for _ in range(4):
        app.run()
    assert set(app.session_state) == before


def test_settings_are_read_as_the_kind_has_them():
    defaults = {
        "n": 3, "on": True, "s": 0.5, "word": "a", "keep": [3, 4], "list": ["a"], "task": None,
        "table": [{"id": "x"}],
    }  # fmt: skip
    given = {
        "n": 4, "on": False, "s": 0.7, "word": " b ", "keep": "[4]", "list": "b\n\n c ",
        "task": "", "table": '[{"id": "y"}]',
    }  # fmt: skip
    assert read_settings(given, defaults) == {
        "n": 4, "on": False, "s": 0.7, "word": "b", "keep": [4], "list": ["b", "c"],
        "task": None, "table": [{"id": "y"}],
    }  # fmt: skip
    assert read_settings({"task": "12"}, defaults) == {"task": 12}
    with pytest.raises(ValueError, match="Table: not valid JSON"):
        read_settings({"table": "[{"}, defaults)


def test_what_is_read_beside_the_stage_is_never_markup():
    content = Content("<i>a", None, {"question": "$x$?", "options": [{"text": "*b*"}], "empty": ""})
    lines = content_lines(content)
    assert lines == ["**\\<i\\>a**", "", "\\$x\\$?", "", "- \\*b\\*", ""]


def test_the_answer_of_a_model_stands_part_by_part_in_the_first_items():
    options = [
        {"letter": "A", "text": "left", "key": False, "chosen": True},
        {"letter": "B", "text": "right", "key": True, "chosen": False},
    ]
    values = {"answer": {"options": options, "by": "model C", "reply": "left", "reasoning": ""}}
    assert content_lines(Content("count/1", None, values)) == [
        "**count/1**", "",
        "- A\\. left \\(chosen\\)", "- B\\. right \\(key\\)", "",
        "By: model C", "", "Reply: left", "",
    ]  # fmt: skip


def test_what_all_answers_say_together_stands_above_them(page, workspace, add_person):
    with workspace.store.write() as database:
        make_clip(database, make_video(database, "v.mp4"))
    settings = {"pass": "exploratory", "duplicates": False}
    number = create_task(workspace, "footage", "screening", settings, 1)
    grow(workspace, number)
    ada = add_person("Ada")
    [item] = queue.lease(workspace, number, ada, 1)
    response = {"verdict": "reject", "reasons": [], "note": "mostly talk"}
    answer = Answer("an answer of one rejection", item.item.id, item.lease.id, response, None, 1.0,
                    0.0)  # fmt: skip
    [receipt] = answer_store.store(workspace, number, ada, [answer])
    assert receipt.status == "stored", receipt
    app = page(task=str(number))
    assert any("1 reason written in 1 rejection" in text.value for text in app.markdown)


def test_half_a_surrogate_pair_in_a_stored_note_breaks_no_page(page, workspace, clara):
    note = {"label": "Anything else?", "name": "note", "type": "text", "required": False}
    made = create_task(
        workspace, "Notes", "own_form", {"stage": "text", "text": "{words}", "fields": [note]}, 2,
        rows=[{"words": "a text"}],
    )  # fmt: skip
    with workspace.store.write() as database:
        [item] = database.conn.execute("SELECT id FROM item WHERE task_id = ?", [made]).fetchone()
        # As an earlier version stored it: nothing refuses it in JSON, and no page can be sent it.
        response = {"values": {}, "texts": {"note": "pre \ud800 post"}, "scales": {}}
        shown = {"stage": "text", "text": "a text", "fields": [note], "accept": {}}
        make_answer(database, item, clara.id, response, shown=shown)
    app = fine(page(task=str(made)))
    assert "Notes" in " ".join(str(one.value) for one in [*app.title, *app.header, *app.subheader])
