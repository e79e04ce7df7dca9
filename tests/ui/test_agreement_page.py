from itertools import count

import pytest
from building import make_answer, make_item, make_task
from streamlit.testing.v1 import AppTest

from annotations.agreement.majority_and_dawid_skene import truths
from annotations.agreement.segment_agreement import segment_curve
from annotations.planning.task_store import create_task, grow
from annotations.scoring.snapshot import take
from ui.components.agreement.tables import answer_words
from ui.pages import agreement

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from ui.pages import agreement
agreement.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def page(workspace):
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=60)


@pytest.fixture
def answer(workspace, add_person):
    """Stores an answer without a desk."""
    people = {}

    def store(name, item, response):
        person = people.setdefault(name, None) or add_person(name)
        people[name] = person
        with workspace.store.write() as database:
            make_answer(database, item, person.id, response)

    return store


@pytest.fixture
def study(workspace, add_question, answer):
    """Six questions in two categories; Ada and Ben agree on five, Cem mostly on none."""
    for number in range(6):
        add_question(f"{'count' if number < 3 else 'turn'}/{number}")
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 3)
    grow(workspace, task)
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id")]
    columns = {"Ada": [0, 1, 2, 0, 1, 2], "Ben": [0, 1, 2, 0, 1, 0], "Cem": [1, 2, 0, 0, 2, 1]}
    for name, column in columns.items():
        for item, choice in zip(items, column, strict=True):
            answer(name, item, {"choice": choice})
    return task


def test_without_answers_the_page_says_when_something_appears(workspace):
    app = page(workspace).run()
    assert "two people have answered" in app.info[0].value


def test_all_tables_are_drawn_with_intervals_and_can_be_taken_away(workspace, study):
    app = page(workspace).run()
    assert not app.exception
    assert [one.value for one in app.subheader] == [
        "By category",
        "Pairs",
        "People and models, each with the others",
        "Dawid-Skene beside the majority",
    ]
    headline = app.get("html")[0].proto.body
    assert "Krippendorff" in headline
    assert "6 shared items, nominal" in headline
    assert " to " in headline
    pairs = app.dataframe[1].value
    assert list(zip(pairs["First"], pairs["Second"], strict=True)) == [
        ("Ada", "Ben"), ("Ada", "Cem"), ("Ben", "Cem"),
    ]  # fmt: skip
    assert pairs["Low"].notna().all()
    others = app.dataframe[2].value
    assert list(others["Annotator"]) == ["Ada", "Ben", "Cem"]
    # Ada: with Ben 5 of 6, with Cem 1 of 6.
    assert others["Value"][0] == pytest.approx(0.5)
    assert len(app.get("download_button")) >= 4


def test_the_page_comes_to_rest_while_people_keep_answering(workspace, study, answer, monkeypatch):
    item, numbers = workspace.store.rows("SELECT id FROM item ORDER BY id")[0]["id"], count()

    def take_after_an_answer(workspace):
        answer(f"Somebody {next(numbers)}", item, {"choice": 0})
        return take(workspace)

    monkeypatch.setattr(agreement, "take", take_after_an_answer)
    app = page(workspace).run()
    assert not app.exception
    assert app.dataframe[1].value["Low"].notna().any()
    assert len(app.get("download_button")) >= 4


def test_a_distance_that_does_not_fit_is_refused_in_words(workspace, study):
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET name = 'x' WHERE id = ?", [study])
    app = page(workspace).run()
    app.selectbox(key="agreement distance").set_value("linear").run()
    assert not app.exception


def test_dawid_skene_decides_ties_by_who_errs_less(workspace, study):
    # Ada and Ben agree with each other, Cem with nobody: item 6 is 2, 0, 1, a tie of three.
    found = truths(take(workspace), study)
    assert (found.items, found.ties) == (6, 1)
    accuracy = dict(found.accuracy)
    assert accuracy["Cem"] < min(accuracy["Ada"], accuracy["Ben"])
    assert truths(take(workspace), study, "models").reason == "no item has answers of two people"


def test_segments_have_a_curve_of_how_well_they_match(workspace, answer):
    with workspace.store.write() as database:
        task = make_task(database, "when", kind="localization", source="rows")
        item = make_item(database, task, "clip:1")

    def card(start, end):
        return {"happens": "happens", "sport": "",
                "cards": [{"start": start, "end": end, "which": ""}]}  # fmt: skip

    answer("Ada", item, card(0.0, 2.0))
    answer("Ben", item, card(1.0, 3.0))
    curve = segment_curve(take(workspace), task, resamples=0)
    # 1 s in common of 3 s: IoU 1/3, a match from 0.1 to 0.3 and none from 0.4 on.
    assert [one.value for _, one in curve[:4]] == [1.0, 1.0, 1.0, 0.0]
    app = page(workspace).run()
    assert not app.exception
    assert "Segments, by how well they have to match" in [one.value for one in app.subheader]


def test_an_option_is_named_by_its_letter():
    assert answer_words(2) == "C"
    assert answer_words("not sure") == "not sure"
