"""JSON out of a column, as pages and files can show it."""

import json
import re
from typing import Any, cast

_HALF_PAIR = re.compile("[\ud800-\udfff]")


def stored_json(text: str) -> Any:
    r"""What a column of JSON holds; half a surrogate pair is U+FFFD, as nothing could be sent it.

    Nothing of the kind is accepted any more, but what was stored once is never changed: JSON keeps
    it as ``\ud800``.
    """
    value = json.loads(text)
    return _whole(value) if "\\ud" in text or "\\uD" in text else value


def whole_text(text: str) -> str:
    """The text with U+FFFD for half a surrogate pair, which neither a page nor a file can hold."""
    return _HALF_PAIR.sub("\N{REPLACEMENT CHARACTER}", text)


def _whole(value: object) -> object:
    match value:
        case str():
            return whole_text(value)
        case list():
            return [_whole(part) for part in cast("list[object]", value)]
        case dict():
            parts = cast("dict[str, object]", value)
            return {str(_whole(name)): _whole(part) for name, part in parts.items()}
        case _:
            return value
