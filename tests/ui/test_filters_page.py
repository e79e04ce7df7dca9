import json
import statistics
from collections.abc import Callable

import pytest
from building import make_answer, make_video
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from annotations.filter.calibration import kept_threshold
from annotations.filter.filter_table import filtered
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import all_runs, ensure_run
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.result import Reading
from core.statistics.threshold import UNJUDGED
from ui.components.filters import looking
from ui.components.filters.clips import clip_cards

READ = Reading(None, "read", "", "")
SHELL = """
from ui.serving import workspace
from annotations.people import Person
from annotations.scoring.snapshot import take
from ui.pages import filters
filters.render(workspace(), Person(1, "Eva", "author"))
"""


@pytest.fixture
def study(served: Workspace, add_person: Callable[..., Person]) -> Workspace:
    """Twelve videos: people accept the last six of the first ten; the filter from 0.4 on."""
    workspace = served
    add_person("Eva", "author")
    ada = add_person("Ada")
    with workspace.store.write() as database:
        for number in range(12):
            make_video(database, f"v{number}")
    settings = {"reasons": ["dark", "still"], "duplicates": False}
    task = create_task(workspace, "Footage", "screening", settings, 1)
    grow(workspace, task)
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY position")]
    with workspace.store.write() as database:
        for place, item in enumerate(items[:10]):
            response = {"verdict": "accept" if place >= 4 else "reject", "note": "",
                        "reasons": [] if place >= 4 else ["dark"]}  # fmt: skip
            make_answer(database, item, ada.id, response)
    run = ensure_run(workspace, "CLIP", task, "clip_similarity", {"stand_in": "it is no CLIP"})
    answers = [
        ModelAnswer(
            item, None,
            {"verdict": "accept" if place >= 6 else "reject", "note": "",
             "reasons": [] if place >= 6 else ["dark" if place % 2 else "still"]},
            {}, READ, score=place / 15,
        )
        for place, item in enumerate(items)
    ]  # fmt: skip
    store_answers(workspace, run, answers)
    return workspace


def page() -> AppTest:
    return AppTest.from_string(SHELL, default_timeout=60)


def test_without_a_run_the_page_says_what_a_filter_is(served: Workspace):
    app = page().run()
    assert not app.exception
    assert "No filter has run yet" in app.info[0].value


def test_totals_reasons_and_where_they_differ_are_shown(study: Workspace):
    app = page().run()
    assert not app.exception
    headline = app.get("html")[0].proto.body
    # Both reject 0 to 3, only the filter 4 and 5, both accept 6 to 9: 8 of 10 are the same.
    assert "80.0 %" in headline
    assert "both reject (TP)</span><b>4</b>" in headline
    assert "only the filter rejects (FP)</span><b>2</b>" in headline
    table = app.dataframe[0].value
    assert table["Reason"].tolist() == ["dark", "still"]
    assert table["TP"].tolist() == [4, 0]
    assert table["FP"].tolist() == [1, 1]
    assert table["Same"].tolist() == [2, 0]
    assert any("2 not judged by people" in one.value for one in app.caption)
    sides = app.segmented_control(key="filters side")
    assert sides.options == [
        "The filter rejects, people accept (2)",
        "The filter accepts, people reject (0)",
        "Both reject, for different reasons (2)",
    ]


def test_clips_bear_the_title_of_their_video_and_without_one_its_name(
    study: Workspace, monkeypatch: pytest.MonkeyPatch
):
    [run] = all_runs(study)
    table, eva = filtered(take(study), run.id), Person(1, "Eva", "author")
    places = [place for place, said in enumerate(table.people.tolist()) if said == UNJUDGED]
    titled, other = (table.names[place] for place in places)
    with study.store.write() as database:
        facts = json.dumps({"title": "Goal *1*"})
        database.conn.execute("UPDATE video SET facts = ? WHERE name = ?", [facts, titled])
    first, second = clip_cards(study, eva, table, places, table.model)
    assert (first.title, first.help) == ("Goal *1*", f"Goal *1*\n{titled}")
    assert (second.title, second.help) == (other, other)
    small, _ = clip_cards(study, eva, table, places, table.model, short=True)
    assert small.help.startswith(f"Goal *1*\n{titled}\n")
    assert clip_cards(study, eva, table, [], table.model) == []
    monkeypatch.setattr(looking, "_stage", lambda *_: None)  # there is no file to play
    app = page()
    app.query_params.update({"run": str(run.id), "item": first.id})
    app.run()
    assert not app.exception
    assert (app.subheader[0].value, app.caption[0].value) == (r"Goal \*1\*", titled)


def test_the_page_begins_with_the_newest_filter_that_people_can_be_asked_about(study: Workspace):
    [judged] = all_runs(study)
    settings = {"reasons": ["dark", "still"], "duplicates": False}
    other = create_task(study, "More footage", "screening", settings, 1)
    grow(study, other)
    ensure_run(study, "Newer", other, "clip_similarity", {})
    assert page().run().selectbox[0].value == judged.id
    [newer] = [run.id for run in all_runs(study) if run.id != judged.id]
    app = page()
    app.query_params["run"] = str(newer)
    assert app.run().selectbox[0].value == newer


def test_a_stand_in_is_named_as_one(study: Workspace):
    said = [one.value.replace("\\", "") for one in page().run().caption]
    assert any("stand-in: it is no CLIP" in one for one in said)


def test_a_threshold_for_a_wanted_share_is_found_and_kept(study: Workspace):
    app = page().run()
    app.number_input(key="calibration wanted").set_value(80.0)
    app.segmented_control(key="calibration how").set_value("on the sample only")
    [find] = [one for one in app.button if one.label == "Find"]
    find.click().run()
    assert not app.exception
    # Of the six accepted ones five have to stay: those from 5 / 15 on.
    assert "Threshold 0\\.3333" in app.success[0].value
    assert "It keeps 7 of 12" in app.success[0].value
    [keep] = [one for one in app.button if one.label.startswith("Keep 0.333")]
    keep.click().run()
    assert not app.exception
    assert kept_threshold(all_runs(study)[0]) == pytest.approx(1 / 3)
    assert all_runs(study)[0].facts["threshold"]["wanted"] == pytest.approx(0.8)
    assert any("chosen to keep 80" in one.value for one in app.caption)


def test_a_sample_that_is_too_small_says_so(study: Workspace):
    app = page().run()
    [find] = [one for one in app.button if one.label == "Find"]
    find.click().run()
    assert "needs at least 59" in app.warning[0].value


def test_its_own_verdicts_need_no_slider(study: Workspace):
    app = page().run()
    app.segmented_control(key=f"filters decides {all_runs(study)[0].id}").set_value(
        "Its own verdicts"
    ).run()
    assert not app.exception
    assert not [one for one in app.button if one.label == "Find"]


def chosen(app: Page) -> tuple[str, str]:
    """The threshold on the flag, and how many are kept."""
    flag = app.locator(".threshold .flag").inner_text()
    return flag, app.locator(".threshold .readout .value").first.inner_text()


LATENCY = """async () => {
  const host = [...document.querySelectorAll('*')]
    .find((one) => one.shadowRoot?.querySelector('.threshold'));
  const root = host ? host.shadowRoot : document;
  const slider = root.querySelector('.threshold input');
  const kept = root.querySelector('.threshold');
  const took = [];
  for (let step = 0; step < 40; step++) {
    slider.value = (step * 37) % slider.max;
    const begun = performance.now();
    slider.dispatchEvent(new Event('input'));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    took.push(performance.now() - begun);
  }
  return took;
}"""


@pytest.mark.browser
def test_the_slider_answers_at_once_and_thumbnails_follow(standing_demo, person):
    app: Page = person(standing_demo, "Eva of filters", "author")
    app.goto(f"{standing_demo.url}/filters")
    expect(app.locator(".threshold .flag")).to_be_visible()
    expect(app.locator(".gallery img").first).to_be_visible()
    before = chosen(app)
    slider = app.locator(".threshold input")
    slider.focus()
    for _ in range(30):
        app.keyboard.press("ArrowRight")
    assert chosen(app) != before
    expect(app.get_by_text("kept no more").first).to_be_visible()
    took = app.evaluate(LATENCY)
    assert statistics.median(took) < 100, took


@pytest.mark.browser
def test_the_line_is_dragged_and_a_threshold_is_kept(standing_demo, person):
    app: Page = person(standing_demo, "Edda of filters", "author")
    app.goto(f"{standing_demo.url}/filters")
    plot = app.locator(".threshold .plot")
    expect(plot).to_be_visible()
    box = plot.bounding_box()
    assert box is not None
    app.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 40)
    app.mouse.down()
    app.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 40, steps=8)
    app.mouse.up()
    flag, _ = chosen(app)
    assert 0.7 < float(flag) < 0.9
    keep = app.get_by_role("button", name=f"Keep {float(flag):.3g} with the run")
    keep.click()
    expect(app.get_by_text("chosen by eye")).to_be_visible()
    with_filter = [run for run in all_runs(standing_demo.workspace()) if run.kind == "screening"]
    assert kept_threshold(with_filter[0]) == pytest.approx(float(flag), abs=0.01)


@pytest.mark.browser
def test_a_clip_on_which_they_differ_is_opened_and_left_again(standing_demo, person):
    app: Page = person(standing_demo, "Elsa of filters", "author")
    app.goto(f"{standing_demo.url}/filters")
    card = app.locator(".gallery").last.locator("button").first
    expect(card).to_be_visible()
    card.click()
    expect(app.get_by_text("History of this item")).to_be_visible()
    expect(app.locator("video").first).to_be_visible()
    app.get_by_test_id("stBaseButton-secondary").filter(has_text="Back").click()
    expect(app.locator(".threshold .plot")).to_be_visible()


def test_a_sample_is_drawn_for_people_and_its_figures_are_shown(study: Workspace):
    app = page().run()
    assert any("Draw a sample for people to label" in one.value for one in app.caption)
    [button] = [one for one in app.button if one.label == "Draw and ask people"]
    button.click().run()
    assert not app.exception
    assert "people label what was drawn" in app.success[0].value
    tables = [frame.value for frame in app.dataframe]
    [figures] = [table for table in tables if "Figure" in table.columns]
    assert list(figures["Figure"]) == ["Accuracy", "Recall", "Precision", "Share kept"]
    assert "More answers until ± 3 points" in figures.columns
    assert "Saved beside these labels alone, %" in figures.columns
    assert any("save 64 % of the answers at the very most" in note.value for note in app.caption)
