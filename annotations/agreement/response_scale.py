"""What responses of one kind of task mean to agreement: their values, and how far two are apart."""

import json
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from annotations.task import TaskKind
from annotations.task_parts import ComparesMany
from core.statistics.distance import Distance, called

_MOST_COMPARED = 300


def scale(
    kind: TaskKind, responses: Sequence[dict[str, Any]]
) -> tuple[list[Hashable | None], str | Distance]:
    """What each of some different responses says to agreement, and how far such values are apart.

    By the task kind's `distance`: a response that it cannot compare with itself is missing, those
    at distance 0 are one value. Where all distances are 0 or 1 the scale is nominal, which every
    coefficient takes. A kind whose responses are millions of different ones may have
    `distances(responses)` beside it: a name of `core.statistics.distance.NAMES` or a vectorised
    `Distance`.

    Returns:
        One value for each response, None where it is missing, and the distance between codes of
        the values, which count from 0 in order of appearance.
    """
    between = kind.distance
    values = [_value(vote) if between(vote, vote) is not None else None for vote in responses]
    by_value: dict[Hashable, dict[str, Any]] = {}
    for value, response in zip(values, responses, strict=True):
        if value is not None:
            by_value.setdefault(value, response)
    alike = list(by_value.values())
    if isinstance(kind, ComparesMany):
        return values, kind.distances(alike)
    value_of = _nominal(between, alike)
    if value_of is not None:
        return [value_of.get(value) for value in values], "nominal"

    def apart(a: dict[str, Any], second: dict[str, Any]) -> float:
        gap = between(a, second)
        return 1.0 if gap is None else gap

    return values, called(apart, alike)


def _nominal(
    between: Callable[[Any, Any], float | None], responses: Sequence[dict[str, Any]]
) -> dict[Hashable | None, Hashable] | None:
    """The value that each response shares with those at distance 0; None if it is not nominal."""
    if len(responses) > _MOST_COMPARED:
        return None
    classes_of: dict[Hashable | None, Hashable] = {}
    classes: list[tuple[dict[str, Any], Hashable]] = []
    for response in responses:
        distances = [between(response, representative) for representative, _ in classes]
        if not {0.0, 1.0, None}.issuperset(distances):
            return None
        if 0.0 not in distances:
            classes.append((response, _value(response)))
        index = distances.index(0.0) if 0.0 in distances else -1
        classes_of[_value(response)] = classes[index][1]
    return classes_of


def _value(response: dict[str, Any]) -> Hashable:
    """A response as a label: its only field, or canonical JSON."""
    if len(response) == 1:
        [only] = response.values()
        if isinstance(only, str | int | float):
            return only
    return json.dumps(response, sort_keys=True, ensure_ascii=False)
