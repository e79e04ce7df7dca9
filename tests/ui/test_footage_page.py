from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from annotations.footage.action_list import actions_in, add_actions, set_state
from annotations.footage.download_choice import choose
from annotations.footage.pipeline_file import read_pipeline
from annotations.footage.step_results import StepResult, add_time, declare, store_results
from annotations.footage.store import add_candidates, open_store
from annotations.people import Person
from annotations.workspace import Workspace
from core.footage.candidate import Candidate
from db.connection import Store

SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import footage
footage.render(workspace(), Person(1, "Eva", "author"))
"""
PIPELINE = """
name = "moves"
domain = "football"
actions = ["rabona"]
[cost]
per_hour = 36
[[step]]
do = "find"
[[step]]
do = "title_filter"
model = "stub:fair"
"""


@pytest.fixture
def store(served: Workspace, add_person: Callable[..., Person]) -> Store:
    add_person("Eva", "author")
    return open_store(served)


def page() -> AppTest:
    return AppTest.from_string(SHELL, default_timeout=60)


def on(tab: str) -> AppTest:
    app = page().run()
    app.button_group(key="footage-tab").set_value(tab).run()
    return app


def said(app: AppTest) -> str:
    shown = [*app.title, *app.subheader, *app.markdown, *app.caption, *app.info, *app.warning]
    return " ".join(str(one.value) for one in shown).replace("\\", "")


def test_without_metadata_it_says_how_to_begin(served: Workspace):
    app = page().run()
    assert not app.exception
    assert "No metadata yet" in said(app)
    assert "rushes footage search" in app.code[0].value


def test_the_funnel_counts_what_is_stored(store: Store):
    pipeline = read_pipeline(PIPELINE)
    declare(store, pipeline)
    found = [StepResult(str(n), True, None, "rabona (exact)", f"Title {n}") for n in range(5)]
    store_results(store, "moves", "1 find", found)
    judged = [StepResult(str(n), n < 2, n / 10, "below 0.2", f"Title {n}") for n in range(5)]
    store_results(store, "moves", "2 title_filter", judged)
    add_time(store, "moves", "2 title_filter", 10.0)
    app = page().run()
    assert not app.exception
    values = {metric.label: metric.value for metric in app.metric}
    # Two kept in 10 s; at 36 an hour a second costs 0.01.
    assert values == {
        "Clips": "2", "Time": "10.0 s", "Time for each clip": "5.0 s",
        "Cost of each clip": "0.0500 USD",
    }  # fmt: skip
    table = app.dataframe[0].value
    assert list(table["Looked at"]) == [5, 5]
    assert list(table["Thrown away"]) == [0, 3]
    assert sorted(app.dataframe[1].value["What"]) == ["Title 2", "Title 3", "Title 4"]


def test_titles_are_found_and_chosen(store: Store):
    names = ["Rabona", "<b>rabona</b> goal", "Panenka"]
    add_candidates(store, [Candidate("Demo", str(n), title=name) for n, name in enumerate(names)])
    app = on("Titles")
    app.text_input(key="footage-words").input("rabona").run()
    assert sorted(app.dataframe[0].value["Title"]) == ["<b>rabona</b> goal", "Rabona"]
    assert list(app.dataframe[0].value["Views"]) == ["unknown", "unknown"]
    app.button(key="footage-choose").click().run()
    assert store.rows("SELECT count(*) AS n FROM download")[0]["n"] == 2
    app.button(key="footage-seeds").click().run()
    # No channel is known: a search for each of the two titles.
    queries = store.rows("SELECT how, target FROM query ORDER BY target")
    assert [tuple(row.values()) for row in queries] == [
        ("related", "<b>rabona</b> goal"), ("related", "Rabona"),
    ]  # fmt: skip
    app.text_input(key="footage-words").input('"*').run()
    assert "Type a word" in said(app)
    assert not app.exception


def test_titles_in_the_order_of_views(store: Store):
    views = {"v1": 1200, "v2": None, "v3": None, "v4": 0, "v5": 90_000}
    add_candidates(
        store, [Candidate("Demo", key, title=f"rabona {key}", views=n) for key, n in views.items()]
    )
    app = on("Titles")
    app.text_input(key="footage-words").input("rabona").run()
    app.radio(key="footage-order").set_value("most viewed first").run()
    assert list(app.dataframe[0].value["Views"]) == ["90,000", "1,200", "0", "unknown", "unknown"]
    app.checkbox(key="footage-known").check().run()
    assert list(app.dataframe[0].value["Views"]) == ["90,000", "1,200", "0"]
    assert not app.exception


def test_failed_downloads_are_tried_again(store: Store):
    add_candidates(store, [Candidate("Demo", str(n), title=f"T{n}") for n in range(3)])
    choose(store, [1, 2, 3])
    with store.write() as database:
        database.conn.execute("UPDATE download SET state = 'failed', failure = 'region'")
        database.conn.execute("UPDATE download SET failure = 'gone' WHERE video_id = 3")
    app = on("Downloads")
    assert {metric.label: metric.value for metric in app.metric} == {
        "Came": "0", "Wait": "0", "Failed": "3",
    }  # fmt: skip
    app.button_group(key="footage-kinds").set_value(["region"]).run()
    app.button(key="footage-retry").click().run()
    states = [row["state"] for row in store.rows("SELECT state FROM download ORDER BY video_id")]
    assert states == ["waiting", "waiting", "failed"]


def test_actions_are_added_approved_and_merged(store: Store):
    add_actions(store, "kicks", [("Alley-oop dunks", ""), ("Rabona", "")], step="expand", who="m")
    assert add_actions(store, "kicks", [("alley oop dunk", "the same")]) == 0
    app = on("Actions")
    table = app.dataframe[0].value
    assert list(table["Came by"]) == ["expand, m", "expand, m"]
    app.button(key="footage-approved").click().run()
    assert [one.state for one in actions_in(store, "kicks")] == ["approved", "approved"]
    first, second = actions_in(store, "kicks")
    app.multiselect(key="footage-marked").set_value([second]).run()
    app.text_input(key=f"footage-text-{second.id}").input("legs crossed")
    [save] = [button for button in app.button if button.label == "Save"]
    save.click().run()
    assert not app.exception
    assert actions_in(store, "kicks")[1].description == "legs crossed"
    set_state(store, [first.id], "merged", who="Eva", into=second.id)
    assert [one.name for one in actions_in(store, "kicks", ("approved",))] == ["Rabona"]
    assert actions_in(store, "kicks", ("merged",))[0].merged_into == "Rabona"


def test_a_model_expands_a_list_by_a_button(store: Store):
    add_actions(store, "kicks", [("rabona", "")], domain="football", who="Eva")
    app = on("Actions")
    app.selectbox(key="footage-list").set_value("kicks").run()
    assert any(one.label == "Expand and squeeze" for one in app.button)
    next(one for one in app.button if one.label == "Expand and squeeze").click().run()
    assert "Choose a model first" in app.error[0].value
    app.selectbox(key="footage-expand-model").set_value("stub:demo")
    next(one for one in app.button if one.label == "Expand and squeeze").click().run()
    assert "Name the domain" in app.error[0].value
    app.text_input(key="footage-expand-domain").set_value("football")
    next(one for one in app.button if one.label == "Expand and squeeze").click().run()
    assert not app.exception
    # What the stub replies is no list of names: it is said, and nothing is approved by a model.
    assert "came in" in app.success[0].value
    assert {action.state for action in actions_in(store, "kicks")} <= {"proposed", "squeezed"}


def test_people_are_asked_about_titles_by_a_button(store: Store, served: Workspace):
    add_candidates(store, [Candidate("Made", str(n), title=f"title {n}") for n in range(12)])
    pipeline = read_pipeline(PIPELINE)
    declare(store, pipeline)
    store_results(
        store, "moves", "2 title_filter",
        [StepResult(str(n), n > 6, n / 12, "", "rabona") for n in range(1, 13)],
    )  # fmt: skip
    app = page().run()
    assert "Nobody has been asked yet whether the filter is right" in said(app)
    app.number_input(key="footage-titles-each").set_value(5)
    app.button(key="footage-titles-ask").click().run()
    assert not app.exception
    assert "0 of 10 titles have a yes or no of people" in said(app)
    [task] = served.store.rows("SELECT id, name, status FROM task WHERE kind = 'own_form'")
    assert (task["name"], task["status"]) == ("Titles: moves, step 2 title_filter", "open")
    assert f"/tasks?task={task['id']}" in said(app)
