"""What a rule drops, question by question, so that people can look at it and take some back."""

import json
from dataclasses import dataclass
from string import ascii_uppercase

from annotations.scoring.snapshot import Snapshot
from annotations.shortcut.splits import SplitPlan


@dataclass(frozen=True)
class DroppedQuestion:
    """A question that a rule drops.

    Attributes:
        key: the right option with its letter.
        options: all of them with their letters, on one line.
        solved: how many of the rule's runs were right.
        taken_back: whether somebody keeps it all the same.
    """

    id: int
    uid: str
    text: str
    key: str
    options: str
    solved: int
    taken_back: bool


def dropped_questions(snapshot: Snapshot, plan: SplitPlan) -> list[DroppedQuestion]:
    """What the rule of a plan drops, what was taken back included; most solved first."""
    gone = plan.by_rule
    solved: dict[int, int] = dict(
        zip(plan.question_id[gone].tolist(), plan.solved[gone].tolist(), strict=True)
    )
    back = set(plan.taken_back.tolist())
    rows = snapshot.rows(
        "SELECT question_id, uid, text, options, key FROM asked_question WHERE question_id IN"
        " (SELECT value FROM json_each(?))",
        [json.dumps(list(solved))],
    )
    questions: list[DroppedQuestion] = []
    for row in rows:
        options: list[str] = json.loads(row["options"])
        lettered = [
            f"{letter}. {option}" for letter, option in zip(ascii_uppercase, options, strict=False)
        ]
        number, key = int(row["question_id"]), int(row["key"])
        questions.append(
            DroppedQuestion(
                number, row["uid"], row["text"], lettered[key], "  ".join(lettered),
                solved[number], number in back,
            )
        )  # fmt: skip
    return sorted(questions, key=lambda question: (-question.solved, question.id))
