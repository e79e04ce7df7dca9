"""Page Publish: what goes out, what only authors know, versions, and the archive."""

import io
import json
import tomllib
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from annotations.publishing.datasheet import QUESTIONS, authors_answers, keep_answers
from annotations.publishing.preview import archive, preview, publication_folder
from annotations.publishing.withdrawal import withdrawn_videos
from annotations.question.questions import revise

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import publish
publish.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def page(workspace):
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=60).run()


@pytest.fixture
def benchmark(workspace, add_question, model_says):
    """Three questions about three videos, of which one has a file, and a model's two replies."""
    for uid in ("q/1", "q/2", "q/3"):
        add_question(uid)
    row = workspace.store.rows("SELECT name, sha256 FROM video ORDER BY id")[0]
    file = workspace.media.original(row["sha256"], ".mp4")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"frames")
    model_says("m", "q/1", "B", "full video")
    model_says("m", "q/2", "A", "full video")
    return workspace


def button(app, label):
    return next(entry for entry in app.button if entry.label == label)


def test_an_empty_workspace_has_nothing_to_publish(workspace):
    app = page(workspace)
    assert "nothing to publish" in app.info[0].value


def test_the_page_says_what_goes_out_and_which_licences_lack(benchmark):
    app = page(benchmark)
    assert not app.exception
    assert {entry.label: entry.value for entry in app.metric} == {
        "Questions": "3", "Videos": "3", "Answers": "2", "Settled by authors": "0", "Splits": "0",
    }  # fmt: skip
    assert "No licence is stated for 3 videos" in app.warning[0].value
    assert "The files of 2 videos are not here." in app.caption[0].value
    assert "of 0 people and of" in app.caption[0].value
    assert "of 1 model." in app.caption[0].value


def test_answers_of_the_authors_are_kept_and_end_the_gap(benchmark):
    app = page(benchmark)
    assert f"{len(QUESTIONS)} of {len(QUESTIONS)} questions are open" in app.expander[2].label
    app.text_area(key="publish answer licence").set_value('CC BY 4.0 "as is" 🐕\n= 1')
    button(app, "Keep these answers").click().run()
    assert not app.exception
    assert authors_answers(benchmark)["licence"] == 'CC BY 4.0 "as is" 🐕 = 1'
    assert not app.warning
    assert tomllib.loads((benchmark.root / "publication.toml").read_text("utf-8"))["url"] == ""


def test_any_text_of_an_author_is_read_back_as_it_was(workspace):
    for text in ("a\\b", "quote \" and '", "\u202eright to left", "\x07bell", "né\u2028e"):
        keep_answers(workspace, {"purpose": text})
        assert authors_answers(workspace)["purpose"] == " ".join(text.split())


def test_publishing_writes_a_version_that_can_be_taken_away(benchmark):
    app = page(benchmark)
    assert "Nothing has been published" in " ".join(entry.value for entry in app.caption)
    button(app, "Publish").click().run()
    assert not app.exception
    assert "Version 1\\.0\\.0 is written: 3 questions, 2 answers, 1 videos" in app.success[0].value
    with zipfile.ZipFile(io.BytesIO(archive(publication_folder(benchmark), videos=True))) as file:
        names = set(file.namelist())
        assert {"croissant.json", "README.md", "data/questions/test.parquet"} <= names
        assert sum(name.startswith("videos/") for name in names) == 1
    without = archive(publication_folder(benchmark), videos=False)
    with zipfile.ZipFile(io.BytesIO(without)) as file:
        assert not any(name.startswith("videos/") for name in file.namelist())


def test_what_changed_since_is_shown_before_the_next_version(benchmark):
    button(page(benchmark), "Publish").click().run()
    with benchmark.store.write() as database:
        revise(database, 1, {"key": 2})
    app = page(benchmark)
    assert app.text_input[0].value == "1.0.1"
    assert "1 question with another key: q/1" in "".join(
        entry.value.replace("\\", "") for entry in app.markdown
    )
    button(app, "Publish").click().run()
    changes = (publication_folder(benchmark) / "CHANGES.md").read_text("utf-8")
    assert changes.index("1.0.1") < changes.index("1.0.0")


def test_a_withdrawn_video_is_left_out_until_it_is_taken_back(benchmark):
    app = page(benchmark)
    app.multiselect(key="publish withdrawn").set_value(["video of q/2"]).run()
    button(app, "Keep this list").click().run()
    assert not app.exception
    assert withdrawn_videos(benchmark) == {"video of q/2"}
    assert (preview(benchmark).questions, preview(benchmark).withdrawn) == (2, 1)
    button(app, "Publish").click().run()
    state = json.loads((publication_folder(benchmark) / "publication.json").read_text("utf-8"))
    assert sorted(state["questions"]) == ["q/1", "q/3"]
    app.multiselect(key="publish withdrawn").set_value([]).run()
    button(app, "Keep this list").click().run()
    assert preview(benchmark).changed == {"new": ["q/2"]}
