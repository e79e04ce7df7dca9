import time

import pytest
from building import make_answer
from streamlit.testing.v1 import AppTest

from annotations.adjudication.resolution import resolve
from annotations.agreement.disagreements import disagreements
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.assignments import assigned
from annotations.planning.task_store import all_tasks, create_task, grow
from annotations.scoring.snapshot import take

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import disagreements
disagreements.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


@pytest.fixture
def study(workspace, add_question, add_person):
    """Two questions with key 1 in a task that two people answered, equal on one of them."""
    for number in range(2):
        add_question(f"count/{number}")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, task)
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id")]
    people = [add_person("Ada"), add_person("Ben")]
    with workspace.store.write() as database:
        for place, item in enumerate(items):
            for person in people:
                choice = place if person.name == "Ben" else 0
                make_answer(database, item, person.id, {"choice": choice}, active_s=4)
    return workspace


def page(workspace, view):
    app = AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=60)
    app.session_state["disagreements view"] = view
    return app.run()


def test_the_report_is_a_sentence_for_a_paper_and_a_table(study):
    app = page(study, "Report")
    assert not app.exception
    assert app.code[0].value == (
        "2 items were answered twice, blind; 1 (50.0 %) in disagreement: 1 is still open."
    )
    table = app.dataframe[0].value
    assert (table["Items checked"][0], table["Disagreements"][0], table["Open"][0]) == (2, 1, 1)


def test_the_report_says_what_was_answered_and_what_holds_as_options_with_their_letters(
    study, add_person
):
    rows = study.store.rows("SELECT id, item_id FROM current_annotation ORDER BY id DESC LIMIT 2")
    answers = tuple(sorted(row["id"] for row in rows))
    author, item = add_person("Cem", "author"), rows[0]["item_id"]
    resolve(study, item, author, "second", answers=answers, seen_revision=0, signatures=1)
    app = page(study, "Report")
    assert not app.exception
    [ended] = app.dataframe[1].value.to_dict("records")
    assert (ended["Answer 1"], ended["Answer 2"]) == ("A. left", "B. right")
    assert ended["Value"] == "B. right"


def test_stored_keys_are_checked_in_one_step_by_named_people(study):
    app = page(study, "Blind second pass")
    app.multiselect(key="check keys people").select("Ben")
    app.button[0].click().run()
    assert not app.exception
    assert "is open for Ben" in app.success[0].value.replace("\\", "")
    made = {task.name: task for task in all_tasks(study)}["Cross-check of the keys"]
    assert (made.items, made.overlap, made.answers) == (2, 2, 2)
    assert assigned(study, made.id) == ["Ben"]
    app.button[0].click().run()
    assert "There is a task" in app.error[0].value


def test_a_task_is_asked_once_more_in_one_step(study):
    app = page(study, "Blind second pass")
    app.button[1].click().run()
    assert app.error[0].value == "Choose a task."
    app.selectbox[2].select("t")
    app.button[1].click().run()
    assert not app.exception
    [task] = all_tasks(study)
    assert task.overlap == 3


def test_a_video_to_be_replaced_waits_and_its_question_is_asked_again(
    study, add_person, add_question
):
    clara = add_person("Clara", "author")
    add_question("spare/0", video="new.mp4")
    [first, _] = study.store.rows("SELECT id FROM item ORDER BY id")
    assert "No video is to be replaced" in page(study, "New videos").info[0].value
    answers = study.store.rows("SELECT id FROM annotation WHERE item_id = ?", [first["id"]])
    resolve(
        study, first["id"], clara, "replace_video", seen_revision=0, reason="too dark",
        answers=tuple(row["id"] for row in answers),
    )  # fmt: skip
    app = page(study, "New videos")
    assert any("too dark. With another video: 2 answers" in one.value for one in app.caption)
    app.button[0].click().run()
    assert "choose a video" in app.error[0].value
    app.selectbox[0].select("new.mp4")
    app.button[0].click().run()
    assert not app.exception
    assert "2 answers are asked again, 1 item opened again" in app.success[0].value
    assert app.dataframe[0].value["Video now"][0] == "new.mp4"
    assert study.store.rows("SELECT status, answers FROM item WHERE id = ?", [first["id"]]) == [
        {"status": "open", "answers": 0}
    ]


def test_start_tells_an_author_what_waits_for_their_signature(study, add_person):
    clara, dora = add_person("Clara", "author"), add_person("Dora", "author")
    [row] = disagreements(take(study), [1]).rows
    answers = study.store.rows(
        "SELECT id FROM current_annotation WHERE item_id = ? ORDER BY annotator_id", [row.item_id]
    )
    ids = tuple(answer["id"] for answer in answers)
    resolve(study, row.item_id, clara, "first", answers=ids, seen_revision=0, signatures=2)
    counts = page(study, "Settle").caption[0].value
    assert "1 in disagreement, 0 settled, 1 to sign, 0 open" in counts
    shell = SHELL.replace("disagreements", "start").format(root=str(study.root))
    for author, told in ((clara, []), (dora, ["1 decision waits for your signature."])):
        own = shell.replace('Person(1, "Ann"', f'Person({author.id}, "{author.name}"')
        app = AppTest.from_string(own, default_timeout=60).run()
        assert not app.exception
        assert [info.value for info in app.info] == told


def test_names_that_are_hidden_are_hidden_in_the_history_too(served, add_question, add_person):
    add_question("count/1")
    task = create_task(served, "t", "human_evaluation", {"condition": "text only"}, 2)
    grow(served, task)
    for choice, name in enumerate(("Ada", "Ben")):
        person = add_person(name)
        [handed] = queue.lease(served, task, person, 1)
        answer = Answer(f"{name}-says", handed.item.id, handed.lease.id, {"choice": choice}, None,
                        1.0, time.time())  # fmt: skip
        answer_store.store(served, task, person, [answer])
    app = page(served, "Settle")
    assert not app.exception

    def history() -> str:
        [found] = [one for one in app.expander if one.label.startswith("History of this item")]
        return " ".join(entry.value for entry in found.markdown)

    assert "answer" in history()
    assert "Ada" not in history()
    assert "Ben" not in history()
    app.toggle(key="resolving names").set_value(True).run()
    assert "Ada" in history()
