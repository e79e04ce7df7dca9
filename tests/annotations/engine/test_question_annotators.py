"""What models are shown and asked of a question, and what is made of their answers."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from annotations.answering.queue import hand
from annotations.engine import deaf_blind
from annotations.engine.engine import work
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.run.run_plan import plan_run
from annotations.run.runs import condition_task
from annotations.workspace import Workspace
from core.model import ItemError

Results = Callable[[int], Any]


CONDITIONS = ["16 frames", "1 frame", "4 frames", "1 random frame", "16 shuffled frames"]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_model_sees_exactly_the_frames_that_people_see(
    workspace: Workspace,
    add_asked: Callable[..., int],
    add_person: Callable[..., Person],
    scripted: Any,
    results: Results,
    condition: str,
):
    for number in range(3):
        add_asked(f"count/{number}")
    task_id = condition_task(workspace, condition)
    run_id = plan_run(workspace, "multiple_choice", "scripted", task_id=task_id)
    work(workspace, run_id)
    person = add_person("Ada")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = 'open'")
    for answer in results(run_id):
        [item] = workspace.store.rows("SELECT * FROM item WHERE uid = ?", [answer["uid"]])
        people = hand(workspace, task_id, person, item["id"]).shown.facts
        model = answer["shown"]
        assert all(model[one] == people[one] for one in ("frames", "times", "video", "condition"))
    shuffled = "shuffled" in condition
    for request in scripted.requests:
        # The stripe stands at 4 px a frame, so a frame says which one it is.
        stripes = [int(image[24, :, 1].argmax()) // 4 for image in request.frames]
        assert (stripes == sorted(stripes)) != shuffled
        assert bool(request.times) == (len(stripes) > 1 and not shuffled)
        assert request.as_video == bool(request.times)


def test_a_clip_shorter_than_asked_gives_all_its_frames_once(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, results: Results
):
    # VI-06: 16 frames are asked of 12.
    add_asked("count/1")
    run_id = plan_run(
        workspace, "multiple_choice", "scripted", task_id=condition_task(workspace, "16 frames")
    )
    work(workspace, run_id)
    assert results(run_id)[0]["shown"]["frames"] == list(range(12))
    assert scripted.requests[0].text.startswith("You see 12 frames of a video.")


def test_the_handpicked_frame_is_the_one_that_people_picked(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, failures: Results
):
    add_asked("count/1")
    task_id = condition_task(workspace, "1 handpicked frame")
    run_id = plan_run(workspace, "multiple_choice", "scripted", task_id=task_id)
    work(workspace, run_id)
    # Nobody has picked one: the item says so, as it does to people.
    assert "pick" in failures(run_id)["question:count/1"]


def test_of_the_moving_video_a_model_sees_frames_at_a_rate_with_a_cap(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, results: Results
):
    add_asked("count/1")
    task_id = condition_task(workspace, "full video")
    run_id = plan_run(
        workspace, "multiple_choice", "scripted", task_id=task_id,
        settings={"frames_per_s": 2.0, "most_frames": 4},
    )  # fmt: skip
    work(workspace, run_id)
    # 3 s at 2 a second: frames 0, 2, 4, 6, 8, 10; 4 of the 6, evenly spread.
    assert results(run_id)[0]["shown"]["frames"] == [0, 4, 6, 10]
    assert results(run_id)[0]["shown"]["condition"] == "full video"


def test_an_answer_is_the_most_probable_letter_and_all_probabilities_are_kept_by_option(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, results: Results
):
    add_asked("count/1", ("left", "right", "up"))

    def likes_up(request: Any, choices: Sequence[str]) -> tuple[float, ...]:
        lines = request.text.splitlines()
        return tuple(0.8 if f"{letter}. up" in lines else 0.1 for letter in choices)

    scripted.probabilities = likes_up
    task_id = condition_task(workspace, "4 frames")
    run_id = plan_run(workspace, "multiple_choice", "scripted", task_id=task_id)
    work(workspace, run_id)
    [answer] = results(run_id)
    assert answer["response"] == {"choice": 2}
    assert answer["confidence"] == {"0": 0.1, "1": 0.1, "2": 0.8} | answer["confidence"]
    assert list(answer["confidence"]) == [str(one) for one in answer["shown"]["option_order"]]
    assert answer["score"] == 0.8


def test_equal_probabilities_choose_nothing(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, results: Results
):
    add_asked("count/1", ("left", "right"))
    scripted.probabilities = lambda _, choices: (0.5, 0.5)
    task_id = condition_task(workspace, "4 frames")
    run_id = plan_run(workspace, "multiple_choice", "scripted", task_id=task_id)
    work(workspace, run_id)
    [answer] = results(run_id)
    assert (answer["response"], answer["state"]) == ({"choice": None}, "several")


def test_thinking_aloud_writes_a_reply_that_the_rules_read(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, results: Results
):
    for number in range(3):
        add_asked(f"count/{number}", ("left", "right"))
    scripted.replies = ["First it goes left ...\nAnswer: B", "Who knows?", ItemError("time-out")]
    task_id = condition_task(workspace, "4 frames")
    run_id = plan_run(
        workspace, "multiple_choice", "scripted", task_id=task_id,
        settings={"prompt": "chain_of_thought"},
    )  # fmt: skip
    assert work(workspace, run_id).errors == {"time-out": 1}
    states = {one["reply"]: (one["state"], one["response"]["choice"]) for one in results(run_id)}
    [read] = [one for one in results(run_id) if one["state"] == "read"]
    assert states["Who knows?"] == ("unread", None)
    assert read["response"]["choice"] == read["shown"]["option_order"][1]
    assert read["confidence"] is None


def test_descriptions_of_options_go_into_the_template_that_asks_for_them(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any
):
    add_asked("count/1", ("left", "right"))
    settings = {"condition": "4 frames", "descriptions": {"Left": "towards the wall"}}
    task_id = create_task(workspace, "Described", "human_evaluation", settings, 1)
    grow(workspace, task_id)
    run_id = plan_run(
        workspace, "multiple_choice", "scripted", task_id=task_id,
        settings={"prompt": "with_descriptions"},
    )  # fmt: skip
    work(workspace, run_id)
    assert "- left: towards the wall" in scripted.requests[0].text


def test_free_text_is_kept_as_written(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, results: Results
):
    add_asked("count/1")
    settings = {"condition": "4 frames", "free_text": True}
    task_id = create_task(workspace, "Free", "human_evaluation", settings, 1)
    grow(workspace, task_id)
    scripted.replies = [" It turns left. "]
    run_id = plan_run(workspace, "multiple_choice", "scripted", task_id=task_id)
    work(workspace, run_id)
    assert results(run_id)[0]["response"] == {"text": "It turns left."}
    assert "Answer in a few words" in scripted.requests[0].text


def test_zero_shot_takes_the_option_that_the_frames_look_like(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any, results: Results
):
    add_asked("count/1", ("blue", "red"))
    scripted.vectors = {"a photo of blue": (0.0, 0.0, 1.0), "a photo of red": (1.0, 0.0, 0.0)}
    (workspace.root / "prompts").mkdir()
    (workspace.root / "prompts" / "photo.txt").write_text("a photo of {option}")
    task_id = condition_task(workspace, "4 frames")
    run_id = plan_run(
        workspace, "clip_zero_shot", "scripted", task_id=task_id, settings={"prompt": "photo"}
    )
    work(workspace, run_id)
    [answer] = results(run_id)
    assert answer["response"] == {"choice": 1}
    assert answer["confidence"]["1"] > 0.99
    scripted.vectors = {"It is blue": (1.0, 0.0, 0.0), "It is red": (0.0, 0.0, 1.0)}
    given = plan_run(
        workspace, "clip_zero_shot", "scripted", task_id=task_id,
        settings={"sentences": {"count/1": ["It is blue", "It is red"]}},
    )  # fmt: skip
    work(workspace, given)
    assert results(given)[0]["response"] == {"choice": 0}


def test_a_question_is_dropped_when_a_majority_of_models_or_one_each_time_solves_it_from_text(
    workspace: Workspace, add_question: Callable[..., int], scripted: Any
):
    add_question("easy/1", ("left", "right", "up"), key=1)
    add_question("hard/1", ("left", "right", "up"), key=2)

    def likes_right(request: Any, choices: Sequence[str]) -> tuple[float, ...]:
        lines = request.text.splitlines()
        return tuple(0.8 if f"{letter}. right" in lines else 0.1 for letter in choices)

    scripted.probabilities = likes_right
    runs = deaf_blind.plan_runs(workspace, ["small"], times=3)
    assert len(set(runs)) == 3
    for run_id in runs:
        work(workspace, run_id)
    plan = deaf_blind.filtered(workspace, runs, models=1, times=3)
    assert plan.kept.tolist() == [False, True]
    assert plan.drop_when == 3
    assert (deaf_blind.drop_when(3, 1), deaf_blind.drop_when(4, 1)) == (2, 3)
    with pytest.raises(ValueError, match="no single rule"):
        deaf_blind.drop_when(3, 3)


def test_text_only_takes_a_task_that_shows_nothing_else(
    workspace: Workspace, add_asked: Callable[..., int], scripted: Any
):
    add_asked("count/1")
    with pytest.raises(ValueError, match="shows more than text"):
        plan_run(workspace, "text_only", "scripted", task_id=condition_task(workspace, "4 frames"))
