"""Leases as they are stored: items handed to somebody for a while."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from sqlite_utils import Database

from annotations.record.item import Item
from annotations.record.shown import Shown

CLOCK_SLACK_S = 60.0


@dataclass(frozen=True, kw_only=True)
class Lease:
    """An item handed to somebody, with exactly what is shown.

    Attributes:
        leased_at: Unix time, s; `expires_at` and `ended_at` likewise.
        ended_at: None while it runs, or until it expires.
    """

    id: int
    item_id: int
    annotator_id: int
    shown: Shown
    leased_at: float
    expires_at: float
    ended_at: float | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Lease":
        """The lease of a row of the table."""
        return cls(
            id=row["id"],
            item_id=row["item_id"],
            annotator_id=row["annotator_id"],
            shown=Shown.from_row(row),
            leased_at=row["leased_at"],
            expires_at=row["expires_at"],
            ended_at=row["ended_at"],
        )


@dataclass(frozen=True)
class Handed:
    """An item in the hands of an annotator.

    Attributes:
        lease: theirs.
        remark: comments with which authors returned their answer; '' for none.
    """

    item: Item
    lease: Lease
    remark: str = ""

    @property
    def shown(self) -> Shown:
        """What they are shown of it."""
        return self.lease.shown


def shown_in_leases(
    database: Database, annotator_id: int, lease_ids: Iterable[int]
) -> dict[int, Shown]:
    """What somebody was shown, by lease; leases of others are left out."""
    leases = database.conn.execute(
        "SELECT id, shown, question_revision_id FROM lease WHERE annotator_id = ?"
        " AND id IN (SELECT value FROM json_each(?))",
        [annotator_id, dumps(sorted(set(lease_ids)))],
    )
    return {row["id"]: Shown.from_row(row) for row in leases}


def add_leases(
    database: Database,
    annotator_id: int,
    items: Iterable[tuple[Item, Shown]],
    leased_at: float,
    lease_s: float,
) -> list[Handed]:
    """Hand items to somebody, in the order given, for so many seconds."""
    chosen = list(items)
    if not chosen:
        return []
    values = [
        {"item": item.id, "revision": shown.question_revision_id, "shown": dumps(shown.facts)}
        for item, shown in chosen
    ]
    expires_at = leased_at + lease_s
    ids = dict(
        database.conn.execute(
            "INSERT INTO lease (item_id, annotator_id, question_revision_id, shown, leased_at,"
            " expires_at) SELECT value ->> 'item', ?, value ->> 'revision', value ->> 'shown', ?, ?"
            " FROM json_each(?) RETURNING item_id, id",
            [annotator_id, leased_at, expires_at, dumps(values)],
        ).fetchall()
    )
    return [
        Handed(
            item,
            Lease(
                id=ids[item.id], item_id=item.id, annotator_id=annotator_id, shown=shown,
                leased_at=leased_at, expires_at=expires_at,
            ),
        )
        for item, shown in chosen
    ]  # fmt: skip


def renew_leases(
    database: Database, annotator_id: int, items: Iterable[int], now_s: float, lease_s: float
) -> None:
    """Let somebody's running leases of some items run for so many seconds from now."""
    ids = sorted(items)
    if ids:
        database.conn.execute(
            "UPDATE lease SET expires_at = ? WHERE annotator_id = ? AND ended_at IS NULL"
            " AND expires_at > ? AND item_id IN (SELECT value FROM json_each(?))",
            [now_s + lease_s, annotator_id, now_s, dumps(ids)],
        )


def cut_long_leases(database: Database, now_s: float, lease_s: float) -> None:
    """Let no lease run for longer than a lease does: a clock that was ahead wrote it."""
    database.conn.execute(
        "UPDATE lease SET expires_at = ? WHERE ended_at IS NULL AND expires_at > ?",
        [now_s + lease_s, now_s + lease_s + CLOCK_SLACK_S],
    )


def end_leases(database: Database, annotator_id: int, item_id: int, now_s: float) -> None:
    """End somebody's leases of an item."""
    database.conn.execute(
        "UPDATE lease SET ended_at = ? WHERE item_id = ? AND annotator_id = ? AND ended_at IS NULL",
        [now_s, item_id, annotator_id],
    )


def end_leases_of_item(database: Database, item_id: int, now_s: float) -> None:
    """End everybody's running leases of an item, since what they show is not asked any more."""
    database.conn.execute(
        "UPDATE lease SET ended_at = ? WHERE item_id = ? AND ended_at IS NULL AND expires_at > ?",
        [now_s, item_id, now_s],
    )


def release_leases(
    database: Database, annotator_id: int, items: Iterable[int], now_s: float
) -> None:
    """End somebody's leases of items that they have no draft of."""
    database.conn.execute(
        "UPDATE lease SET ended_at = ? WHERE annotator_id = ? AND ended_at IS NULL"
        " AND item_id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM draft d"
        " WHERE d.item_id = lease.item_id AND d.annotator_id = lease.annotator_id)",
        [now_s, annotator_id, dumps(sorted(items))],
    )
