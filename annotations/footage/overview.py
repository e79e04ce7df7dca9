"""Counts of the metadata for the page: what was found, what was downloaded, what failed and why."""

from dataclasses import dataclass
from typing import Any

from db.connection import Store


@dataclass(frozen=True)
class FootageCounts:
    """What the metadata holds.

    Attributes:
        videos: that are known.
        queries: by state.
        downloads: by state.
        failures: of downloads, by kind.
        bytes: that were downloaded.
        pauses: sources that asked to wait: (source, until, why).
    """

    videos: int
    queries: dict[str, int]
    downloads: dict[str, int]
    failures: dict[str, int]
    bytes: int
    pauses: tuple[tuple[str, float, str], ...]


def footage_counts(store: Store) -> FootageCounts:
    """The counts, of one state of the data."""
    with store.read() as database:
        execute = database.conn.execute
        # The index knows how many there are: counting millions of rows takes a second.
        videos = int(execute("SELECT titles FROM index_size").fetchone()[0])
        queries = execute("SELECT state, count(*) FROM query GROUP BY state").fetchall()
        downloads = execute("SELECT state, count(*) FROM download GROUP BY state").fetchall()
        failures = execute(
            "SELECT failure, count(*) FROM download WHERE state = 'failed' GROUP BY failure"
            " ORDER BY 2 DESC"
        ).fetchall()
        size = int(execute("SELECT coalesce(sum(bytes), 0) FROM download").fetchone()[0])
        waiting = "SELECT source, until, why FROM pause WHERE until > unixepoch()"
        pauses = execute(waiting).fetchall()
    return FootageCounts(
        videos, _counts(queries), _counts(downloads), _counts(failures), size,
        tuple((row[0], row[1], row[2]) for row in pauses),
    )  # fmt: skip


def _counts(rows: list[Any]) -> dict[str, int]:
    return {str(row[0]): int(row[1]) for row in rows}


@dataclass(frozen=True)
class FailedDownload:
    """A download that failed: of which video, the kind of failure, and what was said."""

    title: str
    url: str
    failure: str
    message: str


@dataclass(frozen=True)
class RecentQuery:
    """A search, or a walk through a channel.

    Attributes:
        how: 'search', 'channel', ...
        target: its words or address.
        reached: videos that it has named.
        failure: kind of its failure, with `message` what was said; '' for none.
    """

    how: str
    target: str
    reached: int
    state: str
    failure: str
    message: str


def failed_downloads(store: Store, limit: int = 200) -> list[FailedDownload]:
    """The newest failed downloads."""
    failed = store.rows(
        "SELECT v.title, v.url, d.failure, d.message FROM download d"
        " JOIN video v ON v.id = d.video_id WHERE d.state = 'failed' ORDER BY d.at DESC LIMIT ?",
        [limit],
    )
    return [FailedDownload(**row) for row in failed]


def recent_queries(store: Store, limit: int = 100) -> list[RecentQuery]:
    """The newest queries."""
    queries = store.rows(
        "SELECT how, target, reached, state, failure, message FROM query ORDER BY at DESC LIMIT ?",
        [limit],
    )
    return [RecentQuery(**row) for row in queries]
