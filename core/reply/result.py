"""The result of reading a reply, with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.reply.choices import Choices

# The rule of replies that rules may not read, such as captions: they are not scored.
FREE_TEXT = "free text"
# The rule of replies that ended at a limit of tokens before they declared an answer.
CUT_OFF = "cut off"

State = Literal["read", "unread", "refused", "several", "empty"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reply chooses, and by which rule.

    Attributes:
        choice: position of the option in displayed order, from 0; None unless state is 'read'.
        state: 'read'; 'several' options stated and none of them alone; 'refused', the rule names
            the kind; 'empty', no reply at all; 'unread', no rule reads it.
        rule: which rule read it, in a few words that can be counted.
        reason: why, in words for a person.
    """

    choice: int | None
    state: State
    rule: str
    reason: str


def read_as(choices: Choices, index: int, rule: str, reason: str) -> Reading:
    """That a rule reads an option."""
    return Reading(index, "read", rule, f"{choices.labels[index]}: {reason}")


def several(choices: Choices, indices: Sequence[int], reason: str) -> Reading:
    """That several options are stated, and none of them alone."""
    return Reading(None, "several", "several options", f"{choices.shown(indices)}: {reason}")


def labels_clash(text: str) -> Reading:
    """That a label is one option's and the words beside it are another's."""
    return Reading(
        None,
        "several",
        "label and words differ",
        f"the label is that of one option and the words are another's: {short(text)}",
    )


def short(text: str, length: int = 60) -> str:
    """Text in quotes on one line, cut where it is long."""
    line = " ".join(text.split())
    return repr(line if len(line) <= length else line[: length - 1] + "\u2026")
