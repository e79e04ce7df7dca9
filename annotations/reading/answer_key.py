"""The key of a question, read from whatever a file calls its answer: letter, position or text.

How positions count cannot be told from one row: annotations/reading/key_survey.py finds the style
of the file as a whole, in which each answer is then read.
"""

import ast
import re
import unicodedata
from collections.abc import Sequence
from typing import cast

from annotations.reading.records import Fault, shown

_LETTER = re.compile(r"(?:(?:option|choice|answer)\s*:?\s*)?[(\[]?([A-Z])[)\].:]?", re.IGNORECASE)
_NUMBER = re.compile(r"[(\[]?([+-]?\d{1,9})(?:\.0+)?[)\].:]?")
_LABELLED = re.compile(
    r"(?:(?:option|caption|sentence|choice)\s+)?[(\[]?([a-z]|\d{1,2})[)\].:]\s+(\S.*)",
    re.DOTALL | re.IGNORECASE,
)
_BETWEEN = r"(?:\s*[,;/&|+]\s*(?:and\s+)?|\s+and\s+)"
_SEVERAL = re.compile(rf"[A-Z](?:{_BETWEEN}[A-Z])+", re.IGNORECASE)


# What stands for a key that is kept back, in benchmarks whose answers are not given out.
_HIDDEN = frozenset({
    "na", "n/a", "n.a.", "?", "hidden", "withheld", "unknown", "tbd", "tba", "-", "none", "null",
    "nan", "-1", "-1.0",
})  # fmt: skip
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")


def is_hidden(value: object, options: Sequence[str]) -> bool:
    """Whether an answer only says that there is none to see, and is no option's text."""
    text = str(value).strip() if isinstance(value, str | int | float) else ""
    return text.casefold() in _HIDDEN and not matches(text, options)


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
    match = _LETTER.fullmatch(_folded(text))
    return ord(match[1].upper()) - ord("A") if match else None


def number_of(text: str) -> int | None:
    """The whole number in '2', '2.0' or '(2)'; None if it is none."""
    match = _NUMBER.fullmatch(_folded(text))
    return int(match[1]) if match else None


def _folded(text: str) -> str:
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text))


def letters(count: int) -> str:
    """The letters of so many options, such as 'A-D'."""
    return f"A-{chr(ord('A') + count - 1)}"


def plain(text: str) -> str:
    """Text for comparing: case, kinds of blank and punctuation around it do not count.

    Nor does what nobody sees, such as a blank of no width.
    """
    text = " ".join(_folded(text).casefold().split())
    return text.strip(" .,;:!?\"'`") or text


def matches(text: str, options: Sequence[str]) -> list[int]:
    """Positions of the options that a text names: equal ones, else those equal but for trifles."""
    exact = [i for i, option in enumerate(options) if option.strip() == text]
    if exact:
        return exact
    wanted = plain(text)
    return [i for i, option in enumerate(options) if plain(option) == wanted]


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


_GLUED = re.compile(r"[A-Z]{2,10}")
_SEPARATED = re.compile(_BETWEEN, re.IGNORECASE)


def answers_in(value: object, options: Sequence[str]) -> list[object]:
    """The answers that a cell holds: several where it lists them, as in ['A', 'C'], 'A, C', 'ACD'.

    A text that is an option itself is one answer.
    """
    if isinstance(value, list | tuple):
        return list(cast("Sequence[object]", value))
    if not isinstance(value, str) or matches(value.strip(), options):
        return [value]
    text = value.strip()
    if text[:1] == "[" and text[-1:] == "]":
        try:
            items: object = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            return [value]
        return list(cast("Sequence[object]", items)) if isinstance(items, list) else [value]
    if _SEVERAL.fullmatch(text):
        return list(_SEPARATED.split(text))
    glued = _GLUED.fullmatch(text) is not None and sorted(set(text)) == list(text)
    return list(text) if glued and ord(text[-1]) - ord("A") < len(options) else [value]


def several_keys(value: object, options: Sequence[str], style: str) -> list[int]:
    """Positions of the right options where a cell names several, ascending; [] where it does not.

    Raises:
        Fault: if one of them names no option.
    """
    answers = answers_in(value, options)
    if len(answers) < 2:
        return []
    keys = {read_key(answer, options, style) for answer in answers} - {None}
    return sorted(cast("set[int]", keys)) if len(keys) > 1 else []


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
    matching = [i for i, option in enumerate(options) if option.strip() == text]
    if letter < len(options) and matching and matching != [letter]:
        raise Fault(
            f"the answer is letter {text} and also the text of option {matching[0] + 1}",
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
    matching = matches(text, options)
    if len(matching) == 1:
        return matching[0]
    if len(matching) > 1:
        raise Fault(
            f"answer text matches options {_listed(matching)}",
            value=text,
            allowed="the text of exactly one option",
            todo="Make the options differ, or give the answer as a letter.",
        )
    labelled = by_label_and_text(text, options)
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


def by_label_and_text(text: str, options: Sequence[str]) -> int | None:
    """Position meant by 'B. a dog'; None unless the label and the text name the same option."""
    match = _LABELLED.fullmatch(text)
    if match is None:
        return None
    matching = matches(match[2].strip(), options)
    letter = letter_of(match[1])
    bases = (int(match[1]), int(match[1]) - 1) if letter is None else (letter,)
    fitting = [index for index in matching if index in bases]
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
