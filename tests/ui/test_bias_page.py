import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from annotations.bias.labels import import_labels
from annotations.bias.result import kept
from annotations.bias.result import measured as bias_of
from annotations.bias.scores import import_scores, on_splits
from annotations.bias.splits import the_split
from annotations.description.import_published import import_published
from annotations.people import invite
from annotations.video.families import relate
from annotations.workspace import Workspace

pytest.importorskip("sklearn")

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import bias
bias.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""
CLASSES = ("HorseRiding", "PlayingGuitar", "MakingPizza")


def page(workspace: Workspace) -> AppTest:
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=120)


@pytest.fixture
def described(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Forty-eight videos of three classes; the text vectors will be drawn from each text, so a
    class is solved exactly where a video's texts are those of its class's training videos."""
    invite(workspace, "Ann", "author")
    with (workspace.root / "rushes.toml").open("a", encoding="utf-8") as settings:
        for model in ("stub:fair", "/no/such/folder"):
            settings.write(f'\n[[models]]\nmodel = "{model}"\n')
    records, rows, scores = {}, ["video,label,part,caption"], ["video_id,acc_top1"]
    for number in range(48):
        label = CLASSES[number % 3]
        things = f"{label} thing" if number % 2 else f"thing {number}"
        kinds = ("objects+composition+activities", "objects", "activities", "verbs",
                 "objects+composition+activities_15_words")  # fmt: skip
        records[f"v{number}"] = {kind: [things] * 8 for kind in kinds}
        part = "train" if number < 24 else "test"
        rows.append(f"v{number},{label},{part},<b>caption</b> {number}")
        scores.append(f"v{number},{int(number % 4 == 1)}")
    path = tmp_path / "texts.json"
    path.write_text(json.dumps(records))
    import_published(workspace, path, "published <i>texts</i>")
    (tmp_path / "labels.csv").write_text("\n".join(rows))
    import_labels(workspace, tmp_path / "labels.csv")
    (tmp_path / "videomae.csv").write_text("\n".join(scores))
    import_scores(workspace, tmp_path / "videomae.csv")
    return workspace


def measured(workspace: Workspace) -> AppTest:
    app = page(workspace).run()
    app.selectbox(key="bias embeddings").set_value("stub:fair").run()
    app.button(key="bias measure").click().run()
    return app


def test_an_empty_workspace_says_what_is_needed(workspace: Workspace):
    app = page(workspace).run()
    assert not app.exception
    assert "Does the data set need its videos?" in app.info[0].value
    assert "rushes import-bias" in app.code[0].value


def test_nothing_is_measured_before_somebody_asks(described: Workspace):
    app = page(described).run()
    assert not app.exception
    assert "Nothing has been measured for these data yet" in app.info[0].value
    assert not app.dataframe


def test_few_videos_are_measured_at_once_where_no_model_has_to_be_loaded(described: Workspace):
    app = page(described).run()
    app.selectbox(key="bias embeddings").set_value("words:counted").run()
    assert not app.exception
    assert len(app.dataframe) == 2
    assert any("nothing is understood" in one.value for one in app.warning)
    # The model that was measured with is the one that the page begins with.
    again = page(described).run()
    assert again.selectbox(key="bias embeddings").value == "words:counted"


def test_an_embedding_model_that_cannot_be_had_is_told(described: Workspace):
    app = page(described).run()
    app.selectbox(key="bias embeddings").set_value("/no/such/folder").run()
    app.button(key="bias measure").click().run()
    assert not app.exception
    assert "No folder '/no/such/folder'" in app.error[0].value


def test_what_objects_alone_solve_is_shown_and_left_out_of_a_split(described: Workspace):
    app = measured(described)
    assert not app.exception
    assert any("which learn from the training videos" in one.proto.body for one in app.get("html"))
    # Half the test videos have texts of their class: the nine know those from training.
    per_class = app.dataframe[0].value
    assert list(per_class["Class"]) == sorted(CLASSES)
    assert list(per_class["Solved"]) == [4, 4, 4]
    assert list(per_class["Videos"]) == [8, 8, 8]
    models = app.dataframe[1].value
    assert list(models["Model"]) == ["videomae"]
    assert list(models["Scored"]) == ["24 of 24"]
    # The model is right about every fourth video, and all of those are solved by objects alone.
    assert list(models["All %"]) == [25.0]
    assert list(models["Debiased %"]) == [0.0]
    app.button(key="bias split store").click().run()
    assert not app.exception
    assert "12 videos stay" in app.success[0].value
    split = the_split(described, "debiased by objects")
    assert split.kept == tuple(f"v{n}" for n in range(24, 48, 2))
    app.button(key="bias split store").click().run()
    assert not app.error


def test_a_video_and_its_edits_are_one_cluster(described: Workspace):
    test = [f"v{number}" for number in range(24, 48)]
    with described.store.write() as database:
        for number, name in enumerate(test):
            database.conn.execute(
                "UPDATE video SET sha256 = ? WHERE name = ?", [f"{number:064}", name]
            )
        relate(database, [f"{number:064}" for number in range(12)])
    figures = bias_of(described, model="words:counted").figures
    cells = [
        *figures["classification"]["common_sense"], *figures["classification"]["dataset"],
        *figures["retrieval"]["common_sense"], *figures["retrieval"]["common_sense_chosen_frame"],
        *figures["classification"]["nine"]["kappa"].values(),
    ]  # fmt: skip
    # Of 24 test videos twelve are one family.
    assert {(cell["n"], cell["videos"]) for cell in cells} == {(24, 13)}
    [model] = on_splits(described, kept(described, model="words:counted"), "classification")
    assert model.debiased_difference.clusters == 13


def test_a_changed_caption_asks_for_another_measurement(described: Workspace, tmp_path: Path):
    app = measured(described)
    (tmp_path / "more.csv").write_text("video,caption\nv30,another sentence\n")
    import_labels(described, tmp_path / "more.csv")
    app.run()
    assert "they have changed since" in app.info[0].value


def test_retrieval_has_no_balanced_split(described: Workspace):
    app = measured(described)
    app.segmented_control(key="bias job").set_value("retrieval").run()
    assert not app.exception
    assert app.segmented_control(key="bias rule retrieval").options == ["debiased"]


def test_an_object_check_needs_videos_that_are_here(described: Workspace):
    app = measured(described)
    app.button(key="bias object check").click().run()
    assert not app.exception
    assert "whose time is known" in app.warning[-1].value


@pytest.mark.browser
def test_the_demo_shows_what_objects_solve_and_a_card_opens_its_clip(
    standing_demo: Any, person: Callable[..., Page]
):
    page = person(standing_demo, "Ada", "author")
    page.goto(f"{standing_demo.url}/bias")
    # Nobody asked for it: the demo's words are counted in seconds.
    expect(page.get_by_text("Objects alone solve")).to_be_visible(timeout=120_000)
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    expect(page.get_by_text("made-up model, strong").first).to_be_attached()
    card = page.locator(".gallery button").first
    card.scroll_into_view_if_needed()
    card.click()
    expect(page).to_have_url(re.compile(r"/videos\?video=\d+"), timeout=60_000)
    video = page.locator("video").first
    expect(video).to_be_visible(timeout=60_000)
