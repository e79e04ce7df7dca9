"""Questions answered from their words alone: what is solved so does not need the video.

Several runs, of several models or of one model more than once, are the deaf-blind filter: see
`annotations.engine.deaf_blind`. Each time of the same model has another order of options.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotations.annotator import Ask, ModelInput, Outcome, SettingTexts, Setup
from annotations.annotators import _choice, _settings
from annotations.annotators._settings import GENERATE, SCORE
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.run.runs import condition_task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import Chat, Embedding, ItemError, Kind, ModelError, Request
from core.refusal import Refusal

TITLE = "Answers from the text alone"
TASK_KINDS = ("human_evaluation",)
MODEL_KINDS: tuple[Kind, ...] = ("text", "chat", "embedding")
CONDITION = "text only"
MORE_THAN_TEXT = "This task shows more than text. Choose one of the condition 'text only'."
SETTINGS: dict[str, Any] = {"answer": SCORE, "time": 1, "max_tokens": 512, "prompt": "text_only"}
CHOICES = {"answer": (SCORE, GENERATE)}
RANGES = {"time": (1, 99), "max_tokens": _settings.TOKENS}
WORDS = {
    "answer": SettingTexts(
        "How it answers",
        "By probability: the likeliest of the options' letters, in one pass. Written: a reply that "
        "is read by rules. An embedding model always takes the option nearest to the question.",
        ("By probability of the letters", "In a written reply"),
    ),
    "time": SettingTexts(
        "Which time",
        "2 asks the same model once more, with the options in another order; the deaf-blind filter "
        "wants three times.",
    ),
    "max_tokens": replace(_settings.MAX_TOKENS, when=("answer", (GENERATE,))),
    "prompt": _settings.PROMPT,
}
PROMPTS = {"prompt": "text_only"}
FIELDS = _choice.FIELDS
SHARPNESS = 20.0  # of cosine similarities, to make shares of them
BATCH = 32
FRAMES = 1
RESULT = "answers"
TEXT_KIND = ""


@dataclass(frozen=True)
class Ready:
    """The model and how it is asked."""

    model: Any
    setup: Setup


def usual_task(workspace: Workspace) -> int | None:
    """The task of the condition 'text only'."""
    return condition_task(workspace, CONDITION)


def refuses(task: Task) -> str:
    """A task that shows more than text, or has no options."""
    settings = task.settings
    fits = settings.get("condition") == CONDITION and not settings.get("free_text")
    return "" if fits else MORE_THAN_TEXT


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: prompt, 'score' or 'generate', and which `time` of the same model it is.

    Raises:
        ValueError: for a setting that is not allowed, or a task that shows more than text.
    """
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    if why := refuses(task):
        raise Refusal(why)
    return {**complete, "answer": SCORE} if kind == "embedding" else complete


def label(settings: dict[str, Any]) -> str:
    """The prompt and which time it is."""
    name = settings["prompt"].rsplit("/", 1)[-1].removesuffix(".txt").replace("_", " ")
    written = ", written" if settings["answer"] == GENERATE else ""
    return f"{name}{written}" + (f", time {settings['time']}" if settings["time"] > 1 else "")


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The words of the question."""
    return _choice.ask_choice(workspace, task, item, seed, setup)


def prepare(model: Any, setup: Setup) -> Ready:
    """The model, if it can do what is asked of it.

    Raises:
        ModelError: if it gives no probabilities but is to score.
    """
    if setup.kind != "embedding" and setup.settings["answer"] == SCORE and not model.scores:
        raise ModelError(
            f"{model.name} gives no probabilities of words. Let it write: set answer=generate."
        )
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """The chosen options; by an embedding model the one whose words are nearest the question."""
    asks = [item.ask for item in batch]
    if ready.setup.kind == "embedding":
        return _nearest(ready.model, asks)
    model: Chat = ready.model
    filled = [_choice.filled(ask, ready.setup) for ask in asks]
    requests = [Request(text, None, system) for system, text in filled]
    if ready.setup.settings["answer"] == SCORE:
        scores = model.score(requests, [_choice.letters_of(ask) for ask in asks])
        return [_choice.by_probability(*pair) for pair in zip(asks, scores, strict=True)]
    replies = model.generate(requests, ready.setup.settings["max_tokens"])
    return [_choice.by_reply(*pair) for pair in zip(asks, replies, strict=True)]


def _nearest(model: Embedding, asks: Sequence[Ask]) -> list[Outcome | ItemError]:
    texts = [[option["text"] for option in _choice.options_of(ask)] for ask in asks]
    option_texts = [option for several in texts for option in several]
    vectors = model.embed([*(ask.about["question"] for ask in asks), *option_texts])
    questions, options = vectors[: len(asks)], vectors[len(asks) :]
    parts = np.split(options, np.cumsum([len(option) for option in texts])[:-1])
    return [
        _choice.by_probability(ask, _choice.softmax(part @ question, SHARPNESS), "nearest text")
        for ask, question, part in zip(asks, questions, parts, strict=True)
    ]
