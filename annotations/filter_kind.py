"""Task kinds whose answers accept or reject, so that a run on their tasks is a filter."""

from typing import Any, Protocol, cast

from annotations import task as tasks
from annotations.task import TaskKind
from core.refusal import Refusal


class FilterKind(TaskKind, Protocol):
    """A task kind whose answers accept or reject."""

    def passes(self, value: dict[str, Any]) -> bool:
        """Whether a response, or a decision's value, accepts."""
        ...

    def reasons_given(self, value: dict[str, Any]) -> tuple[str, ...]:
        """Ids of the reasons of a rejection."""
        ...

    def reason_labels(self, settings: dict[str, Any]) -> dict[str, str]:
        """Labels of the reasons by id."""
        ...


def is_filter(kind: str) -> bool:
    """Whether answers of this kind of task accept or reject."""
    return hasattr(tasks.kind(kind), "passes")


def filter_kind(kind: str) -> FilterKind:
    """The kind, as a filter.

    Raises:
        ValueError: if its answers do not accept or reject.
    """
    if not is_filter(kind):
        raise Refusal(f"Tasks of the kind {kind} do not accept or reject: they are no filter.")
    return cast("FilterKind", tasks.kind(kind))
