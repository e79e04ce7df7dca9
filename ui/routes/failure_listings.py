"""Lists of failures that are kept while somebody pages through them."""

from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from uuid import uuid4

import numpy as np

from annotations.failure.failure_tags import Tags
from annotations.failure.failures import FailureFilter, WrongAnswers, find
from annotations.scoring.prediction_columns import Predictions
from annotations.scoring.snapshot import Snapshot

LISTINGS_KEPT = 6


class Listings:
    """The lists that were asked for last, by name.

    Somebody who pages through a list finds it as it was, whatever is tagged meanwhile.
    """

    def __init__(self):
        """Begin without lists."""
        self._listings: OrderedDict[str, WrongAnswers] = OrderedDict()
        self._lock = Lock()

    def known(self, name: object) -> WrongAnswers | None:
        """The list of this name, None if it is not kept."""
        if not isinstance(name, str):
            return None
        with self._lock:
            listing = self._listings.get(name)
            if listing is not None:
                self._listings.move_to_end(name)
        return listing

    def make(
        self, snapshot: Snapshot, tags: Tags, wanted: FailureFilter
    ) -> tuple[str, WrongAnswers]:
        """A new list under a filter, with its name; the oldest one is given up."""
        listing = find(snapshot, tags, wanted)
        name = uuid4().hex
        with self._lock:
            self._listings[name] = listing
            while len(self._listings) > LISTINGS_KEPT:
                self._listings.popitem(last=False)
        return name, listing

    def move_to(self, table: Predictions) -> None:
        """Let every list stand on a newer state of the data; what is gone stays out."""
        with self._lock:
            for name, listing in self._listings.items():
                self._listings[name] = _moved(listing, table)


def _moved(listing: WrongAnswers, table: Predictions) -> WrongAnswers:
    ids = listing.table.annotation_id[listing.rows]
    at = np.searchsorted(table.annotation_id, ids)
    at = np.minimum(at, max(0, len(table.annotation_id) - 1))
    return replace(listing, table=table, rows=at[table.annotation_id[at] == ids])
