"""Strict reading of what models wrote when they were asked for questions."""

import re
from collections.abc import Sequence
from typing import Any, cast

from annotations.generation.generator import Unfit
from core.question.words import content_stems, length_in_words, same_key
from core.reply import llm_json

MOST_WORDS = 20
_MARKER = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.):]|[A-Ja-j][.)])\s+")
_EMPTY = {"", "none", "not sure"}


def one_line(reply: str) -> str:
    """The only line of a reply, without quotes around it.

    Raises:
        Unfit: for no line or several.
    """
    lines = [line.strip().strip('"“”').strip() for line in reply.splitlines() if line.strip()]
    if len(lines) != 1:
        raise Unfit(f"{len(lines)} lines came; write one line and nothing else.")
    return lines[0]


def listed_lines(reply: str, count: int) -> list[str]:
    """The lines of a reply, if there are as many as asked for and no two say the same.

    Raises:
        Unfit: for bullets or numbers, another count, brackets, or two that say the same.
    """
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    marked = [line for line in lines if _MARKER.match(line)]
    if marked:
        raise Unfit(f"“{marked[0]}” begins with a bullet or a number; write the bare names.")
    if len(lines) != count:
        raise Unfit(f"{len(lines)} lines came; write exactly {count}, one on each line.")
    bracketed = [line for line in lines if any(sign in line for sign in "()[]{}")]
    if bracketed:
        raise Unfit(f"“{bracketed[0]}” has brackets; write the bare names.")
    all_differ(lines)
    return lines


def all_differ(options: Sequence[str]) -> None:
    """Refuse options that say the same.

    Raises:
        Unfit: with the two.
    """
    seen: dict[str, str] = {}
    for option in options:
        key = same_key(option)
        if not key:
            raise Unfit("An option is empty.")
        if key in seen:
            raise Unfit(f"“{option}” and “{seen[key]}” say the same; all have to differ.")
        seen[key] = option


def json_value(reply: str, kind: type[list[Any]] | type[dict[str, Any]]) -> Any:
    """The only JSON list, or object, of a reply.

    Raises:
        Unfit: if there is none, or something else.
    """
    parsed = llm_json.read(reply)
    fits: list[Any] = [value for value in parsed.values if isinstance(value, kind)]
    if not fits:
        wanted = "a JSON list" if kind is list else "a JSON object"
        raise Unfit(f"No {wanted[2:]} was found ({parsed.reason or 'another value came'}).")
    return fits[-1]


def text_field(entry: object, name: str) -> str:
    """A text of a JSON object, on one line.

    Raises:
        Unfit: if it is lacking or empty.
    """
    fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Unfit(f"The field “{name}” is lacking or no text.")
    return " ".join(value.split())


def short(option: str) -> str:
    """An option of at most 20 words.

    Raises:
        Unfit: if it is longer.
    """
    count = length_in_words(option)
    if count > MOST_WORDS:
        raise Unfit(f"“{option[:60]}…” has {count} words; at most {MOST_WORDS} are allowed.")
    return option


def is_told(text: str) -> bool:
    """Whether a localized text says something: 'none' and 'not sure' do not."""
    return text.strip().casefold().rstrip(".") not in _EMPTY


def share_named(text: str, description: str) -> float:
    """The share of the meaning words of something that a text names, 0 to 1."""
    wanted = content_stems(description)
    return len(wanted & content_stems(text)) / len(wanted) if wanted else 1.0
