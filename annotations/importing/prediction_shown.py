"""What an imported model was shown, as far as its condition tells it."""

from collections.abc import Sequence
from typing import Any

from annotations import task as tasks
from annotations.condition import Condition
from annotations.question.stored_questions import StoredQuestion
from annotations.record.item import Item
from annotations.workspace import Workspace
from core.refusal import Refusal

KIND = "human_evaluation"
UNKNOWN = "frames_unknown"
DRAWN = "the frames were drawn at random, and the file does not say which"
NOT_HERE = "the video is not here"

# What people are shown beside the options, and the file says nothing of.
_OF_PEOPLE = ("extra", "descriptions", "free_text")


def as_shown(
    workspace: Workspace, question: StoredQuestion, condition: str, order: Sequence[int]
) -> dict[str, Any]:
    """Condition, order of the options, and where the condition gives them video, frames, times.

    Frames are those that people are shown under the condition. Where they cannot be told they are
    left out and `frames_unknown` says why in words.
    """
    parsed = Condition.parse(condition)
    facts: dict[str, Any] = {"condition": parsed.name}
    facts |= {"option_order": list(order)} if question.options else {}
    settings = {"condition": parsed.name, "free_text": not question.options}
    if parsed.order in ("random", "shuffled"):
        return facts | {UNKNOWN: DRAWN}
    if not question.usable and not parsed.is_text:
        return facts | {UNKNOWN: NOT_HERE}
    item = Item(
        id=0, task_id=0, uid=f"question:{question.uid}", question_id=question.question_id,
        video_id=question.video_id, payload={},
    )  # fmt: skip
    try:
        shown = tasks.kind(KIND).show(workspace, item, settings, question.uid)
    except Refusal as error:
        return facts | {UNKNOWN: str(error)}
    known = {name: value for name, value in shown.facts.items() if name not in _OF_PEOPLE}
    return known | facts
