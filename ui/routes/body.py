"""Bodies of requests: read within bounds, checked as a whole, and taken apart by type."""

import json
import math
import re
from typing import Any, cast

from starlette.requests import Request

from core.refusal import Refusal

BODY_LIMIT = 1_000_000
LARGEST_INTEGER = 2**63 - 1
DEEPEST = 32
# Control characters other than tab and line feeds, and halves of surrogate pairs: no file that we
# export could hold them, and no screen shows them.
UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

Json = dict[str, Any]


class TooLarge(Refusal):
    """The body is longer than allowed (status 413)."""


async def read_bytes(request: Request) -> bytes:
    """Return the bytes of the JSON that a request carries; `parsed` reads them.

    They are counted while they arrive, since a body may come without its length.

    Raises:
        TooLarge: beyond `BODY_LIMIT` bytes.
        Refusal: if it is not sent as JSON.
    """
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refusal("Its body is not JSON: the content type has to be application/json.")
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > BODY_LIMIT:
            raise TooLarge(f"It is larger than {BODY_LIMIT:,} bytes.")
    return bytes(content)


def holds_items(sent: bytes) -> bool:
    """Whether a desk whose body is not read yet has items left to work on."""
    return re.search(rb'"have"\s*:\s*\[\s*\d', sent) is not None


def parsed(content: bytes) -> Json:
    """Return the JSON object in some bytes.

    Raises:
        Refusal: if there is none, or it holds what cannot be stored.
    """
    try:
        value: object = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Refusal("Its body is no valid JSON.") from error
    if not isinstance(value, dict):
        raise Refusal("Its body is no JSON object.")
    check(cast("Json", value))
    return cast("Json", value)


def check(value: object, depth: int = 0) -> None:
    """Look through all of a value.

    Raises:
        Refusal: for text that holds control characters or half a surrogate pair, a number that is
            not finite or beyond 64 bits, and nesting deeper than `DEEPEST`.
    """
    if depth > DEEPEST:
        raise Refusal(f"It is nested deeper than {DEEPEST} levels.")
    match value:
        case str():
            if found := UNREADABLE.search(value):
                raise Refusal(
                    f"The text {value[:40]!a} holds the character U+{ord(found[0]):04X}, which "
                    "cannot be stored. Take it out."
                )
        case bool() | None:
            pass
        case int():
            if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
                raise Refusal("It holds a number beyond 64 bits.")
        case float():
            if not math.isfinite(value):
                raise Refusal("It holds a number that is not finite.")
        case dict():
            for name, entry in cast("Json", value).items():
                check(name, depth + 1)
                check(entry, depth + 1)
        case list():
            for entry in cast("list[object]", value):
                check(entry, depth + 1)
        case _:
            raise Refusal("It holds what is no JSON.")


def integer(body: Json, name: str, default: int | None = None) -> int:
    """Return a whole number of a body.

    Raises:
        Refusal: if it is missing without a default, or no whole number.
    """
    value = body.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal(f"{name} is {_shown(value)}; it has to be a whole number.")
    return value


def number(body: Json, name: str, default: float | None = None) -> float:
    """Return a number of a body.

    Raises:
        Refusal: if it is missing without a default, or no number.
    """
    value = body.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refusal(f"{name} is {_shown(value)}; it has to be a number.")
    return float(value)


def text(body: Json, name: str, default: str | None = None) -> str:
    """Return a text of a body.

    Raises:
        Refusal: if it is missing without a default, or no text.
    """
    value = body.get(name, default)
    if not isinstance(value, str):
        raise Refusal(f"{name} is {_shown(value)}; it has to be text.")
    return value


def record(body: Json, name: str, default: Json | None = None) -> Json:
    """Return an object of a body.

    Raises:
        Refusal: if it is missing without a default, or no object.
    """
    value = body.get(name, default)
    if not isinstance(value, dict):
        raise Refusal(f"{name} is {_shown(value)}; it has to be an object.")
    return cast("Json", value)


def integers(body: Json, name: str, limit: int, *, optional: bool = False) -> list[int]:
    """Return a list of whole numbers of a body; [] for an optional one that is missing.

    Raises:
        Refusal: if it is no such list, or longer than the limit.
    """
    values = _list(body, name, limit, optional)
    if any(isinstance(value, bool) or not isinstance(value, int) for value in values):
        raise Refusal(f"{name} has to be a list of whole numbers.")
    return cast("list[int]", values)


def texts(body: Json, name: str, limit: int, *, optional: bool = False) -> list[str]:
    """Return a list of texts of a body; [] for an optional one that is missing.

    Raises:
        Refusal: if it is no such list, or longer than the limit.
    """
    values = _list(body, name, limit, optional)
    if not all(isinstance(value, str) for value in values):
        raise Refusal(f"{name} has to be a list of texts.")
    return cast("list[str]", values)


def records(body: Json, name: str, limit: int, *, optional: bool = False) -> list[Json]:
    """Return a list of objects of a body; [] for an optional one that is missing.

    Raises:
        Refusal: if it is no such list, or longer than the limit.
    """
    values = _list(body, name, limit, optional)
    if not all(isinstance(value, dict) for value in values):
        raise Refusal(f"{name} has to be a list of objects.")
    return cast("list[Json]", values)


def _list(body: Json, name: str, limit: int, optional: bool) -> list[object]:
    value = body.get(name, [] if optional else None)
    if not isinstance(value, list):
        raise Refusal(f"{name} is {_shown(value)}; it has to be a list.")
    values = cast("list[object]", value)
    if len(values) > limit:
        raise Refusal(f"{name} has {len(values):,} entries; at most {limit} are taken.")
    return values


def _shown(value: object) -> str:
    return "missing" if value is None else repr(value)[:40]
