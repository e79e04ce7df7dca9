import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from annotations.planning.task_plan import TaskPlan, plan_task
from annotations.record.item import Item
from annotations.record.stage import Clips
from annotations.task import ItemDraft, Shown
from annotations.tasks import own_form
from annotations.workspace import Workspace
from core.refusal import Refusal

AddQuestion = Callable[..., int]

CAPTIONS = tomllib.loads("""
stage = "player"
text = "Caption: {caption}"

[[fields]]
label = "How well does it fit?"
name = "quality"
type = "scale"
low = 1
high = 5

[[fields]]
label = "Misleading?"
name = "misleading"
type = "choice"
options = ["yes", "no"]

[[fields]]
label = "Why?"
name = "why"
type = "text"

[accept]
field = "misleading"
values = ["no"]
""")


def item_of(draft: ItemDraft) -> Item:
    return Item(
        id=1, task_id=1, uid=draft.uid, question_id=None, video_id=None, payload=draft.payload
    )


def shown_of(workspace: Workspace, settings: dict[str, Any], row: dict[str, Any]) -> Shown:
    [draft] = own_form.build_items(workspace, settings, [row])
    item = item_of(draft)
    return own_form.show(workspace, item, settings, "seed")


def test_the_example_is_a_form_that_works():
    settings = own_form.check_settings({})
    assert [field["name"] for field in settings["fields"]] == ["quality", "misleading"]


def test_captions_are_judged(workspace: Workspace, add_question: AddQuestion):
    add_question("count/1", video="a.mp4")
    settings = own_form.check_settings(CAPTIONS)
    shown = shown_of(workspace, settings, {"video": "a.mp4", "caption": "A {dog} <b>runs</b>"})
    assert shown.facts["text"] == "Caption: A {dog} <b>runs</b>"
    response = own_form.check_response(
        {"quality": 4, "misleading": "No", "why": " fits ", "other": 3}, shown
    )
    assert response == {
        "values": {"quality": 4, "misleading": "no"},
        "texts": {"why": "fits"},
        "scales": {"quality": [1, 5]},
        "accepted": True,
    }
    assert own_form.describe(response, {}) == "quality: 4; misleading: no; why: fits"
    other = own_form.check_response({"quality": 2, "misleading": "yes"}, shown)
    # Two of four steps apart, and another choice: (0.5 + 1) / 2.
    assert own_form.distance(response, other) == pytest.approx(0.75)
    decision = own_form.decide([response, response, other], settings)
    assert decision.value == {"values": {"quality": 4, "misleading": "no"}, "accepted": True}
    assert own_form.feedback(response, {"values": {"quality": 4}}, settings) == (True, "Right.")
    assert own_form.feedback(other, {"values": {"quality": 4}}, settings) == (
        False,
        "Another answer is right: “How well does it fit?”.",
    )


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ({}, "How well does it fit[?]: nothing is answered yet"),
        ({"quality": 6, "misleading": "no"}, "6 is no step from 1 to 5"),
        ({"quality": True, "misleading": "no"}, "True is no step"),
        ({"quality": 3, "misleading": "maybe"}, "'maybe' is no answer. Choose one of: yes, no"),
        ({"quality": 3, "misleading": ["no"]}, "is no answer"),
        ({"quality": 3, "misleading": "no", "why": 7}, "7 is no text"),
    ],
)
def test_wrong_values_are_refused(
    workspace: Workspace, add_question: AddQuestion, response: dict[str, Any], words: str
):
    add_question("count/1", video="a.mp4")
    settings = own_form.check_settings(CAPTIONS)
    shown = shown_of(workspace, settings, {"video": "a.mp4", "caption": "x"})
    with pytest.raises(Refusal, match=words):
        own_form.check_response(response, shown)


def test_a_known_answer_names_only_what_counts(workspace: Workspace, add_question: AddQuestion):
    add_question("count/1", video="a.mp4")
    add_question("count/2", video="b.mp4")
    row = {"video": "a.mp4", "caption": "x", "role": "practice"}

    def planned(expected: dict[str, Any]) -> TaskPlan:
        return plan_task(
            workspace, name="captions", kind="own_form", settings=CAPTIONS, source="rows",
            rows=[{**row, "expected": expected}, {"video": "b.mp4", "caption": "y"}],
        )  # fmt: skip

    assert planned({"values": {"quality": 5}}).count("practice") == 1
    with pytest.raises(Refusal, match=r"got a field 'quality'\. Allowed: values, "):
        planned({"quality": 5})


def test_segments_and_frames_are_of_the_clip(workspace: Workspace, add_question: AddQuestion):
    add_question("count/1", video="a.mp4")  # 60 frames at 30 a second
    settings = own_form.check_settings({
        "fields": [{"label": "When", "type": "segments"}, {"label": "Best", "type": "frame"}],
    })  # fmt: skip
    shown = shown_of(workspace, settings, {"video": "a.mp4"})
    response = own_form.check_response(
        {"when": [{"start": 1.0, "end": 1.5}, {"start": 0.0, "end": 0.5}], "best": 59}, shown
    )
    assert response["values"] == {"when": [[0.0, 0.5], [1.0, 1.5]], "best": 59}
    with pytest.raises(Refusal, match="60 is no frame of this clip"):
        own_form.check_response({"when": [{"start": 0, "end": 1}], "best": 60}, shown)
    with pytest.raises(Refusal, match="not after its start"):
        own_form.check_response({"when": [{"start": 1, "end": 1}], "best": 1}, shown)


def test_two_clips_are_compared_in_another_order_for_each_person(
    workspace: Workspace, add_question: AddQuestion
):
    for name in ("a", "b"):
        add_question(f"count/{name}", video=f"{name}.mp4")
    settings = own_form.check_settings({
        "stage": "clips",
        "fields": [{"label": "Which is smoother?", "name": "best", "type": "clip"}],
    })  # fmt: skip
    row = {"video_1": "a.mp4", "video_2": "b.mp4", "title_2": "second"}
    [draft] = own_form.build_items(workspace, settings, [row])
    item = item_of(draft)
    orders = {
        tuple(own_form.show(workspace, item, settings, str(n)).facts["clips"]) for n in range(9)
    }
    assert orders == {("1", "2"), ("2", "1")}
    shown = own_form.show(workspace, item, settings, "0")
    stage = own_form.content(workspace, item, shown).stage
    assert isinstance(stage, Clips)
    assert [clip.id for clip in stage.clips] == shown.facts["clips"]
    # The answer is the clip, wherever it stood.
    assert own_form.check_response({"best": "2"}, shown)["values"] == {"best": "2"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"stage": "text", "fields": [{"label": "When", "type": "segments"}]}, "needs the stage"),
        ({"stage": "player", "fields": [{"label": "W", "type": "clip"}]}, "needs the stage clips"),
        ({"accept": {"field": "x", "values": [1]}}, "allowed: quality, misleading"),
        ({"accept": {"field": "quality", "values": [9]}}, "allowed are some of: 1, 2, 3, 4, 5"),
        ({"stage": "hologram"}, "allowed: player, grid, clips, text"),
        ({"frames": 0}, "frames is 0"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], words: str):
    with pytest.raises(Refusal, match=words):
        own_form.check_settings(settings)


def test_a_row_that_lacks_the_column_is_named(workspace: Workspace, add_question: AddQuestion):
    add_question("count/1", video="a.mp4")
    settings = own_form.check_settings(CAPTIONS)
    with pytest.raises(Refusal, match="caption"):
        own_form.build_items(workspace, settings, [{"video": "a.mp4", "title": "x"}])


def test_without_a_file_items_are_the_videos_or_the_questions(
    workspace: Workspace, add_question: AddQuestion
):
    add_question("count/1", video="a.mp4")
    settings = own_form.check_settings({"text": "{question}", "about": "questions"})
    [draft] = own_form.build_items(workspace, settings, None)
    assert draft.payload["text"] == "Which way?"
    with pytest.raises(Refusal, match="key"):
        own_form.build_items(workspace, settings | {"text": "{key}"}, None)
    settings = own_form.check_settings({"text": "{name}"})
    [draft] = own_form.build_items(workspace, settings, None)
    assert draft.payload["text"] == "a.mp4"


def test_an_item_without_an_id_is_named_by_the_first_text_that_people_read(
    workspace: Workspace, add_question: AddQuestion
):
    add_question("count/1", video="a.mp4")
    caption = "A dog runs along the beach  and jumps over a wave"
    row = {"model": "vlm-7", "video": "a.mp4", "caption": caption}

    def names(text: str, **more: str) -> list[str]:
        settings = own_form.check_settings({**CAPTIONS, "text": text})
        drafts = own_form.build_items(workspace, settings, [{**row, **more}, row])
        return [item_of(draft).label for draft in drafts]

    cut = "A dog runs along the beach and jumps …"
    assert names("Caption: {caption}") == [f"1 {cut}", f"2 {cut}"]
    assert names("") == ["1 a.mp4", "2 a.mp4"]  # nor the model, whose work it is
    assert names("{caption}", id="beach") == ["beach", f"2 {cut}"]


def test_a_text_alone_needs_no_video(workspace: Workspace):
    settings = own_form.check_settings({"stage": "text", "text": "{a} against {b}"})
    shown = shown_of(workspace, settings, {"a": "x", "b": "y"})
    assert shown.facts["text"] == "x against y"
    assert "video" not in shown.facts
