"""Items of a form of one's own: clips and texts out of rows, videos or questions."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, cast

from annotations.reading.records import Fault
from annotations.task import ItemDraft
from annotations.video.clips_in_rows import Videos, items_of_rows, row_named, text_of
from annotations.workspace import Workspace
from core.refusal import Refusal

CLIPS, NO_STAGE = "clips", "text"
MOST_CLIPS = 5
LONGEST_NAME = 40
_COLUMN = re.compile(r"\{([^{}]*)\}")
_OF_CLIPS = re.compile(r"id|role|expected|clips|(video|title|link|(start|end)(_[mu]s)?)(_\d)?")
_VIDEOS = """
  SELECT id, name, sha256, json_extract(facts, '$.title') AS title,
    json_extract(facts, '$.description') AS description, source_url AS link
  FROM video WHERE status = 'usable' ORDER BY id
"""
_QUESTIONS = """
  SELECT q.uid, q.question_id, q.text AS question, q.options, q.category, c.video_id, c.start_s,
    c.end_s, v.name, v.sha256
  FROM asked_question q JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id
  WHERE v.status = 'usable' ORDER BY q.question_id
"""


def filled(template: str, row: Mapping[str, Any]) -> str:
    """A text with {column} replaced by what a row holds.

    Raises:
        Fault: for a column that the row does not have.
    """

    def value(match: re.Match[str]) -> str:
        column = match[1].strip()
        if column not in row:
            raise Fault(
                "the text names a column that the row does not have", column=column, value="",
                allowed=", ".join(sorted(row)) or "a column of the file",
                todo="Correct the setting 'text', or add the column.",
            )  # fmt: skip
        return "" if row[column] is None else str(row[column])

    return _COLUMN.sub(value, template).strip()


def from_rows(
    workspace: Workspace, settings: Mapping[str, Any], rows: Iterable[dict[str, Any]]
) -> list[ItemDraft]:
    """One item for each row: its clip, its clips, or its text alone, as the stage asks for.

    Raises:
        Refusal: for a row that makes no item; names row, field and what is allowed.
    """
    videos = Videos(workspace)

    def item(number: int, row: dict[str, Any]) -> ItemDraft:
        clips = _clips_of(videos, row, settings)
        name = text_of(row, "id") or _name_of(row, settings["text"], number)
        payload = {"clips": clips, "text": filled(settings["text"], row)}
        video_id = clips[0].pop("video_id") if clips else None
        for clip in clips[1:]:
            clip.pop("video_id")
        return ItemDraft(f"row:{name}", video_id=video_id, payload=payload)

    return items_of_rows(rows, item)


def _clips_of(
    videos: Videos, row: dict[str, Any], settings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    if settings["stage"] == NO_STAGE:
        return []
    parts = _parts(row) if settings["stage"] == CLIPS else [row]
    clips: list[dict[str, Any]] = []
    for number, part in enumerate(parts, start=1):
        within = f"clips {number} " if settings["stage"] == CLIPS else ""
        clip = videos.clip(part, within=within, longest_s=settings["longest_clip_s"])
        about = {name: text_of(part, name) for name in ("title", "link")}
        clips.append({"video_id": clip.video_id, **clip.payload, **about, "id": str(number)})
    return clips


def _parts(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The clips that a row names: a list 'clips', or columns video_1, start_1, video_2 and so on.

    Raises:
        Fault: for no clip, or too many.
    """
    parts: list[dict[str, Any]]
    if isinstance(row.get("clips"), list):
        listed = cast("list[Any]", row["clips"])
        parts = [part for part in listed if isinstance(part, dict)]
    else:
        numbers = [n for n in range(1, MOST_CLIPS + 2) if row.get(f"video_{n}")]
        parts = [
            {key.removesuffix(f"_{n}"): row[key] for key in row if key.endswith(f"_{n}")}
            for n in numbers
        ]
    if not 1 <= len(parts) <= MOST_CLIPS:
        raise Fault(
            "clips are needed", column="clips", value=len(parts),
            allowed=f"1 to {MOST_CLIPS} objects with video, start, end, title, link, or columns "
            "video_1, start_1, end_1, video_2 …",
            todo="Name the clips that are shown beside each other.",
        )  # fmt: skip
    return parts


def _name_of(row: Mapping[str, Any], template: str, number: int) -> str:
    """The row's number with the first text that people read of it, else with its video's name.

    Columns that are not shown stay out of it: they may say whose work is judged.
    """
    read = (row.get(column.strip()) for column in _COLUMN.findall(template))
    texts = (" ".join(value.split()) for value in read if isinstance(value, str))
    video = PurePath(str(row.get("video") or row.get("video_1") or "")).name
    name = next(filter(None, texts), video)
    if len(name) > LONGEST_NAME:  # after a whole word, where there is one
        name = f"{name[:LONGEST_NAME].rsplit(' ', 1)[0]} …"
    return f"{number} {name}".strip()


def columns_not_shown(settings: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Columns of texts that nobody reads, where the form shows no text at all; else none."""
    if settings["text"].strip():
        return []
    texts = (name for row in rows for name, value in row.items() if isinstance(value, str))
    return [name for name in dict.fromkeys(texts) if not _OF_CLIPS.fullmatch(name)]


def from_videos(workspace: Workspace, settings: Mapping[str, Any]) -> list[ItemDraft]:
    """One item for each usable video; the text may name {name}, {title}, {description}, {link}.

    Raises:
        Refusal: if the text names something else, or the stage needs several clips.
    """
    _refuse_several(settings)
    drafts: list[ItemDraft] = []
    for number, row in enumerate(workspace.store.rows(_VIDEOS), start=1):
        texts = {name: row[name] or "" for name in ("name", "title", "description", "link")}
        with row_named(number):
            text = filled(settings["text"], texts)
        clip = {"video": row["sha256"], "start": 0.0, "end": None, "title": "", "link": ""}
        payload = {"clips": [{**clip, "id": "1"}], "text": text}
        drafts.append(ItemDraft(f"video:{row['id']} {row['name']}", None, row["id"], payload))
    return drafts


def from_questions(workspace: Workspace, settings: Mapping[str, Any]) -> list[ItemDraft]:
    """One item for each question; the text may name {question}, {options}, {category}, {name}.

    The key is not among them: whoever fills in the form may be asked the question elsewhere.

    Raises:
        Refusal: if the text names something else, or the stage needs several clips.
    """
    _refuse_several(settings)
    drafts: list[ItemDraft] = []
    for number, row in enumerate(workspace.store.rows(_QUESTIONS), start=1):
        texts = {name: row[name] or "" for name in ("question", "category", "name")}
        texts["options"] = "\n".join(json.loads(row["options"]))
        with row_named(number):
            text = filled(settings["text"], texts)
        end = row["end_s"]
        clip = {
            "video": row["sha256"],
            "start": row["start_s"],
            "end": end,
            "title": "",
            "link": "",
        }
        payload = {"clips": [{**clip, "id": "1"}], "text": text}
        drafts.append(
            ItemDraft(f"question:{row['uid']}", row["question_id"], row["video_id"], payload)
        )
    return drafts


def _refuse_several(settings: Mapping[str, Any]) -> None:
    if settings["stage"] == CLIPS:
        raise Refusal(
            "A stage of several clips needs a file of rows that name them; choose rows as the "
            "source, or another stage."
        )
