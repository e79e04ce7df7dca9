"""What is written in the picture: lines read from frames, each with the time it stands there."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
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
from annotations.annotators._frames import by_rate, wanted
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import ItemError, Kind, Line, Ocr
from core.reply.result import Reading

TITLE = "Text on screen"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("ocr",)
SETTINGS: dict[str, Any] = {
    "frames_per_s": 0.5, "most_frames": 32, "longest_side": 1280, "confidence": 0.6,
    "letters": 2,
}  # fmt: skip
CHOICES: dict[str, tuple[str, ...]] = {}
RANGES = {
    "frames_per_s": _settings.RATE, "most_frames": _settings.MOST,
    "longest_side": _settings.SIDE, "confidence": (0, 1), "letters": (0, 100),
}  # fmt: skip
WORDS = {
    "frames_per_s": SettingTexts("Frames a second", "How many frames of each second are read."),
    "most_frames": _settings.MOST_FRAMES,
    "longest_side": _settings.LONGEST_SIDE,
    "confidence": SettingTexts(
        "Lowest confidence", "Lines that are less sure are left out, 0 to 1."
    ),
    "letters": SettingTexts(
        "Fewest letters", "Shorter lines are left out: most often they are specks."
    ),
}
PROMPTS: dict[str, str] = {}
FIELDS: tuple[str, ...] = ()
SAME = 0.8  # how alike two readings of the same words are
BATCH = 4
FRAMES = 64
RESULT = "texts"
TEXT_KIND = "screen"
EMPTY, FOUND = "empty: no text found", "found"


@dataclass(frozen=True)
class Ready:
    """The model, and which lines are kept: their lowest confidence, and their fewest letters."""

    model: Ocr
    confidence: float
    letters: int

    def keeps(self, line: Line) -> bool:
        """Whether a line says something: a lone sign is most often a speck."""
        letters = sum(letter.isalnum() for letter in line.text)
        return line.confidence >= self.confidence and letters >= self.letters


def usual_task(workspace: Workspace) -> int | None:
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: frames a second; the lowest confidence and the fewest letters of a line.

    Raises:
        ValueError: for one that is not allowed.
    """
    del task, kind
    return completed(settings, SETTINGS, CHOICES, RANGES)


def label(settings: dict[str, Any]) -> str:
    """How often a frame is read."""
    return f"text on screen, {settings['frames_per_s']:g} frames a second"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """Frames of the clip at the rate.

    Raises:
        ValueError: if there is none.
    """
    shown, clip = shown_clip(workspace, task, item, seed)
    settings, span = setup.settings, (clip.start_s, clip.end_s)
    rate, most_frames = settings["frames_per_s"], settings["most_frames"]
    frames, times = by_rate(workspace, clip.sha256, *span, rate, most_frames)
    need = wanted(workspace, clip.sha256, frames, longest_side=settings["longest_side"])
    seen = {"frames": list(frames), "times": times}
    return Ask(int(item.id), facts_with(shown, seen), {}, need)


def prepare(model: Ocr, setup: Setup) -> Ready:
    """The model."""
    return Ready(model, setup.settings["confidence"], setup.settings["letters"])


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """Lines, each once with the first and last time it was read; a clip without text has none."""
    return [_read(ready, item) for item in batch]


def _read(ready: Ready, item: ModelInput) -> Outcome | ItemError:
    assert item.frames is not None
    lines: list[TextLine] = []
    earlier: list[int] = []
    for time, image in zip(item.times, item.frames, strict=True):
        try:
            read = ready.model.read(image)
        except ItemError as error:
            return error
        taken: list[int] = []
        for line in read:
            if ready.keeps(line):
                taken.append(
                    _place(lines, earlier, taken, line.text.strip(), line.confidence, time)
                )
        earlier = taken
    state = FOUND if lines else EMPTY
    return Outcome(Reading(None, "read", state, state), lines=tuple(lines))


def _place(
    lines: list[TextLine],
    earlier: list[int],
    taken: list[int],
    text: str,
    confidence: float,
    time: float,
) -> int:
    """Index of the line that a reading belongs to: one of the frame before, or a new one.

    The words of the surest reading stay.
    """
    confidence = round(confidence, 3)
    for at in earlier:
        old = lines[at]
        if at in taken or not _same(old.text, text):
            continue
        surer = confidence > (old.confidence or 0)
        surest, sure = (text, confidence) if surer else (old.text, old.confidence)
        lines[at] = TextLine(old.start_s, time, surest, sure)
        return at
    lines.append(TextLine(time, time, text, confidence))
    return len(lines) - 1


def _same(text: str, other_text: str) -> bool:
    return SequenceMatcher(None, text.casefold(), other_text.casefold()).ratio() >= SAME
