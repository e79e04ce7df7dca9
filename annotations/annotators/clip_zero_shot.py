"""Questions answered by a CLIP-like model: the option, as a sentence, that the frames look like.

The baseline of ActionAtlas 3.1: each option is made a sentence, and the frames' mean vector
chooses the most similar one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from annotations.annotator import Ask, ModelInput, Outcome, SettingTexts, Setup
from annotations.annotators import _choice, _settings
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import ImageText, ItemError, Kind, Vectors
from core.refusal import Refusal

TITLE = "Options that the frames look like"
TASK_KINDS = ("human_evaluation",)
MODEL_KINDS: tuple[Kind, ...] = ("image_text",)
SETTINGS: dict[str, Any] = {
    "frames_per_s": 1.0, "most_frames": 100, "longest_side": 448, "sentences": {},
    "prompt": "option",
}  # fmt: skip
CHOICES: dict[str, tuple[str, ...]] = {}
RANGES = {
    "frames_per_s": _settings.RATE, "most_frames": _settings.MOST,
    "longest_side": _settings.SIDE,
}  # fmt: skip
WORDS = {
    "frames_per_s": _settings.FRAMES_PER_S,
    "most_frames": _settings.MOST_FRAMES,
    "longest_side": _settings.LONGEST_SIDE,
    "sentences": SettingTexts(
        "Options as sentences",
        "By question, its options as sentences in their order; where a question has none, the "
        "prompt makes them.",
        example='{"count/17": ["A man jumps once.", "A man jumps twice."]}',
    ),
    "prompt": replace(_settings.PROMPT, label="Prompt that makes a sentence of an option"),
}
PROMPTS = {"prompt": "option"}
FIELDS = ("question", "option")
NO_PICTURES = "This task has no pictures or no options. Choose another condition."
SHARPNESS = 100.0  # CLIP's own, learned; only the confidence depends on it
BATCH = 32
FRAMES = 512
RESULT = "answers"
TEXT_KIND = ""


@dataclass(frozen=True)
class Ready:
    """The model and how it is asked."""

    model: ImageText
    setup: Setup


def usual_task(workspace: Workspace) -> int | None:
    """None: the condition has to be named."""
    del workspace


def refuses(task: Task) -> str:
    """A task without pictures or options."""
    shows = task.settings.get("condition") != "text only" and not task.settings.get("free_text")
    return "" if shows else NO_PICTURES


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings; `sentences` has, by question, its options as sentences: {uid: [...]}.

    Raises:
        ValueError: for a setting that is not allowed, or a task without pictures or options.
    """
    del kind
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    if why := refuses(task):
        raise Refusal(why)
    return complete


def label(settings: dict[str, Any]) -> str:
    """That it is zero-shot, with the template unless sentences were given."""
    if settings["sentences"]:
        return "zero-shot on given sentences"
    name = settings["prompt"].rsplit("/", 1)[-1].removesuffix(".txt").replace("_", " ")
    return "zero-shot" if name == "option" else f"zero-shot, {name}"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The frames and the options, each as a sentence.

    Raises:
        ValueError: if the item cannot be shown, or too few sentences were given for it.
    """
    asked = _choice.ask_choice(workspace, task, item, seed, setup)
    uid = str(item.uid).removeprefix("question:")
    sentences = setup.settings["sentences"].get(uid)
    return replace(asked, about={**asked.about, "sentences": _sentences(asked, setup, sentences)})


def _sentences(asked: Ask, setup: Setup, sentences: Sequence[str] | None) -> list[str]:
    options = _choice.options_of(asked)
    if sentences is not None:
        if len(sentences) < len([option for option in options if isinstance(option["value"], int)]):
            raise Refusal(f"{len(sentences)} sentences were given for {len(options)} options")
        return [
            sentences[option["value"]] if isinstance(option["value"], int) else option["text"]
            for option in options
        ]
    template, question = setup.prompts["prompt"], asked.about["question"]
    return [
        template.fill({"question": question, "option": option["text"]})[1] for option in options
    ]


def prepare(model: ImageText, setup: Setup) -> Ready:
    """The model."""
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """The option most similar to the mean of the frames; its similarity is the score."""
    frames = [item.frames for item in batch if item.frames is not None]
    sentences = [cast("list[str]", item.ask.about["sentences"]) for item in batch]
    images = ready.model.embed_images(frames)
    texts = ready.model.embed_texts([item for several in sentences for item in several])
    by_clip = np.split(images, np.cumsum([len(item) for item in frames])[:-1])
    by_item = np.split(texts, np.cumsum([len(item) for item in sentences])[:-1])
    return [
        _outcome(item.ask, pictures, options)
        for item, pictures, options in zip(batch, by_clip, by_item, strict=True)
    ]


def _outcome(ask: Ask, pictures: Vectors, options: Vectors) -> Outcome | ItemError:
    mean = pictures.mean(axis=0)
    length = float(np.linalg.norm(mean)) or 1.0
    similarities = options @ (mean / length)
    outcome = _choice.by_probability(ask, _choice.softmax(similarities, SHARPNESS), "most similar")
    if isinstance(outcome, ItemError):
        return outcome
    return replace(outcome, reply=None, score=round(float(similarities.max()), 6))
