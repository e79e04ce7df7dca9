"""JSON out of a model's text, however it is wrapped or broken; nothing in it is ever executed."""

import json
import re
from dataclasses import dataclass
from typing import cast

from core.reply.broken_json import BrokenError, Reader
from core.reply.thought import split_thought

TRIES = 300  # brackets that turn out not to begin a value
LONGEST = 2_000_000  # characters
MOST_STEPS = 100_000  # characters read again and again where brackets begin no value

_FENCE = re.compile(r"```[ \t]*[A-Za-z0-9_-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True)
class JsonReading:
    """What was found.

    Attributes:
        values: every object and list that stands in the text by itself, in order.
        repaired: what had to be mended, in words; () if it was JSON as it stood.
        reason: why there is no value; '' if there is one.
    """

    values: tuple[object, ...]
    repaired: tuple[str, ...]
    reason: str = ""

    @property
    def value(self) -> object:
        """The last object, else the last list; None if there is none, `reason` says why."""
        objects = [value for value in self.values if _is_object(value)]
        return (objects or list(self.values) or [None])[-1]


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def read(text: str) -> JsonReading:
    """Objects and lists in a model's text.

    Fences, words around, comments, single or curly quotes, commas too many or lacking, bare keys,
    Python's True and None, raw line ends, unescaped quotes and a cut-off end are understood; text
    inside strings stays as it is. NaN and Infinity become None.

    Args:
        text: what the model wrote.

    Returns:
        The values with what was mended, or the reason why there is none.
    """
    if len(text) > LONGEST:
        reason = f"{len(text):,} characters; allowed are {LONGEST:,}"
        return JsonReading((), (), reason)
    if not text.strip():
        return JsonReading((), (), "there is no text")
    fenced = [part for part in _FENCE.findall(text) if "{" in part or "[" in part]
    reason = ""
    for part in ["\n".join(fenced), text] if fenced else [text]:
        values, repaired, reason = _all_values(part)
        if values:
            return JsonReading(tuple(values), tuple(dict.fromkeys(repaired)))
    return JsonReading((), (), reason)


def read_answer(response: str) -> JsonReading:
    """Objects and lists in the answer of a raw reply; what stands in its thoughts is none.

    Of a reply that may be a thought to its end only a value that ends the reply counts.
    """
    split = split_thought(response)
    if split.cut:
        return JsonReading((), (), split.cut)
    parsed = read(split.answer)
    if split.unclosed and not split.answer.rstrip("` \n").endswith(("}", "]")):
        return JsonReading((), (), "the reply is a thought that nothing ends")
    return parsed


def _all_values(text: str) -> tuple[list[object], list[str], str]:
    values: list[object] = []
    repaired: list[str] = []
    reason = "there is no { or [ in the text"
    whole = _strict(text.strip())
    if isinstance(whole, dict | list):
        return [whole], [], ""
    if isinstance(whole, str) and "{" in whole:
        values, repaired, reason = _all_values(whole)
        return values, ["JSON inside a JSON string", *repaired], reason
    begins = len(text) - len(text.lstrip())
    position, tries, budget = 0, TRIES, MOST_STEPS + 2 * len(text)
    while (start := _start(text, position)) is not None:
        try:
            value, position, notes = _value_at(text, start)
        except BrokenError as broken:
            reason = str(broken)
            position = start + 1
            tries -= 1
            budget -= broken.steps
            if not tries or budget < 0:
                break
            continue
        if not value and "cut off at the end" in notes:
            reason = "cut off before anything was said"
            continue
        if _is_object(value) or _is_data(value, alone=start <= begins):
            values.append(value)
            repaired += notes
    if len(values) > 1:
        repaired.append(f"{len(values)} values stand in the text")
    elif values and text[position:].strip() in ("}", "]"):
        repaired.append("a closing bracket too many")
    return values, repaired, reason


def _start(text: str, position: int) -> int | None:
    starts = [at for at in (text.find("{", position), text.find("[", position)) if at >= 0]
    return min(starts, default=None)


def _is_data(value: object, *, alone: bool) -> bool:
    """Whether a list is meant as data, not a bracketed word or a footnote such as [1]."""
    return alone or any(map(_is_object, cast("list[object]", value)))


def _strict(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> object:
    raise ValueError(constant)


def _value_at(text: str, start: int) -> tuple[object, int, list[str]]:
    try:
        value, end = json.JSONDecoder(parse_constant=_refuse).raw_decode(text, start)
    except (ValueError, RecursionError):
        reader = Reader(text, start)
        try:
            value = reader.value()
        except BrokenError as broken:
            broken.steps = reader.place - start
            raise
        return value, reader.place, reader.notes
    return value, end, []
