"""What is seen in each of eight frames, in words: UTD's descriptions (section 3.3.1).

The frames are those in the middle of eight equal parts of the clip; the model sees one at a time.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.annotator import (
    Ask,
    ModelInput,
    Outcome,
    SettingTexts,
    Setup,
    TextLine,
    facts_with,
)
from annotations.annotators import _settings
from annotations.annotators._footage import footage_task, shown_clip
from annotations.annotators._frames import wanted
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import Chat, ItemError, Kind, Request
from core.refusal import Refusal
from core.reply.result import Reading

TITLE = "Descriptions of frames"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("chat",)
SETTINGS: dict[str, Any] = {
    "frames": 8, "longest_side": 672, "max_tokens": 320, "prompt": "frame_description",
}  # fmt: skip
CHOICES: dict[str, tuple[str, ...]] = {}
RANGES = {"frames": (1, 64), "longest_side": _settings.SIDE, "max_tokens": _settings.TOKENS}
WORDS = {
    "frames": SettingTexts(
        "Frames", "How many frames are described; the bias of a set asks for eight."
    ),
    "longest_side": _settings.LONGEST_SIDE,
    "max_tokens": _settings.MAX_TOKENS,
    "prompt": _settings.PROMPT,
}
PROMPTS = {"prompt": "frame_description"}
FIELDS: tuple[str, ...] = ()
BATCH = 32
FRAMES = 256
RESULT = "texts"
TEXT_KIND = "description"


@dataclass(frozen=True)
class Ready:
    """The model, what it is told, and the longest reply."""

    model: Chat
    system: str
    text: str
    max_tokens: int


def usual_task(workspace: Workspace) -> int | None:
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: how many frames, their size, and the longest reply.

    Raises:
        ValueError: for one that is not allowed.
    """
    del task, kind
    return completed(settings, SETTINGS, CHOICES, RANGES)


def label(settings: dict[str, Any]) -> str:
    """How many frames are described."""
    return f"descriptions of {settings['frames']} frames"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The frames on screen in the middle of equal parts of the clip.

    Raises:
        Refusal: if the clip holds no frame.
    """
    shown, clip = shown_clip(workspace, task, item, seed)
    available = workspace.media.frames_between(clip.sha256, clip.start_s, clip.end_s)
    if not available:
        raise Refusal("the clip holds no frame")
    table = workspace.media.frame_table(clip.sha256)
    end_s = table.duration_s if clip.end_s is None else clip.end_s
    times = [table.times[index] for index in available]
    frames = tuple(
        available[at] for at in centres(times, clip.start_s, end_s, setup.settings["frames"])
    )
    need = wanted(
        workspace, clip.sha256, frames, longest_side=setup.settings["longest_side"]
    )  # fmt: skip
    seen = {"frames": list(frames), "times": [round(table.times[n], 6) for n in frames]}
    return Ask(item.id, facts_with(shown, seen), {}, need)


def centres(times: Sequence[float], start_s: float, end_s: float, count: int) -> list[int]:
    """Positions of the frames on screen at the centres of equal parts of a span.

    A short clip may give one frame several times, so that there are always as many.

    Args:
        times: of the span's frames, s, ascending; at least one.
        count: how many parts.
    """
    part = max(0.0, end_s - start_s) / count
    moments = (start_s + (number + 0.5) * part for number in range(count))
    return [max(0, bisect_right(times, moment + 1e-6) - 1) for moment in moments]


def prepare(model: Chat, setup: Setup) -> Ready:
    """The model and its prompt."""
    system, text = setup.prompts["prompt"].fill({})
    return Ready(model, system, text, setup.settings["max_tokens"])


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """A line for each frame; a frame that could not be described costs its video."""
    requests = [
        Request(ready.text, image[None], ready.system, (time,), as_video=False)
        for item in batch
        if item.frames is not None
        for time, image in zip(item.times, item.frames, strict=True)
    ]
    replies = iter(ready.model.generate(requests, ready.max_tokens))
    outcomes: list[Outcome | ItemError] = []
    for item in batch:
        parts = [next(replies) for _ in item.times] if item.frames is not None else []
        error = next((part for part in parts if isinstance(part, ItemError)), None)
        lines = tuple(
            TextLine(time, time, part.text)
            for time, part in zip(item.times, parts, strict=True)
            if not isinstance(part, ItemError)
        )
        if error is not None or not lines:
            outcomes.append(error or ItemError("no answer", "no frame could be decoded"))
            continue
        missing = len(item.ask.need.frames) - len(lines) if item.ask.need else 0
        state = f"incomplete: {len(lines)} of {len(lines) + missing} frames" if missing else "found"
        outcomes.append(Outcome(Reading(None, "read", state, state), lines=lines))
    return outcomes
