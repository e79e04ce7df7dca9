"""Reading responses: each value checked again on the server, refused in words for a person."""

import unicodedata
from collections.abc import Sequence
from typing import Any, cast

from core.refusal import Refusal

LONGEST_TEXT = 2000


def one_of(response: dict[str, Any], name: str, allowed: Sequence[str], asked: str) -> str:
    """The value of a choice.

    Args:
        response: the response, or the part of it that belongs to one entry.
        name: of the field.
        allowed: its values.
        asked: what the field asks, for the message.

    Raises:
        ValueError: if nothing or something else is chosen.
    """
    value = response.get(name)
    if value in (None, ""):
        raise Refusal(f"{asked}: nothing is chosen. Choose one of: {', '.join(allowed)}.")
    if value not in allowed:
        raise Refusal(f"{asked}: {value!r} is no answer. Choose one of: {', '.join(allowed)}.")
    return str(value)


def text(response: dict[str, Any], name: str, asked: str, *, needed: str = "") -> str:
    """The value of a text field in NFC, without blanks around it; '' if there is none.

    Args:
        response: the response, or the part of it that belongs to one entry.
        name: of the field.
        asked: what the field asks, for the message.
        needed: what to write where the text may not be empty.

    Raises:
        ValueError: if it is no text, too long, or lacking although needed.
    """
    value = response.get(name)
    if value is None:
        value = ""
    if not isinstance(value, str):
        raise Refusal(f"{asked}: {value!r} is no text.")
    value = unicodedata.normalize("NFC", value).strip()
    if len(value) > LONGEST_TEXT:
        raise Refusal(f"{asked}: {len(value)} characters; at most {LONGEST_TEXT} are kept.")
    if needed and not value:
        raise Refusal(f"{asked}: nothing is written. {needed}")
    return value


def number(response: dict[str, Any], name: str, asked: str) -> float:
    """The value of a number, such as a time in s.

    Raises:
        ValueError: if it is none.
    """
    value = response.get(name)
    if value is None:
        raise Refusal(f"{asked} is not set.")
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise Refusal(f"{asked}: {value!r} is no number.")
    return float(value)


def entries(response: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
    """The answers of an `each` field by entry; those that are no objects are left out."""
    value = response.get(name)
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return {
        key: cast("dict[str, Any]", entry)
        for key, entry in fields.items()
        if isinstance(entry, dict)
    }


def cards(response: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The cards of a `segments` field.

    Raises:
        ValueError: if it is no list of cards.
    """
    value = response.get(name)
    items = cast("list[Any]", value) if isinstance(value, list) else []
    if value and not (items and all(isinstance(card, dict) for card in items)):
        raise Refusal(f"{name}: {value!r} is no list of cards.")
    return cast("list[dict[str, Any]]", items)
