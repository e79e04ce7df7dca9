"""The stored state at one moment, from which every figure of a page or a command is computed.

    with take(workspace) as snapshot:
        lines = leaderboard(snapshot)
        counts = left_out(snapshot)      # of the same moment, whatever is stored meanwhile

What was computed from a state is kept with it, so the next snapshot of an unchanged workspace costs
two short queries.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from sqlite_utils import Database

from annotations.scoring.columns import Columns, Kept
from annotations.scoring.people_columns import Answers, answers_table, read_answers, version_in
from annotations.scoring.prediction_columns import (
    Predictions,
    prediction_version,
    predictions_table,
    read_predictions,
)
from annotations.workspace import Workspace
from db.connection import rows

MOST_WORKSPACES = 4
_OTHER_VERSIONS = """
  SELECT (SELECT max(annotation_id) FROM prediction), (SELECT count(*) FROM run),
    (SELECT count(*) FROM run_error), (SELECT max(id) FROM split)
"""


@dataclass
class _State:
    """What was read of one workspace, for snapshots to come."""

    stored_answers: Columns | None = None
    people: Answers | None = None
    stored_predictions: Columns | None = None
    predictions: Predictions | None = None


_states = Kept[_State](MOST_WORKSPACES)
_lock = Lock()


class Snapshot:
    """One state of the data: everything read through it was stored at the same moment.

    It holds a read transaction until it is left or let go, which keeps nobody from writing.

    Attributes:
        database: sees this state alone, for functions that read one.
        version: no two different states of a workspace have the same.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._open = ExitStack()
        self._path: Path = workspace.store.path
        with _lock:
            # Begun inside the lock, so that states come one after the other.
            self.database: Database = self._open.enter_context(workspace.store.read())
            self.version = version_in(self.database)

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

    @cached_property
    def people(self) -> Answers:
        """Current answers of people to questions with options."""
        with _lock:
            state = _states.get(self._path) or _states.put(self._path, _State())
            kept = state.people
            if kept is not None and kept.version == self.version:
                return kept
            stored = read_answers(self.database, state.stored_answers)
            table = answers_table(self.database, self.version, stored)
            if state.stored_answers is None or stored.newest >= state.stored_answers.newest:
                state.stored_answers, state.people = stored, table
            return table

    @cached_property
    def predictions(self) -> Predictions:
        """Current answers of runs to questions with options."""
        people = self.people
        _, runs = prediction_version(self.database)
        with _lock:
            state = _states.get(self._path) or _states.put(self._path, _State())
            stored = read_predictions(self.database, state.stored_predictions)
            # What runs say to other things than questions, such as videos, changes no figure here.
            newest = int(stored.ints("id")[-1]) if len(stored) else 0
            version = (self.version, newest, runs)
            kept = state.predictions
            if kept is not None and kept.version == version:
                state.stored_predictions = stored
                return kept
            table = predictions_table(self.database, version, people, stored)
            older = state.stored_predictions
            if older is None or stored.newest >= older.newest:
                state.stored_predictions, state.predictions = stored, table
            return table


def take(workspace: Workspace) -> Snapshot:
    """The state of a workspace at this moment."""
    return Snapshot(workspace)


def data_version(workspace: Workspace) -> tuple[object, ...]:
    """A value that differs once people's answers, or what they are about, have changed; cheap."""
    with workspace.store.read() as database:
        return version_in(database)


def runs_version(workspace: Workspace) -> tuple[object, ...]:
    """A value that differs once anything in tables of runs has changed; cheap."""
    with workspace.store.read() as database:
        newest = database.conn.execute(_OTHER_VERSIONS).fetchone()
        return (*version_in(database), *newest)
