"""One answer of a model as it is looked at: what the model saw, what was asked, what it said."""

import json
from dataclasses import dataclass
from typing import Any

from annotations.answering.response_words import letter
from annotations.condition import Condition
from annotations.importing.prediction_shown import UNKNOWN
from annotations.record.stage import Grid, Player, Stage
from annotations.task import Shown
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.stored_json import stored_json
from db.connection import first_row

FRAMES_NOT_KNOWN = "It is not known which frames the model saw: {}. This is the whole clip."
CAME_WITHOUT = "the predictions came without them"
NO_VIDEO = "The video is not in the workspace."
_PREDICTION = """
  SELECT a.id, a.item_id, a.shown, a.response, a.question_revision_id, m.name AS model,
         json_extract(t.settings, '$.condition') AS condition, t.name AS task,
         p.reply, p.state, p.rule, p.words, q.uid, r.text, r.options, r.key,
         c.start_s, c.end_s, v.sha256, n.options AS options_now, n.key AS key_now,
         n.clip_id = r.clip_id AS same_clip
  FROM prediction p JOIN annotation a ON a.id = p.annotation_id
  JOIN annotator m ON m.id = a.annotator_id JOIN item i ON i.id = a.item_id
  JOIN task t ON t.id = i.task_id JOIN question_revision r ON r.id = a.question_revision_id
  JOIN question q ON q.id = r.question_id JOIN clip c ON c.id = r.clip_id
  JOIN video v ON v.id = c.video_id JOIN current_question n ON n.question_id = r.question_id
  WHERE p.annotation_id = ?
"""


@dataclass(frozen=True)
class FailedAnswer:
    """A model's answer beside what it was asked.

    Attributes:
        texts: the options in the question's own order; `order` is the one in which it saw them.
        key: index of the right option by which the answer is scored; None without a key.
        choice: index of the option that was read out of the reply; None if none was.
        reply: raw; '' where none came.
        words: how it was read and why.
    """

    uid: str
    question: str
    texts: tuple[str, ...]
    order: tuple[int, ...]
    key: int | None
    choice: int | None
    model: str
    condition: str
    reply: str
    words: str

    @property
    def right(self) -> bool:
        """Whether the model chose the key."""
        return self.key is not None and self.choice == self.key

    def options(self) -> list[dict[str, Any]]:
        """The options as the model saw them: letter, text, whether key, whether chosen."""
        return [
            {
                "letter": letter(index),
                "text": self.texts[option],
                "key": option == self.key,
                "chosen": option == self.choice,
            }
            for index, option in enumerate(self.order)
        ]


@dataclass(frozen=True)
class Seen:
    """What a model saw, completed by the question's own clip where the answer does not say.

    Attributes:
        video: content hash; '' where there is none.
        start_s: s; with `end_s`, which is None for the video's end, the clip.
        frames: numbers of the frames; empty where none are known.
        times: of the frames, s; None for a time that is not known.
        unknown: why the frames are not known; '' where nothing was said.
        displayed: the options' order; empty where it is not known.
    """

    condition: str
    video: str
    start_s: float
    end_s: float | None
    frames: tuple[int, ...] = ()
    times: tuple[float | None, ...] = ()
    unknown: str = ""
    displayed: tuple[int, ...] = ()

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> "Seen":
        """What `facts` wrote, as it is stored with an item's lease."""
        return cls(
            facts["condition"], facts["video"] or "", float(facts["start_s"] or 0.0),
            facts["end_s"], tuple(facts["frames"]), tuple(facts["times"]),
            facts.get(UNKNOWN, ""), tuple(facts.get("displayed", ())),
        )  # fmt: skip

    def facts(self) -> dict[str, Any]:
        """The same as JSON.

        The option order goes under another name than an answer's: what has an `option_order` is
        an answer to the question itself.
        """
        return {
            "condition": self.condition,
            "video": self.video,
            "start_s": self.start_s,
            "end_s": self.end_s,
            "frames": list(self.frames),
            **({UNKNOWN: self.unknown} if self.unknown else {}),
            "times": list(self.times),
            "displayed": list(self.displayed),
        }


def failed_answer(workspace: Workspace, annotation_id: int) -> FailedAnswer:
    """A model's answer.

    Raises:
        ValueError: if there is no such prediction.
    """
    row = _row(workspace, annotation_id)
    texts: list[str] = json.loads(row["options"])
    choice = stored_json(row["response"]).get("choice")
    same = bool(row["same_clip"]) and row["options"] == row["options_now"]
    return FailedAnswer(
        uid=row["uid"],
        question=row["text"],
        texts=tuple(texts),
        order=displayed(json.loads(row["shown"]), len(texts)),
        key=row["key_now"] if same else row["key"],
        choice=choice if type(choice) is int else None,
        model=row["model"],
        condition=row["condition"] or row["task"],
        reply=row["reply"] or "",
        words=row["words"],
    )


def displayed(shown: dict[str, Any], options: int) -> tuple[int, ...]:
    """The options' indices in the order in which they were shown; their own order if not known."""
    order = shown.get("option_order") or shown.get("displayed")
    return tuple(order) if order and len(order) == options else tuple(range(options))


def shown_again(workspace: Workspace, annotation_id: int) -> Shown:
    """What a model saw, as others are shown it; the facts name the prediction.

    Raises:
        ValueError: if there is no such prediction, or it is right by now.
    """
    row = _row(workspace, annotation_id)
    if failed_answer(workspace, annotation_id).right:
        raise Refusal(f"The model's answer to {row['uid']} is right now: the key was changed.")
    facts = {"prediction": annotation_id, **_completed(row).facts()}
    return Shown(facts, row["question_revision_id"])


def seen(workspace: Workspace, annotation_id: int) -> Seen:
    """What a model saw.

    Raises:
        ValueError: if there is no such prediction.
    """
    return _completed(_row(workspace, annotation_id))


def _completed(row: dict[str, Any]) -> Seen:
    shown: dict[str, Any] = json.loads(row["shown"])
    return Seen(
        condition=shown.get("condition") or row["condition"] or "",
        video=shown.get("video") or row["sha256"],
        start_s=float(shown.get("start_s", row["start_s"]) or 0.0),
        end_s=shown.get("end_s", row["end_s"]),
        frames=tuple(shown.get("frames") or ()),
        unknown=shown.get(UNKNOWN) or "",
        times=tuple(shown.get("times") or ()),
        displayed=tuple(shown.get("option_order") or ()),
    )


def stage(workspace: Workspace, seen: Seen) -> Stage | None:
    """The frames that a model saw, or the clip; None where it saw text only, or nothing is here."""
    if _text_only(seen) or not has_video(workspace, seen):
        return None
    if not seen.frames:
        return clip(seen)
    times = seen.times
    if len(times) != len(seen.frames):
        table = workspace.media.frame_table(seen.video).times
        times = tuple(table[frame] if frame < len(table) else None for frame in seen.frames)
    return Grid(seen.video, seen.frames, times)


def clip(seen: Seen) -> Player:
    """The moving clip of what was shown."""
    return Player(seen.video, seen.start_s, seen.end_s)


def has_video(workspace: Workspace, seen: Seen) -> bool:
    """Whether the video of what was shown can be played."""
    return bool(seen.video) and workspace.media.table(seen.video).exists()


def not_known(workspace: Workspace, seen: Seen) -> str:
    """What has to be said about the pictures; '' where they are exactly what the model saw."""
    if _text_only(seen):
        return "The model saw no picture: question and options only."
    if not has_video(workspace, seen):
        return NO_VIDEO
    if seen.frames or seen.condition == "full video":
        return ""
    return FRAMES_NOT_KNOWN.format(seen.unknown or CAME_WITHOUT)


def _text_only(seen: Seen) -> bool:
    try:
        return Condition.parse(seen.condition).is_text
    except Refusal:
        return False


def _row(workspace: Workspace, annotation_id: int) -> dict[str, Any]:
    with workspace.store.read() as database:
        row = first_row(database, _PREDICTION, [annotation_id])
    if row is None:
        raise Refusal(f"There is no prediction {annotation_id} in this workspace.")
    return row
