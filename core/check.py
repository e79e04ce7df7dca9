"""What a check of questions has to bring along; each is a file in checks/.

A check flags, with its reason in words; it never rejects. People look and decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from core import plugins

PACKAGE = "core.checks"


@dataclass(frozen=True)
class CheckedQuestion:
    """A question as checks see it.

    Attributes:
        uid: what it is called.
        text: what is asked.
        options: the choices.
        key: index of the right one; None if not known.
        actions: names of the action that is asked about, with its aliases; may be empty.
        earlier: options and key before it was rewritten, newest first.
        language: name of a stemmer.
    """

    uid: str
    text: str
    options: tuple[str, ...]
    key: int | None = None
    actions: tuple[str, ...] = ()
    earlier: tuple[tuple[tuple[str, ...], int | None], ...] = ()
    language: str = "english"


@dataclass(frozen=True)
class Flag:
    """One thing that a person should look at.

    Attributes:
        reason: what was found, in words.
        where: 'question', 'option 1', ... counted from 1, or '' for the whole.
        marks: words of that text that are meant.
    """

    reason: str
    where: str = ""
    marks: tuple[str, ...] = field(default=())


class Check(Protocol):
    """The module of a check.

    Attributes:
        TITLE: its name for people.
        HELP: what it looks for and why, in a sentence.
    """

    TITLE: str
    HELP: str

    def find(self, question: CheckedQuestion) -> list[Flag]:
        """What there is to look at in one question."""
        ...

    def find_in_set(self, questions: Sequence[CheckedQuestion]) -> list[Flag]:
        """What there is to look at in all questions together."""
        ...


def check(name: str) -> Check:
    """The check of this name.

    Raises:
        LookupError: if there is none.
    """
    return cast("Check", plugins.load(PACKAGE, name))


def checks() -> tuple[str, ...]:
    """Names of all checks."""
    return plugins.names(PACKAGE)
