"""Verification: does an action happen in candidate clips (ActionAtlas 2.5, appendix M)."""

from collections.abc import Iterable
from typing import Any, cast

from annotations.decision import Decision, at_least_settled
from annotations.reading.records import Fault
from annotations.reading.responses import entries, one_of, text
from annotations.record.item import Item
from annotations.record.stage import Clips, ClipView, Content, Player
from annotations.task import ItemDraft, Shown
from annotations.task_settings import completed, in_range
from annotations.video.clips_in_rows import Videos, items_of_rows, text_of
from annotations.workspace import Workspace
from core.refusal import Refusal

LABEL = "Verification"
SCHEMA_VERSION = 1
OVERLAP = 3
SOURCES = ("rows",)
STAGE, STAGE_UNIT = "Verified", "clip"

YES, MAYBE, NO = VERDICTS = ("definitely", "maybe", "definitely not")
IDENTIFIED = ("yes", "no", "not sure")
MOST_CLIPS = 5
BACK = "no clip passes, the action goes back to sourcing"
SHAPE = "'clips': one to five objects with video, start, end, title, link"


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: how many 'definitely' a clip needs, and how long it may be, s.

    Raises:
        ValueError: for a setting that is not allowed.
    """
    completed_settings = completed(settings, {"passes_at": 2, "longest_clip_s": 30.0})
    in_range(completed_settings, "passes_at", 1, 100)
    in_range(completed_settings, "longest_clip_s", 0.1, 3600)
    return completed_settings


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each row: an action of a domain, its description, up to five clips.

    Raises:
        ValueError: for a row that is none.
    """
    videos, longest_s = Videos(workspace), settings["longest_clip_s"]
    return items_of_rows(rows or [], lambda _, row: _draft(videos, row, longest_s))


def _draft(videos: Videos, row: dict[str, Any], longest_s: float) -> ItemDraft:
    action, domain = (text_of(row, name, required=True) for name in ("action", "domain"))
    value = row.get("clips")
    listed = cast("list[Any]", value) if isinstance(value, list) else []
    if not 1 <= len(listed) <= MOST_CLIPS:
        what = f"{len(listed)} clips" if listed else "no clips"
        raise Fault(what, column="clips", value=row.get("clips"), allowed=SHAPE)
    clips: list[dict[str, Any]] = []
    for number, entry in enumerate(listed, start=1):
        if not isinstance(entry, dict):
            raise Fault("no clip", column=f"clips {number}", value=entry, allowed=SHAPE)
        named = cast("dict[str, Any]", entry)
        resolved = videos.clip(named, within=f"clips {number} ", longest_s=longest_s)
        texts = {name: text_of(named, name) for name in ("title", "link")}
        clips.append({"id": str(number), **resolved.payload, **texts})
    return ItemDraft(
        f"action:{text_of(row, 'id') or f'{domain}/{action}'}",
        payload={
            "action": action,
            "domain": domain,
            "description": text_of(row, "description", required=True),
            "clips": clips,
        },
    )


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """The clips in the order of the row, for everybody: an answer speaks of clip 3."""
    del workspace, settings, seed
    clips = item.payload["clips"]
    return Shown({"clips": [{name: clip[name] for name in CLIP_FACTS} for clip in clips]})


CLIP_FACTS = ("id", "video", "start", "end")


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The clips with titles and links, the action and its description."""
    del workspace
    payload = item.payload
    by_id = {clip["id"]: clip for clip in payload["clips"]}
    views: list[ClipView] = []
    for clip_facts in shown.facts["clips"]:
        clip = by_id.get(clip_facts["id"], {})
        title = clip.get("title") or f"Clip {clip_facts['id']}"
        player = Player(clip_facts["video"], clip_facts["start"], clip_facts["end"])
        views.append(ClipView(clip_facts["id"], title, clip.get("link", ""), player))
    action, domain = payload["action"], payload["domain"]
    return Content(
        label=f"{domain}: {action}",
        stage=Clips(tuple(views)),
        values={
            "ask": f"{domain}: does “{action}” happen?",
            "description": payload["description"],
            "clips": [{"id": view.id, "label": f"Clip {view.id}"} for view in views],
        },
    )


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """A verdict for each clip that was shown, and both identifications.

    Raises:
        ValueError: if one is lacking.
    """
    sent = entries(response, "clips")
    verdicts: dict[str, dict[str, str]] = {}
    for clip in shown.facts["clips"]:
        name, answer = f"Clip {clip['id']}", sent.get(clip["id"], {})
        verdict = one_of(answer, "verdict", VERDICTS, name)
        sport = text(answer, "other_sport", f"{name}, other sport") if verdict == NO else ""
        verdicts[clip["id"]] = {"verdict": verdict, "other_sport": sport}
    unknown = sorted(sent.keys() - verdicts.keys())
    if unknown:
        raise Refusal(f"Clip {unknown[0]} was not shown. Reload the page.")
    return {
        "clips": verdicts,
        "from_description": one_of(
            response, "from_description", IDENTIFIED, "Identified from the description alone"
        ),
        "from_video": one_of(
            response, "from_video", IDENTIFIED, "Identified from description and video"
        ),
        "feedback": text(response, "feedback", "Feedback"),
    }


def votes(responses: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The verdicts on each clip, in the order of the responses."""
    by_clip: dict[str, list[str]] = {}
    for response in responses:
        for clip, answer in response["clips"].items():
            by_clip.setdefault(clip, []).append(answer["verdict"])
    return dict(sorted(by_clip.items()))


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """Which clips pass: those that enough people say 'definitely' of (2 of 3 in ActionAtlas)."""
    needed = settings["passes_at"]
    by_clip = votes(responses)
    if not by_clip:
        return Decision(None, "none", "no votes")
    passes = {clip: verdicts.count(YES) >= needed for clip, verdicts in by_clip.items()}
    parts = [
        f"Clip {clip} {'passes' if passes[clip] else 'does not pass'}: "
        f"{verdicts.count(YES)} of {len(verdicts)} {YES}, {needed} needed"
        for clip, verdicts in by_clip.items()
    ]
    near = one_more_vote(responses, settings)
    if near:
        parts.append(f"one more '{YES}' would pass: {', '.join(f'clip {clip}' for clip in near)}")
    if not any(passes.values()):
        parts.append(BACK)
    return Decision(passes, "decided", "; ".join(parts))


def one_more_vote(responses: list[dict[str, Any]], settings: dict[str, Any]) -> tuple[str, ...]:
    """The clips whose fate one extra vote would change: those one 'definitely' short.

    No extra vote can take a pass away: the rule counts 'definitely' alone.
    """
    short = settings["passes_at"] - 1
    return tuple(
        clip for clip, verdicts in votes(responses).items() if verdicts.count(YES) == short
    )


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether `missing` more responses can make no clip pass that does not yet."""
    by_clip = votes(responses)
    if not by_clip:
        return missing == 0
    needed = settings["passes_at"]
    return all(at_least_settled(verdicts, YES, needed, missing) for verdicts in by_clip.values())


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    del settings
    answer = {"verdict": VERDICTS, "other_sport": None}
    clips = {clip["id"]: answer for clip in payload["clips"]}
    identified = dict.fromkeys(("from_description", "from_video"), IDENTIFIED)
    return {"clips": clips, **identified, "feedback": None, "why": None}


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether the known verdicts were given; `expected` holds one or a list of them for a clip.

    Args:
        response: as it is stored.
        expected: {"clips": {id: {"verdict": verdict or verdicts}}, "why": words}.
    """
    del settings
    wrong: list[str] = []
    for clip, known in expected["clips"].items():
        allowed = known["verdict"]
        allowed = [allowed] if isinstance(allowed, str) else allowed
        if not allowed or not set(allowed) <= set(VERDICTS):
            raise Refusal(f"clip {clip} is {allowed!r}; allowed: {', '.join(VERDICTS)}")
        verdict = response["clips"].get(clip, {}).get("verdict")
        if verdict not in allowed:
            right = "' or '".join(allowed)
            wrong.append(f"Clip {clip}: you said '{verdict}', right is '{right}'.")
    why = expected.get("why", "")
    return not wrong, " ".join((*(wrong or ["Right."]), *([why] if why else [])))


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The verdict on each clip, and what was added in words."""
    del values
    verdicts = [
        f"clip {clip} {answer['verdict']}"
        + (f" ({answer['other_sport']})" if answer["other_sport"] else "")
        for clip, answer in response["clips"].items()
    ]
    return "; ".join([*verdicts, *filter(None, [response["feedback"]])])


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """Mean over the clips of both: 'maybe' lies halfway between the two certain verdicts.

    In [0, 1]; None if they share no clip.
    """
    clips, other_clips = a["clips"], b["clips"]
    shared = clips.keys() & other_clips.keys()
    if not shared:
        return None
    steps = sum(
        abs(VERDICTS.index(clips[clip]["verdict"]) - VERDICTS.index(other_clips[clip]["verdict"]))
        for clip in shared
    )
    return steps / (2 * len(shared))


def survivors(value: dict[str, bool]) -> tuple[int, int]:
    """How many of an action's clips pass."""
    return sum(value.values()), len(value)
