"""One question with what every run replied to it and what people chose."""

import json
from dataclasses import dataclass

from annotations.condition import shown_first
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import PEOPLE
from core.refusal import Missing


@dataclass(frozen=True)
class Reply:
    """What a run, or one person, answered to a question.

    Attributes:
        model: the run's model, or 'People'.
        choice: index of the option in the question's own order; None where none was read.
        right: whether it is the key; None without a key, or for options that were others.
        state: how the reply was read, as in `annotations.scoring.prediction_columns.STATES`;
            'read' for people.
        words: why it was read so.
        reply: raw; '' of people.
    """

    model: str
    condition: str
    choice: int | None
    right: bool | None
    state: str
    words: str
    reply: str


@dataclass(frozen=True)
class QuestionReplies:
    """A question as it is now, with its replies, least shown first."""

    uid: str
    text: str
    options: tuple[str, ...]
    key: int | None
    category: str
    video: str
    replies: tuple[Reply, ...]


_REPLIES = """
  SELECT n.name AS model, n.kind, json_extract(a.shown, '$.condition') AS condition,
         json_extract(a.response, '$.choice') AS choice, coalesce(p.state, 'read') AS state,
         coalesce(p.words, '') AS words, coalesce(p.reply, '') AS reply, r.options AS options
  FROM item i JOIN current_annotation a ON a.item_id = i.id
  JOIN annotator n ON n.id = a.annotator_id
  JOIN question_revision r ON r.id = a.question_revision_id
  LEFT JOIN prediction p ON p.annotation_id = a.id
  WHERE i.question_id = ? AND i.role = 'work' AND a.skip_reason IS NULL
    AND (p.annotation_id IS NOT NULL OR (a.counted = 1 AND n.kind = 'person'))
    AND json_type(a.shown, '$.option_order') = 'array'
  ORDER BY a.id
"""


def question_replies(snapshot: Snapshot, question_id: int) -> QuestionReplies:
    """The question and every current reply to it.

    Raises:
        LookupError: if there is no such question.
    """
    rows = snapshot.rows(
        "SELECT q.uid, q.text, q.options, q.key, q.category, v.name AS video"
        " FROM current_question q JOIN clip c ON c.id = q.clip_id"
        " JOIN video v ON v.id = c.video_id WHERE q.question_id = ?",
        [question_id],
    )
    if not rows:
        raise Missing(f"There is no question {question_id}.")
    [question] = rows
    replies: list[Reply] = []
    for row in snapshot.rows(_REPLIES, [question_id]):
        choice = row["choice"] if type(row["choice"]) is int and row["choice"] >= 0 else None
        same = row["options"] == question["options"] and question["key"] is not None
        replies.append(
            Reply(
                model=PEOPLE if row["kind"] == "person" else row["model"],
                condition=row["condition"] or "",
                choice=choice,
                right=choice == question["key"] if same else None,
                state=row["state"],
                words=row["words"],
                reply=row["reply"],
            )
        )
    replies.sort(
        key=lambda reply: (reply.model == PEOPLE, shown_first(reply.condition), reply.model)
    )
    return QuestionReplies(
        uid=question["uid"],
        text=question["text"],
        options=tuple(json.loads(question["options"])),
        key=question["key"],
        category=question["category"],
        video=question["video"],
        replies=tuple(replies),
    )
