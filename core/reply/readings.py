"""Readings as the rules give them, each with its reason."""

from collections.abc import Sequence

from core.reply.choices import Choices
from core.reply.result import Reading


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
