"""Questions with options as a model is asked them, and what its answer amounts to."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from annotations import task as tasks
from annotations.annotator import Ask, Outcome, Setup, facts_with, probabilities
from annotations.annotators._frames import by_rate, wanted, words
from annotations.record.item import Item
from annotations.record.stage import Content, Grid, Player
from annotations.record.task import Task
from annotations.task import Shown
from annotations.workspace import Workspace
from core.model import ItemError, Reply
from core.refusal import Refusal
from core.reply.reading import LETTERS, read
from core.reply.result import Reading

FIELDS = ("question", "options", "descriptions", "letters", "shown")
UNREAD: dict[str, Any] = {"choice": None}


def content_of(workspace: Workspace, task: Task, item: Item, seed: str) -> tuple[Shown, Content]:
    """What a person would be shown of an item: the same frames by the same function.

    Raises:
        ValueError: if nobody can be shown it.
    """
    kind = tasks.kind(task.kind)
    shown = kind.show(workspace, item, task.settings, seed)
    return shown, kind.content(workspace, item, shown)


def ask_choice(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """A question with its options in the order shown and the frames that people see.

    Of the moving video a model sees frames at a rate, `frames_per_s`, at most `most_frames`.

    Raises:
        ValueError: if the item cannot be shown.
    """
    shown, content = content_of(workspace, task, item, seed)
    settings, stage = setup.settings, content.stage
    need = None
    if isinstance(stage, Player):
        rate, most_frames = settings["frames_per_s"], settings["most_frames"]
        span = (stage.start_s, stage.end_s)
        frames, times = by_rate(workspace, stage.sha256, *span, rate, most_frames)
        seen = {"frames": list(frames), "times": times, "frames_per_s": rate}
        shown = facts_with(shown, seen)
        need = wanted(workspace, stage.sha256, frames, longest_side=settings["longest_side"])
    elif isinstance(stage, Grid):
        side = settings["longest_side"]
        need = wanted(workspace, stage.sha256, stage.frames, longest_side=side)
    elif stage is not None:
        raise Refusal("a model cannot be shown this kind of item")
    about = {
        "question": content.values["question"],
        "options": content.values["options"],
        "in_order": isinstance(stage, Player) or (need is not None and _in_order(stage)),
    }
    return Ask(int(item.id), shown, about, need)


def _in_order(stage: object) -> bool:
    """Whether the times of the frames may be told: people see them then, too."""
    return isinstance(stage, Grid) and None not in stage.times


def filled(ask: Ask, setup: Setup, purpose: str = "prompt", frames: int = 0) -> tuple[str, str]:
    """System prompt and prompt for a question."""
    options = options_of(ask)
    labels = LETTERS[: len(options)]
    lines = [f"{label}. {option['text']}" for label, option in zip(labels, options, strict=True)]
    described = [
        f"- {option['text']}: {option['description']}"
        for option in options
        if option.get("description")
    ]
    values = {
        "question": ask.about["question"],
        "options": "\n".join(lines),
        "descriptions": "\n".join(described) or "(no descriptions)",
        "letters": listed(labels) if labels else "",
        "shown": words(frames, ask.shown.facts),
    }
    return setup.prompts[purpose].fill(values)


def listed(labels: Sequence[str]) -> str:
    """'A, B or C'."""
    *labels_before, final = labels
    return f"{', '.join(labels_before)} or {final}" if labels_before else final


def options_of(ask: Ask) -> list[dict[str, Any]]:
    """The options in the order shown, each {"value", "text", "description"}."""
    return cast("list[dict[str, Any]]", ask.about["options"])


def letters_of(ask: Ask) -> tuple[str, ...]:
    """The letters that stand before the options."""
    return tuple(LETTERS[: len(options_of(ask))])


def by_probability(
    ask: Ask, values: Sequence[float] | ItemError, rule: str = "first word"
) -> Outcome | ItemError:
    """The most probable option; several that are equally probable choose none."""
    if isinstance(values, ItemError):
        return values
    shares = np.asarray(values, float)
    options = options_of(ask)
    if len(shares) != len(options) or not np.isfinite(shares).all():
        return ItemError("no answer", f"got {len(shares)} numbers for {len(options)} options")
    confidence = probabilities([option["value"] for option in options], shares.tolist())
    best = int(shares.argmax())
    score = round(float(shares[best]), 6)
    if len(shares) > 1 and (shares == shares[best]).sum() > 1:
        reading = Reading(None, "several", rule, "several options are equally probable")
        return Outcome(reading, UNREAD, confidence=confidence, score=score)
    explanation = f"{LETTERS[best]} is the most probable of {len(options)} ({score:.2f})"
    response = {"choice": options[best]["value"]}
    reading = Reading(best, "read", rule, explanation)
    return Outcome(reading, response, None, LETTERS[best], confidence, score)


def by_reply(ask: Ask, reply: Reply | ItemError) -> Outcome | ItemError:
    """What a written reply chooses by the rules; one that none reads chooses nothing."""
    if isinstance(reply, ItemError):
        return reply
    if ask.shown.facts.get("free_text"):
        return _free(reply.text)
    options = options_of(ask)
    reading = read(reply.text, [option["text"] for option in options], finished=reply.finished)
    choice = None if reading.choice is None else options[reading.choice]["value"]
    return Outcome(reading, {"choice": choice}, reply=reply.text)


def _free(text: str) -> Outcome | ItemError:
    written = text.strip()
    if not written:
        return ItemError("no answer", "the reply is empty")
    return Outcome(Reading(None, "read", "free text", "as written"), {"text": written}, reply=text)


def softmax(values: Sequence[float], sharpness: float) -> list[float]:
    """Shares that sum to 1, of numbers multiplied by a sharpness."""
    scaled = np.asarray(values, float) * sharpness
    powers = np.exp(scaled - scaled.max())
    return (powers / powers.sum()).tolist()
