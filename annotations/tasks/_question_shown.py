"""A question as one person sees it: frames, order of the options, what stands below them."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from annotations.condition import Condition
from annotations.media import Media
from annotations.record.item import Item
from annotations.record.question import Question, accepted_options
from annotations.record.shown import Shown
from annotations.record.stage import Content, Grid, Player
from annotations.tasks.frame_picking import handpicked_frame
from annotations.workspace import Workspace
from core.question.options import drawn_order
from core.refusal import Refusal

NONE_RIGHT, CANNOT_TELL = "none_right", "cannot_tell"
SEVERAL = "several"  # whether any number of options may be chosen
EXTRA = {NONE_RIGHT: "None of these is right.", CANNOT_TELL: "I cannot tell."}


def shown_question(
    workspace: Workspace,
    item: Item,
    question: dict[str, Any] | None,
    settings: dict[str, Any],
    seed: str,
) -> Shown:
    """Frames and order of options by a task's complete settings.

    Raises:
        Refusal: if the question's video is not usable, or nobody can be asked under the condition.
    """
    condition = Condition.parse(settings["condition"])
    if condition.is_objects:
        raise Refusal(
            "The names of objects are not kept here, so nobody can be asked with them alone. "
            "Import what models answered."
        )
    usable = question is not None and (condition.is_text or question["status"] == "usable")
    if question is None or not usable:
        raise Refusal(f"{item.uid}: its video is not usable.")
    facts = {
        "condition": condition.name,
        **_what_is_shown(workspace, item, question, condition),
        **_how_it_is_answered(settings, question, seed),
    }
    return Shown(facts, question["id"])


def _what_is_shown(
    workspace: Workspace, item: Item, question: dict[str, Any], condition: Condition
) -> dict[str, Any]:
    if condition.is_text:
        return {"frames": [], "times": []}
    sha256, clip = question["sha256"], (question["start_s"], question["end_s"])
    if condition.is_handpicked:
        available = workspace.media.frames_between(sha256, *clip)
        frames = (handpicked_frame(workspace, item.question_id or 0, sha256, available),)
        times = _times(workspace.media, sha256, frames)
    else:
        frames, times = _frames_and_times(
            workspace.media, sha256, *clip, condition, question["uid"]
        )
    return {
        "video": sha256,
        "start_s": clip[0],
        "end_s": clip[1],
        "frames": list(frames),
        "times": list(times),
    }


@lru_cache(maxsize=8192)
def _frames_and_times(
    media: Media, sha256: str, start_s: float, end_s: float | None, condition: Condition, uid: str
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The frames of a clip under a condition, and their times: the same for everybody."""
    available = media.frames_between(sha256, start_s, end_s)
    frames = condition.frames(available, f"{condition.name}/{uid}")
    return frames, _times(media, sha256, frames)


def _times(media: Media, sha256: str, frames: Sequence[int]) -> tuple[float, ...]:
    times = media.frame_table(sha256).times
    return tuple(round(times[index], 6) for index in frames)


def _how_it_is_answered(
    settings: dict[str, Any], question: dict[str, Any], seed: str
) -> dict[str, Any]:
    """Free text, or the order of the options with their descriptions and what stands below them.

    Whether several options may be chosen is told, how many are right is not.
    """
    options: list[str] = json.loads(question["options"])
    extra = [name for name in EXTRA if settings[name]]
    if settings["free_text"]:
        return {"free_text": True, "extra": extra}
    order: tuple[int, ...] = tuple(range(len(options)))
    if settings["shuffle_options"]:
        order = drawn_order(options, seed)
    descriptions = {
        folded(described_option): text
        for described_option, text in settings["descriptions"].items()
    }
    described = {
        str(i): descriptions[folded(option)]
        for i, option in enumerate(options)
        if folded(option) in descriptions
    }
    facts: dict[str, Any] = {"option_order": list(order)}
    facts |= {"extra": extra} if extra else {}
    if question["key"] is None and accepted_options(options, json.loads(question["reference"])):
        facts[SEVERAL] = True
    return facts | ({"descriptions": described} if described else {})


def folded(text: str) -> str:
    """A text without what makes no difference: case, blanks, a full stop."""
    return " ".join(text.casefold().split()).rstrip(".")


def content_of(question: Question, shown: Shown) -> Content:
    """What the desk draws of a question as it was shown, without the key."""
    facts = shown.facts
    options = question.options
    stage: Grid | Player | None
    if Condition.parse(facts["condition"]).is_text:
        stage = None
    elif facts["frames"]:
        hidden = Condition.parse(facts["condition"]).hides_times
        times = [None if hidden else time for time in facts["times"]]
        stage = Grid(facts["video"], tuple(facts["frames"]), tuple(times), _note(facts))
    else:
        stage = Player(facts["video"], facts["start_s"], facts["end_s"])
    return Content(
        label=question.uid.replace("/", " "),
        stage=stage,
        values={
            "question": question.text,
            "options": [*_options(options, facts), *_extra(facts)],
            **({SEVERAL: True} if facts.get(SEVERAL) else {}),
        },
    )


def _options(options: Sequence[str], facts: dict[str, Any]) -> list[dict[str, Any]]:
    """The options in the order shown; none for free text."""
    described = facts.get("descriptions", {})
    return [
        {"value": i, "text": options[i], "description": described.get(str(i), "")}
        for i in facts.get("option_order", ())
    ]


def _extra(facts: dict[str, Any]) -> list[dict[str, Any]]:
    alone = {"alone": True} if facts.get(SEVERAL) else {}
    return [{"value": name, "text": EXTRA[name], **alone} for name in facts.get("extra", ())]


def _note(facts: dict[str, Any]) -> str:
    wanted = Condition.parse(facts["condition"]).count or 0
    shown_count = len(facts["frames"])
    return (
        "" if shown_count >= wanted else f"{shown_count} of {wanted} frames: the clip has no more."
    )
