"""What becomes of reviewed and written questions: new revisions, never changes of old ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlite_utils import Database

from annotations.people import now_text
from annotations.question.revisions import NewRevision, add_revision, clip_id
from annotations.record.item import Item
from annotations.record.question import Question, current_question
from annotations.review.review_response import DISCARD
from core.question.options import drawn_order
from core.refusal import Refusal
from db.connection import first_row

SOURCE = "review"
DISCARDED = "discarded"  # tag of a question that is not to be used


@dataclass(frozen=True)
class Reviewed:
    """A question after its review, or before it.

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


def before_review(item: Item, question: Question | None) -> Reviewed | None:
    """The question that an item is about; None for a clip on which questions are written.

    Args:
        item: of a review.
        question: in the revision that is meant; None for an item of a row.
    """
    if question is not None:
        return Reviewed(
            question.uid, question.text, question.options, question.key, question.category,
            question.tags,
        )  # fmt: skip
    payload = item.payload
    if "options" not in payload:
        return None
    uid = payload.get("uid") or f"generated/{payload['id']}"
    return Reviewed(
        uid, payload["text"], tuple(payload["options"]), payload["key"],
        payload["category"], payload.get("tags", {}),
    )  # fmt: skip


def becomes(
    item: Item,
    reviewed_question: Reviewed | None,
    value: dict[str, Any],
    writers: Sequence[int] = (),
    made_question: Reviewed | None = None,
) -> tuple[Reviewed, ...]:
    """The questions that a decision makes of an item; a discarded row makes none.

    Args:
        item: of a review.
        reviewed_question: from `before_review`.
        value: of the decision.
        writers: ids of the annotators who wrote the questions, in their order.
        made_question: the question that an earlier decision made of a row.

    Raises:
        ValueError: if the decision would leave no question to answer.
    """
    if reviewed_question is None:
        pairs = zip(writers, value["written"], strict=True)
        return tuple(_written(item, writer, response) for writer, response in pairs)
    if item.question_id is not None:
        return (reviewed(reviewed_question, value),)
    if value["verdict"] == DISCARD:
        return () if made_question is None else (reviewed(made_question, value),)
    # Options that were rewritten keep their places: a key that moved would not be seen.
    seed = "" if item.payload.get("keep_order") else reviewed_question.uid
    return (reviewed(reviewed_question, value, seed),)


def reviewed(question: Reviewed, value: dict[str, Any], seed: str = "") -> Reviewed:
    """A question as its decided review has it.

    Args:
        question: the question as it is.
        value: of the decision.
        seed: shuffles the options, so that a key that was generated first does not stay first; ''
            keeps the question's order.

    Raises:
        ValueError: if fewer than one wrong option is kept.
    """
    tags = {name: tag for name, tag in question.tags.items() if name not in ("flags", DISCARDED)}
    if value["verdict"] == DISCARD:
        return replace(question, tags={**tags, DISCARDED: True})
    if not value["kept"]:
        raise Refusal(f"{question.uid}: no wrong option is kept by most. Resolve it first.")
    order: Sequence[int] = sorted(map(int, (value["key"], *value["kept"])))
    if seed:
        drawn = drawn_order([value["texts"][str(one)] for one in order], f"options/{seed}")
        order = [order[index] for index in drawn]
    if value["flags"]:
        tags["flags"] = value["flags"]
    return Reviewed(
        question.uid,
        value["question"],
        tuple(value["texts"][str(option)] for option in order),
        order.index(int(value["key"])),
        question.category,
        tags,
    )


def _written(item: Item, writer: int, response: dict[str, Any]) -> Reviewed:
    uid = f"written/{item.task_id}-{item.id}-{writer}"
    texts = (response["answer"], *response["wrong"])
    order = drawn_order(texts, f"options/{uid}")
    return Reviewed(
        uid, response["question"], tuple(texts[index] for index in order), order.index(0),
        response["category"], {},
    )  # fmt: skip


def store_questions(
    database: Database, item: Item, questions: Sequence[Reviewed]
) -> list[tuple[int, bool]]:
    """Ids of the current revisions that say what a decision made of an item, and which are new.

    A question that is there gets its next revision, where anything differs; another one is made.

    Args:
        item: of a review.
        questions: from `becomes`.
    """
    revisions: list[tuple[int, bool]] = []
    for reviewed in questions:
        stored = first_row(database, "SELECT id FROM question WHERE uid = ?", [reviewed.uid])
        if stored is None:
            number = database.conn.execute(
                "INSERT INTO question (uid, source, created_at) VALUES (?, ?, ?) RETURNING id",
                [reviewed.uid, SOURCE, now_text()],
            ).fetchone()[0]
        else:
            number = stored["id"]
        revision = current_question(database, number)
        revisions.append(_revise(database, number, reviewed, item, revision))
    return revisions


def _revise(
    database: Database,
    question: int,
    reviewed: Reviewed,
    item: Item,
    earlier: Question | None,
) -> tuple[int, bool]:
    """The id of the question's revision that says this, and whether it was made now."""
    if earlier:
        clip = earlier.clip_id
    else:
        span = item.payload["clip"]
        clip = clip_id(database, int(item.video_id or 0), span["start"], span["end"])
    values = NewRevision(
        clip_id=clip, text=reviewed.text, options=reviewed.options, key=reviewed.key,
        category=reviewed.category, tags=reviewed.tags, note=earlier.note if earlier else "",
    )  # fmt: skip
    if earlier is not None and values == replace(NewRevision.of(earlier), reference=None):
        return earlier.revision_id, False
    return add_revision(database, question, values, "here")[0], True
