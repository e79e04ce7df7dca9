"""Frame picking: the one frame that tells most about a question (TOMATO 5)."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from annotations.decision import Decision
from annotations.question.passed_clips import counted_responses
from annotations.question.questions import as_asked
from annotations.reading.records import Fault
from annotations.record.item import Item
from annotations.record.stage import Content, Grid, Picker, Player
from annotations.task import ItemDraft, Shown
from annotations.task_settings import completed, in_range
from annotations.video.clips_in_rows import items_of_rows, text_of
from annotations.video.frame_clock import clock_facts, clock_of
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.video import plans
from db.connection import first_row

LABEL = "Frame picking"
SCHEMA_VERSION = 1
OVERLAP = 3
SOURCES = ("questions", "rows")

APART_S = 1.0
NEAR_S = 0.5
_QUESTIONS = """
  SELECT q.uid, q.question_id, c.video_id FROM asked_question q
  JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id
  WHERE v.status = 'usable' ORDER BY q.question_id
"""


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: frames of the grid, and up to how many s apart two picks agree.

    Raises:
        ValueError: for a setting that is not allowed.
    """
    completed_settings = completed(settings, {"grid_frames": 16, "near_s": NEAR_S})
    in_range(completed_settings, "grid_frames", 1, 100)
    in_range(completed_settings, "near_s", 0, 3600)
    return completed_settings


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each question with a usable video, or for each that a row names.

    Raises:
        ValueError: for a row that names none.
    """
    del settings
    by_uid = {row["uid"]: row for row in workspace.store.rows(_QUESTIONS)}
    if rows is None:
        return [_draft(row) for row in by_uid.values()]

    def item(_: int, row: dict[str, Any]) -> ItemDraft:
        uid = text_of(row, "question", required=True)
        if uid not in by_uid:
            raise Fault(
                "there is no such question with a usable video", column="question",
                value=uid, allowed="the id of a question, such as count/17",
                todo="Import the question or its video, or correct the id.",
            )  # fmt: skip
        return _draft(by_uid[uid])

    return items_of_rows(rows, item, "Remove one of them.")


def _draft(row: dict[str, Any]) -> ItemDraft:
    return ItemDraft(f"question:{row['uid']}", row["question_id"], row["video_id"])


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """The question's clip as a grid of uniform frames, and all its frames' time stamps.

    Raises:
        ValueError: if the question's video is not usable.
    """
    del seed
    question = _question(workspace, item.question_id)
    if question is None or question["status"] != "usable":
        raise Refusal(f"{item.uid}: its video is not usable.")
    clip = question["sha256"], question["start_s"], question["end_s"]
    inside = workspace.media.frames_between(*clip)
    frames = [inside[position] for position in plans.uniform(len(inside), settings["grid_frames"])]
    times = workspace.media.frame_table(question["sha256"]).times
    return Shown(
        {
            "video": question["sha256"],
            "start_s": question["start_s"],
            "end_s": question["end_s"],
            "frames": frames,
            "times": [round(times[index], 6) for index in frames],
            "clock": clock_facts(workspace.media, *clip),
        },
        question["id"],
    )


def _question(workspace: Workspace, question_id: int | None) -> dict[str, Any] | None:
    with workspace.store.read() as database:
        return first_row(
            database,
            "SELECT q.id, q.uid, c.start_s, c.end_s, v.sha256, v.status FROM current_question q"
            " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
            " WHERE q.question_id = ?",
            [question_id],
        )


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The grid to begin with, the clip behind it, the question and its options without the key."""
    del item
    question = as_asked(workspace.store, shown.question_revision_id)
    facts = shown.facts
    return Content(
        label=question.uid.replace("/", " "),
        stage=Picker(
            Grid(facts["video"], tuple(facts["frames"]), tuple(facts["times"])),
            Player(facts["video"], facts["start_s"], facts["end_s"]),
        ),
        values={
            "question": question.text,
            "options": " · ".join(question.options),
        },
    )


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The picked frame as its index in the video, with its time stamp in s.

    Raises:
        ValueError: if it is no frame of the clip.
    """
    frame = response.get("frame")
    if frame is None:
        raise Refusal("No frame is picked. Go to the frame that tells most and press Enter.")
    clock = clock_of(shown.facts["clock"])
    if isinstance(frame, bool) or not isinstance(frame, int):
        raise Refusal(f"{frame!r} is no frame. Pick one from the grid.")
    if not clock.first <= frame <= clock.last:
        raise Refusal(
            f"Frame {frame} is not in the clip, which has frames {clock.first} to {clock.last}."
        )
    return {"frame": frame, "time": round(clock.time_of(frame), 6)}


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """The middle pick, of two middle ones the earlier; its words tell how far the others are.

    The middle pick is the one with the least total distance to all others.
    """
    if not responses:
        return Decision(None, "none", "no picks")
    picks = sorted((response["frame"], response["time"]) for response in responses)
    frame, time = picks[(len(picks) - 1) // 2]
    if len(picks) == 1:
        return Decision({"frame": frame, "time": time}, "decided", f"single pick, {time:.3f} s")
    near_s, earliest, latest = settings["near_s"], picks[0][1], picks[-1][1]
    near = sum(abs(pick_time - time) <= near_s + 1e-9 for _, pick_time in picks)
    # No number of the frame: files count them from 0, the player from 1.
    summary = (
        f"the frame at {time:.3f} s, the middle of {len(picks)} picks from {earliest:.3f} to "
        f"{latest:.3f} s (spread {latest - earliest:.3f} s); {near} of {len(picks)} within "
        f"{near_s:g} s of it"
    )
    return Decision({"frame": frame, "time": time}, "decided", summary)


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether the middle pick stands even if all that come are earlier, or all later."""
    del settings
    picks = sorted(response["frame"] for response in responses)
    middle = (len(picks) + missing - 1) // 2
    if missing == 0 or not picks:
        return missing == 0
    return (
        middle - missing >= 0 and middle < len(picks) and picks[middle - missing] == picks[middle]
    )


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    del settings, payload
    return dict.fromkeys(("time", "near_s", "frame", "near_frames", "why"))


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether the pick lies near the known one, in time where that is known, else in frames.

    Args:
        response: as it is stored.
        expected: {"time": s, "near_s": 0.5} or {"frame": index, "near_frames": 0}, and "why".
    """
    del settings
    why = [expected["why"]] if expected.get("why") else []
    if "time" in expected:
        time, near = float(expected["time"]), float(expected.get("near_s", NEAR_S))
        right = abs(response["time"] - time) <= near + 1e-9
        telling = f"{max(0.0, time - near):.2f} to {time + near:.2f} s"
        comparison = (
            f"Your frame is at {response['time']:.2f} s; the telling ones are from {telling}."
        )
    else:
        frame, around = int(expected["frame"]), int(expected.get("near_frames", 0))
        right = abs(response["frame"] - frame) <= around
        comparison = f"You picked frame {response['frame'] + 1}; the telling one is {frame + 1}."
    return right, " ".join(["Right." if right else comparison, *why])


def tolerance(settings: dict[str, Any]) -> float:
    """The distance up to which two picks count as no disagreement, by `near_s`; in [0, 1]."""
    return min(APART_S, float(settings["near_s"])) / APART_S


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The picked frame, counted from 1 as the player counts, with its time."""
    del values
    return f"frame {response['frame'] + 1}, {response['time']:.3f} s"


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """Seconds between two picks, at most 1: picks a second apart show different moments."""
    return min(APART_S, abs(a["time"] - b["time"])) / APART_S


def handpicked_frame(
    workspace: Workspace, question_id: int, sha256: str, available: Sequence[int]
) -> int:
    """The frame that people picked for a question, as its index in the video.

    It is what the newest task of frame picking decides that has picks for the question; picks on
    another video than the question has now do not count.

    Args:
        workspace: where to look.
        question_id: of the question.
        sha256: the question's video as it is now.
        available: indices of the frames of the question's clip.

    Raises:
        ValueError: if nobody picked one yet, or it lies outside the clip as it is now.
    """
    items = workspace.store.rows(
        "SELECT i.id, i.uid, t.settings FROM item i JOIN task t ON t.id = i.task_id"
        " WHERE t.kind = 'frame_picking' AND i.question_id = ? AND i.status = 'open'"
        " AND i.role = 'work' AND EXISTS (SELECT 1 FROM current_annotation a"
        " WHERE a.item_id = i.id AND a.counted = 1 AND a.skip_reason IS NULL"
        " AND json_extract(a.shown, '$.video') = ?)"
        " ORDER BY t.id DESC LIMIT 1",
        [question_id, sha256],
    )
    if not items:
        raise Refusal(
            "Nobody has picked a frame of this question's video yet. Make a task of frame picking "
            "and let it be answered first."
        )
    [item] = items
    responses = counted_responses(workspace, item["id"], sha256)
    frame = decide(responses, json.loads(item["settings"])).value["frame"]
    if frame not in available:
        raise Refusal(
            f"{item['uid']}: frame {frame} was picked, but the clip changed and has frames "
            f"{available[0]} to {available[-1]} now. Let the frame be picked again."
        )
    return int(frame)
