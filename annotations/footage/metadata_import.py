"""Store metadata of videos from files; a row that cannot be read costs itself."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from annotations.footage.metadata_files import read_metadata
from annotations.footage.store import add_candidates
from annotations.reading.records import Problem
from core.footage.candidate import Candidate
from db.connection import Store

MOST_PROBLEMS = 100


@dataclass(frozen=True)
class MetadataImport:
    """What an import of metadata did.

    Attributes:
        read: rows that could be read.
        new: videos that were not known.
        problems: the first 100 rows that could not be read, `failed` in all.
    """

    read: int
    new: int
    failed: int
    problems: tuple[Problem, ...]


def import_metadata(
    store: Store, path: Path, action: str = "", say: Callable[[int], None] = lambda count: None
) -> MetadataImport:
    """Store and index the videos that a file or folder names; repeatable without doubling.

    Args:
        store: of the metadata.
        path: what `read_metadata` reads.
        action: for which they were looked for; '' for none.
        say: is told how many rows have been read.

    Raises:
        ValueError: if the path cannot be read as metadata.
    """
    entries = read_metadata(path)
    problems: list[Problem] = []
    counts = {"read": 0, "failed": 0}

    def readable() -> Iterator[Candidate]:
        for entry in entries:
            if isinstance(entry, Problem):
                counts["failed"] += 1
                if len(problems) < MOST_PROBLEMS:
                    problems.append(entry)
                continue
            counts["read"] += 1
            if counts["read"] % 1000 == 0:
                say(counts["read"])
            yield entry

    query_id = query_of_file(store, path, action)
    new = add_candidates(store, readable(), query_id)
    with store.write() as database:
        database.conn.execute("UPDATE query SET state = 'done' WHERE id = ?", [query_id])
    return MetadataImport(counts["read"], new, counts["failed"], tuple(problems))


def query_of_file(store: Store, path: Path, action: str) -> int:
    """The id of the row that says from which file videos came."""
    with store.write() as database:
        row = database.conn.execute(
            "INSERT INTO query (how, target, action, wanted, at) VALUES ('file', ?, ?, 0, ?)"
            " ON CONFLICT (how, target, action) DO UPDATE SET at = excluded.at RETURNING id",
            [path.name, action, time.time()],
        ).fetchone()
    return int(row[0])
