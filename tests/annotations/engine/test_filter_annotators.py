"""What each annotator that filters asks of a model, and what it makes of the answer."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from annotations.engine.engine import work
from annotations.planning.task_store import create_task, grow
from annotations.run.run_plan import plan_run
from annotations.run.runs import condition_task
from annotations.workspace import Workspace

Results = Callable[[int], Any]


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
    # Two clips are decoded beside each other, so either may be asked about first.
    refused, accepted = sorted(results(run_id), key=lambda one: one["score"])
    assert (refused["score"], accepted["score"]) == (0.2, 0.9)
    assert accepted["response"]["verdict"] == "accept"
    assert accepted["confidence"] == {"accept": 0.9, "reject": 0.1}
    assert refused["response"]["reasons"] == ["no_bird"]
    assert refused["confidence"] == {
        "accept": 0.2, "reject": 0.8, "too_short": 0.1, "no_bird": 0.9,
    }  # fmt: skip
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
