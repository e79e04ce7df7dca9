"""Frames described and taken apart by models, from a real clip to cleaned texts."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from annotations.annotator import Ask, ModelInput, Need, Setup
from annotations.annotators import concept_lists, frame_description
from annotations.annotators.frame_description import centres
from annotations.description.concepts import ACTIVITIES, DESCRIPTION, OBJECTS, VERBS
from annotations.description.object_items import make_object_check, object_rows
from annotations.description.stored import description_sets, texts_of, the_set
from annotations.engine.engine import work
from annotations.prompts import prompt
from annotations.run.run_plan import plan_run
from annotations.task import Shown
from annotations.workspace import Workspace
from core.model import ItemError, Reply, Request
from core.refusal import Refusal


class Writer:
    """A model that answers by a function and remembers what it was asked."""

    def __init__(self, answer: Callable[[Request], str | ItemError]):
        self.answer = answer
        self.asked: list[Request] = []

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Reply | ItemError]:
        assert max_tokens == 20
        self.asked += requests
        found = [self.answer(request) for request in requests]
        return [one if isinstance(one, ItemError) else Reply(one) for one in found]


def setup(module, **settings) -> Setup:
    prompts = {purpose: prompt(name, module.FIELDS) for purpose, name in module.PROMPTS.items()}
    named = {**module.SETTINGS, "max_tokens": 20, **settings}
    return Setup(module.__name__.rsplit(".", 1)[-1], "model", "chat", named, prompts)


def item(number: int, frames: int = 2) -> ModelInput:
    ask = Ask(number, Shown({"video": "x"}), {}, Need("path", "table", tuple(range(frames))))
    images = np.full((frames, 4, 6, 3), number, np.uint8)
    return ModelInput(ask, images, tuple(float(n) for n in range(frames)))


def test_a_frame_stands_in_the_middle_of_each_equal_part():
    # 80 frames at 10 a second, eight parts of a second: 0.5 s, 1.5 s, ... are frames 5, 15, ...
    times = [n / 10 for n in range(80)]
    assert centres(times, 0.0, 8.0, 8) == [5, 15, 25, 35, 45, 55, 65, 75]
    # Three frames for eight parts: each is on screen for two or three of them.
    assert centres([0.0, 1.0, 2.0], 0.0, 3.0, 8) == [0, 0, 0, 1, 1, 2, 2, 2]
    assert centres([5.0], 5.0, 5.0, 3) == [0, 0, 0]


def test_each_frame_is_asked_about_alone_and_its_text_has_its_time():
    writer = Writer(lambda request: f"picture {int(request.frames[0, 0, 0, 0])}")
    ready = frame_description.prepare(writer, setup(frame_description))
    first, second = frame_description.annotate(ready, [item(1), item(2)])
    assert [request.frames.shape for request in writer.asked] == [(1, 4, 6, 3)] * 4
    assert [line.text for line in second.lines] == ["picture 2", "picture 2"]
    assert [(line.start_s, line.end_s) for line in first.lines] == [(0, 0), (1, 1)]


def test_a_frame_that_cannot_be_described_costs_its_video_alone():
    full = ItemError("out of memory")
    writer = Writer(lambda request: full if request.frames[0, 0, 0, 0] == 1 else "a dog")
    ready = frame_description.prepare(writer, setup(frame_description))
    first, second = frame_description.annotate(ready, [item(1), item(2)])
    assert first is full
    assert second.reading.reason == "found"


def test_equal_texts_are_asked_once_and_empty_ones_never():
    writer = Writer(lambda request: "1. dog\n2. ball")
    about = {"text 0": "A dog.", "text 1": "", "text 2": "A dog.", "text 3": "none"}
    ask = Ask(1, Shown({}), {**about, "times": [(float(n), float(n)) for n in range(4)],
                             "source": "description"})  # fmt: skip
    ready = concept_lists.prepare(writer, setup(concept_lists))
    [outcome] = concept_lists.annotate(ready, [ModelInput(ask)])
    assert len(writer.asked) == 1
    assert "A dog." in writer.asked[0].text
    assert [line.text for line in outcome.lines] == ["1. dog\n2. ball", "", "1. dog\n2. ball", ""]
    assert outcome.text_kind == "objects"


@pytest.fixture
def footage(workspace: Workspace, shared: Path, add_clip: Callable[..., int]) -> Workspace:
    for name in ("flower.mp4", "asl_book.mkv"):
        add_clip(name, shared / "clips" / name)
    return workspace


def test_descriptions_and_what_is_taken_out_of_them_are_one_set(footage: Workspace):
    described = plan_run(footage, "frame_description", "stub:fair")
    assert work(footage, described).errors == {}
    [only] = description_sets(footage)
    assert only.name == "stub:fair · descriptions of 8 frames"
    assert set(only.runs) == {DESCRIPTION.kind}
    # Verbs come from activities, which are not there yet.
    early = plan_run(footage, "concept_lists", "stub:early", settings={"concept": "verbs"})
    ended = work(footage, early)
    assert sum(ended.errors.values()) == 2
    assert all(reason.startswith("no activities of this video yet") for reason in ended.errors)
    for concept in ("objects", "activities", "verbs"):
        settings = {"concept": concept, "descriptions": only.name}
        run = plan_run(footage, "concept_lists", "stub:fair", settings=settings)
        assert work(footage, run).errors == {}
    whole = the_set(footage, only.name)
    assert set(whole.runs) == {"description", "objects", "activities", "verbs"}
    for kind in (DESCRIPTION, OBJECTS, ACTIVITIES, VERBS):
        texts = texts_of(footage, whole, kind)
        assert [len(one.texts) for one in texts.values()] == [8, 8]
        assert not any(one.missing for one in texts.values())
    # Asked again, nothing is done twice.
    assert work(footage, described).new == 0


def test_lists_of_objects_become_a_task_for_people(footage: Workspace):
    work(footage, plan_run(footage, "frame_description", "stub:fair"))
    with pytest.raises(Refusal, match="no lists of objects yet"):
        object_rows(footage)
    name = the_set(footage).name
    settings = {"concept": "objects", "descriptions": name}
    work(footage, plan_run(footage, "concept_lists", "stub:fair", settings=settings))
    rows = object_rows(footage)
    assert {row["video"] for row in rows} == {"flower.mp4", "asl_book.mkv"}
    assert all(row["source"] == name and row["objects"] and row["time"] > 0 for row in rows)
    assert object_rows(footage, frames=1) == rows[:1]
    task, frames = make_object_check(footage, frames=1)
    assert frames == 1
    items = footage.store.rows("SELECT * FROM item WHERE task_id = ?", [task])
    assert len(items) == 1


def test_a_set_that_is_not_there_is_named_with_those_that_are(footage: Workspace):
    with pytest.raises(Refusal, match="No video has a description yet"):
        the_set(footage)
    work(footage, plan_run(footage, "frame_description", "stub:fair"))
    with pytest.raises(Refusal, match="There are no descriptions 'other'"):
        the_set(footage, "other")
