"""What a kind of annotation task has to bring along; each is a file in annotations/tasks/."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from annotations.decision import Decision
from annotations.record.item import Item
from annotations.record.shown import Shown
from annotations.record.stage import Content
from annotations.task_parts import AsksKey, Describes, DrawsMany, ShowsKey, ShowsMany
from annotations.workspace import Workspace
from core import plugins
from core.refusal import Refusal

LOG = logging.getLogger(__name__)
PACKAGE = "annotations.tasks"
INSTRUCTIONS = Path(__file__).resolve().parents[1] / "assets" / "instructions"


@dataclass(frozen=True)
class ItemDraft:
    """An item to be made: one thing to label.

    Attributes:
        uid: what it is about, unique in its task, such as 'question:count/17'.
    """

    uid: str
    question_id: int | None = None
    video_id: int | None = None
    payload: dict[str, Any] = field(default_factory=dict[str, Any])


class TaskKind(Protocol):
    """The module of a task kind.

    Attributes:
        LABEL: its name for people.
        SCHEMA_VERSION: of its responses; raised when their meaning changes.
        OVERLAP: people per item if an author does not say.
        SOURCES: what items can be made of: 'questions', 'videos', 'rows' (lines of a file), 'tasks'
            (what another task let pass), 'predictions' (wrong answers of models).
    """

    LABEL: str
    SCHEMA_VERSION: int
    OVERLAP: int
    SOURCES: tuple[str, ...]

    def check_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """The settings, completed. Raises ValueError for one that is not allowed."""
        ...

    def build_items(
        self,
        workspace: Workspace,
        settings: dict[str, Any],
        rows: list[dict[str, Any]] | None,
    ) -> Iterable[ItemDraft]:
        """Items in the order of import: from `rows`, or from what the workspace holds if None.

        Raises ValueError for a row that makes no item: which, what, what is allowed.
        """
        ...

    def show(self, workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
        """What an annotator is shown; `seed` differs by person. Raises ValueError if unusable."""
        ...

    def content(self, workspace: Workspace, item: Item, shown: Shown) -> Content:
        """What the desk draws for what was shown, without anything that the person must not see."""
        ...

    def check_response(self, response: dict[str, Any], shown: Shown) -> dict[str, Any]:
        """The response as it is stored. Raises ValueError, in words for a person, if it is none."""
        ...

    def decide(self, responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
        """What the responses of an item conclude by the kind's rule."""
        ...

    def settled(
        self, responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]
    ) -> bool:
        """Whether `missing` more responses, whatever they are, leave the decision as it is."""
        ...

    def feedback(
        self, response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
    ) -> tuple[bool, str]:
        """Whether a response is right where the answer is known, with words for a person.

        What the form offers is called there as the form calls it, never by its id.
        """
        ...

    def distance(self, a: dict[str, Any], b: dict[str, Any]) -> float | None:
        """How far two responses are apart: 0 the same, 1 different; None if not comparable."""
        ...


def kind(name: str) -> TaskKind:
    """The task kind of this name.

    Raises:
        LookupError: if there is none.
    """
    return cast("TaskKind", plugins.load(PACKAGE, name))


def show_many(
    kind: TaskKind,
    workspace: Workspace,
    items: Sequence[Item],
    settings: dict[str, Any],
    seeds: Sequence[str],
) -> list[Shown | Exception]:
    """For each item what an annotator is shown, or why nothing can be.

    A lost file or a broken row costs its own item, not the others.
    """
    if not items:
        return []
    if isinstance(kind, ShowsMany):
        try:
            return kind.show_many(workspace, items, settings, seeds)
        except Exception:  # one after the other, so that it costs the item that meets it
            LOG.exception("items of task %s cannot be shown at once", items[0].task_id)
    shown: list[Shown | Exception] = []
    for item, seed in zip(items, seeds, strict=True):
        try:
            shown.append(kind.show(workspace, item, settings, seed))
        except (Refusal, OSError) as error:
            shown.append(error)
        except Exception as error:  # a bug that one item meets must not stop the others
            LOG.exception("item %s of task %s cannot be shown", item.id, item.task_id)
            shown.append(error)
    return shown


def content_many(
    kind: TaskKind, workspace: Workspace, handed: Sequence[tuple[Item, Shown]]
) -> list[Content]:
    """What the desk draws for each of some items."""
    if not handed:
        return []
    if isinstance(kind, DrawsMany):
        return kind.content_many(workspace, handed)
    return [kind.content(workspace, item, shown) for item, shown in handed]


def kinds() -> tuple[str, ...]:
    """Names of all task kinds."""
    return plugins.names(PACKAGE)


def instructions(name: str) -> str:
    """The Markdown that a kind's annotators read first; pictures are named as files beside it.

    Raises:
        LookupError: if there is no such kind.
    """
    kind(name)
    return (INSTRUCTIONS / f"{name}.md").read_text(encoding="utf-8")


def describer(kind: object, content: Content) -> Callable[[dict[str, Any]], str]:
    """The kind's own words for a response where it has them, else the response's fields."""
    if isinstance(kind, Describes):
        return lambda response: kind.describe(response, content.values)
    return lambda response: "; ".join(
        f"{name.replace('_', ' ')}: {_plain(value)}" for name, value in response.items()
    )


def _plain(value: Any) -> str:
    match value:
        case dict():
            named = cast("dict[str, Any]", value)
            return ", ".join(f"{name} {_plain(element)}" for name, element in named.items())
        case list():
            return " | ".join(_plain(element) for element in cast("list[Any]", value)) or "none"
        case float():
            return f"{value:.3f}"
        case _:
            return str(value)


def shows_key(name: str, settings: dict[str, Any]) -> bool:
    """Whether a task shows the key of a question to whoever works on it."""
    module = _showing(name)
    return module is not None and module.shows_key(settings)


@cache
def _showing(name: str) -> ShowsKey | None:
    """The kind, where it can show keys; it is looked at once, since that takes 20 µs."""
    module: object = kind(name)
    return module if isinstance(module, ShowsKey) else None


def asks_key(name: str, settings: dict[str, Any]) -> bool:
    """Whether a task asks people who must not know a question's key what it is."""
    module = _asking(name)
    return module is not None and module.asks_key(settings)


@cache
def _asking(name: str) -> AsksKey | None:
    """The kind, where it can ask for keys."""
    module: object = kind(name)
    return module if isinstance(module, AsksKey) else None
