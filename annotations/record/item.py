"""Items as they are stored: one thing to label in a task."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlite_utils import Database

from core.refusal import Missing
from db.connection import first_row, rows

BATCH = 900  # SQLite takes 999 parameters in the oldest versions


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing to label in a task.

    Attributes:
        uid: what it is about, unique in its task, such as 'question:count/17'.
        payload: what the task's kind needs beside question and video.
        position: in the order of work.
        priority: a higher one is handed out first.
        overlap: how many people answer it; None is the task's.
        answers: counted current ones.
        skips: people whose newest word on it is a skip.
        status: 'open' or 'withdrawn'.
        role: 'work', or 'practice' or 'attention', whose answer is known.
        expected: the known answer; never sent to annotators.
        settled: whether no further answer can change the decision.
        asked_from: id of the question's revision from which answers count; 0 for all.
    """

    id: int
    task_id: int
    uid: str
    question_id: int | None
    video_id: int | None
    payload: dict[str, Any]
    position: int = 0
    priority: int = 0
    overlap: int | None = None
    answers: int = 0
    skips: int = 0
    status: str = "open"
    role: str = "work"
    expected: dict[str, Any] | None = None
    settled: bool = False
    asked_from: int = 0

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Item":
        """The item of a row of the table; columns that it has no field for are left out."""
        values = {field.name: row[field.name] for field in fields(cls)}
        values["payload"] = json.loads(row["payload"])
        values["expected"] = None if row["expected"] is None else json.loads(row["expected"])
        values["settled"] = bool(row["settled"])
        return cls(**values)

    @property
    def label(self) -> str:
        """What it is called on a page: 'question:count/17' is 'count 17'."""
        return (self.uid.partition(":")[2] or self.uid).replace("/", " ")


def item_in(database: Database, item_id: int, task_id: int | None = None) -> Item:
    """One item, of a task if one is named.

    Raises:
        LookupError: if there is none of this id.
    """
    row = first_row(
        database,
        "SELECT * FROM item WHERE id = :item AND task_id = coalesce(:task, task_id)",
        {"item": item_id, "task": task_id},
    )
    if row is None:
        of_task = "There is no" if task_id is None else f"Task {task_id} has no"
        raise Missing(f"{of_task} item {item_id}.")
    return Item.from_row(row)


def items_in(database: Database, item_ids: Sequence[int]) -> list[Item]:
    """Items by their ids, in the order of the ids; those that are not there are left out."""
    by_id: dict[int, Item] = {}
    for start in range(0, len(item_ids), BATCH):
        part = list(item_ids[start : start + BATCH])
        marks = ", ".join("?" * len(part))
        for row in rows(database, f"SELECT * FROM item WHERE id IN ({marks})", part):
            by_id[row["id"]] = Item.from_row(row)
    return [by_id[item_id] for item_id in item_ids if item_id in by_id]


def items_of_task(database: Database, task_id: int) -> list[Item]:
    """Every item of a task, in the order of import."""
    stored = rows(database, "SELECT * FROM item WHERE task_id = ? ORDER BY id", [task_id])
    return [Item.from_row(row) for row in stored]


def open_items(database: Database, task_id: int, role: str, limit: int) -> list[Item]:
    """Open items of a task with one role, in the order in which they are handed out."""
    return [
        Item.from_row(row)
        for row in rows(
            database,
            "SELECT * FROM item WHERE task_id = ? AND status = 'open' AND role = ?"
            " ORDER BY priority DESC, position LIMIT ?",
            [task_id, role, limit],
        )
    ]


def ask_as_answered(database: Database, task_id: int) -> None:
    """Let the items of a task ask for as many answers as they have, so that none is waited for."""
    database.conn.execute("UPDATE item SET overlap = max(answers, 1) WHERE task_id = ?", [task_id])
