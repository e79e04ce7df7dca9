"""The machine's checks over the questions of a workspace, as one report."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from annotations.workspace import Workspace
from core.check import CheckedQuestion, Flag, check, checks
from core.question.guessing import Guess, guesses

_ASKED = """
  SELECT q.question_id, q.uid, q.text, q.options, q.key, q.tags FROM asked_question q
  WHERE json_array_length(q.options) > 1 ORDER BY q.question_id
"""
_EARLIER = """
  SELECT r.question_id, r.options, r.key FROM question_revision r
  WHERE r.revision < (SELECT max(revision) FROM question_revision x
                      WHERE x.question_id = r.question_id)
  ORDER BY r.question_id, r.revision DESC
"""


@dataclass(frozen=True)
class FlaggedQuestion:
    """One flag of one question.

    Attributes:
        uid: of the question; '' for a flag of all questions together.
        check: name of the check.
    """

    uid: str
    check: str
    flag: Flag


@dataclass(frozen=True)
class CheckReport:
    """What the checks found.

    Attributes:
        questions: how many were checked.
        flags: in the order of the questions.
        in_set: flags of all questions together.
        guesses: what rules solve that need the words alone.
    """

    questions: int
    flags: tuple[FlaggedQuestion, ...]
    in_set: tuple[FlaggedQuestion, ...]
    guesses: tuple[Guess, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many questions each check flags."""
        flagged = {
            (flagged_question.check, flagged_question.uid) for flagged_question in self.flags
        }
        counts = Counter(name for name, _ in flagged)
        return {name: counts[name] for name in checks()}

    @property
    def flagged(self) -> int:
        """How many questions have a flag."""
        return len({flagged_question.uid for flagged_question in self.flags})

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values for JSON."""
        return {
            "questions": self.questions,
            "flagged": self.flagged,
            "counts": self.counts,
            "flags": [_plain(entry) for entry in self.flags],
            "set": [_plain(entry) for entry in self.in_set],
            "guesses": [
                {
                    "rule": entry.rule,
                    "questions": entry.questions,
                    "share": None if entry.share is None else round(entry.share, 4),
                    "chance": round(entry.chance / entry.questions, 4) if entry.questions else None,
                }
                for entry in self.guesses
            ],
        }


def _plain(flagged: FlaggedQuestion) -> dict[str, Any]:
    return {
        **({"question": flagged.uid} if flagged.uid else {}),
        "check": flagged.check,
        "title": check(flagged.check).TITLE,
        "where": flagged.flag.where,
        "reason": flagged.flag.reason,
        "marks": list(flagged.flag.marks),
    }


def check_workspace(workspace: Workspace) -> CheckReport:
    """What the checks find in the questions that are asked, those with options."""
    return check_questions(questions_to_check(workspace))


def questions_to_check(workspace: Workspace) -> list[CheckedQuestion]:
    """The questions that are asked, with what they were before they were rewritten."""
    earlier: dict[int, list[tuple[tuple[str, ...], int | None]]] = {}
    for row in workspace.store.rows(_EARLIER):
        options = tuple(json.loads(row["options"]))
        earlier.setdefault(row["question_id"], []).append((options, row["key"]))
    return [
        CheckedQuestion(
            row["uid"], row["text"], tuple(json.loads(row["options"])), row["key"],
            _actions(json.loads(row["tags"])), tuple(earlier.get(row["question_id"], ())),
        )
        for row in workspace.store.rows(_ASKED)
    ]  # fmt: skip


def _actions(tags: dict[str, Any]) -> tuple[str, ...]:
    """The action that a question asks about and its aliases, where its tags say them."""
    names: list[str] = []
    for name in ("action", "aliases"):
        value: object = tags.get(name)
        listed = cast("list[object]", value) if isinstance(value, list) else [value or ""]
        names += [str(alias) for alias in listed]
    return tuple(filter(None, names))


def check_questions(questions: Sequence[CheckedQuestion]) -> CheckReport:
    """What the checks find in these questions, each alone and all together."""
    flags = [
        FlaggedQuestion(question.uid, name, flag)
        for question in questions
        for name in checks()
        for flag in check(name).find(question)
    ]
    in_set = [
        FlaggedQuestion("", name, flag)
        for name in checks()
        for flag in check(name).find_in_set(questions)
    ]
    return CheckReport(len(questions), tuple(flags), tuple(in_set), tuple(guesses(questions)))
