"""A model reads the replies that no rule reads. Rules go first; what they read it never sees.

What it reads becomes the next revision of the answer, with the rule 'second reader', so that such
answers can be told from the others and counted. It is asked what the reply says, never what is
right, and it does not get to know the key.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.prompts import Prompt, prompt
from annotations.run.run_answers import ModelAnswer, Stored, store_answers
from annotations.video.library import Progress, no_progress
from annotations.workspace import Workspace
from core.model import Chat, ItemError, Request
from core.reply.reading import LETTERS, read
from core.reply.result import Reading

RULE = "second reader"
PROMPT = "second_reader"
FIELDS = ("question", "options", "reply", "letters")
UNCLEAR = ("unread", "several")
MAX_TOKENS = 16
LONGEST_REPLY = 6000  # characters; of longer ones the end, where answers stand
BATCH = 64


@dataclass(frozen=True)
class SecondReading:
    """What a second reader made of a run's unclear replies.

    Attributes:
        asked: replies that rules read no single option out of.
        read: of them those that it read one out of.
        failed: of them those that the model gave no answer for.
        stored: what changed.
    """

    asked: int
    read: int
    failed: int
    stored: Stored


_REPLIES = """
  SELECT a.item_id, a.question_revision_id, a.shown, a.active_s, p.reply, p.state, p.rule,
         p.confidence, p.score, p.theirs, p.theirs_name, p.theirs_read, r.text, r.options
  FROM prediction p JOIN current_annotation a ON a.id = p.annotation_id
  JOIN question_revision r ON r.id = a.question_revision_id
  WHERE p.run_id = ? AND p.state IN (?, ?) AND p.reply IS NOT NULL
    AND p.confidence IS NULL ORDER BY a.id
"""


def read_again(
    workspace: Workspace,
    run_id: int,
    chat: Chat,
    *,
    prompt_name: str = PROMPT,
    progress: Progress = no_progress,
) -> SecondReading:
    """Ask a model about each reply of a run that rules left unread or read several options out of.

    Args:
        chat: any chat or text model; it sees text only.
        prompt_name: a template, or a file, with the fields question, options, reply and letters.

    Raises:
        LookupError: if there is no such run.
        ValueError: if there is no such prompt.
    """
    template = prompt(prompt_name, FIELDS, workspace.root, files=True)
    rows = workspace.store.rows(_REPLIES, [run_id, *UNCLEAR])
    answers: list[ModelAnswer] = []
    failed = 0
    for start in range(0, len(rows), BATCH):
        progress("Second reading", start, len(rows))
        part = rows[start : start + BATCH]
        replies = chat.generate([_request(template, row) for row in part], MAX_TOKENS)
        for row, output in zip(part, replies, strict=True):
            if isinstance(output, ItemError):
                failed += 1
                continue
            reading = _reading(chat.name, row, output.text)
            if reading is not None:
                answers.append(_answer(row, reading))
    progress("Second reading", len(rows), len(rows))
    stored = store_answers(workspace, run_id, answers)
    return SecondReading(len(rows), len(answers), failed, stored)


def _shown_options(row: dict[str, Any]) -> tuple[Sequence[int], list[str]]:
    """Options in the order shown: their places in the question's own order, and their words."""
    options: list[str] = json.loads(row["options"])
    order: list[int] = json.loads(row["shown"]).get("option_order") or list(range(len(options)))
    return order, [options[index] for index in order]


def _request(template: Prompt, row: dict[str, Any]) -> Request:
    _, options = _shown_options(row)
    letters = LETTERS[: len(options)]
    system, text = template.fill(
        {
            "question": row["text"],
            "options": "\n".join(f"{a}. {b}" for a, b in zip(letters, options, strict=True)),
            "reply": row["reply"][-LONGEST_REPLY:],
            "letters": f"{', '.join(letters[:-1])} or {letters[-1]}",
        }
    )
    return Request(text, system=system)


def _reading(name: str, row: dict[str, Any], text: str) -> Reading | None:
    """What the second reader read, in the question's own order; None if it read no option."""
    order, options = _shown_options(row)
    reading = read(text, options)
    if reading.choice is None:
        return None
    explanation = f"{LETTERS[reading.choice]}: {name} reads it so; by rule it was {row['state']}"
    return Reading(order[reading.choice], "read", RULE, f"{explanation} ({row['rule']})")


def _answer(row: dict[str, Any], reading: Reading) -> ModelAnswer:
    return ModelAnswer(
        item_id=row["item_id"],
        question_revision_id=row["question_revision_id"],
        response={"choice": reading.choice},
        shown=json.loads(row["shown"]),
        reading=reading,
        reply=row["reply"],
        score=row["score"],
        theirs=row["theirs"],
        theirs_name=row["theirs_name"],
        theirs_read=row["theirs_read"],
        active_s=row["active_s"],
    )
