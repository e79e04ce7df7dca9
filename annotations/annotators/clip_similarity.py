"""Footage is kept where its frames look like a text: cosine similarity by a CLIP-like model.

ActionAtlas 2.4 throws away what is below 0.1 for the name of its domain.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations.annotator import Ask, ModelInput, Outcome, SettingTexts, Setup, facts_with
from annotations.annotators import _settings
from annotations.annotators._footage import footage_task, reason_for, shown_clip, verdict
from annotations.annotators._frames import even, wanted
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import ImageText, ItemError, Kind, Vectors
from core.refusal import Refusal
from core.reply.result import Reading

TITLE = "Similarity of frames to a text"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("image_text",)
MEAN, MAX = OVER = ("mean", "max")
SETTINGS: dict[str, Any] = {
    "text": "", "over": MEAN, "threshold": 0.1, "frames": 16, "longest_side": 448, "reason": "",
}  # fmt: skip
CHOICES = {"over": OVER}
RANGES = {
    "threshold": (-1, 1), "frames": _settings.MOST, "longest_side": _settings.SIDE
}  # fmt: skip
WORDS = {
    "text": SettingTexts(
        "What the footage is to look like",
        "The frames are compared with these words, such as the name of the domain.",
        example="ice hockey",
    ),
    "over": SettingTexts(
        "A clip's similarity is",
        "The mean asks that most of the clip looks like the text; the best frame that some of it "
        "does.",
        ("The mean of its frames", "Its best frame"),
    ),
    "threshold": SettingTexts(
        "Accepted from",
        "The cosine similarity from which a clip is accepted, -1 to 1. It can be moved afterwards.",
    ),
    "frames": SettingTexts("Frames of a clip", "So many, evenly from start to end."),
    "longest_side": _settings.LONGEST_SIDE,
    "reason": _settings.REASON,
}
PROMPTS: dict[str, str] = {}
FIELDS: tuple[str, ...] = ()
BATCH = 32
FRAMES = 512
RESULT = "answers"
TEXT_KIND = ""


@dataclass(frozen=True)
class Ready:
    """The model with the vector of the text (D,)."""

    model: ImageText
    text: Vectors
    setup: Setup


def usual_task(workspace: Workspace) -> int | None:
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: text, threshold, 'mean' or 'max' over how many frames, reason of a rejection.

    Raises:
        ValueError: without a text, or for a setting that is not allowed.
    """
    del kind
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    if not complete["text"].strip():
        raise Refusal("Setting text is empty. Say what the footage is to look like.")
    return {**complete, "reason": reason_for(task, complete["reason"])}


def label(settings: dict[str, Any]) -> str:
    """The text."""
    return f"similarity to “{settings['text']}”"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """Evenly spread frames of the clip.

    Raises:
        ValueError: if there are none.
    """
    shown, clip = shown_clip(workspace, task, item, seed)
    span = (clip.start_s, clip.end_s)
    frames, times = even(workspace, clip.sha256, *span, setup.settings["frames"])
    need = wanted(workspace, clip.sha256, frames, longest_side=setup.settings["longest_side"])
    seen = {"frames": list(frames), "times": times}
    return Ask(int(item.id), facts_with(shown, seen), {}, need)


def prepare(model: ImageText, setup: Setup) -> Ready:
    """The text's vector."""
    return Ready(model, model.embed_texts([setup.settings["text"]])[0], setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """Accept at or above the threshold, else reject; the similarity is the score, -1 to 1."""
    frames = [item.frames for item in batch if item.frames is not None]
    vectors = ready.model.embed_images(frames)
    ends = np.cumsum([len(item) for item in frames])[:-1]
    parts = np.split(vectors @ ready.text, ends)
    return [_outcome(ready.setup.settings, part) for part in parts]


def _outcome(settings: dict[str, Any], similarities: Vectors) -> Outcome | ItemError:
    over = similarities.max() if settings["over"] == MAX else similarities.mean()
    score = round(float(over), 6)
    if not np.isfinite(score):
        return ItemError("no answer", "the similarity is not a number")
    accepted = score >= settings["threshold"]
    relation = "not below" if accepted else "below"
    explanation = (
        f"similarity {score:.3f} to “{settings['text']}”, {relation} {settings['threshold']:g}"
    )
    reading = Reading(None, "read", "threshold", explanation)
    return Outcome(reading, verdict(accepted, [settings["reason"]], explanation), score=score)
