"""Objects, activities, verbs or a short summary, taken out of descriptions of frames (UTD, 3.3.1).

A language model reads each frame's description; verbs come from the activities. What it wrote is
stored as it is, and cleaned where it is read. An empty text is not asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotations.annotator import Ask, ModelInput, Outcome, SettingTexts, Setup, TextLine
from annotations.annotators import _settings
from annotations.annotators._footage import footage_task, shown_clip
from annotations.description.cleaning import cleaned
from annotations.description.concepts import ACTIVITIES, BY_KIND, DESCRIPTION, VERBS
from annotations.description.stored import lines_of_item, the_set
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.model import Chat, ItemError, Kind, Reply, Request
from core.refusal import Refusal
from core.reply.result import Reading

TITLE = "Objects, activities and verbs from descriptions"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("text", "chat")
CONCEPTS = ("objects", "activities", "verbs", "summary")
SETTINGS: dict[str, Any] = {
    "concept": "objects", "descriptions": "", "max_tokens": 160, "objects_prompt": "objects",
    "activities_prompt": "activities", "verbs_prompt": "verbs", "summary_prompt": "summary",
}  # fmt: skip
CHOICES = {"concept": CONCEPTS}
RANGES = {"max_tokens": _settings.TOKENS}
WORDS = {
    "concept": SettingTexts(
        "What is taken out",
        "Objects, activities and a summary come from the descriptions; verbs from the activities, "
        "which have to be there.",
        ("Objects", "Activities", "Verbs", "A summary of 15 words"),
    ),
    "descriptions": SettingTexts(
        "Of which descriptions",
        "The name of the run that wrote them. Left open, those that were begun last.",
        example="the name of a run",
    ),
    "max_tokens": _settings.MAX_TOKENS,
    **{
        f"{concept}_prompt": replace(
            _settings.PROMPT, label=f"Prompt for {concept}", when=("concept", (concept,))
        )
        for concept in CONCEPTS
    },
}
PROMPTS = {f"{concept}_prompt": concept for concept in CONCEPTS}
FIELDS = ("text",)
BATCH = 64  # videos, of eight texts each: the model takes as many at once as its memory allows
FRAMES = 1
RESULT = "texts"
TEXT_KIND = "objects"


@dataclass(frozen=True)
class Ready:
    """The model and how it is asked."""

    model: Chat
    setup: Setup


def usual_task(workspace: Workspace) -> int | None:
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """'': it annotates every task of its kinds."""
    del task
    return ""


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: what is taken out, of which descriptions, and the prompts.

    Raises:
        ValueError: for one that is not allowed.
    """
    del task, kind
    return completed(settings, SETTINGS, CHOICES, RANGES)


def label(settings: dict[str, Any]) -> str:
    """What is taken out."""
    of = f" of {settings['descriptions']}" if settings["descriptions"] else ""
    return f"{BY_KIND[settings['concept']].label}{of}"


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """The texts of the item's frames.

    Raises:
        Refusal: if there are none yet.
    """
    shown, _ = shown_clip(workspace, task, item, seed)
    concept = setup.settings["concept"]
    source = ACTIVITIES if BY_KIND[concept] is VERBS else DESCRIPTION
    described = the_set(workspace, setup.settings["descriptions"])
    run = described.runs.get(source.kind)
    lines = () if run is None else lines_of_item(workspace, run, item.id)
    if not lines:
        raise Refusal(f"no {source.label} of this video yet in {described.name!r}")
    # A text of the item's own, so that items with much to read come first.
    about = {f"text {number}": line.text for number, line in enumerate(lines)}
    times = [(line.start_s, line.end_s) for line in lines]
    return Ask(item.id, shown, {**about, "times": times, "source": source.kind})


def prepare(model: Chat, setup: Setup) -> Ready:
    """The model and its prompts."""
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """A line for each frame, in all items' order; empty texts stay empty."""
    settings, asks = ready.setup.settings, [item.ask for item in batch]
    prompt = ready.setup.prompts[f"{settings['concept']}_prompt"]
    texts = [_texts(ask) for ask in asks]
    waiting = list(dict.fromkeys(text for some in texts for text in some if text))
    filled = [prompt.fill({"text": text}) for text in waiting]
    requests = [Request(text, None, system) for system, text in filled]
    replies = ready.model.generate(requests, settings["max_tokens"]) if requests else []
    known = dict(zip(waiting, replies, strict=True))
    return [_outcome(ask, some, known, settings["concept"])
            for ask, some in zip(asks, texts, strict=True)]  # fmt: skip


def _texts(ask: Ask) -> list[str]:
    source = BY_KIND[ask.about["source"]]
    raw = [str(ask.about[f"text {number}"]) for number in range(len(ask.about["times"]))]
    # A frame of which nothing is said has nothing to take out; other texts go in as they are.
    return [text if cleaned(text, source) else "" for text in raw]


def _outcome(
    ask: Ask, texts: Sequence[str], known: dict[str, Reply | ItemError], concept: str
) -> Outcome | ItemError:
    lines: list[TextLine] = []
    for (start_s, end_s), text in zip(ask.about["times"], texts, strict=True):
        reply = known.get(text)
        if isinstance(reply, ItemError):
            return reply
        lines.append(TextLine(start_s, end_s, reply.text if reply else ""))
    state = "found" if any(line.text for line in lines) else "empty: nothing was described"
    return Outcome(Reading(None, "read", state, state), lines=tuple(lines), text_kind=concept)
