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


def _whole(value: object) -> object:
    match value:
        case str():
            return _HALF_PAIR.sub("\N{REPLACEMENT CHARACTER}", value)
        case list():
            return [_whole(part) for part in cast("list[object]", value)]
        case dict():
            parts = cast("dict[str, object]", value)
            return {str(_whole(name)): _whole(part) for name, part in parts.items()}
        case _:
            return value
