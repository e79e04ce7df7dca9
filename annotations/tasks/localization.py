"""Localization: when an action happens in a clip, and who does it (ActionAtlas 2.6, Fig. 15)."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from annotations.decision import Decision, majority, majority_settled
from annotations.question.passed_clips import ActionClip, passed_clips
from annotations.reading.responses import cards, one_of, text
from annotations.record.item import Item
from annotations.record.stage import Content, Player
from annotations.task import ItemDraft, Shown
from annotations.task_settings import completed, in_range
from annotations.tasks._segment_cards import ABOUT, card_words, checked_card, segment_words
from annotations.video.clips_in_rows import Videos, items_of_rows, text_of
from annotations.video.frame_clock import clock_facts, clock_of
from annotations.video.frame_images import preview_frames
from annotations.video.shared_segments import shared_segments
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.refusal import Refusal
from core.statistics import matching
from core.statistics.distance import Paired
from core.statistics.matching import Cards
from core.statistics.metric import Floats
from core.statistics.ratings import Ints
from core.statistics.segments import Window

LABEL = "Localization"
SCHEMA_VERSION = 1
OVERLAP = 3
SOURCES = ("rows", "tasks")
STAGE, STAGE_UNIT = "Localized", "clip"

HAPPENS, NOT, ELSEWHERE = CHOICES = ("happens", "does not happen", "happens in another sport")
MOST_CARDS = 10
LEAST_IOU = 0.5
# Edges that two careful people mark differ by some frames; from here on they mean the same.
AGREE_FROM_IOU = 0.7
# Whether people could tell the action (ActionAtlas, Fig. 15); these may be left out.
IDENTIFIED = ("yes", "no", "not sure")
IDENTIFICATION = {
    "from_description": "the description alone",
    "from_video": "description and video",
}


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: longest clip in s, temporal IoU from which two cards are the same, source.

    `agree_from_iou` is the mean temporal IoU from which two people do not disagree.
    `from_task` is the name or id of a task whose clips that pass are taken; None: rows are used.

    Raises:
        ValueError: for a setting that is not allowed.
    """
    defaults = {
        "longest_clip_s": 30.0,
        "same_from_iou": 0.3,
        "agree_from_iou": AGREE_FROM_IOU,
        "from_task": None,
    }
    completed_settings = completed(settings, defaults)
    in_range(completed_settings, "longest_clip_s", 0.1, 3600)
    in_range(completed_settings, "same_from_iou", 0.01, 1)
    in_range(completed_settings, "agree_from_iou", 0.01, 1)
    source = completed_settings["from_task"]
    if isinstance(source, str):
        source = int(source) if source.strip().isdecimal() else source.strip() or None
    if isinstance(source, bool) or not isinstance(source, int | str | None):
        raise Refusal(f"Setting from_task is {source!r}; it has to be a task's name or id.")
    return {**completed_settings, "from_task": source}


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each row, or for each clip that passed in the task of the settings.

    Raises:
        ValueError: for a row that is none, or without rows and without such a task.
    """
    if rows is None:
        if settings["from_task"] is None:
            raise Refusal("Setting from_task is empty: name the task whose clips passed.")
        return [_draft(clip) for clip in passed_clips(workspace, settings["from_task"])]
    videos = Videos(workspace)

    def item(_: int, row: dict[str, Any]) -> ItemDraft:
        resolved = videos.clip(row, longest_s=settings["longest_clip_s"])
        texts = {name: text_of(row, name) for name in ("description", "title", "link")}
        asked = {name: text_of(row, name, required=True) for name in ("action", "domain")}
        clip: dict[str, Any] = {"video_id": resolved.video_id, "name": resolved.name}
        clip |= resolved.payload | texts | asked
        return _draft(ActionClip(**clip), text_of(row, "id"))

    return items_of_rows(rows, item)


def _draft(clip: ActionClip, row_id: str = "") -> ItemDraft:
    end = "end" if clip.end is None else f"{clip.end:g}"
    name = row_id or f"{clip.name} {clip.start:g}-{end} {clip.action}"
    return ItemDraft(f"clip:{name}", video_id=clip.video_id, payload=clip.payload)


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """The clip, its frames' time stamps, and the frames that are pictures on the timeline.

    Raises:
        ValueError: if the clip holds no frame.
    """
    del settings, seed
    payload = item.payload
    clip = payload["video"], payload["start"], payload["end"]
    return Shown(
        {
            "video": payload["video"],
            "start_s": payload["start"],
            "end_s": payload["end"],
            "frames": list(preview_frames(workspace.media, *clip)),
            "clock": clock_facts(workspace.media, *clip),
        }
    )


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The clip with a timeline to mark on, the action and its description."""
    del workspace
    payload, facts = item.payload, shown.facts
    title = f" ({payload['title']})" if payload["title"] else ""
    return Content(
        label=f"{payload['domain']}: {payload['action']}{title}",
        stage=Player(facts["video"], facts["start_s"], facts["end_s"], marks=True),
        values={
            "ask": f"{payload['domain']}: does “{payload['action']}” happen?",
            "description": payload["description"],
        },
    )


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The choice and the cards, start and end snapped to the frames' exact time stamps, s.

    Raises:
        ValueError: if a card is no segment of the clip, or something is lacking.
    """
    happens = one_of(response, "happens", CHOICES, "Does the action happen")
    clock = clock_of(shown.facts["clock"])
    sent = cards(response, "cards")
    if len(sent) > MOST_CARDS:
        raise Refusal(f"{len(sent)} cards; at most {MOST_CARDS} are kept.")
    checked = [
        checked_card(card, f"Card {card_number}", clock)
        for card_number, card in enumerate(sent, start=1)
    ]
    asked = [card for card in checked if not card["which"]]
    if happens == NOT and asked:
        card_number = checked.index(asked[0]) + 1
        raise Refusal(
            f"Card {card_number}: say which action this is, since the one asked for does not "
            "happen; or remove the card."
        )
    if happens != NOT and not asked:
        raise Refusal(
            "No card shows when the action happens. Mark its start and end; leave 'which action' "
            "empty there."
        )
    sport = ""
    if happens == ELSEWHERE:
        needed = "Write the sport or activity, or 'not sure'."
        sport = text(response, "sport", "Which sport", needed=needed)
    identified = {
        name: one_of(response, name, IDENTIFIED, f"Identified from {label}")
        for name, label in IDENTIFICATION.items()
        if response.get(name) is not None
    }
    return {"happens": happens, "sport": sport, "cards": checked, **identified}


def windows(response: dict[str, Any]) -> tuple[Window, ...]:
    """When the action that was asked for happens, by one response: (start, end) in s, sorted."""
    return tuple(
        sorted((card["start"], card["end"]) for card in response["cards"] if not card.get("which"))
    )


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """The majority's choice, and the segments that more than half of that majority marked.

    A segment lies between the median edges of cards that are matched by temporal IoU.
    """
    choice = majority([response["happens"] for response in responses])
    if choice.value is None:
        return Decision(None, choice.status, choice.words)
    outcome = f"{choice.words} '{choice.value}'"
    if choice.value == NOT:
        return Decision({"happens": NOT, "segments": []}, "decided", outcome)
    people = [windows(vote) for vote in responses if vote["happens"] == choice.value]
    shared = shared_segments(people, settings["same_from_iou"])
    kept = [segment for segment in shared if 2 * segment.people > len(people)]
    parts = [outcome, *(segment_words(segment, len(people)) for segment in kept)]
    if len(kept) < len(shared):
        parts.append(f"{len(shared) - len(kept)} marked by half or fewer")
    if not kept:
        return Decision(None, "open", "; ".join([*parts, "no segment is shared by more than half"]))
    segments = [
        {"start": segment.start_s, "end": segment.end_s, "people": segment.people}
        for segment in kept
    ]
    value = {"happens": choice.value, "segments": segments}
    return Decision(value, "decided", "; ".join(parts))


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether it is settled that it does not happen; a segment's edges move with every answer."""
    del settings
    votes = [response["happens"] for response in responses]
    return missing == 0 or (majority(votes).value == NOT and majority_settled(votes, missing))


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    del settings, payload
    card = dict.fromkeys(("start", "end", "which", *ABOUT))
    others = dict.fromkeys(("sport", "least_iou", "why", *IDENTIFICATION))
    return {"happens": CHOICES, "cards": card, **others}


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether the choice is right and the segments overlap the known ones enough.

    `expected` is {"happens": choice, "cards": [{"start", "end"}], "least_iou": 0.5, "why": words}.
    """
    del settings
    why = [expected["why"]] if expected.get("why") else []
    if response["happens"] != expected["happens"]:
        message = f"You said '{response['happens']}'; right is '{expected['happens']}'."
        return False, " ".join([message, *why])
    known = tuple((card["start"], card["end"]) for card in expected.get("cards", ()))
    if not known:
        return True, " ".join(["Right.", *why])
    iou = _matched_iou(known, windows(response))
    right = iou >= expected.get("least_iou", LEAST_IOU)
    spans = " and ".join(f"{start:.2f} to {end:.2f} s" for start, end in known)
    verdict = "Close enough" if right else "Not close enough"
    message = (
        f"{verdict}: right is {spans}; yours and the right time overlap by {percent_text(iou, 0)}."
    )
    return right, " ".join([message, *why])


def tolerance(settings: dict[str, Any]) -> float:
    """The distance up to which two responses count as no disagreement, in [0, 1)."""
    return 1 - float(settings.get("agree_from_iou", AGREE_FROM_IOU))


def decided_windows(value: Any) -> tuple[Window, ...]:
    """When the action happens by a decision's value: (start, end) in s."""
    return tuple((segment["start"], segment["end"]) for segment in value["segments"])


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The choice, and each card's times with what is written on it."""
    del values
    choice = f"{response['happens']}: {response['sport']}" if response["sport"] else None
    return "; ".join([choice or response["happens"], *map(card_words, response["cards"])])


def distances(responses: Sequence[dict[str, Any]]) -> Paired:
    """`distance` between each two of many responses at once."""
    choice = np.array(
        [CHOICES.index(response["happens"]) for response in responses], dtype=np.int64
    )
    spans = Cards.of([windows(response) for response in responses])

    def between(rows: Ints, columns: Ints) -> Floats:
        apart = 1 - matching.match(spans, rows, columns).mean_iou
        return np.where(choice[rows] == choice[columns], apart, 1.0)

    return Paired(between)


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """1 for another choice, else 1 - mean temporal IoU of matched cards; in [0, 1]."""
    if a["happens"] != b["happens"]:
        return 1.0
    return 1 - _matched_iou(windows(a), windows(b))


def _matched_iou(cards_a: Sequence[Window], cards_b: Sequence[Window]) -> float:
    matches = matching.match(Cards.of([cards_a, cards_b]), np.array([0]), np.array([1]))
    return float(matches.mean_iou[0])


def survivors(value: dict[str, Any]) -> tuple[int, int]:
    """One of one, if the action happens in it."""
    return int(bool(value["segments"])), 1
