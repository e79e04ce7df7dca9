"""How a set of replies came out, with nothing left out of the denominator."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.answers.result import Reading


@dataclass(frozen=True)
class Tally:
    """Replies to labelled questions by what became of them; the counts add up to `n`.

    Attributes:
        right: chose the key.
        wrong: chose another option.
        unread: no rule read an option, or several were stated.
        refused: declined to answer, by kind.
        empty: no reply came, calls that failed among them.
    """

    right: int
    wrong: int
    unread: int
    refused: tuple[tuple[str, int], ...]
    empty: int

    @property
    def declined(self) -> int:
        """Refusals of all kinds."""
        return sum(count for _, count in self.refused)

    @property
    def n(self) -> int:
        """All replies, those that never came among them."""
        return self.right + self.wrong + self.unread + self.declined + self.empty

    @property
    def accuracy(self) -> float | None:
        """Right per asked, in [0, 1]: what was not answered counts as wrong; None if none asked."""
        return self.right / self.n if self.n else None

    @property
    def answered_only(self) -> float | None:
        """Right per read answer, in [0, 1], to be shown with `words` only; None if none read."""
        read = self.right + self.wrong
        return self.right / read if read else None

    @property
    def words(self) -> str:
        """The counts on one line for a person."""
        if self.accuracy is None:
            return "nothing was asked"
        parts = [f"{self.right:,} of {self.n:,} right ({self.accuracy:.1%})"]
        for count, what in (
            (self.unread, "unread"),
            (self.declined, "refused"),
            (self.empty, "without a reply"),
        ):
            if count:
                parts.append(f"{count:,} {what}")
        if self.answered_only is not None and self.n > self.right + self.wrong:
            read = self.right + self.wrong
            parts.append(f"of the {read:,} answered only, {self.answered_only:.1%}")
        return "; ".join(parts)


def tally(readings: Iterable[tuple[Reading, int]]) -> Tally:
    """Counts over replies to questions with a key.

    Args:
        readings: what was read, with the key as a position in the same order of options.
    """
    states: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for reading, key in readings:
        if reading.state == "read":
            states["right" if reading.choice == key else "wrong"] += 1
        elif reading.state == "refused":
            kinds[reading.rule] += 1
        else:
            states["empty" if reading.state == "empty" else "unread"] += 1
    return Tally(
        states["right"], states["wrong"], states["unread"], tuple(kinds.most_common()),
        states["empty"],
    )  # fmt: skip
