"""A model fills in a form of one's own, beside people who fill in the same."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from annotations.agreement.coefficients import agreement_table
from annotations.answering import answer_store
from annotations.answering.answer_store import Answer
from annotations.answering.queue import hand
from annotations.engine.engine import work
from annotations.exporting.export import export
from annotations.filter.filter_audit import audit
from annotations.filter.filter_table import filtered
from annotations.planning.task_store import create_task
from annotations.run.run_plan import plan_run
from annotations.scoring.snapshot import take
from annotations.tasks import own_form
from annotations.workspace import Workspace

FORM: dict[str, Any] = {
    "text": "Caption: {caption}",
    "fields": [
        {"label": "Does it fit?", "name": "fit", "type": "scale", "high": 5, "high_label": "fully"},
        {"label": "Misleading?", "name": "misleading", "type": "choice", "options": ["yes", "no"]},
        {"label": "When?", "name": "when", "type": "segments", "required": False},
        {"label": "Best frame?", "name": "best", "type": "frame", "required": False},
        {"label": "Why?", "name": "why", "type": "text"},
    ],
    "accept": {"field": "misleading", "values": ["no"]},
}


@pytest.fixture
def captions(workspace: Workspace, add_clip: Callable[..., int]) -> int:
    for name in ("a", "b"):
        add_clip(f"{name}.mp4")
    rows = [{"video": f"{name}.mp4", "caption": f"A {name}", "id": name} for name in ("a", "b")]
    return create_task(
        workspace, "Captions", "own_form", FORM, 2, rows=rows, order="as imported"
    )  # fmt: skip


def test_a_model_is_asked_what_people_are_asked_and_answers_in_the_same_schema(
    workspace: Workspace, captions: int, scripted: Any, results: Callable[[int], Any],
    failures: Callable[[int], Any],
):  # fmt: skip
    scripted.replies = [
        'Sure: ```json\n{"fit": 4, "misleading": false, "when": [{"start": 0.1, "end": 1.4}],'
        ' "best": 2, "why": "it fits"}```',
        '{"fit": 9, "misleading": "no"}',
    ]
    run_id = plan_run(workspace, "form_filler", "scripted", task_id=captions, settings={})
    work(workspace, run_id)
    [answer] = results(run_id)
    # Where a frame is picked people begin with the grid, here all 12 frames, and so does the model.
    assert answer["response"] == {
        "values": {"fit": 4, "misleading": "no", "when": [[0.0, 1.5]], "best": 1},
        "texts": {"why": "it fits"},
        "scales": {"fit": [1, 5]},
        "accepted": True,
    }
    [reason] = failures(run_id).values()
    assert "9 is no step from 1 to 5" in reason
    # The clips are decoded beside each other, so either of the two may be asked about first.
    asked, other = sorted(request.text for request in scripted.requests)
    assert "Caption: A a" in asked
    assert "Caption: A b" in other
    assert '- "fit": one of [1, 2, 3, 4, 5] (5 means fully). Does it fit?' in asked
    assert '- "misleading": one of ["yes", "no"]. Misleading?' in asked
    assert '- "when": a list of {"start": seconds, "end": seconds} (may be left out)' in asked


def test_a_stub_and_two_people_fill_the_form_and_agree_as_counted_by_hand(
    workspace: Workspace, captions: int, add_person: Callable[..., Any],
    results: Callable[[int], Any], tmp_path: Path,
):  # fmt: skip
    people = [add_person("Ada"), add_person("Ben")]
    fits = {"a": (4, 2), "b": (5, 5)}
    for place, person in enumerate(people):
        for name, values in fits.items():
            [row] = workspace.store.rows(
                "SELECT id FROM item WHERE task_id = ? AND uid = ?", [captions, f"row:{name}"]
            )
            handed = hand(workspace, captions, person, row["id"])
            sent = {"fit": values[place], "misleading": "no"}
            answer = Answer(uuid4().hex, row["id"], handed.lease.id, sent, None, 1.0, time.time())
            [receipt] = answer_store.store(workspace, captions, person, [answer])
            assert receipt.status == "stored", receipt
    run_id = plan_run(workspace, "form_filler", "stub:fair", task_id=captions, settings={})
    work(workspace, run_id)
    filled = results(run_id)
    assert len(filled) == 2
    assert {answer["response"]["values"]["misleading"] for answer in filled} <= {"yes", "no"}
    # Item a: two of four steps apart, and alike in the other field: (0.5 + 0) / 2.
    responses = [
        json.loads(row["response"])
        for row in workspace.store.rows(
            "SELECT a.response FROM annotation a JOIN annotator p ON p.id = a.annotator_id"
            " JOIN item i ON i.id = a.item_id"
            " WHERE p.kind = 'person' AND i.uid = 'row:a' ORDER BY a.id"
        )
    ]
    assert own_form.distance(*responses) == pytest.approx(0.25)
    decision = own_form.decide(responses, own_form.check_settings(FORM))
    assert decision.value == {
        "values": {"fit": 3, "misleading": "no", "when": None, "best": None}, "accepted": True,
    }  # fmt: skip
    # By field: of a scale from 1 to 5 the two are 2 of 4 steps apart on item a and alike on b, the
    # mean of 0.5 and 1; on the other field they are alike on both.
    table = agreement_table(take(workspace), captions, "field", resamples=0)
    percent = {row.group: row.estimate.value for row in table if row.coefficient == "percent"}
    assert percent == {"Does it fit?": 0.75, "Misleading?": 1.0, "When?": None, "Best frame?": None}
    # As a filter: both people accept both items; what the stub rejects is wrong.
    counts = audit(filtered(take(workspace), run_id), resamples=0).counts
    rejected = sum(not answer["response"]["accepted"] for answer in filled)
    assert (counts.both, counts.only_people) == (0, 0)
    assert (counts.only_filter, counts.neither) == (rejected, 2 - rejected)
    # What leaves: each answer by field, and what was concluded: the median of 4 and 2, and 5.
    export(workspace, tmp_path)
    votes = [json.loads(line) for line in (tmp_path / "votes.jsonl").open()]
    said = sorted(vote["response"]["values"]["fit"] for vote in votes)
    of_stub = [answer["response"]["values"]["fit"] for answer in filled]
    assert said == sorted([4, 2, 5, 5, *of_stub])
    decisions = [json.loads(line) for line in (tmp_path / "decisions.jsonl").open()]
    assert sorted(one["rule_value"]["values"]["fit"] for one in decisions) == [3, 5]


def test_a_form_about_several_clips_is_not_for_a_model(workspace: Workspace, captions: int):
    del captions
    settings = own_form.check_settings(
        {"stage": "clips", "fields": [{"label": "Which?", "type": "clip"}]}
    )
    task = create_task(
        workspace, "Pairs", "own_form", settings, 2,
        rows=[{"video_1": "a.mp4", "video_2": "b.mp4"}],
    )  # fmt: skip
    with pytest.raises(ValueError, match="compares several clips"):
        plan_run(workspace, "form_filler", "stub:fair", task_id=task, settings={})
