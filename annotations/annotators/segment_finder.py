"""Moments of a video at which an action is shown or announced, found in its transcript.

ActionAtlas 2.4: a language model names the moments, and a clip reaches 15 s to each side. An
embedding model does it, too: it takes the lines that mean what the action's name means.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

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
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.video.video_texts import SEGMENTS, lines_of
from annotations.workspace import Workspace
from core.model import Chat, Embedding, ItemError, Kind, Reply, Request
from core.refusal import Refusal
from core.reply import llm_json
from core.reply.result import Reading
from core.statistics.segments import parse_time

TITLE = "Segments named in the transcript"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("text", "chat", "embedding")
SETTINGS: dict[str, Any] = {
    "action": "", "side_s": 15.0, "similarity": 0.35, "max_tokens": 512, "prompt": "segment_finder",
}  # fmt: skip
CHOICES: dict[str, tuple[str, ...]] = {}
RANGES = {"side_s": (0, 3600), "similarity": (-1, 1), "max_tokens": (16, 8192)}
WORDS = {
    "action": SettingTexts(
        "Action to be found",
        "The moments at which the transcript shows or announces it become segments.",
        example="bicycle kick",
    ),
    "side_s": SettingTexts(
        "Seconds to each side", "How far a segment reaches before and after its moment, s."
    ),
    "similarity": SettingTexts(
        "Nearness of a line",
        "Of an embedding model only: how near a line of the transcript has to be to the action, as "
        "a cosine similarity.",
    ),
    "max_tokens": replace(
        _settings.MAX_TOKENS, help=f"Of a language model only. {_settings.MAX_TOKENS.help}"
    ),
    "prompt": _settings.PROMPT,
}
PROMPTS = {"prompt": "segment_finder"}
FIELDS = ("action", "transcript")
BATCH = 16
FRAMES = 1
RESULT = "texts"
TEXT_KIND = SEGMENTS
NO_WORDS, NONE_NAMED, FOUND = "none: no transcript", "empty: no moment named", "found"


@dataclass(frozen=True)
class Ready:
    """The model and how it is asked."""

    model: Any
    setup: Setup


def usual_task(workspace: Workspace) -> int | None:
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: the action, and how far a segment reaches to each side, s.

    `similarity` is how near a line has to be to the action for an embedding model.

    Raises:
        ValueError: without an action, or for a setting that is not allowed.
    """
    del task, kind
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    if not complete["action"].strip():
        raise Refusal("Setting action is empty. Name the action to be found.")
    return complete


def label(settings: dict[str, Any]) -> str:
    """The action."""
    return f"segments of “{settings['action']}”"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The newest transcript of the video, as far as it lies in the clip."""
    del setup
    shown, clip = shown_clip(workspace, task, item, seed)
    end = workspace.media.frame_table(clip.sha256).duration_s if clip.end_s is None else clip.end_s
    transcript = lines_of(workspace, clip.sha256, "speech")
    lines = [
        [line.start_s, line.end_s, line.text]
        for line in transcript or ()
        if line.end_s > clip.start_s and line.start_s < end
    ]
    about = {"said": lines, "start_s": clip.start_s, "end_s": end}
    return Ask(int(item.id), facts_with(shown, {"frames": []}), about)


def prepare(model: Any, setup: Setup) -> Ready:
    """The model."""
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """Segments in order, those that touch joined; none where there is no transcript."""
    asks = [item.ask for item in batch]
    spoken = [ask for ask in asks if ask.about["said"]]
    find = _by_similarity if ready.setup.kind == "embedding" else _by_reply
    outcomes = iter(find(ready, spoken) if spoken else [])
    return [next(outcomes) if ask.about["said"] else _outcome((), NO_WORDS, None) for ask in asks]


def _by_reply(ready: Ready, asks: Sequence[Ask]) -> list[Outcome | ItemError]:
    settings, model = ready.setup.settings, cast("Chat", ready.model)
    requests: list[Request] = []
    for ask in asks:
        lines = "\n".join(f"[{start:.1f}] {text}" for start, _, text in ask.about["said"])
        filled = {"action": settings["action"], "transcript": lines}
        system, text = ready.setup.prompts["prompt"].fill(filled)
        requests.append(Request(text, None, system))
    replies = model.generate(requests, settings["max_tokens"])
    return [_read(settings, ask, reply) for ask, reply in zip(asks, replies, strict=True)]


def _read(settings: dict[str, Any], ask: Ask, reply: Reply | ItemError) -> Outcome | ItemError:
    if isinstance(reply, ItemError):
        return reply
    parsed = llm_json.read_answer(reply.text)
    if not parsed.values:
        return ItemError("broken JSON", f"{parsed.reason}; the reply: {reply.text[:300]}")
    moments: list[tuple[float, str]] = []
    for value in parsed.values:
        entries = cast("list[object]", value) if isinstance(value, list) else [value]
        for entry in entries:
            fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
            time = moment_s(fields.get("time"))
            if time is None or not ask.about["start_s"] <= time <= ask.about["end_s"]:
                return ItemError("no time in the video", f"the reply: {reply.text[:300]}")
            moments.append((time, " ".join(str(fields.get("why") or "").split())[:300]))
    return _outcome(_segments(settings, ask, moments), None, reply.text)


def moment_s(value: object) -> float | None:
    """Seconds of a number, or of text such as '12.5', '12.5 s' or '1:02'; None for '4:75'."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    text = re.sub(r"(?<=\d)\s*(?:s|secs?|seconds?)\.?$", "", str(value).strip(" []"))
    try:
        return parse_time(text)
    except Refusal:
        return None


def _by_similarity(ready: Ready, asks: Sequence[Ask]) -> list[Outcome | ItemError]:
    settings, model = ready.setup.settings, cast("Embedding", ready.model)
    texts = [str(text) for ask in asks for _, _, text in ask.about["said"]]
    vectors = model.embed([settings["action"], *texts])
    near = iter((vectors[1:] @ vectors[0]).tolist())
    outcomes: list[Outcome | ItemError] = []
    for ask in asks:
        moments = [
            (float(start), f"{text} ({score:.2f})")
            for (start, _, text), score in zip(ask.about["said"], near, strict=False)
            if score >= settings["similarity"]
        ]
        outcomes.append(_outcome(_segments(settings, ask, moments), None, None))
    return outcomes


def _segments(
    settings: dict[str, Any], ask: Ask, moments: Sequence[tuple[float, str]]
) -> tuple[TextLine, ...]:
    """A stretch about each moment within the clip; those that touch are one."""
    side, stretches = settings["side_s"], list[TextLine]()
    for time, why in sorted(moments):
        start = round(max(ask.about["start_s"], time - side), 3)
        end = round(min(ask.about["end_s"], time + side), 3)
        if stretches and start <= stretches[-1].end_s:
            previous = stretches.pop()
            stretches.append(
                TextLine(previous.start_s, max(end, previous.end_s), f"{previous.text}; {why}")
            )
        else:
            stretches.append(TextLine(start, end, why))
    return tuple(stretches)


def _outcome(lines: tuple[TextLine, ...], state: str | None, reply: str | None) -> Outcome:
    state = state or (FOUND if lines else NONE_NAMED)
    return Outcome(Reading(None, "read", state, state), lines=lines, reply=reply)
