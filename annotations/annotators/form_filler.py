"""A model fills in the same form as people: JSON by the fields that the author declared."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from annotations import task as tasks
from annotations.annotator import Ask, ModelInput, Need, Outcome, SettingTexts, Setup, facts_with
from annotations.annotators import _settings
from annotations.annotators._frames import by_rate, wanted, words
from annotations.form.declaration import (
    CHOICE,
    CLIP,
    FRAME,
    SCALE,
    SEGMENTS,
    FormField,
    read_fields,
)
from annotations.form.declaration import (
    CHOICES as SEVERAL,
)
from annotations.record.item import Item
from annotations.record.stage import Clips, Grid, Picker, Player
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.video.frame_clock import clock_of
from annotations.workspace import Workspace
from core.model import Chat, ItemError, Kind, ModelError, Reply, Request
from core.refusal import Refusal
from core.reply import llm_json
from core.reply.result import Reading

TITLE = "Form filled in by a model"
TASK_KINDS = ("own_form",)
MODEL_KINDS: tuple[Kind, ...] = ("chat",)
SETTINGS: dict[str, Any] = {
    "frames_per_s": 1.0, "most_frames": 32, "longest_side": 448, "max_tokens": 512,
    "prompt": "form",
}  # fmt: skip
CHOICES: dict[str, tuple[str, ...]] = {}
RANGES = {
    "frames_per_s": _settings.RATE, "most_frames": _settings.MOST,
    "longest_side": _settings.SIDE, "max_tokens": _settings.TOKENS,
}  # fmt: skip
WORDS = {
    "frames_per_s": _settings.FRAMES_PER_S,
    "most_frames": _settings.MOST_FRAMES,
    "longest_side": _settings.LONGEST_SIDE,
    "max_tokens": _settings.MAX_TOKENS,
    "prompt": SettingTexts("Prompt", _settings.PROMPT.help),
}
PROMPTS = {"prompt": "form"}
FIELDS = ("shown", "text", "fields")
BATCH = 16
FRAMES = 512
RESULT = "answers"
TEXT_KIND = ""


@dataclass(frozen=True)
class Ready:
    """The model and how it is asked."""

    model: Chat
    setup: Setup


def usual_task(workspace: Workspace) -> int | None:
    """The only task with a form of one's own; None if there is none, or several."""
    rows = workspace.store.rows("SELECT id FROM task WHERE kind = 'own_form' ORDER BY id")
    return int(rows[0]["id"]) if len(rows) == 1 else None


def refuses(task: Task) -> str:
    """A stage of several clips: a model is shown one."""
    several = task.settings.get("stage") == "clips"
    return "This form compares several clips; a model is shown one." if several else ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: frames that the model sees, the prompt, and the length of its reply.

    Raises:
        ValueError: for a setting that is not allowed, or a form that compares clips.
    """
    del kind
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    if why := refuses(task):
        raise Refusal(why)
    return complete


def label(settings: dict[str, Any]) -> str:
    """The prompt."""
    return str(settings["prompt"]).rsplit("/", 1)[-1].removesuffix(".txt").replace("_", " ")


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The item's text and fields, with frames of its clip: those of a grid, else at the rate.

    Raises:
        ValueError: if there is no frame, or there are several clips.
    """
    kind = tasks.kind(task.kind)
    shown = kind.show(workspace, item, task.settings, seed)
    content = kind.content(workspace, item, shown)
    seen: dict[str, Any] = {}
    need: Need | None = None
    side = setup.settings["longest_side"]
    match content.stage:
        case Player(sha256, start_s, end_s):
            rate, most = setup.settings["frames_per_s"], setup.settings["most_frames"]
            frames, times = by_rate(workspace, sha256, start_s, end_s, rate, most)
            seen = {"frames": list(frames), "times": times, "frames_per_s": rate}
            need = wanted(workspace, sha256, frames, longest_side=side)
        case Grid(sha256, frames) | Picker(Grid(sha256, frames)):
            need = wanted(workspace, sha256, frames, longest_side=side)
        case Clips():
            raise Refusal(refuses(task))
        case _:
            pass
    return Ask(item.id, facts_with(shown, seen), {"text": content.values["text"]}, need)


def prepare(model: Chat, setup: Setup) -> Ready:
    """The model; one that sees no pictures can only fill in forms about texts."""
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """A filled form for each item; a reply that is none costs its item, with the reason."""
    blind = [item.frames is not None and not ready.model.sees for item in batch]
    if any(blind):
        raise ModelError(f"{ready.model.name} sees no pictures; this form needs a model that does.")
    requests = [_request(ready.setup, item) for item in batch]
    replies = ready.model.generate(requests, ready.setup.settings["max_tokens"])
    return [_read(item.ask, reply) for item, reply in zip(batch, replies, strict=True)]


def _request(setup: Setup, item: ModelInput) -> Request:
    facts = item.ask.shown.facts
    count = 0 if item.frames is None else len(item.frames)
    values = {
        "shown": words(count, facts),
        "text": item.ask.about["text"],
        "fields": "\n".join(map(_asked, read_fields(facts["fields"]))),
    }
    system, text = setup.prompts["prompt"].fill(values)
    return Request(text, item.frames, system, item.times)


def _asked(field: FormField) -> str:
    """A field as a line: its name, what may stand there, and what is asked."""
    match field.type:
        case "choice":
            allowed = f"one of {json.dumps(field.options, ensure_ascii=False)}"
        case "choices":
            allowed = f"a list of some of {json.dumps(field.options, ensure_ascii=False)}"
        case "scale":
            allowed = f"one of {json.dumps(list(field.steps))}{_ends(field)}"
        case "segments":
            allowed = 'a list of {"start": seconds, "end": seconds}'
        case "frame":
            allowed = "the number of the frame, counted from 1"
        case _:
            allowed = "a text in a few words"
    needed = "" if field.required else " (may be left out)"
    return f'- "{field.name}": {allowed}{needed}. {field.label} {field.help}'.rstrip()


def _ends(field: FormField) -> str:
    ends = [(field.low, field.low_label), (field.high, field.high_label)]
    named = [f"{step} means {label}" for step, label in ends if label]
    return f" ({', '.join(named)})" if named else ""


def _read(ask: Ask, reply: Reply | ItemError) -> Outcome | ItemError:
    if isinstance(reply, ItemError):
        return reply
    parsed = llm_json.read_answer(reply.text)
    value: object = parsed.value
    if not isinstance(value, dict):
        why = parsed.reason or "there is a list, not an object"
        return ItemError("broken JSON", f"{why}; the reply: {reply.text[:300]}")
    answers = cast("dict[str, Any]", value)
    facts = ask.shown.facts
    fields = read_fields(facts["fields"])
    sent = {field.name: _sent(field, answers.get(field.name), facts) for field in fields}
    try:
        checked = tasks.kind("own_form").check_response(sent, ask.shown)
    except Refusal as error:
        return ItemError("no answer of this form", f"{error} The reply: {reply.text[:300]}")
    rule = "JSON, repaired" if parsed.repaired else "JSON"
    reading = Reading(None, "read", rule, "; ".join(parsed.repaired) or "as it stood")
    accepted = checked.get("accepted")
    score = None if accepted is None else float(accepted)
    return Outcome(reading, sent, reply=reply.text, score=score)


def _sent(field: FormField, value: Any, facts: dict[str, Any]) -> Any:
    """A model's value as the form's own field would send it."""
    if field.type == FRAME and isinstance(value, int) and not isinstance(value, bool):
        frames: list[int] = facts["frames"]
        return frames[value - 1] if 1 <= value <= len(frames) else value
    if field.type in (CHOICE, CLIP) and isinstance(value, bool):
        return "yes" if value else "no"
    if field.type == SEVERAL and isinstance(value, str):
        return [value] if value.strip() else []
    if field.type == SCALE and isinstance(value, float) and value.is_integer():
        return int(value)
    if field.type == SEGMENTS and isinstance(value, list):
        return [_snapped(span, facts) for span in cast("list[Any]", value)]
    return value


def _snapped(span: Any, facts: dict[str, Any]) -> Any:
    """A segment at the nearest time stamps of frames, which is all that a model can mean."""
    if not isinstance(span, dict):
        return cast("object", span)
    edges = cast("dict[str, Any]", span)
    if not all(isinstance(edges.get(edge), int | float) for edge in ("start", "end")):
        return edges
    clock = clock_of(facts["clock"])
    return {
        "start": min(clock.times, key=lambda time: abs(time - edges["start"])),
        "end": min((*clock.times[1:], clock.end_s), key=lambda time: abs(time - edges["end"])),
    }
