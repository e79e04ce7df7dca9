"""The example of every kind of task is one: its files make a task as they stand."""

import pytest
from building import content_hash, keep_frame_table, make_clip, make_question, make_video

from annotations import task as tasks
from annotations.planning.examples import example_of, write_example
from annotations.planning.task_files import read_task
from core.refusal import Refusal


@pytest.fixture
def tennis(workspace, model_says):
    """A workspace with the videos, the questions and the wrong answer that the examples name."""
    with workspace.store.write() as database:
        for number, name in enumerate(("clips/serve.mp4", "clips/lob.mp4"), 1):
            sha256 = content_hash(name)
            keep_frame_table(workspace, sha256, 60)
            clip = make_clip(database, make_video(database, name, sha256=sha256))
            make_question(database, f"count/{number}", clip, key=1, category="count")
    model_says("model one", "count/1", "A")
    return workspace


@pytest.mark.parametrize("kind", tasks.kinds())
def test_an_example_makes_a_task_of_its_kind(kind, tennis, tmp_path):
    files = write_example(kind, tmp_path / "here")
    plan = read_task(tennis, files[0])
    assert plan.kind == kind
    assert plan.count("work") >= 1
    with pytest.raises(Refusal, match="exists already"):
        write_example(kind, tmp_path / "here")


def test_a_kind_that_is_none_is_refused():
    with pytest.raises(Refusal, match="Allowed: failure_tagging"):
        example_of("../secrets")
