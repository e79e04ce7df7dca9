"""Task kinds whose answers accept or reject, so that a run on their tasks is a filter."""

from typing import Any, Protocol, cast, runtime_checkable

from annotations import task as tasks
from annotations.task import TaskKind
from core.refusal import Refusal


class FilterKind(TaskKind, Protocol):
    """A task kind whose answers accept or reject."""

    def passes(self, value: dict[str, Any]) -> bool | None:
        """Whether a response, or a decision's value, accepts; None where it does not say."""
        ...

    def reasons_given(self, value: dict[str, Any]) -> tuple[str, ...]:
        """Ids of the reasons of a rejection."""
        ...

    def reason_labels(self, settings: dict[str, Any]) -> dict[str, str]:
        """Labels of the reasons by id."""
        ...


@runtime_checkable
class FiltersBySetting(Protocol):
    """A kind whose answers accept or reject where a task's settings say by what."""

    def is_filter(self, settings: dict[str, Any]) -> bool:
        """Whether answers to a task with these settings accept or reject."""
        ...


def is_filter(kind: str, settings: dict[str, Any] | None = None) -> bool:
    """Whether answers of this kind of task, or to one with these settings, accept or reject."""
    module: object = tasks.kind(kind)
    if settings is not None and isinstance(module, FiltersBySetting):
        return module.is_filter(settings)
    return hasattr(module, "passes")


def filter_kind(kind: str, settings: dict[str, Any] | None = None) -> FilterKind:
    """The kind, as a filter.

    Raises:
        ValueError: if its answers do not accept or reject.
    """
    if not is_filter(kind, settings):
        raise Refusal(f"Tasks of the kind {kind} do not accept or reject: they are no filter.")
    return cast("FilterKind", tasks.kind(kind))
