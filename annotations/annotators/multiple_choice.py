"""Questions with options, answered under the task's condition from the frames that people see.

By default only the first word's probabilities are asked for, in one pass; with a template for
thinking aloud, or on request, a reply is written and read by the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotations.annotator import Ask, ModelInput, Outcome, SettingTexts, Setup
from annotations.annotators import _choice, _settings
from annotations.annotators._settings import AUTO, GENERATE, SCORE
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import Chat, ItemError, Kind, ModelError, Request
from core.refusal import Refusal

TITLE = "Answers to questions"
TASK_KINDS = ("human_evaluation",)
MODEL_KINDS: tuple[Kind, ...] = ("chat", "text")
SETTINGS: dict[str, Any] = {
    "answer": AUTO, "frames_per_s": 1.0, "most_frames": 100, "longest_side": 448,
    "max_tokens": 512, "prompt": "plain",
}  # fmt: skip
CHOICES = {"answer": (AUTO, SCORE, GENERATE)}
RANGES = {
    "frames_per_s": _settings.RATE, "most_frames": _settings.MOST,
    "longest_side": _settings.SIDE, "max_tokens": _settings.TOKENS,
}  # fmt: skip
WORDS = {
    "answer": SettingTexts(
        "How it answers",
        "By probability: the likeliest of the options' letters, in one pass. Written: a reply that "
        "is read by rules. As the prompt asks: written for prompts that let the model think aloud "
        "and for questions without options, else by probability.",
        ("As the prompt asks", "By probability of the letters", "In a written reply"),
    ),
    "frames_per_s": _settings.FRAMES_PER_S,
    "most_frames": _settings.MOST_FRAMES,
    "longest_side": _settings.LONGEST_SIDE,
    "max_tokens": replace(_settings.MAX_TOKENS, when=("answer", (AUTO, GENERATE))),
    "prompt": _settings.PROMPT,
}
PROMPTS = {"prompt": "plain"}
THINKING = ("chain_of_thought",)
FREE_TEXT = "free_text"
FIELDS = _choice.FIELDS
BATCH = 16
FRAMES = 256
RESULT = "answers"
TEXT_KIND = ""


@dataclass(frozen=True)
class Ready:
    """The model and how it is asked."""

    model: Chat
    setup: Setup


def usual_task(workspace: Workspace) -> int | None:
    """None: the condition has to be named."""
    del workspace


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: prompt, how it answers, and frames of the moving video.

    For 'auto', templates for thinking aloud and tasks without options generate; the latter have a
    template of their own.

    Raises:
        ValueError: for a setting that is not allowed, or a model that sees no pictures.
    """
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    free = bool(task.settings.get("free_text"))
    usual = GENERATE if free or complete["prompt"] in THINKING else SCORE
    answer = usual if complete["answer"] == AUTO else complete["answer"]
    if free and answer == SCORE:
        raise Refusal(
            f"Setting answer is {answer!r}; without options, allowed: {AUTO}, {GENERATE}."
        )
    if kind == "text" and task.settings.get("condition") != "text only":
        raise Refusal("A language model sees no pictures. Choose the condition 'text only'.")
    prompt = FREE_TEXT if free and complete["prompt"] == PROMPTS["prompt"] else complete["prompt"]
    return {**complete, "answer": answer, "prompt": prompt}


def label(settings: dict[str, Any]) -> str:
    """The prompt, and whether a reply is written where usually none is."""
    name = settings["prompt"].rsplit("/", 1)[-1].removesuffix(".txt").replace("_", " ")
    written = settings["answer"] == GENERATE and settings["prompt"] not in (*THINKING, FREE_TEXT)
    return f"{name}, written" if written else name


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The question as a person would be shown it."""
    return _choice.ask_choice(workspace, task, item, seed, setup)


def prepare(model: Chat, setup: Setup) -> Ready:
    """The model, if it can do what is asked of it.

    Raises:
        ModelError: if it gives no probabilities but is to score.
    """
    if setup.settings["answer"] == SCORE and not model.scores:
        raise ModelError(
            f"{model.name} gives no probabilities of words. Let it write: set answer=generate."
        )
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """The chosen options with their probabilities, or the replies as they are read."""
    requests = [_request(ready, item) for item in batch]
    asks = [item.ask for item in batch]
    if ready.setup.settings["answer"] == SCORE:
        scores = ready.model.score(requests, [_choice.letters_of(ask) for ask in asks])
        return [_choice.by_probability(*pair) for pair in zip(asks, scores, strict=True)]
    replies = ready.model.generate(requests, ready.setup.settings["max_tokens"])
    return [_choice.by_reply(*pair) for pair in zip(asks, replies, strict=True)]


def _request(ready: Ready, item: ModelInput) -> Request:
    count = 0 if item.frames is None else len(item.frames)
    if count and not ready.model.sees:
        raise ModelError(f"{ready.model.name} sees no pictures. Choose the condition 'text only'.")
    system, text = _choice.filled(item.ask, ready.setup, frames=count)
    in_order = bool(item.ask.about["in_order"]) and count > 1
    times = item.times if in_order else ()
    return Request(text, item.frames, system, times, as_video=in_order)
