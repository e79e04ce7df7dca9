"""The rows of a published data set: questions, votes, decisions and videos, without names."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, cast

from sqlite_utils import Database

from annotations.exporting.export_rows import pseudonyms
from annotations.video.families import LINEAGE, with_edits
from core.stored_json import stored_json

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Row = dict[str, Any]

QUESTION_COLUMNS = {
    "question_id": "text", "revision": "integer", "video": "text", "path": "text",
    "video_sha256": "text", "source_url": "text", "start_s": "number", "end_s": "number",
    "question": "text", "options": "texts", "answer": "integer", "answer_letter": "text",
    "accepted_answers": "texts", "scoring_points": "texts",
    "category": "text", "tags": "text", "votes": "integer", "agreement": "number",
}  # fmt: skip
VOTE_COLUMNS = {
    "question_id": "text", "revision": "integer", "task": "text", "kind": "text",
    "condition": "text", "annotator": "text", "annotator_kind": "text", "choice": "integer",
    "choices": "texts",
    "response": "text", "shown": "text", "skip_reason": "text", "counted": "boolean",
    "active_s": "number", "answered_at": "number",
}  # fmt: skip
DECISION_COLUMNS = {
    "question_id": "text", "task": "text", "outcome": "text", "value": "text", "changes": "text",
    "why": "text", "signatures": "integer", "decided_at": "text",
}  # fmt: skip
VIDEO_COLUMNS = {
    "video": "text", "path": "text", "sha256": "text", "source_url": "text", "licence": "text",
    "title": "text", "duration_s": "number", "width": "integer", "height": "integer",
    "codec": "text", "status": "text", "questions": "integer", "family": "text", "edit": "text",
    "parents": "texts",
}  # fmt: skip

_QUESTIONS = """
  SELECT q.uid, r.revision, r.text, r.options, r.key, r.category, r.tags, r.reference,
    c.start_s, c.end_s,
    v.name AS video, v.sha256, v.source_url, q.retired_at
  FROM question q JOIN question_revision r ON r.question_id = q.id
    AND r.revision = (SELECT max(revision) FROM question_revision x WHERE x.question_id = q.id)
  JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id ORDER BY q.id
"""
_VOTES = """
  SELECT q.uid, r.revision, t.name AS task, t.kind, json_extract(t.settings, '$.condition')
    AS condition, a.annotator_id, p.name, p.kind AS annotator_kind, a.response, a.shown,
    a.skip_reason, a.counted, a.active_s, a.answered_at
  FROM current_annotation a JOIN annotator p ON p.id = a.annotator_id
  JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id
  JOIN question_revision r ON r.id = a.question_revision_id JOIN question q ON q.id = r.question_id
  WHERE i.role = 'work' ORDER BY a.id
"""
_DECISIONS = """
  SELECT q.uid, t.name AS task, c.outcome, c.value, c.changes, c.reason AS why, c.signed,
    c.created_at
  FROM current_resolution c JOIN item i ON i.id = c.item_id JOIN task t ON t.id = i.task_id
  JOIN question q ON q.id = i.question_id WHERE c.outcome <> 'reopen' ORDER BY c.id
"""


@dataclass
class Published:
    """What goes into a data set.

    Attributes:
        questions: those that stand, by id in order.
        withdrawn: ids of questions whose video was withdrawn.
        retired: ids of questions that were retired.
        missing: names of videos whose files are not here.
    """

    questions: list[Row] = field(default_factory=list[Row])
    votes: list[Row] = field(default_factory=list[Row])
    decisions: list[Row] = field(default_factory=list[Row])
    videos: list[Row] = field(default_factory=list[Row])
    withdrawn: list[str] = field(default_factory=list[str])
    retired: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])


def published_rows(
    database: Database, withdrawn: Collection[str], licence: str, *, with_votes: bool = True
) -> Published:
    """All rows of a data set, without retired questions and withdrawn videos.

    Args:
        withdrawn: names or content hashes of videos that are taken out, with all edits of them.
        licence: of videos that say nothing of their own.
        with_votes: False leaves out the answers, which take longest, and what follows from them.
    """
    published = Published()
    withdrawn = with_edits(database, withdrawn)
    people = pseudonyms(database)
    for row in database.conn.execute(_QUESTIONS):
        if row["retired_at"] is not None:
            published.retired.append(row["uid"])
        elif {row["video"], row["sha256"]} & set(withdrawn):
            published.withdrawn.append(row["uid"])
        else:
            published.questions.append(_question(row))
    kept = {row["question_id"] for row in published.questions}
    for row in database.conn.execute(_VOTES) if with_votes else ():
        if row["uid"] in kept:
            published.votes.append(_vote(row, people))
    _add_agreement(published)
    for row in database.conn.execute(_DECISIONS):
        if row["uid"] in kept:
            published.decisions.append({
                "question_id": row["uid"], "task": row["task"], "outcome": row["outcome"],
                "value": row["value"], "changes": row["changes"], "why": row["why"],
                "signatures": row["signed"], "decided_at": row["created_at"],
            })  # fmt: skip
    _add_videos(database, published, licence)
    return published


def _question(row: Any) -> Row:
    options: list[str] = json.loads(row["options"])
    reference: dict[str, list[str]] = json.loads(row["reference"])
    key = row["key"]
    return {
        "question_id": row["uid"], "revision": row["revision"], "video": row["video"],
        "path": "", "video_sha256": row["sha256"], "source_url": row["source_url"],
        "start_s": row["start_s"], "end_s": row["end_s"], "question": row["text"],
        "options": options, "answer": key, "answer_letter": None if key is None else LETTERS[key],
        "accepted_answers": reference.get("answers", []),
        "scoring_points": reference.get("points", []),
        "category": row["category"], "tags": row["tags"], "votes": 0, "agreement": None,
    }  # fmt: skip


def _vote(row: Any, people: dict[int, str]) -> Row:
    response: Row = stored_json(row["response"]) if row["skip_reason"] is None else {}
    choice = response.get("choice")
    listed = cast("list[object]", choice) if isinstance(choice, list) else [choice]
    options = [index for index in listed if type(index) is int and 0 <= index < len(LETTERS)]
    return {
        "question_id": row["uid"], "revision": row["revision"], "task": row["task"],
        "kind": row["kind"], "condition": row["condition"],
        "annotator": people.get(row["annotator_id"], row["name"]),
        "annotator_kind": row["annotator_kind"],
        "choice": choice if isinstance(choice, int) and not isinstance(choice, bool) else None,
        "choices": [LETTERS[index] for index in options],
        "response": json.dumps(response, ensure_ascii=False, sort_keys=True),
        "shown": row["shown"], "skip_reason": row["skip_reason"], "counted": bool(row["counted"]),
        "active_s": row["active_s"], "answered_at": row["answered_at"],
    }  # fmt: skip


def _add_agreement(published: Published) -> None:
    """How many people's counted answers each question has, and the share of the commonest one.

    Several options are one answer.
    """
    choices: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter[tuple[str, ...]])
    for vote in published.votes:
        if vote["counted"] and vote["annotator_kind"] == "person" and vote["choices"]:
            choices[vote["question_id"]][tuple(vote["choices"])] += 1
    for question in published.questions:
        counts = choices.get(question["question_id"])
        if counts:
            question["votes"] = counts.total()
            question["agreement"] = round(max(counts.values()) / counts.total(), 4)


def _add_videos(database: Database, published: Published, licence: str) -> None:
    uses = Counter((row["video"], row["video_sha256"]) for row in published.questions)
    for row in database.conn.execute(
        f"SELECT v.name, v.sha256, v.status, v.source_url, v.facts, {LINEAGE} FROM video v"
        " ORDER BY v.name, v.id"
    ):
        name = (row["name"], row["sha256"])
        if not uses[name]:
            continue
        facts: Row = json.loads(row["facts"])
        published.videos.append({
            "video": row["name"], "path": "", "sha256": row["sha256"],
            "source_url": row["source_url"],
            "licence": str(facts.get("license") or facts.get("licence") or licence),
            "title": str(facts.get("title") or ""), "duration_s": _number(facts.get("duration_s")),
            "width": facts.get("width"), "height": facts.get("height"),
            "codec": str(facts.get("codec") or ""), "status": row["status"],
            "questions": uses[name], "family": row["family"], "edit": row["edit"] or "",
            "parents": json.loads(row["parents"]),
        })  # fmt: skip


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def file_path(name: str, suffix: str) -> str:
    """Where a video lies in the folder: below videos/, without anything that leads out of it."""
    parts = [re.sub(r"[^\w.&+()\- ]+", "_", part).strip(". ") for part in name.split("/")]
    parts = [part for part in parts if part] or ["video"]
    path = PurePosixPath("videos", *parts)
    return path.as_posix() if path.suffix.lower() == suffix else f"{path.as_posix()}{suffix}"
