"""The options of a multiple-choice question, out of the many ways in which files write them."""

import ast
import json
import re
import string
from collections.abc import Mapping, Sequence
from typing import cast

from annotations.reading.answer_key import NotANumber, plain
from annotations.reading.checks import read_text
from annotations.reading.displayed_options import out_of_records
from annotations.reading.records import Fault, shown

MOST = 26
_LETTERED = r"[(\[]?(?P<label>[A-Z])[)\].:]"
_NUMBERED = r"[(\[]?(?P<label>\d{1,2})[)\].:]"
_NAMED = r"(?:Option|Caption|Sentence|Choice)\s+(?P<label>[A-Z]|\d{1,2})\s*[).:]"
_LABELS = tuple(re.compile(pattern + r"\s+") for pattern in (_LETTERED, _NUMBERED, _NAMED))
_COLON_IS_TEXT = re.compile(r"(?:^|(?<=\s))(?:[(\[](?P<a>[A-Z])[)\]]|(?P<b>[A-Z])[).])\s+")
_DIGIT_IN_TEXT = re.compile(r"(?:^|(?<=\s))(?:[(\[](?P<a>\d{1,2})[)\]]|(?P<b>\d{1,2})[).])\s+")


def read_options(value: object) -> list[str]:
    """The options in one cell or field: a list, an object by label, or a text that holds either.

    A text may be JSON, a Python list, lines, labelled options in one line, or parts between | or ;.

    Raises:
        Fault: if it holds none, an empty one, or labels that are not consecutive.
    """
    if isinstance(value, str):
        value = _parsed(value)
    value = out_of_records(value)
    if isinstance(value, Mapping):
        return _by_label(cast("Mapping[object, object]", value))
    if not isinstance(value, list | tuple):
        raise Fault(
            "multiple choice without options", column="options", value=value, allowed=_FORMS
        )
    items = cast("Sequence[object]", value)
    return strip_labels([_option(item, str(i + 1)) for i, item in enumerate(items)])


_FORMS = "columns A, B, C...; a JSON list; lines; or parts between |"


def options_of_columns(cells: Sequence[tuple[str, object]]) -> list[str]:
    """The options in columns such as A, B, C, D; empty cells at the end mean fewer options.

    Raises:
        Fault: if an empty cell is followed by a filled one.
    """
    filled = [name for name, cell in cells if not _empty(cell)]
    expected = [name for name, _ in cells[: len(filled)]]
    if filled != expected:
        raise Fault(
            f"found options {', '.join(filled)}, expected {', '.join(expected)}",
            column="options",
            allowed="empty cells only after the last option",
            todo="Fill the gap, or move the options up.",
        )
    return strip_labels([_option(cell, name) for name, cell in cells[: len(filled)]])


def split_question(text: str) -> tuple[str, list[str]]:
    """Split a text that holds question and options into the two.

    No options if the text holds no labels from A or 1.

    Raises:
        Fault: if the labels are not consecutive.
    """
    lines = [line.strip() for line in text.splitlines()]
    for pattern in _LABELS:
        starts = [i for i, line in enumerate(lines) if pattern.match(line)]
        if len(starts) < 2:
            continue
        labels = [cast("re.Match[str]", pattern.match(lines[i]))["label"] for i in starts]
        _check_labels(labels)
        ends = [*starts[1:], len(lines)]
        options = [
            pattern.sub("", "\n".join(lines[a:b]), count=1).strip()
            for a, b in zip(starts, ends, strict=True)
        ]
        return "\n".join(lines[: starts[0]]).strip(), options
    return _split_line(text)


def _split_line(text: str) -> tuple[str, list[str]]:
    for pattern in (_COLON_IS_TEXT, _DIGIT_IN_TEXT):
        matches = list(pattern.finditer(text))
        labels = [match["a"] or match["b"] for match in matches]
        start = next((i for i, label in enumerate(labels) if label in ("A", "1")), None)
        if start is None or len(labels) - start < 2:
            continue
        matches, labels = matches[start:], labels[start:]
        _check_labels(labels)
        ends = [*(match.start() for match in matches[1:]), len(text)]
        options = [
            text[match.end() : end].strip() for match, end in zip(matches, ends, strict=True)
        ]
        return text[: matches[0].start()].strip(), options
    return text.strip(), []


def strip_labels(options: list[str]) -> list[str]:
    """Options without their labels where every one has its own in order; else as they are.

    Raises:
        Fault: if every option has a label but the labels are not consecutive.
    """
    for pattern in _LABELS:
        labelled = [match for option in options if (match := pattern.match(option))]
        if len(options) < 2 or len(labelled) < len(options):
            continue
        labels = [match["label"] for match in labelled]
        if not _look_like_labels(labels):
            continue
        _check_labels(labels)
        return [
            option[match.end() :].strip() for option, match in zip(options, labelled, strict=True)
        ]
    return options


def check_options(options: Sequence[str]) -> list[str]:
    """Check options, and return notes for a person about those that are accepted.

    Raises:
        Fault: if there are fewer than 2, more than 26, or an empty one.
    """
    if not options:
        raise Fault(
            "multiple choice without options",
            column="options",
            allowed=f"2 to {MOST} options",
            todo="Add the options, or name their columns: --map options=A,B,C. A question without "
            "options has an answer in words, or a list of accepted answers.",
        )
    if not 2 <= len(options) <= MOST:
        raise Fault(
            f"{len(options)} option{'s' if len(options) > 1 else ''}",
            column="options",
            value=" | ".join(options),
            allowed=f"2 to {MOST} options",
            todo=f"Separate options as {_FORMS}.",
        )
    for position, option in enumerate(options, start=1):
        if not option.strip():
            raise Fault(
                f"option {position} is empty",
                column="options",
                allowed="a text for each option",
                todo="Write the option, or take it out.",
            )
    return [*_equal(options), *_half_labelled(options)]


def _equal(options: Sequence[str]) -> list[str]:
    positions: dict[str, list[int]] = {}
    for position, option in enumerate(options, start=1):
        positions.setdefault(plain(option), []).append(position)
    return [
        f"options {' and '.join(map(str, same))} are the same: {shown(options[same[0] - 1], 60)}"
        for same in positions.values()
        if len(same) > 1
    ]


def _half_labelled(options: Sequence[str]) -> list[str]:
    labelled = [
        letter
        for letter, option in zip(string.ascii_uppercase, options, strict=False)
        if re.match(rf"[(\[]?{letter}[)\].:]\s", option)
    ]
    if 2 <= len(labelled) < len(options):
        return [f"only options {', '.join(labelled)} begin with their label; kept as written"]
    return []


def _look_like_labels(labels: Sequence[str]) -> bool:
    """Whether these are labels and not initials or years: the first is there, none is far off."""
    alphabet = _alphabet(labels)
    if len(set(labels)) == 1 < len(labels):
        return False  # each begins with '1.': a text, since equal labels label nothing
    near = alphabet[: len(labels) + 2]
    return alphabet[0] in labels and all(label in near for label in labels)


def _alphabet(labels: Sequence[str]) -> list[str]:
    if labels[0].isalpha():
        return list(string.ascii_uppercase)
    return [str(number) for number in range(1, MOST + 1)]


def _check_labels(labels: Sequence[str]) -> None:
    alphabet = _alphabet(labels)
    known = [alphabet.index(label) for label in labels if label in alphabet]
    expected = alphabet[: max(len(labels), max(known, default=0) + 1)]
    if list(labels) != expected:
        raise Fault(
            f"found {', '.join(labels)}, expected {', '.join(expected)}",
            column="options",
            allowed=f"labels one after the other from {alphabet[0]}",
            todo="Mend the label that is lacking or out of order.",
        )


def _by_label(options: Mapping[object, object]) -> list[str]:
    labels = [str(label).strip() for label in options]
    if not labels:
        return []
    if all(re.fullmatch(r"[A-Za-z]", label) for label in labels):
        order = sorted(range(len(labels)), key=lambda i: labels[i].upper())
        _check_labels([labels[i].upper() for i in order])
    elif all(re.fullmatch(r"\d{1,2}", label) for label in labels):
        order = sorted(range(len(labels)), key=lambda i: int(labels[i]))
        lowest = int(labels[order[0]])
        _check_labels([str(int(labels[i]) + (1 if lowest == 0 else 0)) for i in order])
    else:
        raise Fault(
            "options with labels that are no letters or numbers",
            column="options",
            value=", ".join(labels),
            allowed="A, B, C... or 1, 2, 3...",
        )
    values = list(options.values())
    return options_of_columns([(labels[i], values[i]) for i in order])


def _parsed(text: str) -> object:
    text = text.strip()
    printed = _printed_by_numpy(text)
    if printed:
        return printed
    if text[:1] in ("[", "{", "("):
        for parse in (_json, ast.literal_eval):
            try:
                value = parse(text)
            except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                continue
            if isinstance(value, list | tuple | dict):
                return cast("object", value)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        return lines
    stem, options = _split_line(text)
    if options and not stem:
        return options
    for separator in ("|", ";"):
        if separator in text:
            return text.split(separator)
    return [text] if text else []


_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


def _printed_by_numpy(text: str) -> list[str]:
    """The texts of a list as NumPy and pandas print it, without commas: ['a' "b's"]; else []."""
    if text[:1] != "[" or text[-1:] != "]":
        return []
    quoted = _QUOTED.findall(text, 1, len(text) - 1)
    between = _QUOTED.sub("", text[1:-1])
    if len(quoted) < 2 or between.strip():
        return []
    return [str(ast.literal_eval(part.replace("\n", "\\n"))) for part in quoted]


def _json(text: str) -> object:
    """JSON with numbers as written, so that 1.10 stays 1.10."""
    return json.loads(text, parse_float=str, parse_constant=NotANumber)


def _option(value: object, name: str) -> str:
    if isinstance(value, bool | int | float | str) and (text := read_text(value, "options")):
        return text
    empty = value is None or isinstance(value, str | NotANumber)
    raise Fault(
        f"option {name} is empty" if empty else f"option {name} is not a text",
        column="options",
        value=None if empty else repr(value),
        allowed="a text for each option",
        todo="Write the option as text, in quotes.",
    )


def _empty(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())
