"""The result of reading a reply."""

from dataclasses import dataclass
from typing import Literal

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
