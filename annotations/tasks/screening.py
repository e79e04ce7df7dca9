"""Screening: does a video belong in the data set, and if not, why (K9-Bench B.2, Fig. 6)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, cast

from annotations import author_lists
from annotations.decision import Decision, majority, majority_settled
from annotations.part_votes import jaccard_distance, named_by_most, named_by_most_settled
from annotations.reading.responses import one_of, text
from annotations.record.item import Item
from annotations.record.stage import Beside, Content, Player
from annotations.task import ItemDraft, Shown
from annotations.task_parts import Summary
from annotations.task_settings import completed, in_range
from annotations.tasks._written_reasons import reasons_summary
from annotations.video.clips_in_rows import Videos, items_of_rows, text_of
from annotations.video.duplicates import Similar, similar_videos
from annotations.video.video_about import about_video
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.video.perceptual_hash import BITS, NEAR

LABEL = "Screening"
SCHEMA_VERSION = 1
OVERLAP = 1
SOURCES = ("videos", "rows")
STAGE, STAGE_UNIT = "Screened", "video"

ACCEPT, REJECT = VERDICTS = ("accept", "reject")
STRUCTURED, EXPLORATORY = PASSES = ("structured", "exploratory")
MOST_REASONS = 26
MOST_BESIDE = 4
# What a model names that is on no list: its rejection counts, for a reason of its own.
OTHER = "other"


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: pass, reasons and criteria, and how near a near-duplicate is.

    `reasons` is the name of a shipped list (assets/reasons), or a list of labels or of {"id",
    "label", "description"}; with a name, `criteria` for accepting come from there too.
    `with_titles` shows people the video's title and a link to where it came from.

    Raises:
        ValueError: for a setting that is not allowed.
    """
    wanted = {"reasons": "neutral", **settings}
    if isinstance(wanted["reasons"], str):
        ready = author_lists.load("reasons", wanted["reasons"])
        wanted = {"criteria": ready["criteria"], **wanted, "reasons": ready["reasons"]}
    defaults: dict[str, Any] = {
        "pass": STRUCTURED, "reasons": [], "criteria": [], "duplicates": True, "near_bits": NEAR,
        "with_titles": False,
    }  # fmt: skip
    completed_settings = completed(wanted, defaults, choices={"pass": PASSES})
    in_range(completed_settings, "near_bits", 0, BITS // 3)
    reasons = author_lists.entries(
        completed_settings["reasons"], "reasons", "description", MOST_REASONS
    )
    return {
        **completed_settings,
        "reasons": reasons,
        "criteria": [str(criterion) for criterion in completed_settings["criteria"]],
    }


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each usable video, or for each row that names one; with its near-duplicates.

    Videos that come later have the earlier ones beside them, not the other way round.

    Raises:
        ValueError: for a row that is none.
    """
    near = similar_videos(workspace, settings["near_bits"]) if settings["duplicates"] else {}
    if rows is None:
        return list(_every_video(workspace, near))
    videos = Videos(workspace)

    def item(_: int, row: dict[str, Any]) -> ItemDraft:
        clip = videos.clip(row)
        uid = text_of(row, "id") or clip.name
        return _draft(uid, clip.video_id, clip.name, clip.payload, near.get(clip.video_id, []))

    return items_of_rows(rows, item)


def _every_video(workspace: Workspace, near: dict[int, list[Similar]]) -> Iterable[ItemDraft]:
    seen: set[str] = set()
    for row in workspace.store.rows(
        "SELECT id, name, sha256 FROM video WHERE status = 'usable' ORDER BY id"
    ):
        name = row["name"]
        uid = f"{name} {row['sha256'][:12]}" if name in seen else name
        seen.add(name)
        clip = {"video": row["sha256"], "start": 0.0, "end": None}
        yield _draft(uid, row["id"], name, clip, near.get(row["id"], []))


def _draft(
    uid: str, video_id: int, name: str, clip: dict[str, Any], near: Sequence[Similar]
) -> ItemDraft:
    beside = [
        {
            "video": similar.sha256,
            "frame": similar.frame,
            "label": similar.words,
            "distance": similar.distance,
        }
        for similar in near[:MOST_BESIDE]
    ]
    return ItemDraft(
        f"video:{uid}", video_id=video_id, payload={"name": name, "clip": clip, "beside": beside}
    )


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """The clip, the reasons that may be given, near-duplicates beside it, and title if wanted."""
    del seed
    payload = item.payload
    clip = payload["clip"]
    return Shown(
        {
            "video": clip["video"],
            "start_s": clip["start"],
            "end_s": clip["end"],
            "pass": settings["pass"],
            "reasons": [reason["id"] for reason in settings["reasons"]],
            "beside": payload["beside"],
            **(_told(workspace, item) if settings.get("with_titles") else {}),
        }
    )


def _told(workspace: Workspace, item: Item) -> dict[str, str]:
    """Title and link of an item's video, those that are known."""
    about = about_video(workspace, item.video_id)
    known = {"title": about.title, "link": about.source_url}
    return {name: value for name, value in known.items() if value}


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The video with its near-duplicates beside it."""
    del workspace
    facts = shown.facts
    beside = tuple(
        Beside(video["video"], video["frame"], video["label"]) for video in facts["beside"]
    )
    name = item.payload["name"]
    player = Player(
        facts["video"], facts["start_s"], facts["end_s"], beside=beside,
        title=facts.get("title", ""), link=facts.get("link", ""),
    )  # fmt: skip
    return Content(label=name, stage=player, values={"name": name})


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The verdict; for a rejection its reasons, by id or, in the exploratory pass, in words.

    Raises:
        ValueError: if a rejection has no reason, or one that was not offered.
    """
    verdict = one_of(response, "verdict", VERDICTS, "Verdict")
    exploring = shown.facts["pass"] == EXPLORATORY
    needed = "Write in a few words why it is rejected." if exploring and verdict == REJECT else ""
    note = text(response, "note", "Remarks", needed=needed)
    reasons: list[str] = []
    if verdict == REJECT and not exploring:
        sent = response.get("reasons")
        named = cast("list[Any]", sent) if isinstance(sent, list) else []
        offered = [*shown.facts["reasons"], OTHER]
        unknown = [reason for reason in named if reason not in offered]
        if unknown:
            raise Refusal(f"{unknown[0]!r} is no reason of this list. Reload the page.")
        reasons = [reason for reason in offered if reason in named]
        if not reasons:
            raise Refusal("A rejection needs a reason. Choose one or more.")
    return {"verdict": verdict, "reasons": reasons, "note": note}


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """Accept or reject by majority; the reasons that more than half of the rejecters gave.

    The value is {"verdict", "reasons"}.
    """
    verdict = majority([response["verdict"] for response in responses])
    if verdict.value is None:
        return verdict
    summary = f"{verdict.value}: {verdict.words}"
    if verdict.value == ACCEPT:
        return Decision({"verdict": ACCEPT, "reasons": []}, "decided", summary)
    named, total = _named(responses)
    called = reason_labels(settings)
    reasons = [reason for reason in called if named_by_most(named[reason], total)]
    counts = ", ".join(f"{n} of {total} “{called.get(key, key)}”" for key, n in named.most_common())
    return Decision(
        {"verdict": REJECT, "reasons": reasons},
        "decided",
        f"{summary}; {counts}" if counts else summary,
    )


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether verdict and reasons stand whatever comes."""
    verdicts = [response["verdict"] for response in responses]
    if missing == 0:
        return True
    if not majority_settled(verdicts, missing):
        return False
    if majority(verdicts).value == ACCEPT or settings["pass"] == EXPLORATORY:
        return True
    named, total = _named(responses)
    if len(settings["reasons"]) == 1:  # whoever rejects names it
        return True
    return all(
        named_by_most_settled(named[reason["id"]], total, missing) for reason in settings["reasons"]
    )


def _named(responses: Sequence[dict[str, Any]]) -> tuple[Counter[str], int]:
    """How often each reason was given, and by how many rejecters."""
    rejections = [response for response in responses if response["verdict"] == REJECT]
    return Counter(reason for response in rejections for reason in response["reasons"]), len(
        rejections
    )


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    del payload
    listed = settings["reasons"] and settings["pass"] == STRUCTURED
    reasons = [*reason_labels(settings), OTHER] if listed else None
    return {"verdict": VERDICTS, "reasons": reasons, "note": None, "why": None}


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether the verdict is right and, for a rejection, one of the right reasons is given."""
    why = f" {expected['why']}" if expected.get("why") else ""
    wanted: list[str] = expected.get("reasons", [])
    named, labels = response.get("reasons"), reason_labels(settings)
    reasons = ", ".join(labels.get(reason, reason) for reason in wanted)
    if response["verdict"] != expected["verdict"]:
        right = f"{expected['verdict']} ({reasons})" if wanted else expected["verdict"]
        return False, f"The right verdict is: {right}.{why}"
    if wanted and named and not set(wanted) & set(named):
        return False, f"Rejected rightly, but for: {reasons}.{why}"
    return True, f"Right.{why}"


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """1 for another verdict; for two rejections half the share of reasons only one gave."""
    if a["verdict"] != b["verdict"]:
        return 1.0
    return jaccard_distance(a["reasons"], b["reasons"]) / 2


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The verdict, with the reasons of a rejection and the remark."""
    del values
    reasons = ", ".join(reason.replace("_", " ") for reason in response["reasons"])
    summary = f"{response['verdict']}: {reasons}" if reasons else response["verdict"]
    return f"{summary} ({response['note']})" if response["note"] else summary


def passes(value: dict[str, Any]) -> bool:
    """Whether a response, or a decision's value, accepts; this makes the kind a filter."""
    return value["verdict"] == ACCEPT


def reasons_given(value: dict[str, Any]) -> tuple[str, ...]:
    """Ids of the reasons of a rejection, by a response or a decision's value."""
    return tuple(value["reasons"])


def reason_labels(settings: dict[str, Any]) -> dict[str, str]:
    """What reasons are called, by id, in the order of the list."""
    return {reason["id"]: reason["label"] for reason in settings["reasons"]}


def summary(responses: Sequence[dict[str, Any]]) -> Summary | None:
    """Reasons written in the exploratory pass, from which the list of the structured pass is made.

    In the structured pass reasons are chosen, and remarks are no reasons: None.
    """
    rejections = [answer for answer in responses if answer["verdict"] == REJECT]
    return reasons_summary([answer["note"] for answer in rejections if not answer["reasons"]])


def survivors(value: dict[str, Any]) -> tuple[int, int]:
    """One of one, if it is accepted."""
    return int(passes(value)), 1
