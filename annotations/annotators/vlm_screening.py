"""Footage is screened by a vision-language model: accept, or reject with reasons (K9-Bench B.3).

It sees one frame a second, 512 at most, and answers in JSON with the task's own reasons; or, many
times cheaper, only the probability of yes is asked for, and of the reasons where it is no.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from annotations.annotator import (
    Ask,
    ModelInput,
    Outcome,
    SettingTexts,
    Setup,
    facts_with,
    probabilities,
)
from annotations.annotators import _settings
from annotations.annotators._choice import listed
from annotations.annotators._footage import (
    footage_task,
    reasons_of,
    shown_clip,
    title_and_description,
    verdict,
)
from annotations.annotators._frames import by_rate, wanted, words
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task_settings import completed
from annotations.tasks.screening import OTHER
from annotations.workspace import Workspace
from core.model import Chat, ItemError, Kind, ModelError, Reply, Request
from core.refusal import Refusal
from core.reply import llm_json
from core.reply.reading import LETTERS
from core.reply.result import Reading

TITLE = "Screening by a vision-language model"
TASK_KINDS = ("screening",)
MODEL_KINDS: tuple[Kind, ...] = ("chat",)
REASONS, SCORE = ANSWERS = ("reasons", "score")
YES_NO = ("yes", "no")
NO_REASONS = "This task has no list of reasons. Choose one of the structured pass."
SETTINGS: dict[str, Any] = {
    "answer": REASONS, "threshold": 0.5, "frames_per_s": 1.0, "most_frames": 512,
    "longest_side": 448, "max_tokens": 256, "with_title": False, "prompt": "screening",
    "verdict_prompt": "screening_verdict", "reason_prompt": "screening_reason",
}  # fmt: skip
CHOICES = {"answer": ANSWERS}
RANGES = {
    "threshold": (0, 1), "frames_per_s": _settings.RATE, "most_frames": _settings.MOST,
    "longest_side": _settings.SIDE, "max_tokens": (16, 8192),
}  # fmt: skip
_WRITES, _SCORES = ("answer", (REASONS,)), ("answer", (SCORE,))
WORDS = {
    "answer": SettingTexts(
        "What the model gives",
        "Written: a verdict with reasons and a remark, in JSON. Probability: only how likely yes "
        "is, and where it is no, the likeliest reason; many times cheaper, and its threshold can "
        "be moved afterwards.",
        ("A written verdict with reasons", "Only the probability of yes"),
    ),
    "threshold": SettingTexts(
        "Accepted from", "The probability of yes from which a clip is accepted.", when=_SCORES
    ),
    "frames_per_s": _settings.FRAMES_PER_S,
    "most_frames": _settings.MOST_FRAMES,
    "longest_side": _settings.LONGEST_SIDE,
    "max_tokens": replace(_settings.MAX_TOKENS, when=_WRITES),
    "with_title": SettingTexts(
        "With title and description",
        "Whether the model is also told the video's title and description.",
    ),
    "prompt": replace(_settings.PROMPT, when=_WRITES),
    "verdict_prompt": replace(_settings.PROMPT, label="Prompt for the verdict", when=_SCORES),
    "reason_prompt": replace(_settings.PROMPT, label="Prompt for the reason", when=_SCORES),
}
PROMPTS = {
    "prompt": "screening",
    "verdict_prompt": "screening_verdict",
    "reason_prompt": "screening_reason",
}
FIELDS = ("shown", "about", "criteria", "reasons", "lettered", "letters")
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
    """The footage of the workspace."""
    return footage_task(workspace)


def refuses(task: Task) -> str:
    """A task whose reasons are not yet listed."""
    return "" if reasons_of(task) else NO_REASONS


def check_settings(settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
    """The settings: 'reasons' or 'score', the prompts, and frames a second.

    `with_title` tells the model the video's title and description, too.

    Raises:
        ValueError: for a setting that is not allowed, or a task whose reasons are not yet listed.
    """
    del kind
    complete = completed(settings, SETTINGS, CHOICES, RANGES)
    if why := refuses(task):
        raise Refusal(why)
    return complete


def label(settings: dict[str, Any]) -> str:
    """The prompt, or that only the verdict is scored."""
    if settings["answer"] == SCORE:
        return "screening, scored"
    return settings["prompt"].rsplit("/", 1)[-1].removesuffix(".txt").replace("_", " ")


def ask(workspace: Workspace, task: Task, item: Item, seed: str, setup: Setup) -> Ask:
    """Frames of the clip at the rate, with the task's criteria and reasons.

    Raises:
        ValueError: if there is no frame.
    """
    shown, clip = shown_clip(workspace, task, item, seed)
    settings, span = setup.settings, (clip.start_s, clip.end_s)
    rate, most_frames = settings["frames_per_s"], settings["most_frames"]
    frames, times = by_rate(workspace, clip.sha256, *span, rate, most_frames)
    need = wanted(workspace, clip.sha256, frames, longest_side=settings["longest_side"])
    seen: dict[str, Any] = {"frames": list(frames), "times": times, "frames_per_s": rate}
    title_lines = ""
    if settings["with_title"]:
        title, description = title_and_description(workspace, item)
        seen |= {"title": title, "description": description}
        title_lines = f"Title: {title}\n" + (f"Description: {description}\n" if description else "")
    about: dict[str, Any] = {
        "criteria": task.settings.get("criteria", []),
        "reasons": reasons_of(task),
        "about": title_lines,
    }
    return Ask(int(item.id), facts_with(shown, seen), about, need)


def prepare(model: Chat, setup: Setup) -> Ready:
    """The model, if it can do what is asked of it.

    Raises:
        ModelError: if it sees no pictures, or gives no probabilities but is to score.
    """
    if not model.sees:
        raise ModelError(f"{model.name} sees no pictures; screening needs a model that does.")
    if setup.settings["answer"] == SCORE and not model.scores:
        raise ModelError(
            f"{model.name} gives no probabilities of words. Let it write: set answer=reasons."
        )
    return Ready(model, setup)


def annotate(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    """Verdicts with reasons; for the scored verdict the probability of yes is the score."""
    if ready.setup.settings["answer"] == SCORE:
        return _scored(ready, batch)
    requests = [_request(ready.setup, item, "prompt") for item in batch]
    replies = ready.model.generate(requests, ready.setup.settings["max_tokens"])
    return [_read(item.ask, reply) for item, reply in zip(batch, replies, strict=True)]


def _request(setup: Setup, item: ModelInput, purpose: str) -> Request:
    about = item.ask.about
    reasons: list[dict[str, str]] = about["reasons"]
    named = [f"- {reason['id']}: {reason['label']}. {reason['description']}" for reason in reasons]
    labels = LETTERS[: len(reasons)]
    lettered = [
        f"{label}. {reason['label']}. {reason['description']}"
        for label, reason in zip(labels, reasons, strict=True)
    ]
    count = 0 if item.frames is None else len(item.frames)
    values = {
        "shown": words(count, item.ask.shown.facts),
        "about": about["about"],
        "criteria": "\n".join(f"- {reason}" for reason in about["criteria"])
        or "- (nothing is asked)",
        "reasons": "\n".join(named),
        "lettered": "\n".join(lettered),
        "letters": listed(labels),
    }
    system, text = setup.prompts[purpose].fill(values)
    return Request(text, item.frames, system, item.times)


def _read(ask: Ask, reply: Reply | ItemError) -> Outcome | ItemError:
    """A checked response; a reply that is none costs its item, with the reason."""
    if isinstance(reply, ItemError):
        return reply
    parsed = llm_json.read_answer(reply.text)
    value = parsed.value
    if not isinstance(value, dict):
        why = parsed.reason or "there is a list, not an object"
        return ItemError("broken JSON", f"{why}; the reply: {reply.text[:300]}")
    fields = cast("dict[str, Any]", value)
    answer = str(fields.get("verdict") or fields.get("decision") or "").strip().casefold()
    if answer not in ("accept", "reject", *YES_NO):
        return ItemError("no verdict in the JSON", f"the reply: {reply.text[:300]}")
    accepted = answer in ("accept", "yes")
    reasons, unknown = _reasons(ask, fields.get("reasons") or fields.get("reason"))
    if not accepted and not reasons:
        if not unknown:
            detail = f"a rejection without one; the reply: {reply.text[:300]}"
            return ItemError("no reason of the list", detail)
        # The rejection is clear: leaving it out would make the filter look better than it is.
        reasons = [OTHER]
    what = "kept as other" if reasons == [OTHER] else "left out"
    notes = [*parsed.repaired, *(f"unknown reason {name!r} {what}" for name in unknown)]
    rule = "JSON, repaired" if parsed.repaired else "JSON"
    note = " ".join(str(fields.get("note") or "").split())[:1000]
    reading = Reading(None, "read", rule, "; ".join(notes) or "as it stood")
    return Outcome(reading, verdict(accepted, reasons, note), reply=reply.text)


def _reasons(ask: Ask, answer: object) -> tuple[list[str], list[str]]:
    """Ids of the task's reasons that were named, by id or label; and names that are none."""
    by_name: dict[str, str] = {}
    for name in ask.about["reasons"]:
        by_name |= {_folded(name["id"]): name["id"], _folded(name["label"]): name["id"]}
    listed_ = cast("list[object]", answer) if isinstance(answer, list) else [answer or ""]
    names = [str(name) for name in listed_ if str(name).strip()]
    known = [by_name[_folded(name)] for name in names if _folded(name) in by_name]
    return list(dict.fromkeys(known)), [name for name in names if _folded(name) not in by_name]


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split()).rstrip(".")


def _scored(ready: Ready, batch: Sequence[ModelInput]) -> list[Outcome | ItemError]:
    settings, setup = ready.setup.settings, ready.setup
    requests = [_request(setup, scores, "verdict_prompt") for scores in batch]
    verdicts = ready.model.score(requests, [YES_NO] * len(requests))
    rejected = [
        at for at, scores in enumerate(verdicts)
        if not isinstance(scores, ItemError) and scores[0] < settings["threshold"]
    ]  # fmt: skip
    asked = [_request(setup, batch[at], "reason_prompt") for at in rejected]
    letters = [tuple(LETTERS[: len(batch[at].ask.about["reasons"])]) for at in rejected]
    why = dict(zip(rejected, ready.model.score(asked, letters), strict=True)) if asked else {}
    return [
        scores if isinstance(scores, ItemError) else _outcome(batch[at].ask, scores[0], why.get(at))
        for at, scores in enumerate(verdicts)
    ]


def _outcome(
    ask: Ask, score: float, why: tuple[float, ...] | ItemError | None
) -> Outcome | ItemError:
    if isinstance(why, ItemError):
        return why
    confidence, reasons = probabilities(("accept", "reject"), (score, 1 - score)), list[str]()
    if why is not None:
        ids = [reason["id"] for reason in ask.about["reasons"]]
        reasons = [ids[why.index(max(why))]]
        confidence |= probabilities(ids, why)
    explanation = f"probability {score:.3f} that it is taken"
    reading = Reading(None, "read", "first word", explanation)
    response = verdict(why is None, reasons, explanation)
    return Outcome(reading, response, confidence=confidence, score=round(score, 6))
