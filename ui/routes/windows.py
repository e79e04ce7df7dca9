"""Which windows of a person hold which items: closing one takes nothing from another."""

import time
from collections import defaultdict
from threading import Lock

MOST_WINDOWS = 32


class Windows:
    """What each open desk of a person said that it holds, in this process."""

    def __init__(self, lease_s: float):
        """Keep how long an item is handed out: a window that is silent for longer holds nothing."""
        self._lease_s = lease_s
        self._held: defaultdict[int, dict[str, tuple[float, frozenset[int]]]] = defaultdict(dict)
        self._lock = Lock()

    def hold(self, person_id: int, window: str, items: frozenset[int]) -> None:
        """Note that a window holds these items now, and no others."""
        with self._lock:
            windows = self._windows(person_id)
            windows.pop(window, None)
            windows[window] = time.monotonic(), items
            while len(windows) > MOST_WINDOWS:
                windows.pop(next(iter(windows)))

    def let_go(self, person_id: int, window: str, items: list[int]) -> list[int]:
        """Return those of the items that no other window holds; this window is closed."""
        with self._lock:
            windows = self._windows(person_id)
            windows.pop(window, None)
            kept = frozenset[int]().union(*(held for _, held in windows.values()))
        return [item for item in items if item not in kept]

    def _windows(self, person_id: int) -> dict[str, tuple[float, frozenset[int]]]:
        since = time.monotonic() - self._lease_s
        current = {
            name: (at, items) for name, (at, items) in self._held[person_id].items() if at >= since
        }
        self._held[person_id] = current
        return current
