"""Answers to a form taken apart: what each field's values say to agreement."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from annotations import task as tasks
from annotations.form.agreement import value_distance
from annotations.scoring.snapshot import Snapshot
from core.statistics.distance import Distance, called
from core.statistics.ratings import Ratings

Bounds = tuple[int, int] | None


@runtime_checkable
class HasFields(Protocol):
    """A kind whose responses hold a value for each field of a form."""

    def compared_fields(self, settings: dict[str, Any]) -> list[tuple[str, str, Bounds]]:
        """Name, label and, of a scale, lowest and highest step of the fields to compare."""
        ...


def field_ratings(
    snapshot: Snapshot, task_id: int, ratings: Ratings
) -> Iterator[tuple[str, Ratings, str | Distance]]:
    """Yield of each field its label, the answers to it, and how far two of them are apart.

    Nothing where the task's kind has no fields. Fields of one choice are nominal; other ones are
    compared as the form compares them, a step of a scale by the difference over its length.
    """
    [row] = snapshot.rows("SELECT kind, settings FROM task WHERE id = ?", [task_id])
    kind: object = tasks.kind(row["kind"])
    if not isinstance(kind, HasFields):
        return
    responses = [json.loads(label) for label in ratings.labels]
    for name, label, bounds in kind.compared_fields(json.loads(row["settings"])):
        values = [response["values"].get(name) for response in responses]
        yield label, *_of_field(ratings, values, bounds)


def _of_field(
    ratings: Ratings, values: Sequence[Any], bounds: Bounds
) -> tuple[Ratings, str | Distance]:
    labels: list[Any] = []
    places: dict[str, int] = {}
    codes = np.full(len(values), -1, dtype=np.int64)
    for at, value in enumerate(values):
        if value is None:
            continue
        place = places.setdefault(json.dumps(value), len(labels))
        if place == len(labels):
            labels.append(value)
        codes[at] = place
    value = codes[ratings.value] if len(values) else ratings.value
    of_field = Ratings.from_arrays(ratings.item, ratings.rater, value, labels)
    if bounds is None and not any(isinstance(label, list) for label in labels):
        return of_field, "nominal"

    def apart(a: Any, b: Any) -> float:
        gap = value_distance(a, b, bounds)
        return 1.0 if gap is None else gap

    return of_field, called(apart, labels)
