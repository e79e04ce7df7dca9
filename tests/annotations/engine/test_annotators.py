"""What each annotator asks of a model, and what it makes of the answer."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from annotations.answering.queue import hand
from annotations.engine import deaf_blind
from annotations.engine.engine import work
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.run.run_plan import plan_run
from annotations.run.runs import condition_task
from annotations.video.video_texts import lines_of, segments, texts
from annotations.workspace import Workspace
from core.model import Heard, ItemError, Line

Results = Callable[[int], Any]


@pytest.fixture
def add_asked(workspace: Workspace, add_clip: Callable[..., int], add_question: Callable[..., int]):
    """A question on a clip that can be decoded."""

    def add(uid: str, options: Sequence[str] = ("left", "right", "up"), **more: Any) -> int:
        question = add_question(uid, tuple(options), **more)
        video = add_clip(f"of {uid}.mp4")
        with workspace.store.write() as database:
            database.conn.execute(
                "UPDATE clip SET video_id = ? WHERE id = (SELECT clip_id FROM question_revision"
                " WHERE question_id = ?)",
                [video, question],
            )
        return question

    return add


def test_similarity_below_the_threshold_rejects_with_the_reason_of_the_task(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Results
):
    # The clip is all red, (1, 0, 0) more or less; the text looks blue.
    scripted.vectors = {"blue sky": (0.0, 0.0, 1.0)}
    run_id = plan_run(
        workspace, "clip_similarity", "scripted", task_id=footage(1),
        settings={"text": "blue sky", "over": "max", "threshold": 0.5},
    )  # fmt: skip
    work(workspace, run_id)
    [answer] = results(run_id)
    assert answer["response"]["verdict"] == "reject"
    assert answer["response"]["reasons"] == ["off_topic"]
    assert answer["score"] < 0.5
    assert f"similarity {answer['score']:.3f} to “blue sky”, below 0.5" == answer["words"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "Setting text is empty"),
        ({"text": "x", "over": "median"}, "allowed: mean, max"),
        ({"text": "x", "threshold": 2.0}, "allowed: -1 to 1"),
        ({"text": "x", "reason": "boring"}, "this task offers: nothing_happens, off_topic"),
    ],
)
def test_settings_of_a_filter_are_checked(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    settings: dict[str, Any],
    words: str,
):
    with pytest.raises(ValueError, match=words):
        plan_run(workspace, "clip_similarity", "scripted", task_id=footage(1), settings=settings)


GOOD = '{"verdict": "reject", "reasons": ["Poor picture", "compilation"], "note": "dark"}'
CURSED = {
    # JS-01: fences, a comma too many, a bracket too many, Python's words; text stays as it is.
    '```json\n{"verdict": "accept", "note": "frames [1,2,] look blurred", "reasons": [""],}\n```': (
        "accept", [], "frames [1,2,] look blurred", "JSON, repaired",
    ),
    '```json\n{"verdict": "accept"}\n}\n```': ("accept", [], "", "JSON, repaired"),
    "{'verdict': 'Reject', 'reasons': ['off_topic'], 'note': None}": (
        "reject", ["off_topic"], "", "JSON, repaired",
    ),
    GOOD: ("reject", ["compilation", "poor_quality"], "dark", "JSON"),
    '{"verdict": "reject", "reasons": ["off_topic", "ugly"]}': (
        "reject", ["off_topic"], "", "JSON",
    ),
}  # fmt: skip


@pytest.mark.parametrize("reply", CURSED)
def test_a_verdict_is_read_from_json_however_it_is_wrapped_and_repairs_are_said(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Results, reply: str
):
    scripted.replies = [reply]
    run_id = plan_run(workspace, "vlm_screening", "scripted", task_id=footage(1))
    work(workspace, run_id)
    [answer] = results(run_id)
    verdict, reasons, note, rule = CURSED[reply]
    assert answer["response"] == {"verdict": verdict, "reasons": reasons, "note": note}
    assert (answer["reply"], answer["rule"]) == (reply, rule)
    if "ugly" in reply:
        assert answer["words"] == "unknown reason 'ugly' left out"


def test_a_rejection_for_a_reason_outside_the_list_counts_as_other(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Results
):
    scripted.replies = ['{"verdict": "reject", "reasons": ["ugly"]}']
    run_id = plan_run(workspace, "vlm_screening", "scripted", task_id=footage(1))
    work(workspace, run_id)
    [answer] = results(run_id)
    assert answer["response"] == {"verdict": "reject", "reasons": ["other"], "note": ""}
    assert answer["words"] == "unknown reason 'ugly' kept as other"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I cannot say.", "broken JSON: there is no { or "),
        ('{"verdict": "reject", "reasons": [', "broken JSON|no reason of the list"),
        ('{"verdict": "perhaps"}', "no verdict in the JSON"),
        ('{"verdict": "reject", "reasons": []}', "no reason of the list"),
        ("", "broken JSON: there is no text"),
        ('<think>{"verdict": "accept"} or', "broken JSON: cut off in the middle of thinking"),
        ('[THINK]{"verdict": "accept"}[/THINK]', "broken JSON: nothing follows the thinking"),
    ],
)
def test_a_reply_that_is_no_verdict_costs_its_item_and_the_run_goes_on(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    failures: Results,
    reply: str,
    reason: str,
):
    scripted.replies = [GOOD, reply, GOOD]
    run_id = plan_run(workspace, "vlm_screening", "scripted", task_id=footage(3))
    assert work(workspace, run_id).new == 2
    [why] = failures(run_id).values()
    assert re.match(reason, why)


def test_a_screening_model_sees_one_frame_a_second_and_the_reasons_of_the_task(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Results
):
    scripted.replies = ['{"verdict": "accept"}']
    task_id = footage(1, reasons=["Too short", "No bird"], criteria=["A bird flies."])
    run_id = plan_run(workspace, "vlm_screening", "scripted", task_id=task_id)
    work(workspace, run_id)
    [request] = scripted.requests
    # 12 frames at 4 a second last 3 s: the frames at 0, 1 and 2 s.
    assert request.times == (0.0, 1.0, 2.0)
    assert request.frames.shape == (3, 48, 64, 3)
    assert "- A bird flies." in request.text
    assert "- no_bird: No bird" in request.text
    assert results(run_id)[0]["shown"]["frames"] == [0, 4, 8]


def test_a_scored_verdict_keeps_the_probabilities_and_asks_for_the_reason_only_where_it_is_no(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Results
):
    chances = iter([(0.9, 0.1), (0.2, 0.8)])
    scripted.probabilities = lambda request, choices: (
        next(chances) if choices == ("yes", "no") else (0.1, 0.9)
    )
    task_id = footage(2, reasons=["Too short", "No bird"])
    run_id = plan_run(
        workspace, "vlm_screening", "scripted", task_id=task_id, settings={"answer": "score"}
    )
    work(workspace, run_id)
    first, second = results(run_id)
    assert first["response"]["verdict"] == "accept"
    assert first["confidence"] == {"accept": 0.9, "reject": 0.1}
    assert second["response"]["reasons"] == ["no_bird"]
    assert second["confidence"] == {
        "accept": 0.2, "reject": 0.8, "too_short": 0.1, "no_bird": 0.9,
    }  # fmt: skip
    assert (first["score"], second["score"]) == (0.9, 0.2)
    assert len(scripted.requests) == 3


def test_titles_are_filtered_by_the_probability_of_yes(
    workspace: Workspace, add_clip: Callable[..., int], scripted: Any, results: Results
):
    add_clip("birds/flying_swan-2.mp4")
    add_clip("car.mp4")
    task_id = create_task(
        workspace, "Titles", "screening", {"duplicates": False}, 1, order="as imported"
    )
    grow(workspace, task_id)
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE video SET facts = json_object('title', 'A red car', 'description', 'Vroom')"
            " WHERE name = 'car.mp4'"
        )
    scripted.probabilities = lambda request, _: (0.7, 0.3) if "swan" in request.text else (0.1, 0.9)
    run_id = plan_run(
        workspace, "title_filter", "scripted", task_id=task_id, settings={"text": "birds"}
    )
    work(workspace, run_id)
    assert [one["response"]["verdict"] for one in results(run_id)] == ["accept", "reject"]
    swan, car = sorted(scripted.requests, key=lambda one: "swan" not in one.text)
    assert "Title: flying swan 2\nDescription: (none)" in swan.text
    assert "Title: A red car\nDescription: Vroom" in car.text


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


def test_speech_is_stored_with_its_times_and_silence_is_no_error(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    speaking: Path,
    add_clip: Callable[..., int],
):
    # VI-07: no audio track, audio without speech, speech; and the batch ends.
    task_id = footage(1)
    add_clip("speaking.mp4", speaking)
    grow(workspace, task_id)
    scripted.heard = (Heard(0.5, 1.25, " Here it comes. "), Heard(1.5, 2.0, " "))
    run_id = plan_run(workspace, "transcript", "scripted", task_id=task_id)
    assert work(workspace, run_id).errors == {}
    found = {one.video: one for one in texts(workspace, run_id)}
    assert found["clip-000.mp4"].state == "none: no audio track"
    [line] = found["speaking.mp4"].lines
    assert (line.start_s, line.end_s, line.text) == (0.5, 1.25, "Here it comes.")
    scripted.heard = ()
    other = plan_run(workspace, "transcript", "other", task_id=task_id)
    work(workspace, other)
    states = {one.video: one.state for one in texts(workspace, other)}
    assert states["speaking.mp4"] == "empty: no speech found"


def test_segments_reach_to_both_sides_within_the_video_and_those_that_touch_are_one(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    speaking: Path,
    add_clip: Callable[..., int],
):
    task_id = footage(1)
    add_clip("speaking.mp4", speaking)
    grow(workspace, task_id)
    scripted.heard = (Heard(0.5, 1.0, "Now the kick."), Heard(2.5, 2.8, "Great kick!"))
    work(workspace, plan_run(workspace, "transcript", "scripted", task_id=task_id))
    scripted.replies = ['[{"time": 0.5, "why": "Now"}, {"time": "0:02.5", "why": "Great"},]']
    run_id = plan_run(
        workspace, "segment_finder", "scripted", task_id=task_id,
        settings={"action": "a kick", "side_s": 0.4},
    )  # fmt: skip
    work(workspace, run_id)
    [request] = scripted.requests  # the silent clip is not asked about
    assert "[0.5] Now the kick.\n[2.5] Great kick!" in request.text
    states = {one.video: one.state for one in texts(workspace, run_id)}
    assert states == {"clip-000.mp4": "empty: no speech found"} | states
    found = segments(workspace, run_id)
    assert [(one.start_s, one.end_s, one.why) for one in found] == [
        (0.1, 0.9, "Now"), (2.1, 2.9, "Great"),
    ]  # fmt: skip
    wide = plan_run(
        workspace, "segment_finder", "scripted", task_id=task_id, settings={"action": "a kick"}
    )
    work(workspace, wide)
    [one] = segments(workspace, wide)
    assert (one.start_s, one.end_s, one.why) == (0.0, 3.0, "Now; Great")


def test_a_moment_outside_the_video_costs_its_item(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    speaking: Path,
    add_clip: Callable[..., int],
    failures: Results,
):
    task_id = footage(0)
    add_clip("speaking.mp4", speaking)
    grow(workspace, task_id)
    scripted.heard = (Heard(0.5, 1.0, "Now the kick."),)
    work(workspace, plan_run(workspace, "transcript", "scripted", task_id=task_id))
    scripted.replies = ['[{"time": 700}]']
    run_id = plan_run(
        workspace, "segment_finder", "scripted", task_id=task_id, settings={"action": "a kick"}
    )
    work(workspace, run_id)
    assert failures(run_id)["video:speaking.mp4"].startswith("no time in the video")


def test_text_on_screen_is_one_line_over_the_frames_in_which_it_stands(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    box = ((0.0, 0.0),) * 4
    scripted.lines = [
        (Line("Scor 3-1", 0.7, box), Line("faint", 0.2, box)),
        (Line("Score 3-1", 0.9, box),),
        (Line("Goodbye", 0.8, box), Line("-0-", 0.99, box)),
    ]
    task_id = footage(1)
    run_id = plan_run(
        workspace, "on_screen_text", "scripted", task_id=task_id, settings={"frames_per_s": 1.0}
    )
    work(workspace, run_id)
    [found] = texts(workspace, run_id)
    lines = [(one.start_s, one.end_s, one.text, one.confidence) for one in found.lines]
    # Frames at 0, 1 and 2 s.
    assert lines == [(0.0, 1.0, "Score 3-1", 0.9), (2.0, 2.0, "Goodbye", 0.8)]
    assert lines_of(workspace, found.sha256, "screen") == found.lines
    assert lines_of(workspace, found.sha256, "speech") is None


def test_the_only_screening_task_is_meant_when_none_is_named_else_one_is_made(
    workspace: Workspace, add_clip: Callable[..., int], scripted: Any
):
    add_clip("a.mp4")
    plan_run(workspace, "transcript", "scripted")
    [task] = workspace.store.rows("SELECT * FROM task")
    assert (task["name"], task["kind"], task["status"]) == ("Footage", "screening", "closed")
    plan_run(workspace, "transcript", "scripted")
    assert len(workspace.store.rows("SELECT 1 FROM task")) == 1
    create_task(workspace, "First look", "screening", {"pass": "exploratory"}, 1)
    create_task(workspace, "Second look", "screening", {}, 1)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET name = 'Zero' WHERE name = 'Footage'")
    with pytest.raises(ValueError, match="Which task"):
        plan_run(workspace, "transcript", "scripted")


def test_a_task_of_another_kind_is_refused(
    workspace: Workspace, add_question: Callable[..., int], scripted: Any
):
    add_question("count/1")
    with pytest.raises(ValueError, match="is of the kind human_evaluation"):
        plan_run(workspace, "transcript", "scripted", task_id=condition_task(workspace, "4 frames"))


def test_what_a_run_was_planned_with_is_kept_with_it(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    run_id = plan_run(workspace, "vlm_screening", "scripted", task_id=footage(1))
    [row] = workspace.store.rows("SELECT facts FROM run WHERE id = ?", [run_id])
    facts = json.loads(row["facts"])
    kept = facts["prompts"]["prompt"]
    assert kept["name"] == "screening"
    assert "JSON object" in kept["text"]
    assert len(kept["version"]) == 12
