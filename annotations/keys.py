"""The key of a question, read from whatever a file calls its answer: letter, position or text.

How positions count cannot be told from one row: a file is surveyed first (`Survey`), then each
answer is read in the style that the file as a whole has (`read_key`).
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotations.records import Fault, shown

STYLES = ("letters", "0", "1", "text")
MUCH_RARER = 10  # an exception is one to at least so many regular rows

_LETTER = re.compile(r"(?:(?:option|choice|answer)\s*:?\s*)?[(\[]?([A-Z])[)\].:]?", re.IGNORECASE)
_NUMBER = re.compile(r"[(\[]?([+-]?\d{1,9})(?:\.0+)?[)\].:]?")
_LABELLED = re.compile(
    r"(?:(?:option|caption|sentence|choice)\s+)?[(\[]?([a-z]|\d{1,2})[)\].:]\s+(\S.*)",
    re.DOTALL | re.IGNORECASE,
)
_SEVERAL = re.compile(r"[A-Z](\s*[,;/&|+]\s*[A-Z])+", re.IGNORECASE)


class NotANumber:
    """NaN or Infinity in a JSON file, where a value should be."""

    def __init__(self, text: str):
        """Keep how it was written."""
        self.text = text

    def __repr__(self) -> str:
        return self.text


def answer_text(value: object) -> str | None:
    """An answer cell as text without blanks around it; None if it holds no answer.

    A list of one is that one.

    Raises:
        Fault: if it is a list of several, an object, or not text at all.
    """
    if isinstance(value, list) and len(value) == 1:  # pyright: ignore[reportUnknownArgumentType]
        value = value[0]  # pyright: ignore[reportUnknownVariableType]
    if value is None or isinstance(value, NotANumber):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if not isinstance(value, str):
        raise Fault(
            "the answer is not one value",
            value=repr(value),  # pyright: ignore[reportUnknownArgumentType]
            allowed="one letter, position or option text",
            todo="Name one right option.",
        )
    return unicodedata.normalize("NFC", value).strip() or None


def letter_of(text: str) -> int | None:
    """0-based position of a letter such as 'B', '(b)' or 'B.'; None if it is none."""
    match = _LETTER.fullmatch(unicodedata.normalize("NFKC", text))
    return ord(match[1].upper()) - ord("A") if match else None


def number_of(text: str) -> int | None:
    """The whole number in '2', '2.0' or '(2)'; None if it is none."""
    match = _NUMBER.fullmatch(unicodedata.normalize("NFKC", text))
    return int(match[1]) if match else None


def letters(count: int) -> str:
    """The letters of so many options, such as 'A-D'."""
    return f"A-{chr(ord('A') + count - 1)}"


def plain(text: str) -> str:
    """Text for comparing: case, kinds of blank and punctuation around it do not count."""
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return text.strip(" .,;:!?\"'`") or text


def matches(text: str, options: Sequence[str]) -> list[int]:
    """Positions of the options that a text names: equal ones, else those equal but for trifles."""
    exact = [i for i, option in enumerate(options) if option.strip() == text]
    if exact:
        return exact
    wanted = plain(text)
    return [i for i, option in enumerate(options) if plain(option) == wanted]


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
    first: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, value: object, options: Sequence[str], row: str) -> None:
        """Take one row's answer into account; answers that cannot be read do not count."""
        try:
            text = answer_text(value)
        except Fault:
            return
        if text is None:
            return
        found = matches(text, options)
        number = number_of(text)
        letter = letter_of(text)
        if number is not None:
            self._add_number(number, len(options), found, row)
        elif letter is not None and (letter < len(options) or not found):
            self.n_letters += 1
            self.first.setdefault("letter", f"{row} has {text!r}")
        elif found or _labelled(text, options) is not None:
            self.n_texts += 1
            self.first.setdefault("text", f"{row} has {shown(text, 40)}")

    def _add_number(self, number: int, count: int, found: list[int], row: str) -> None:
        self.n_numbers += 1
        self.first.setdefault("number", f"{row} has {number}")
        if number == 0:
            self.zeros += 1
            self.first.setdefault("0", row)
        elif number == count:
            self.fulls += 1
            self.first.setdefault("1", f"{row} has {number} of {count} options")
        elif not 0 < number < count:
            self.wild += 1
        if len(found) == 1:
            self.numbers_as_text += 1
            for base in (0, 1):
                self.text_is_not[str(base)] += number - base != found[0]

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

    def _mixed(self, others: str, other: str, count: int) -> str:
        return (
            f"{others} and numbers mixed in one column: {count} {others} ({self.first[other]}), "
            f"{self.n_numbers} numbers ({self.first['number']})"
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
        zero = KeyStyle("0", f"positions count from 0: {self.first.get('0', '')} has 0")
        one = KeyStyle("1", f"positions count from 1: {self.first.get('1', '')}")
        if self.zeros and self.zeros >= MUCH_RARER * self.fulls:
            return zero
        if self.fulls and self.fulls >= MUCH_RARER * self.zeros:
            return one
        if self.zeros and self.fulls:
            return KeyStyle(
                "ask",
                f"{self.first['0']} has 0, but {self.first['1']}: "
                "positions fit neither counting from 0 nor from 1",
            )
        return KeyStyle(
            "ask",
            "no answer is 0 and none equals the number of options, "
            "so positions may count from 0 or from 1",
        )


def read_key(value: object, options: Sequence[str], style: str) -> int | None:
    """0-based index of the right option, in the style of the file; None if there is no answer.

    Raises:
        Fault: if the answer names no option or more than one.
    """
    text = answer_text(value)
    if text is None:
        return None
    number = number_of(text)
    if style in ("0", "1"):
        if number is None:
            raise Fault(
                "the answer is not a position",
                value=text,
                allowed=_positions(options, style),
                todo="Write the position of the right option, or leave the answer empty.",
            )
        return _position(number, options, style)
    if style == "letters" and number is not None and not matches(text, options):
        raise Fault(
            "a number in a column of letters",
            value=text,
            allowed=letters(len(options)),
            todo="Write the letter of the right option.",
        )
    letter = letter_of(text)
    if letter is not None:
        return _letter(text, letter, options)
    return _text(text, options)


def _positions(options: Sequence[str], style: str) -> str:
    return f"{style} to {len(options) - 1 + int(style)}"


def _position(number: int, options: Sequence[str], style: str) -> int:
    index = number - int(style)
    if not 0 <= index < len(options):
        raise Fault(
            f"key outside {_positions(options, style)}",
            value=str(number),
            allowed=f"{_positions(options, style)} for {len(options)} options",
            todo="Correct the answer, or leave it empty for a question without a key.",
        )
    return _unambiguous(index, options)


def _letter(text: str, letter: int, options: Sequence[str]) -> int:
    found = [i for i, option in enumerate(options) if option.strip() == text]
    if letter < len(options) and found and found != [letter]:
        raise Fault(
            f"the answer is letter {text} and also the text of option {found[0] + 1}",
            value=text,
            allowed="one reading",
            todo="Give the answer as a letter in a file whose options are not letters.",
        )
    if letter >= len(options):
        loose = matches(text, options)
        if len(loose) == 1:
            return loose[0]
        raise Fault(
            f"key outside {letters(len(options))}",
            value=text,
            allowed=f"{letters(len(options))} for {len(options)} options",
            todo="Correct the answer, or add the option that is lacking.",
        )
    return _unambiguous(letter, options)


def _text(text: str, options: Sequence[str]) -> int:
    found = matches(text, options)
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise Fault(
            f"answer text matches options {_listed(found)}",
            value=text,
            allowed="the text of exactly one option",
            todo="Make the options differ, or give the answer as a letter.",
        )
    labelled = _labelled(text, options)
    if labelled is not None:
        return _unambiguous(labelled, options)
    if _SEVERAL.fullmatch(text):
        raise Fault(
            "several keys",
            value=text,
            allowed="one right option",
            todo="Name the one that is right, or leave the answer empty.",
        )
    raise Fault(
        "answer text matches no option",
        value=text,
        allowed=" | ".join(shown(option, 40) for option in options),
        todo="Correct the answer or the options.",
    )


def _labelled(text: str, options: Sequence[str]) -> int | None:
    """Position meant by 'B. a dog'; None unless the label and the text name the same option."""
    match = _LABELLED.fullmatch(text)
    if match is None:
        return None
    found = matches(match[2].strip(), options)
    letter = letter_of(match[1])
    bases = (int(match[1]), int(match[1]) - 1) if letter is None else (letter,)
    fitting = [index for index in found if index in bases]
    return fitting[0] if len(fitting) == 1 else None


def _unambiguous(index: int, options: Sequence[str]) -> int:
    same = [i for i, option in enumerate(options) if option == options[index]]
    if len(same) > 1:
        raise Fault(
            f"the right option stands there more than once: options {_listed(same)} are equal",
            column="options",
            value=options[index],
            allowed="options that differ",
            todo="Make the options differ: an answer with the other one could not be judged.",
        )
    return index


def _listed(indices: Sequence[int]) -> str:
    numbers = [str(index + 1) for index in indices]
    return f"{', '.join(numbers[:-1])} and {numbers[-1]}"
