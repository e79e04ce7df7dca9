"""footage.db: metadata of videos that nobody has downloaded yet, and the index of their titles.

It is a file of its own, so that it neither sits in every backup of the answers nor lets its writes
wait in front of them.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from sqlite_utils import Database

from annotations.workspace import Workspace
from core.footage.candidate import Candidate
from core.footage.titles import folded, tokens
from db.connection import Store, first_row
from db.footage import open_footage

FootageStore: TypeAlias = Store  # its own name, since the pages know no database
FILE = "footage.db"
FIELDS = tuple(name for name in Candidate.__dataclass_fields__)
AT_ONCE = 500  # rows of a transaction: its write lock lasts some 20 ms

_INSERT = (
    f"INSERT INTO video ({', '.join(FIELDS)}, first_seen)"
    f" VALUES ({', '.join('?' * len(FIELDS))}, ?) ON CONFLICT (source, key) DO NOTHING RETURNING id"
)
_KEEP = "coalesce(nullif(:{0}, ''), {0})"
_UPDATE = (
    "UPDATE video SET "
    + ", ".join(
        f"{name} = coalesce(:{name}, {name})"
        if name in ("duration_s", "views")
        else f"{name} = {_KEEP.format(name)}"
        for name in FIELDS[2:]
    )
    + " WHERE id = :id"
)


def footage_file(workspace: Workspace) -> Path:
    """Where the metadata lies."""
    return workspace.root / FILE


def open_store(workspace: Workspace) -> Store:
    """The store of a workspace's metadata, made where there is none. To be closed."""
    return open_footage(footage_file(workspace))


def add_candidates(
    store: Store, candidates: Iterable[Candidate], query_id: int | None = None, first_rank: int = 1
) -> int:
    """How many of the candidates were new; all are stored, indexed, and noted as found by a query.

    What is stored in one transaction also says how far the query has come, so that a process that
    is killed neither repeats nor loses a result.
    """
    batch: list[Candidate] = []
    new, rank = 0, first_rank
    for candidate in candidates:
        batch.append(candidate)
        if len(batch) == AT_ONCE:
            new += add_batch(store, batch, query_id, rank)
            rank += len(batch)
            batch = []
    return new + add_batch(store, batch, query_id, rank) if batch else new


def add_batch(
    store: Store, batch: Sequence[Candidate], query_id: int | None = None, first_rank: int = 1
) -> int:
    """How many of the candidates were new, stored in one transaction."""
    new = 0
    with store.write() as database:
        for rank, candidate in enumerate(batch, start=first_rank):
            number, is_new = _put(database, candidate)
            new += is_new
            if query_id is not None:
                database.conn.execute(
                    "INSERT INTO found_by (video_id, query_id, rank, at) VALUES (?, ?, ?, ?)"
                    " ON CONFLICT DO NOTHING",
                    [number, query_id, rank, time.time()],
                )
        if query_id is not None:
            database.conn.execute(
                "UPDATE query SET reached = max(reached, ?) WHERE id = ?",
                [first_rank + len(batch) - 1, query_id],
            )
    return new


def _put(database: Database, candidate: Candidate) -> tuple[int, bool]:
    """The id of a candidate's row, and whether it is new; what is known better now is kept."""
    values = asdict(candidate)
    row = database.conn.execute(_INSERT, [*values.values(), time.time()]).fetchone()
    if row is not None:
        _index(database, int(row[0]), candidate.title, _about(candidate))
        return int(row[0]), True
    old = first_row(
        database, "SELECT * FROM video WHERE source = ? AND key = ?",
        [candidate.source, candidate.key],
    )  # fmt: skip
    assert old is not None
    database.conn.execute(_UPDATE, {**values, "id": old["id"]})
    title = candidate.title or old["title"]
    earlier, after = _about_row(old), _about_row({**old, **_known(values)})
    if (title, after) != (old["title"], earlier):
        _unindex(database, old["id"], old["title"], earlier)
        _index(database, old["id"], title, after)
    return int(old["id"]), False


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", None)}


def _about(candidate: Candidate) -> str:
    return f"{candidate.channel}\n{candidate.description}"


def _about_row(row: dict[str, Any]) -> str:
    return f"{row['channel']}\n{row['description']}"


def _index(database: Database, number: int, title: str, about: str) -> None:
    text = folded(title)
    database.conn.execute("INSERT INTO title_index (rowid, title) VALUES (?, ?)", [number, text])
    if about.strip():
        database.conn.execute(
            "INSERT INTO about_index (rowid, about) VALUES (?, ?)", [number, folded(about)]
        )
    database.conn.execute(
        "UPDATE index_size SET titles = titles + 1, tokens = tokens + ?", [len(tokens(text))]
    )


def _unindex(database: Database, number: int, title: str, about: str) -> None:
    """Take a video's texts out of the index, which has to be told what they were."""
    text = folded(title)
    database.conn.execute(
        "INSERT INTO title_index (title_index, rowid, title) VALUES ('delete', ?, ?)",
        [number, text],
    )
    if about.strip():
        database.conn.execute(
            "INSERT INTO about_index (about_index, rowid, about) VALUES ('delete', ?, ?)",
            [number, folded(about)],
        )
    database.conn.execute(
        "UPDATE index_size SET titles = titles - 1, tokens = tokens - ?", [len(tokens(text))]
    )
