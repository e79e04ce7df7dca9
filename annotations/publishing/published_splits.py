"""Splits of a published data set, as lists of ids: of questions, and of videos with theirs."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from annotations.publishing.published_rows import file_path
from annotations.video.families import with_edits

_VIDEO_SPLITS = """
  SELECT s.id, s.name, s.rule, v.name AS video, v.sha256, m.kept
  FROM video_split s JOIN video_split_member m ON m.split_id = s.id
  JOIN video v ON v.id = m.video_id ORDER BY s.id, v.id
"""
_ABOUT = """
  SELECT q.uid, v.name AS video FROM current_question q JOIN clip c ON c.id = q.clip_id
  JOIN video v ON v.id = c.video_id ORDER BY q.question_id
"""


def split_names(database: Database) -> tuple[str, ...]:
    """Names of all splits, those of questions first."""
    return tuple(
        str(row["name"])
        for table in ("split", "video_split")
        for row in database.conn.execute(f"SELECT name FROM {table} ORDER BY id")
    )


def write_splits(
    database: Database, folder: Path, questions: Collection[str], withdrawn: Collection[str]
) -> int:
    """Write each split to a JSON file below splits/, and return how many there are.

    Args:
        database: in a read transaction.
        folder: of the publication.
        questions: ids of those that are published.
        withdrawn: names or content hashes of videos that are not, nor are edits of them.
    """
    gone = with_edits(database, withdrawn)
    splits = [*_of_questions(database, questions), *_of_videos(database, questions, gone)]
    taken: set[str] = set()
    for split in splits:
        name = file_path(split["name"], ".json").removeprefix("videos/").replace("/", "_")
        while name.casefold() in taken:
            name = f"{name.removesuffix('.json')} 2.json"
        taken.add(name.casefold())
        target = folder / "splits" / name
        target.parent.mkdir(exist_ok=True)
        text = json.dumps(split, ensure_ascii=False, indent=1)
        target.write_text(f"{text}\n", encoding="utf-8")
    return len(splits)


def _of_questions(database: Database, published: Collection[str]) -> list[dict[str, Any]]:
    rows = database.conn.execute("SELECT id, name, words, rule FROM split ORDER BY id").fetchall()
    return [
        {
            "name": row["name"], "how": row["words"], "rule": json.loads(row["rule"]),
            "question_ids": [
                str(member["uid"])
                for member in database.conn.execute(
                    "SELECT q.uid FROM split_question s JOIN question q ON q.id = s.question_id"
                    " WHERE s.split_id = ? AND s.kept = 1 ORDER BY q.id",
                    [row["id"]],
                )
                if member["uid"] in published
            ],
        }
        for row in rows
    ]  # fmt: skip


def _of_videos(
    database: Database, published: Collection[str], withdrawn: set[str]
) -> list[dict[str, Any]]:
    """Debiased and balanced splits, each with its videos and the questions about them."""
    splits: dict[int, dict[str, Any]] = {}
    kept: dict[int, set[str]] = {}
    for row in database.conn.execute(_VIDEO_SPLITS):
        split = splits.setdefault(row["id"], {
            "name": row["name"], "rule": json.loads(row["rule"]), "full": [], "video_ids": [],
            "question_ids": [],
        })  # fmt: skip
        if {row["video"], row["sha256"]} & withdrawn:
            continue
        split["full"].append(row["video"])
        if row["kept"]:
            split["video_ids"].append(row["video"])
            kept.setdefault(row["id"], set()).add(row["video"])
    for row in database.conn.execute(_ABOUT) if splits else ():
        for number, videos in kept.items():
            if row["video"] in videos and row["uid"] in published:
                splits[number]["question_ids"].append(str(row["uid"]))
    return list(splits.values())
