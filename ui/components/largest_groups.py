"""The groups that a chart draws: of hundreds nobody reads each, and drawing them takes long."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

MOST_GROUPS = 40


class Grouped(Protocol):
    """A row of a chart that is about one group of questions."""

    @property
    def group(self) -> str:
        """Name of the group."""
        ...

    @property
    def questions(self) -> int:
        """How many questions of it the row is about."""
        ...


Row = TypeVar("Row", bound=Grouped)


def of_largest_groups(rows: Sequence[Row]) -> list[Row]:
    """The rows of the `MOST_GROUPS` groups with most questions, in the order that they have."""
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row.group] = max(row.questions, sizes.get(row.group, 0))
    if len(sizes) <= MOST_GROUPS:
        return list(rows)
    drawn = set(sorted(sizes, key=lambda group: -sizes[group])[:MOST_GROUPS])
    return [row for row in rows if row.group in drawn]


def drawn_of_groups(rows: Sequence[Grouped]) -> str:
    """A sentence that says how many groups are drawn; '' where all of them are."""
    number = len({row.group for row in rows})
    if number <= MOST_GROUPS:
        return ""
    return (
        f"Drawn are the {MOST_GROUPS} of {number:,} groups with most questions; the table and the "
        "files hold all."
    )
