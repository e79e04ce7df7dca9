"""What was done to an item, by whom, when and why: kept, never changed."""

import time

from sqlite_utils import Database

from annotations.people import Person


def note_event(
    database: Database, item_id: int, author: Person | None, action: str, reason: str = ""
) -> None:
    """Keep what was done to an item, by whom and why."""
    database.conn.execute(
        "INSERT INTO item_event (item_id, author_id, action, words, at) VALUES (?, ?, ?, ?, ?)",
        [item_id, author.id if author else None, action, reason, time.time()],
    )
