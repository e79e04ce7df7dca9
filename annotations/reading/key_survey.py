"""How the answers of a file are to be read, found from all its rows together."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotations.reading.answer_key import (
    answer_text,
    answers_in,
    by_label_and_text,
    letter_of,
    matches,
    number_of,
)
from annotations.reading.records import Fault, shown

MUCH_RARER = 10  # an exception is one to at least so many regular rows


@dataclass(frozen=True, slots=True)
class KeyStyle:
    """How the answers of a file are to be read.

    Attributes:
        style: one of `STYLES`; 'ask' if it cannot be told; 'mixed' if there is no one style;
            'none' if no row has an answer.
        why: the reason in words.
    """

    style: str
    why: str


@dataclass
class Survey:
    """What the answers of a file look like together; rows are added one by one."""

    n_letters: int = 0
    n_texts: int = 0
    n_numbers: int = 0
    zeros: int = 0  # positions from 1 cannot be 0
    fulls: int = 0  # positions from 0 cannot be the number of options
    wild: int = 0  # outside either way
    numbers_as_text: int = 0
    text_is_not: dict[str, int] = field(default_factory=lambda: {"0": 0, "1": 0})
    examples: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, value: object, options: Sequence[str], row: str) -> None:
        """Take one row's answers into account; those that cannot be read do not count."""
        for answer in answers_in(value, options):
            self._add(answer, options, row)

    def _add(self, value: object, options: Sequence[str], row: str) -> None:
        try:
            text = answer_text(value)
        except Fault:
            return
        if text is None:
            return
        letter = letter_of(text)
        matching = matches(text, options) if letter is None or letter >= len(options) else []
        number = number_of(text)
        if number is not None:
            self._add_number(number, len(options), matching, row)
        elif letter is not None and not matching:
            self.n_letters += 1
            self.examples.setdefault("letter", f"{row} has {text!r}")
        elif matching or by_label_and_text(text, options) is not None:
            self.n_texts += 1
            self.examples.setdefault("text", f"{row} has {shown(text, 40)}")

    def _add_number(self, number: int, count: int, matching: list[int], row: str) -> None:
        self.n_numbers += 1
        self.examples.setdefault("number", f"{row} has {number}")
        if number == 0:
            self.zeros += 1
            self.examples.setdefault("0", row)
        elif number == count:
            self.fulls += 1
            self.examples.setdefault("1", f"{row} has {number} of {count} options")
        elif not 0 < number < count:
            self.wild += 1
        if len(matching) == 1:
            self.numbers_as_text += 1
            for base in (0, 1):
                self.text_is_not[str(base)] += number - base != matching[0]

    def style(self) -> KeyStyle:
        """How the answers are to be read, from all rows together.

        A 0 means that positions count from 0; a position equal to the number of options, that they
        count from 1; neither, that it cannot be told.
        """
        if self.n_numbers and self.n_letters:
            return KeyStyle("mixed", self._mixed("letters", "letter", self.n_letters))
        if self.n_numbers and self.n_texts:
            if self.numbers_as_text == self.n_numbers:
                return KeyStyle("text", "answers are option texts")
            return KeyStyle("mixed", self._mixed("option texts", "text", self.n_texts))
        if self.n_letters:
            return KeyStyle("letters", "answers are letters")
        if self.n_texts:
            return KeyStyle("text", "answers are option texts")
        if not self.n_numbers:
            return KeyStyle("none", "no row has an answer that can be read")
        return self._number_style()

    def _mixed(self, others: str, kind: str, count: int) -> str:
        return (
            f"{others} and numbers mixed in one column: {count} {others} ({self.examples[kind]}), "
            f"{self.n_numbers} numbers ({self.examples['number']})"
        )

    def _number_style(self) -> KeyStyle:
        base = self._base()
        all_texts = self.numbers_as_text == self.n_numbers
        misfits = self.n_numbers - self.numbers_as_text
        if self.wild > 0 and misfits * MUCH_RARER <= self.wild:
            return KeyStyle("text", "numbers are option texts: as positions they lie outside")
        if all_texts:
            certain = base.style in ("0", "1") and not self.text_is_not[base.style]
            if not certain:
                return KeyStyle(
                    "ask", "every answer is a number that is also the text of an option"
                )
        return base

    def _base(self) -> KeyStyle:
        from_0 = KeyStyle("0", f"positions count from 0: {self.examples.get('0', '')} has 0")
        from_1 = KeyStyle("1", f"positions count from 1: {self.examples.get('1', '')}")
        if self.zeros and self.zeros >= MUCH_RARER * self.fulls:
            return from_0
        if self.fulls and self.fulls >= MUCH_RARER * self.zeros:
            return from_1
        if self.zeros and self.fulls:
            return KeyStyle(
                "ask",
                f"{self.examples['0']} has 0, but {self.examples['1']}: "
                "positions fit neither counting from 0 nor from 1",
            )
        return KeyStyle(
            "ask",
            "no answer is 0 and none equals the number of options, "
            "so positions may count from 0 or from 1",
        )
