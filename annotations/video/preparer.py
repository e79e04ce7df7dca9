"""Pictures made ahead of the people who will look at them."""

import json
import logging
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import groupby
from threading import Event, Lock, Thread

from annotations import task as tasks
from annotations.record.item import Item, items_in
from annotations.record.shown import Shown
from annotations.record.stage import Grid
from annotations.task import TaskKind
from annotations.video.frame_images import (
    grid_of,
    make_small_sheet,
    make_stills,
    make_thumb,
    sheet_facts,
)
from annotations.workspace import Workspace
from core.process.processes import NoProcesses, ProcessDied, TookTooLong, Workers
from core.refusal import Refusal
from db.tally import tally, tally_of_all

LOG = logging.getLogger(__name__)
DEADLINE_S = 120.0
AHEAD = 40  # pictures to make before the next items are looked at
LOOK_AGAIN_S = 3.0
RETRY_S = 60.0  # after which what may have passed, such as a full disk, is tried again
LOOKED_AT_ONCE, REST_S = 50, 0.02
REST = 3  # times as long as looking took: people who answer come before what they may see later
_SMALL = -2
_THUMB = -1  # no frame has this index: in keys it says that one frame is wanted small
Key = tuple[str, tuple[int, ...]]
_OPEN = """
  SELECT i.id FROM item i JOIN task t ON t.id = i.task_id
  WHERE t.status = 'open' AND i.status = 'open'
    AND i.settled = 0 AND i.answers < coalesce(i.overlap, t.overlap)
  ORDER BY i.role = 'work', i.priority DESC, i.position
"""


class Preparer:
    """Makes what open items will show, in queue order, in processes that can be killed."""

    def __init__(self, workspace: Workspace, processes: int = 1):
        """Start nothing yet; `start` does."""
        self.workspace = workspace
        self.failures: dict[Key, str] = {}
        self._retry_at: dict[Key, float] = {}
        self._seen: tuple[int, ...] | None = None
        self._looked: set[int] = set()  # ids of items that lack nothing, or can get nothing now
        self._workers = Workers(processes)
        self._making: defaultdict[Key, Lock] = defaultdict(Lock)
        self._stop = Event()

    def start(self) -> None:
        """Work through what is open, and look again every few seconds."""
        Thread(target=self._work, name="stills", daemon=True).start()

    def stop(self) -> None:
        """End the work and its processes."""
        self._stop.set()
        self._workers.close()

    def make_open(self) -> None:
        """Make what open items lack, in queue order; it ends when they lack nothing more."""
        while not self._stop.is_set() and self._make_next():
            pass

    def ready(self, shown: Shown) -> bool:
        """Whether everything that is shown lies ready; what is known not to come does not."""
        sha256, frames = shown.facts.get("video", ""), tuple(shown.facts.get("frames", ()))
        if not frames:
            return True
        return self.workspace.media.sheet_facts(sha256, frames).exists()

    def ensure_thumb(self, sha256: str, index: int) -> str:
        """'' once the small picture of a frame is made, else why it cannot be, in words."""
        key = (sha256, (_THUMB, index))
        with self._making[key]:
            if not self.workspace.media.thumb(sha256, index).exists() and not self._failure(key):
                self._call(key, make_thumb, sha256, index)
        return self.failures.get(key, "")

    def ensure_small(self, sha256: str, frames: tuple[int, ...]) -> str:
        """'' once the small sheet of some frames is made, else why it cannot be, in words."""
        key = (sha256, (_SMALL, *frames))
        with self._making[key]:
            sheet = self.workspace.media.small_sheet(sha256, frames)
            if not sheet.exists() and not self._failure(key):
                self._call(key, make_small_sheet, sha256, frames)
        return self.failures.get(key, "")

    def ensure(self, grid: Grid) -> str:
        """'' once the grid's pictures are made, else why they cannot be, in words for a person."""
        key = (grid.sha256, grid.frames)
        with self._making[key]:
            if sheet_facts(self.workspace.media, *key) is None and not self._failure(key):
                self._make(key)
        return self.failures.get(key, "")

    def _failure(self, key: Key) -> str:
        """Why pictures cannot be made; '' where none were tried, or it is time to try again."""
        if self._retry_at.get(key, math.inf) <= time.monotonic():
            self._retry_at.pop(key, None)
            self.failures.pop(key, None)
        return self.failures.get(key, "")

    def _passing(self, key: Key, reason: str) -> None:
        """Keep a failure that says nothing of the video: it is tried again after a while."""
        self.failures[key] = reason
        self._retry_at[key] = time.monotonic() + RETRY_S

    def _make(self, key: Key) -> None:
        self._call(key, make_stills, *key)

    def _call(self, key: Key, make: Callable[..., None], *args: object) -> None:
        try:
            self._workers.call(make, self.workspace.media.root, *args, timeout_s=DEADLINE_S)
        except TookTooLong:
            self._passing(key, f"reading them took more than {DEADLINE_S:.0f} s.")
        except ProcessDied:
            self._passing(key, "the decoder crashed on this video.")
        except NoProcesses:
            # No fault of this video: it is tried again when it is asked for.
            self._stop.wait(LOOK_AGAIN_S)
        except OSError as error:  # a full disk, a folder that is not there: both may pass
            LOG.warning("frames of %s could not be made", key, exc_info=True)
            self._passing(key, str(error))
        except Exception as error:  # whatever a decoder raises costs this item, not the server
            LOG.warning("frames of %s could not be made", key, exc_info=True)
            self.failures[key] = str(error)

    def _work(self) -> None:
        while not self._stop.is_set():
            state = self._state()
            due = [key for key, at in self._retry_at.items() if at <= time.monotonic()]
            for key in due:
                self._failure(key)
            if due or self._seen is None or state[1:] != self._seen[1:]:
                self._looked.clear()  # other settings, contents or tries: everything may be new
            if (due or state != self._seen) and self._make_next():
                continue  # what is wanted may have changed meanwhile
            self._seen = state
            self._stop.wait(LOOK_AGAIN_S)

    def _make_next(self) -> bool:
        """Make some of what open items lack; False if they lack nothing more."""
        grids = self._missing()
        for grid in grids:
            if self._stop.is_set():
                break
            self.ensure(grid)
        return bool(grids)

    def _state(self) -> tuple[int, ...]:
        """What decides which pictures are wanted, as the database counts its changes.

        An idle server looks at these few counts only, however many items are open.
        """
        with self.workspace.store.read() as database:
            return (
                tally_of_all(database, "items"),
                tally(database, "tasks"),
                tally(database, "videos"),
            )

    def _missing(self) -> list[Grid]:
        """What open items of open tasks lack, at most `AHEAD` of them.

        Items are looked at once: while an import brings more of them, only those are new. One that
        changes so that it needs another picture gets it when it is handed out.
        """
        grids: list[Grid] = []
        with self.workspace.store.read() as database:
            ids = [row[0] for row in database.conn.execute(_OPEN) if row[0] not in self._looked]
        for start in range(0, len(ids), LOOKED_AT_ONCE):
            began = time.monotonic()
            for item, kind, shown in self._shown(ids[start : start + LOOKED_AT_ONCE]):
                grid = self._lacks(item, kind, shown) if isinstance(shown, Shown) else None
                if grid is None:
                    self._looked.add(item.id)
                else:
                    grids.append(grid)
            if len(grids) >= AHEAD or self._stop.is_set():
                break
            self._stop.wait(max(REST_S, REST * (time.monotonic() - began)))
        return grids[:AHEAD]

    def _shown(self, ids: list[int]) -> Iterator[tuple[Item, TaskKind, Shown | Exception]]:
        """Items, the kind of their task, and what is shown of them or why nothing can be."""
        with self.workspace.store.read() as database:
            items = items_in(database, ids)
            rows = database.conn.execute("SELECT id, kind, settings FROM task").fetchall()
        declared = {row["id"]: (row["kind"], row["settings"]) for row in rows}
        for task_id, group in groupby(items, lambda item: item.task_id):
            together = list(group)
            kind, settings = tasks.kind(declared[task_id][0]), json.loads(declared[task_id][1])
            shown = tasks.show_many(kind, self.workspace, together, settings, [""] * len(together))
            yield from ((item, kind, what) for item, what in zip(together, shown, strict=True))

    def _lacks(self, item: Item, kind: TaskKind, shown: Shown) -> Grid | None:
        """The pictures that an item needs and that are not made; None for none, or no use."""
        try:
            if self.ready(shown):
                return None
            stage = kind.content(self.workspace, item, shown).stage
            grid = grid_of(self.workspace.media, stage)
        except Refusal:
            return None
        except Exception:  # one item that cannot be shown must not stop the others' pictures
            LOG.debug("item %s cannot be shown", item.id, exc_info=True)
            return None
        return None if grid is None or self._failure((grid.sha256, grid.frames)) else grid
