"""What reading a reply gives."""

from dataclasses import dataclass
from typing import Literal

State = Literal["read", "unread", "refused", "several", "empty"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of one reply.

    Attributes:
        choice: position of the option in displayed order, from 0; None unless state is 'read'.
        state: 'read'; 'several' options stated and none of them alone; 'refused', the rule names
            the kind; 'empty', no reply at all; 'unread', no rule reads it.
        rule: which rule read it, in a few words that can be counted.
        words: why, in words for a person.
    """

    choice: int | None
    state: State
    rule: str
    words: str
