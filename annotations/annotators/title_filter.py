"""Footage is kept by its title and description, before anybody opens it.

A language model says yes or no; an embedding model gives the similarity of title and text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations.annotator import (
    Ask,
    ModelInput,
    Outcome,
    SettingTexts,
    Setup,
    facts_with,
    probabilities,
)
from annotations.annotators import _settings
from annotations.annotators._footage import (
    footage_task,
    reason_for,
    shown_clip,
    title_and_description,
    verdict,
)
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import ItemError, Kind, ModelError, Request
from core.refusal import Refusal
from core.reply.result import Reading

TITLE = "Filter by title and description"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("text", "chat", "embedding")
YES_NO = ("yes", "no")
USUAL = {"embedding": 0.3}
SETTINGS: dict[str, Any] = {"text": "", "threshold": None, "reason": "", "prompt": "title_filter"}
CHOICES: dict[str, tuple[str, ...]] = {}
RANGES = {"threshold": (-1, 1)}
WORDS = {
    "text": SettingTexts(
        "What the videos are to be about",
        "Title and description are held against these words.",
        example="a dog that reacts to something",
    ),
    "threshold": SettingTexts(
        "Accepted from",
        "Of a language model the probability of yes (0.5 if left open), of an embedding model the "
        "similarity (0.3). It can be moved afterwards.",
    ),
    "reason": _settings.REASON,
    "prompt": _settings.PROMPT,
}
PROMPTS = {"prompt": "title_filter"}
FIELDS = ("text", "title", "description")
BATCH = 64
FRAMES = 1
RESULT = "answers"
TEXT_KIND = ""


@dataclass(frozen=True)
class Ready:
    """The model, for an embedding model with the vector of the text (D,)."""

    model: Any
    setup: Setup
    text: Any = None


def usual_task(workspace: Workspace) -> int | None:
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: what is wanted, the threshold, and the reason of a rejection.

    The threshold is a probability of yes (0.5 if not given), or a similarity (0.3).

    Raises:
        ValueError: without a text, or for a setting that is not allowed.
    """
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    if not complete["text"].strip():
        raise Refusal("Setting text is empty. Say what the videos are to be about.")
    threshold = USUAL.get(kind, 0.5) if complete["threshold"] is None else complete["threshold"]
    reason = reason_for(task, complete["reason"])
    return {**complete, "threshold": float(threshold), "reason": reason}


def label(settings: dict[str, Any]) -> str:
    """The text."""
    return f"titles about “{settings['text']}”"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The title and the description."""
    shown, _ = shown_clip(workspace, task, item, seed)
    title, description = title_and_description(workspace, item)
    texts = {"title": title, "description": description}
    return Ask(int(item.id), facts_with(shown, {"frames": [], **texts}), texts)


def prepare(model: Any, setup: Setup) -> Ready:
    """The model; for an embedding model with the text's vector.

    Raises:
        ModelError: if a language model gives no probabilities.
    """
    if setup.kind == "embedding":
        return Ready(model, setup, model.embed([setup.settings["text"]])[0])
    if not model.scores:
        raise ModelError(f"{model.name} gives no probabilities of words; a filter needs them.")
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """Accept at or above the threshold, else reject; probability or similarity is the score."""
    settings = ready.setup.settings
    if ready.setup.kind == "embedding":
        vectors = ready.model.embed([_text(item.ask) for item in batch])
        return [_outcome(settings, float(score), None) for score in vectors @ ready.text]
    filled = [_filled(ready.setup, item.ask) for item in batch]
    requests = [Request(text, None, system) for system, text in filled]
    scores = ready.model.score(requests, [YES_NO] * len(requests))
    return [
        item if isinstance(item, ItemError) else
        _outcome(settings, item[0], probabilities(("accept", "reject"), item)) for item in scores
    ]  # fmt: skip


def _text(ask: Ask) -> str:
    return ". ".join(part for part in (ask.about["title"], ask.about["description"]) if part)


def _filled(setup: Setup, ask: Ask) -> tuple[str, str]:
    description = ask.about["description"] or "(none)"
    values = {"text": setup.settings["text"], "title": ask.about["title"]}
    return setup.prompts["prompt"].fill({**values, "description": description})


def _outcome(
    settings: dict[str, Any], score: float, confidence: dict[str, float] | None
) -> Outcome | ItemError:
    if not np.isfinite(score):
        return ItemError("no answer", "the score is not a number")
    accepted = score >= settings["threshold"]
    what = "similarity" if confidence is None else "probability"
    relation = "not below" if accepted else "below"
    explanation = f"{what} {score:.3f} by its title, {relation} {settings['threshold']:g}"
    response = verdict(accepted, [settings["reason"]], explanation)
    reading = Reading(None, "read", "threshold", explanation)
    return Outcome(reading, response, confidence=confidence, score=round(score, 6))
