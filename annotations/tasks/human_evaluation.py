"""Human evaluation: people answer the benchmark's questions (TOMATO 6.1 and Fig. 9)."""

import json
from collections.abc import Iterable
from typing import Any

from annotations.condition import Condition
from annotations.decision import Decision, majority, majority_settled, nominal
from annotations.task import Content, Grid, ItemDraft, Player, Shown
from annotations.tasks.frame_picking import handpicked_frame
from annotations.workspace import Workspace
from core.video import plans
from db.connection import first_row

LABEL = "Human evaluation"
SCHEMA_VERSION = 1
OVERLAP = 2
SOURCES = ("questions",)


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with a known condition.

    Raises:
        ValueError: for an unknown condition.
    """
    condition = Condition.parse(str(settings.get("condition", "full video")))
    return {"shuffle_options": True, **settings, "condition": condition.name}


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each question with options whose video is usable, in the order of import."""
    del settings, rows
    questions = workspace.store.rows(
        "SELECT q.uid, q.question_id, c.video_id FROM current_question q"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
        " WHERE v.status = 'usable' AND json_array_length(q.options) > 1 ORDER BY q.question_id"
    )
    for row in questions:
        yield ItemDraft(f"question:{row['uid']}", row["question_id"], row["video_id"])


def show(workspace: Workspace, item: dict[str, Any], settings: dict[str, Any], seed: str) -> Shown:
    """Frames (equal for everybody) and option order (another for each person) of a question.

    Raises:
        ValueError: if the question's video is not usable.
    """
    with workspace.store.read() as database:
        question = first_row(
            database,
            "SELECT q.id, q.uid, q.options, c.start_s, c.end_s, v.sha256, v.status, v.name"
            " FROM current_question q JOIN clip c ON c.id = q.clip_id"
            " JOIN video v ON v.id = c.video_id WHERE q.question_id = ?",
            [item["question_id"]],
        )
    if question is None or question["status"] != "usable":
        raise ValueError(f"{item['uid']}: its video is not usable.")
    table = workspace.media.frame_table(question["sha256"])
    available = workspace.media.frames_between(
        question["sha256"], question["start_s"], question["end_s"]
    )
    condition = Condition.parse(settings["condition"])
    if condition.is_handpicked:
        picked = handpicked_frame(workspace, item["question_id"], question["sha256"], available)
        frames: tuple[int, ...] = (picked,)
    else:
        frames = condition.frames(available, f"{condition.name}/{question['uid']}")
    order: tuple[int, ...] = tuple(range(len(json.loads(question["options"]))))
    if settings["shuffle_options"]:
        order = plans.shuffled(order, seed)
    return Shown(
        {
            "condition": condition.name,
            "video": question["sha256"],
            "start_s": question["start_s"],
            "end_s": question["end_s"],
            "frames": list(frames),
            "times": [round(table.times[index], 6) for index in frames],
            "option_order": list(order),
        },
        question["id"],
    )


def content(workspace: Workspace, item: dict[str, Any], shown: Shown) -> Content:
    """The question as it was shown, options in this person's order, without the key."""
    del item
    with workspace.store.read() as database:
        question = first_row(
            database,
            "SELECT q.uid, r.text, r.options FROM question_revision r"
            " JOIN question q ON q.id = r.question_id WHERE r.id = ?",
            [shown.question_revision_id],
        )
    if question is None:
        raise ValueError("The question of this item is not in the database.")
    facts = shown.facts
    options: list[str] = json.loads(question["options"])
    stage: Grid | Player
    if facts["frames"]:
        hidden = Condition.parse(facts["condition"]).hides_times
        times = [None if hidden else time for time in facts["times"]]
        stage = Grid(facts["video"], tuple(facts["frames"]), tuple(times), _note(facts))
    else:
        stage = Player(facts["video"], facts["start_s"], facts["end_s"])
    return Content(
        label=question["uid"].replace("/", " "),
        stage=stage,
        values={
            "question": question["text"],
            "options": [{"value": i, "text": options[i]} for i in facts["option_order"]],
        },
    )


def _note(facts: dict[str, Any]) -> str:
    wanted = Condition.parse(facts["condition"]).count or 0
    found = len(facts["frames"])
    return "" if found >= wanted else f"{found} of {wanted} frames: the clip has no more."


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The chosen option as its index in the question's own order.

    Raises:
        ValueError: if none of the shown options is chosen.
    """
    choice = response.get("choice")
    if not isinstance(choice, int) or isinstance(choice, bool):
        raise ValueError("No option is chosen. Choose one by its letter.")
    if choice not in shown.facts["option_order"]:
        raise ValueError(f"Option {choice} was not among those shown. Choose one by its letter.")
    return {"choice": choice}


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """The option that most people chose."""
    del settings
    return majority([response.get("choice") for response in responses])


def settled(responses: list[dict[str, Any]], left: int, settings: dict[str, Any]) -> bool:
    """Whether the majority stands whatever comes."""
    del settings
    return majority_settled([response.get("choice") for response in responses], left)


def feedback(response: dict[str, Any], expected: dict[str, Any]) -> tuple[bool, str]:
    """Whether the right option was chosen."""
    right = response.get("choice") == expected.get("choice")
    return right, "Right." if right else "Another option is right."


def distance(first: dict[str, Any], second: dict[str, Any]) -> float | None:
    """0 for the same option, 1 for another."""
    return nominal(first.get("choice"), second.get("choice"))


def key_response(question: dict[str, Any]) -> dict[str, Any]:
    """The response that the question's stored key amounts to."""
    return {"choice": question["key"]}


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The chosen option with its letter in the question's own order."""
    choice = response.get("choice")
    texts = {option["value"]: option["text"] for option in values.get("options", [])}
    return f"{chr(65 + choice)}. {texts[choice]}" if choice in texts else str(choice)
