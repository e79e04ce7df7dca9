"""Videos and questions under filters, against a plain look at what was put in."""

import json
from collections.abc import Callable

import pytest
from building import make_revision, make_video

from annotations.material.question_list import (
    QuestionFilter,
    count_questions,
    list_questions,
)
from annotations.material.video_list import VideoFilter, count_states, count_videos, list_videos
from annotations.question.questions import revise
from annotations.record.question import categories
from annotations.workspace import Workspace


@pytest.fixture
def study(workspace: Workspace, add_question: Callable[..., int]) -> Workspace:
    """Four videos; two questions on the first, one on the second, none on the others."""
    add_question("count/1", ("twice", "three times"), 0, video="goal.mp4")
    add_question("shape/1", ("round", "重置"), None, video="goal.mp4")
    add_question("count/2", ("once", "never"), 1, video="dogs/run 100%.mp4")
    with workspace.store.write() as database:
        execute = database.conn.execute
        facts = {"title": "Été à la plage", "decodable": "part", "notes": ["no time stamps"]}
        execute("UPDATE video SET facts = ? WHERE name = 'goal.mp4'", [json.dumps(facts)])
        [content] = execute("SELECT sha256 FROM video WHERE name = 'goal.mp4'").fetchone()
        make_video(database, "again.mp4", sha256=content)
        make_video(
            database, "lost.mp4", status="missing", reason="no such file",
            source_url="https://example.org/1",
        )  # fmt: skip
    return workspace


def videos(workspace: Workspace, **wanted: str) -> list[str]:
    with workspace.store.read() as database:
        asked = VideoFilter(**wanted)
        found = [row.name for row in list_videos(database, asked, 0, 100)]
        assert count_videos(database, asked) == len(found)
    return found


def questions(workspace: Workspace, **wanted: str) -> list[str]:
    with workspace.store.read() as database:
        asked = QuestionFilter(**wanted)
        found = [row.uid for row in list_questions(database, asked, 0, 100)]
        assert count_questions(database, asked) == len(found)
    return found


def test_videos_are_found_by_words_of_name_and_title_in_any_order_and_case(study: Workspace):
    assert videos(study) == ["again.mp4", "dogs/run 100%.mp4", "goal.mp4", "lost.mp4"]
    assert videos(study, text="PLAGE été") == ["goal.mp4"]
    assert videos(study, text="goal dogs") == []
    assert videos(study, text="0%") == ["dogs/run 100%.mp4"]  # two signs, and no wildcard
    assert videos(study, text='" OR 1') == []  # words are never syntax


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({"state": "missing"}, ["lost.mp4"]),
        ({"category": "shape"}, ["goal.mp4"]),
        ({"source": "link"}, ["lost.mp4"]),
        ({"damage": "part"}, ["goal.mp4"]),
        ({"damage": "note"}, ["goal.mp4"]),
        ({"duplicates": "same"}, ["again.mp4", "goal.mp4"]),
        ({"lineage": "edited"}, []),
        ({"questions": "no"}, ["again.mp4", "lost.mp4"]),
        ({"state": "usable", "questions": "yes"}, ["dogs/run 100%.mp4", "goal.mp4"]),
    ],
)
def test_videos_are_filtered(study: Workspace, wanted: dict[str, str], names: list[str]):
    assert videos(study, **wanted) == names


def test_a_filter_that_is_not_there_is_refused_with_what_is_allowed(study: Workspace):
    with pytest.raises(ValueError, match=r"state is 'odd'\. Allowed: '', 'usable'"):
        videos(study, state="odd")
    with pytest.raises(ValueError, match="answers is 'odd'"):
        questions(study, answers="odd")


def test_states_are_counted_and_a_changed_name_is_found_at_once(study: Workspace):
    with study.store.write() as database:
        database.conn.execute("UPDATE video SET name = 'found.mp4' WHERE name = 'lost.mp4'")
    assert videos(study, text="lost") == []
    assert videos(study, text="found") == ["found.mp4"]
    with study.store.read() as database:
        assert count_states(database) == {"usable": 3, "missing": 1}


def test_questions_are_found_by_words_of_text_options_and_category_as_they_are_now(
    study: Workspace,
):
    assert questions(study, text="重置") == ["shape/1"]
    assert questions(study, text="which TWICE") == ["count/1"]
    [row] = study.store.rows("SELECT question_id FROM current_question WHERE uid = 'count/1'")
    with study.store.write() as database:
        revise(database, row["question_id"], {"options": ["four times", "three times"]})
    assert questions(study, text="twice") == []
    assert questions(study, text="four times") == ["count/1"]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({"category": "count"}, ["count/1", "count/2"]),
        ({"state": "no key"}, ["shape/1"]),
        ({"state": "retired"}, ["count/2"]),
        ({"state": "asked"}, ["count/1", "shape/1"]),
        ({"answers": "models"}, ["count/1"]),
        ({"answers": "none"}, ["count/2", "shape/1"]),
        ({"answers": "people"}, []),
        ({"video": "lost"}, []),
        ({"source": "test"}, ["count/1", "count/2", "shape/1"]),
    ],
)
def test_questions_are_filtered(
    study: Workspace, model_says: Callable[..., int], wanted: dict[str, str], names: list[str]
):
    model_says("m", "count/1", "A")
    with study.store.write() as database:
        database.conn.execute("UPDATE question SET retired_at = 'now' WHERE uid = 'count/2'")
    assert questions(study, **wanted) == names
    with study.store.read() as database:
        assert categories(database) == ["count", "shape"]


def test_a_category_that_no_question_has_any_more_is_not_offered(study: Workspace):
    [row] = study.store.rows("SELECT * FROM current_question WHERE uid = 'shape/1'")
    with study.store.write() as database:
        make_revision(database, row["question_id"], row["clip_id"], category="form")
    with study.store.read() as database:
        assert categories(database) == ["count", "form"]
    assert questions(study, category="shape") == []
    assert questions(study, category="form") == ["shape/1"]
    assert videos(study, category="shape") == []
    assert videos(study, category="form") == ["goal.mp4"]
