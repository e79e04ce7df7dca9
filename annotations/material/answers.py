"""What people and models answered about one video or question, and what came of it."""

import json
from dataclasses import dataclass
from typing import Any

from annotations import task as tasks
from annotations.answering.response_words import asked_options, response_words
from annotations.decision import Decision
from annotations.record.item import Item
from annotations.record.shown import Shown
from annotations.workspace import Workspace
from core.stored_json import stored_json

MOST_ITEMS = 60
_ITEMS = """
  SELECT i.*, t.name AS task, t.kind, t.settings, c.outcome AS resolved, c.reason AS why,
    c.signed >= c.signatures AS holds
  FROM item i JOIN task t ON t.id = i.task_id
  LEFT JOIN current_resolution c ON c.item_id = i.id AND c.outcome <> 'reopen'
  WHERE {which} ORDER BY i.id LIMIT ?
"""
_ANSWERS = """
  SELECT a.item_id, a.id, a.response, a.skip_reason, a.shown, a.question_revision_id, a.counted,
    a.active_s, p.name, p.kind AS annotator_kind, y.state, y.score, r.options
  FROM current_annotation a JOIN annotator p ON p.id = a.annotator_id
  LEFT JOIN question_revision r ON r.id = a.question_revision_id
  LEFT JOIN prediction y ON y.annotation_id = a.id
  WHERE a.item_id IN (SELECT value FROM json_each(?)) ORDER BY p.kind DESC, p.name
"""


@dataclass(frozen=True)
class Said:
    """What one annotator answered.

    Attributes:
        who: name of a person or a model.
        words: the answer in words, or why it was skipped.
        counted: False for an extra, which counts for no decision.
    """

    who: str
    is_model: bool
    condition: str
    words: str
    counted: bool
    active_s: float


@dataclass(frozen=True)
class Asked:
    """One item about it: of which task, what was answered, and what was concluded.

    Attributes:
        state: 'open', 'withdrawn', 'practice' or 'attention'.
        decision: by the task's rule, from people's counted answers, in words, such as 'decided:
            2 of 3' or 'not decided: tie'; '' without any.
        resolution: by authors, with the reason; '' where there is none that holds.
    """

    item_id: int
    task: str
    task_id: int
    kind: str
    name: str
    state: str
    answers: tuple[Said, ...]
    decision: str
    resolution: str


def about_video(workspace: Workspace, video_id: int) -> list[Asked]:
    """Items about a video itself, or about rows that name it, at most `MOST_ITEMS`."""
    return _about(workspace, "i.video_id = ?", video_id)


def about_question(workspace: Workspace, question_id: int) -> list[Asked]:
    """Items about a question, at most `MOST_ITEMS`."""
    return _about(workspace, "i.question_id = ?", question_id)


def _about(workspace: Workspace, which: str, number: int) -> list[Asked]:
    items = workspace.store.rows(_ITEMS.format(which=which), [number, MOST_ITEMS])
    by_item: dict[int, list[dict[str, Any]]] = {row["id"]: [] for row in items}
    for row in workspace.store.rows(_ANSWERS, [json.dumps(list(by_item))]):
        by_item[row["item_id"]].append(row)
    return [_asked(workspace, row, by_item[row["id"]]) for row in items]


def _asked(workspace: Workspace, row: dict[str, Any], answers: list[dict[str, Any]]) -> Asked:
    module = tasks.kind(row["kind"])
    label = getattr(module, "LABEL", row["kind"])
    responses = [
        stored_json(answer["response"])
        for answer in answers
        if answer["counted"] and answer["skip_reason"] is None
        and answer["annotator_kind"] == "person"
    ]  # fmt: skip
    decision = Decision(None, "none", "")
    if responses and row["role"] == "work":
        decision = module.decide(responses, json.loads(row["settings"]))
    return Asked(
        item_id=row["id"],
        task=row["task"],
        task_id=row["task_id"],
        kind=str(label),
        name=row["uid"],
        state=row["role"] if row["role"] != "work" else row["status"],
        answers=tuple(_said(workspace, row, answer) for answer in answers),
        decision=_decision_words(decision),
        resolution=f"{row['resolved'].replace('_', ' ')}: {row['why']}"
        if row["resolved"] and row["holds"]
        else "",
    )


def _decision_words(decision: Decision) -> str:
    if not decision.words:
        return ""
    return f"{'decided' if decision.status == 'decided' else 'not decided'}: {decision.words}"


def _said(workspace: Workspace, item: dict[str, Any], answer: dict[str, Any]) -> Said:
    shown: dict[str, Any] = json.loads(answer["shown"])
    return Said(
        who=answer["name"],
        is_model=answer["annotator_kind"] == "model",
        condition=str(shown.get("condition") or ""),
        words=_words(workspace, item, answer),
        counted=bool(answer["counted"]),
        active_s=float(answer["active_s"]),
    )


def _words(workspace: Workspace, item: dict[str, Any], answer: dict[str, Any]) -> str:
    if answer["skip_reason"]:
        return f"skipped: {answer['skip_reason']}"
    if answer["state"] and answer["state"] != "read":
        return f"no choice read ({answer['state']})"
    text = response_words(
        workspace,
        item["kind"],
        Item.from_row(item),
        Shown.from_row(answer),
        stored_json(answer["response"]),
        asked_options(answer),
    )
    return text if answer["score"] is None else f"{text} (score {answer['score']:.3f})"
