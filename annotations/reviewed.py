"""What becomes of reviewed and written questions: new revisions, never changes of old ones."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.people import now_text
from annotations.queue import open_task
from annotations.review_response import DISCARD
from annotations.workspace import Workspace
from core.video import plans
from db.connection import first_row, rows

SOURCE = "review"


@dataclass(frozen=True)
class Reviewed:
    """A question after its review.

    Attributes:
        options: in the order in which they are shown by default.
        key: 0-based index into options.
        tags: {'discarded': True} if it is not to be used; {'flags': [...]} that were raised.
    """

    uid: str
    text: str
    options: tuple[str, ...]
    key: int | None
    category: str
    tags: dict[str, Any]


def apply_review(workspace: Workspace, item_id: int) -> list[int]:
    """Ids of the current revisions that an item's decision made of its question, or wrote anew.

    A stored question gets its next revision; a question of a row, or a written one, becomes a
    question. A discarded stored question gets a revision tagged as discarded, a discarded row none.
    Applying the same decision again makes nothing new.

    Raises:
        ValueError: if the decision is not made, or would leave no question to answer.
        LookupError: if there is no such item.
    """
    with workspace.store.read() as database:
        item = first_row(database, "SELECT * FROM item WHERE id = ?", [item_id])
        if item is None:
            raise LookupError(f"There is no item {item_id}.")
        answers = _counted(database, item_id)
        responses = [json.loads(one["response"]) for one in answers]
    task = open_task(workspace, item["task_id"])
    decision = tasks.kind(task["kind"]).decide(responses, task["settings"])
    if decision.status != "decided":
        raise ValueError(f"{item['uid']}: not decided yet ({decision.words}). Resolve it first.")
    value = decision.value
    with workspace.store.write() as database:
        payload = json.loads(item["payload"])
        if "written" in value:
            clip = _clip(database, item, payload["clip"])
            written = [_written(item, i, one) for i, one in enumerate(value["written"], start=1)]
            return [_store(database, one, clip) for one in written]
        if item["question_id"] is not None:
            seen = {one["question_revision_id"] for one in answers}
            return [_store_next(database, item["question_id"], value, seen)]
        if value["verdict"] == DISCARD:
            return []
        uid = f"generated/{payload['id']}"
        made = reviewed(uid, payload, value, seed=uid)
        return [_store(database, made, _clip(database, item, payload["clip"]))]


def reviewed(uid: str, before: dict[str, Any], value: dict[str, Any], seed: str = "") -> Reviewed:
    """A question as its decided review has it.

    Args:
        uid: of the question.
        before: its text, options, category and, if it has any, tags.
        value: of the decision.
        seed: shuffles the options, so that a key that was generated first does not stay first; ''
            keeps the question's order.

    Raises:
        ValueError: if fewer than one wrong option is kept.
    """
    tags = {
        name: one
        for name, one in before.get("tags", {}).items()
        if name not in ("flags", "discarded")
    }
    if value["verdict"] == DISCARD:
        return Reviewed(
            uid, before["text"], tuple(before["options"]), before["key"], before["category"],
            {**tags, "discarded": True},
        )  # fmt: skip
    if not value["kept"]:
        raise ValueError(f"{uid}: no wrong option is kept by most. Resolve it first.")
    order: Sequence[int] = sorted(map(int, (value["key"], *value["kept"])))
    if seed:
        order = plans.shuffled(order, f"options/{seed}")
    if value["flags"]:
        tags["flags"] = value["flags"]
    return Reviewed(
        uid,
        value["question"],
        tuple(value["texts"][str(one)] for one in order),
        order.index(int(value["key"])),
        before["category"],
        tags,
    )


def _written(item: dict[str, Any], number: int, response: dict[str, Any]) -> Reviewed:
    uid = f"written/{item['task_id']}-{item['id']}-{number}"
    texts = (response["answer"], *response["wrong"])
    order = plans.shuffled(range(len(texts)), f"options/{uid}")
    return Reviewed(
        uid, response["question"], tuple(texts[one] for one in order), order.index(0),
        response["category"], {},
    )  # fmt: skip


def _counted(database: Database, item_id: int) -> list[dict[str, Any]]:
    return rows(
        database,
        "SELECT response, question_revision_id FROM current_annotation"
        " WHERE item_id = ? AND counted = 1 AND skip_reason IS NULL ORDER BY id",
        [item_id],
    )


def _clip(database: Database, item: dict[str, Any], clip: dict[str, Any]) -> int:
    """The id of a row's clip, made if it is not there."""
    span = [item["video_id"], clip["start"], clip["end"]]
    database.conn.execute(
        "INSERT INTO clip (video_id, start_s, end_s) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", span
    )
    found = database.conn.execute(
        "SELECT id FROM clip WHERE video_id = ? AND start_s = ?"
        " AND coalesce(end_s, -1) = coalesce(?, -1)",
        span,
    )
    return int(found.fetchone()[0])


def _store(database: Database, made: Reviewed, clip: int) -> int:
    """The id of the current revision of a new question, or of one made by this review before."""
    database.conn.execute(
        "INSERT INTO question (uid, source, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [made.uid, SOURCE, now_text()],
    )
    question = database.conn.execute("SELECT id FROM question WHERE uid = ?", [made.uid])
    return _revise(database, int(question.fetchone()[0]), made, clip, "")


def _store_next(
    database: Database, question: int, value: dict[str, Any], seen: set[int | None]
) -> int:
    """The id of a stored question's revision; the transaction fails if reviewers saw another."""
    before = _current(database, question)
    assert before is not None, "an item's question has a revision"
    parts = {**before, "options": json.loads(before["options"]), "tags": json.loads(before["tags"])}
    made = reviewed(before["uid"], parts, value)
    revised = _revise(database, question, made, before["clip_id"], before["note"])
    if revised != before["id"] and seen != {before["id"]}:
        raise ValueError(
            f"{before['uid']} was changed after it was reviewed: it has revision"
            f" {before['revision']} now. Review it again."
        )
    return revised


def _revise(database: Database, question: int, made: Reviewed, clip: int, note: str) -> int:
    before = _current(database, question)
    values = [
        clip, made.text, json.dumps(list(made.options), ensure_ascii=False), made.key,
        made.category, json.dumps(made.tags, ensure_ascii=False, sort_keys=True), note,
    ]  # fmt: skip
    names = ("clip_id", "text", "options", "key", "category", "tags", "note")
    if before is not None and [before[name] for name in names] == values:
        return int(before["id"])
    number = (before["revision"] if before else 0) + 1
    inserted = database.conn.execute(
        "INSERT INTO question_revision (clip_id, text, options, key, category, tags, note,"
        " question_id, revision, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        [*values, question, number, now_text()],
    )
    return int(inserted.fetchone()[0])


def _current(database: Database, question: int) -> dict[str, Any] | None:
    return first_row(database, "SELECT * FROM current_question WHERE question_id = ?", [question])
