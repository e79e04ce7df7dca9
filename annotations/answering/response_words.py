"""A stored response in words, by the question and the stage that it was given to."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from annotations import task as tasks
from annotations.record.item import Item
from annotations.record.shown import Shown
from annotations.record.stage import Content
from annotations.task import describer
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.reply.reading import LETTERS


def response_words(
    workspace: Workspace,
    kind: str,
    item: Item,
    shown: Shown,
    response: dict[str, Any],
    options: Sequence[str] = (),
) -> str:
    """What was answered, for a person: options with their letters, else in the kind's own words.

    Args:
        workspace: where what was shown is looked up.
        kind: name of the task's kind.
        item: that was answered.
        shown: what of it was shown.
        response: as it is stored.
        options: of the question as it was asked, in its own order; () for an item without.
    """
    choice: object = response.get("choice")
    if response.keys() == {"choice"} and options and isinstance(choice, int | list):
        return _option(cast("int | list[object]", choice), options)
    module = tasks.kind(kind)
    try:
        content = module.content(workspace, item, shown)
    except (Refusal, LookupError, OSError):  # what was shown is not here any more
        content = Content(item.uid, None, {})
    return describer(module, content)(response)


def asked_options(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The options in a row's column `options`, JSON as a question's revision holds it; or ()."""
    return tuple(json.loads(row["options"] or "[]"))


def letter(index: int) -> str:
    """The letter of a displayed option; a number where there are more options than letters."""
    return LETTERS[index] if index < len(LETTERS) else str(index + 1)


def _option(choice: object, options: Sequence[str]) -> str:
    """The chosen options, by the question's own order; what is none of them as it is stored."""
    if isinstance(choice, list):
        return "; ".join(_option(part, options) for part in cast("list[object]", choice))
    if isinstance(choice, int) and 0 <= choice < len(options):
        return f"{letter(choice)}. {options[choice]}"
    return str(choice)
