"""What is said in the footage, line by line with its times."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.annotator import Ask, ModelInput, Outcome, SettingTexts, Setup, TextLine
from annotations.annotators._footage import footage_task, shown_clip
from annotations.annotators._frames import wanted
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.footage.captions import SpokenLine, possible_lines
from core.model import ItemError, Kind, Speech
from core.reply.result import Reading

TITLE = "Transcripts of speech"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("speech",)
SETTINGS: dict[str, Any] = {}
CHOICES: dict[str, tuple[str, ...]] = {}
RANGES: dict[str, tuple[float, float]] = {}
WORDS: dict[str, SettingTexts] = {}
PROMPTS: dict[str, str] = {}
FIELDS: tuple[str, ...] = ()
BATCH = 1  # a model hears one video after the other
FRAMES = 1
RESULT = "texts"
TEXT_KIND = "speech"
SAMPLES_A_SECOND = 16_000
NO_SOUND, SILENT, FOUND = "none: no audio track", "empty: no speech found", "found"


@dataclass(frozen=True)
class Ready:
    """The model."""

    model: Speech


def usual_task(workspace: Workspace) -> int | None:
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: none.

    Raises:
        ValueError: if one is given.
    """
    del task, kind
    return completed(settings, SETTINGS)


def label(settings: dict[str, Any]) -> str:
    """That it is a transcript."""
    del settings
    return "transcript"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The sound of the clip."""
    del setup
    shown, clip = shown_clip(workspace, task, item, seed)
    need = wanted(workspace, clip.sha256, sound=True, span=(clip.start_s, clip.end_s))
    return Ask(int(item.id), shown, {"start_s": clip.start_s}, need)


def prepare(model: Speech, setup: Setup) -> Ready:
    """The model."""
    del setup
    return Ready(model)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """Lines with times from the video's first frame; a video without sound or speech has none."""
    return [_transcript(ready.model, item) for item in batch]


def _transcript(model: Speech, item: ModelInput) -> Outcome | ItemError:
    if item.sound is None:
        return _outcome((), NO_SOUND)
    try:
        heard = model.transcribe(item.sound) if item.sound.size else ()
    except ItemError as error:
        return error
    start = item.ask.about["start_s"]
    # Speech models name times past the end of the sound, and marks or notes for words.
    spoken = possible_lines(
        (SpokenLine(speech.start_s, speech.end_s, speech.text) for speech in heard),
        item.sound.size / SAMPLES_A_SECOND,
    )
    lines = tuple(
        TextLine(round(start + line.start_s, 3), round(start + (line.end_s or 0.0), 3), line.text)
        for line in spoken
    )
    return _outcome(lines, FOUND if lines else SILENT)


def _outcome(lines: tuple[TextLine, ...], state: str) -> Outcome:
    return Outcome(Reading(None, "read", state, state), lines=lines)
