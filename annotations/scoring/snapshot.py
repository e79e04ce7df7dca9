"""The stored state at one moment, from which every figure of a page or a command is computed.

    with take(workspace) as snapshot:
        lines = leaderboard(snapshot)
        counts = left_out(snapshot)      # of the same moment, whatever is stored meanwhile

What was computed from a state is kept with it, so the next snapshot of an unchanged workspace costs
two short queries.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from sqlite_utils import Database

from annotations.scoring.columns import Columns, Kept
from annotations.scoring.people_columns import (
    Answers,
    Version,
    answers_table,
    read_answers,
    version_in,
)
from annotations.scoring.prediction_columns import (
    Predictions,
    predictions_table,
    read_predictions,
    runs_counted,
)
from annotations.workspace import Workspace
from db.connection import rows

MOST_WORKSPACES, MOST_DERIVED, MOST_GROWN = 4, 40, 20
_OTHER_VERSIONS = """
  SELECT (SELECT max(annotation_id) FROM prediction), (SELECT count(*) FROM run),
    (SELECT count(*) FROM run_error), (SELECT max(id) FROM split)
"""

T = TypeVar("T")


@dataclass
class _Memory:
    """What was read of one workspace and computed from it, for snapshots to come.

    Attributes:
        number: of the newest snapshot that kept something here.
        version: of that snapshot.
        derived: (what else it depends on, value) by key, all of this version.
        grown: (number of the snapshot that read it, value) by key.
    """

    number: int = 0
    version: Version = ()
    derived: Kept[tuple[Hashable, Any]] = field(
        default_factory=lambda: Kept[tuple[Hashable, Any]](MOST_DERIVED)
    )
    grown: Kept[tuple[int, Any]] = field(default_factory=lambda: Kept[tuple[int, Any]](MOST_GROWN))


_memories = Kept[_Memory](MOST_WORKSPACES)
_numbers = count(1)
_lock = RLock()


class Snapshot:
    """One state of the data: everything read through it was stored at the same moment.

    It holds a read transaction until it is left or let go, which keeps nobody from writing.

    Attributes:
        database: sees this state alone, for functions that read one.
        version: no two different states of a workspace have the same.
        leave_out_seen: whether answers of people who had met a clip under a richer condition
            before are in no figure.
    """

    def __init__(self, workspace: Workspace, *, leave_out_seen: bool = False) -> None:
        self.leave_out_seen = leave_out_seen
        self._open = ExitStack()
        self._path: Path = workspace.store.path
        with _lock:
            # Begun inside the lock, so that states come one after the other.
            self.database: Database = self._open.enter_context(workspace.store.read())
            self.version = version_in(self.database)
            self._number = next(_numbers)

    def __enter__(self) -> "Snapshot":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def rows(
        self, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()
    ) -> list[dict[str, Any]]:
        """All rows of one query, in this state."""
        return rows(self.database, sql, parameters)

    def tuples(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of one query as tuples, which is quicker for many."""
        return [tuple(row) for row in self.database.conn.execute(sql, parameters)]

    def read_ahead(self) -> None:
        """Read what is large, so that whoever looks first need not wait."""
        _ = self.predictions

    def derived(self, key: Hashable, compute: Callable[[], T], also: Hashable = None) -> T:
        """A figure or table computed from this state: once, then kept while the state stands.

        Args:
            key: its name in the workspace.
            compute: makes it from this snapshot.
            also: what else it depends on that changes without a new `version`.
        """
        with _lock:
            memory = self._memory()
            if memory.version != self.version:
                if memory.number > self._number:
                    return compute()  # this state is an older one: the newer one stays kept
                memory.version, memory.derived = self.version, Kept(MOST_DERIVED)
            memory.number = max(memory.number, self._number)
            kept = memory.derived.get(key)
            if kept is not None and kept[0] == also:
                return kept[1]
            if memory.number > self._number:
                return compute()
            return memory.derived.put(key, (also, compute()))[1]

    def grown(self, key: Hashable, read: Callable[[T | None], T], *, cuts: bool = False) -> T:
        """What is read at every look, from what was read at an earlier one.

        Args:
            key: its name in the workspace.
            read: takes what was read earlier, or None, and reads what is new.
            cuts: whether `read` can make an older state from what was read of a newer one; else
                it gets None there.
        """
        with _lock:
            memory = self._memory()
            number, earlier = memory.grown.get(key) or (0, None)
            if number <= self._number:
                return memory.grown.put(key, (self._number, read(earlier)))[1]
            return read(earlier if cuts else None)

    def _memory(self) -> _Memory:
        return _memories.put(self._path, _memories.get(self._path) or _Memory())

    @cached_property
    def people(self) -> Answers:
        """Current answers of people to questions with options."""

        def read(earlier: Columns | None) -> Columns:
            return read_answers(self.database, earlier)

        def table() -> Answers:
            stored = self.grown("answers of people", read, cuts=True)
            return answers_table(
                self.database, self.version, stored, leave_out_seen=self.leave_out_seen
            )

        return self.derived(("people", self.leave_out_seen), table)

    @cached_property
    def predictions(self) -> Predictions:
        """Current answers of runs to questions with options."""

        def read(earlier: Columns | None) -> Columns:
            return read_predictions(self.database, earlier)

        stored = self.grown("answers of runs", read, cuts=True)
        # What runs say to other things than questions, such as videos, changes no figure here.
        newest = int(stored.ints("id")[-1]) if len(stored) else 0
        also = (newest, runs_counted(self.database))

        def table() -> Predictions:
            version = (self.version, *also)
            return predictions_table(self.database, version, self.people, stored)

        return self.derived(("predictions", self.leave_out_seen), table, also)


def take(workspace: Workspace, *, leave_out_seen: bool = False) -> Snapshot:
    """The state of a workspace at this moment.

    Args:
        leave_out_seen: whether figures leave out answers of people who had met the clip under a
            richer condition before.
    """
    return Snapshot(workspace, leave_out_seen=leave_out_seen)


def data_version(workspace: Workspace) -> tuple[object, ...]:
    """A value that differs once people's answers, or what they are about, have changed; cheap."""
    with workspace.store.read() as database:
        return version_in(database)


def runs_version(workspace: Workspace) -> tuple[object, ...]:
    """A value that differs once anything in tables of runs has changed; cheap."""
    with workspace.store.read() as database:
        newest = database.conn.execute(_OTHER_VERSIONS).fetchone()
        return (*version_in(database), *newest)
