"""What a desk calls options: by their place as shown, never by their place in the file.

In many files the right option stands first. Its place there must not reach whoever is asked.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from annotations import task as tasks
from annotations.record.shown import Shown
from annotations.record.stage import Clips, Content

PLACE = re.compile(r"p(0|[1-9][0-9]{0,3})")

Json = dict[str, Any]
Rename = Callable[[Any], Any]


@runtime_checkable
class NamesOptions(Protocol):
    """A kind that shows options in another order to each person."""

    def options_shown(self, shown: Shown) -> list[Any]:
        """The options in the order shown, as responses name them where they are stored."""
        ...

    def rename_values(self, values: Json, rename: Rename) -> Json:
        """The values of a content, with another name for each option."""
        ...

    def rename_response(self, response: Json, shown: Shown, rename: Rename) -> Json:
        """A response, whole or a draft of one, with another name for each option."""
        ...


def content_for_desk(kind: str, content: Content, shown: Shown) -> Content:
    """Return what a desk draws, options named by their place."""
    module: object = tasks.kind(kind)
    if not isinstance(module, NamesOptions):
        return content
    rename = _to_places(module.options_shown(shown))
    stage = content.stage
    if isinstance(stage, Clips):
        stage = Clips(tuple(replace(clip, id=rename(clip.id)) for clip in stage.clips))
    return replace(content, stage=stage, values=module.rename_values(content.values, rename))


def response_for_desk(kind: str, response: Json, shown: Shown) -> Json:
    """Return a stored response as a desk knows it; a desk's own draft comes back unchanged."""
    module: object = tasks.kind(kind)
    if not isinstance(module, NamesOptions):
        return response
    return module.rename_response(response, shown, _to_places(module.options_shown(shown)))


def response_from_desk(kind: str, response: Json, shown: Shown) -> Json:
    """Return a desk's response as it is stored.

    Names that are none of a desk's stay: scripts may send options as they are stored.
    """
    module: object = tasks.kind(kind)
    if not isinstance(module, NamesOptions):
        return response
    order = module.options_shown(shown)

    def rename(name: Any) -> Any:
        match = PLACE.fullmatch(name) if isinstance(name, str) else None
        place = int(match[1]) if match else len(order)
        return order[place] if place < len(order) else name

    return module.rename_response(response, shown, rename)


def _to_places(order: list[Any]) -> Rename:
    def rename(name: Any) -> Any:
        return f"p{order.index(name)}" if name in order else name

    return rename
