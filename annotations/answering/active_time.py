"""When answers were given and how long they took, as far as the clock allows."""

from sqlite_utils import Database

from db.connection import rows

# Only once for all that somebody does: clocks of computers differ by so much.
CLOCK_SLACK_S = 5.0
BELIEVED_AFTER_JUMP_S = 900.0
DAY_S = 24 * 3600.0
LOOK_BACK_S = 2 * DAY_S
LONGEST_OFFLINE_S = 30 * DAY_S


def free_seconds(database: Database, annotator_id: int, leased_at: float, now_s: float) -> float:
    """Return how much more active time a person can have had since an item was handed to them, s.

    Their answers to what was handed out at some moment or later cannot have taken longer than the
    time from that moment until now, together: two tabs, a doubled clock and many revisions of one
    item are paid once. Answers that were given without a connection and arrive together are not
    cut, since only the sum is bounded.

    Args:
        leased_at: Unix time when the item was handed out, s.
        now_s: Unix time now, s.
    """
    if leased_at > now_s:
        return _after_a_jump(database, annotator_id, now_s)
    spent = rows(
        database,
        "SELECT l.leased_at, sum(a.active_s) AS active_s FROM annotation a"
        " JOIN lease l ON l.id = a.lease_id WHERE a.annotator_id = ? AND a.stored_at > ?"
        " AND l.leased_at <= ? GROUP BY l.leased_at ORDER BY l.leased_at DESC",
        [annotator_id, min(leased_at, now_s - LOOK_BACK_S), now_s],
    )
    total = sum(row["active_s"] for row in spent if row["leased_at"] >= leased_at)
    free = now_s - leased_at - total
    for row in spent:
        if row["leased_at"] < leased_at:
            total += row["active_s"]
            free = min(free, now_s - row["leased_at"] - total)
    return max(0.0, free + CLOCK_SLACK_S)


def _after_a_jump(database: Database, annotator_id: int, now_s: float) -> float:
    """Seconds for items that were handed out before the server's clock was set back.

    How long they really took cannot be known; a quarter of an hour in all is believed, not nothing.
    """
    spent = database.conn.execute(
        "SELECT coalesce(sum(a.active_s), 0.0) FROM annotation a JOIN lease l ON l.id = a.lease_id"
        " WHERE a.annotator_id = ? AND l.leased_at > ? AND a.stored_at <= ?",
        [annotator_id, now_s, now_s],
    ).fetchone()[0]
    return max(0.0, BELIEVED_AFTER_JUMP_S - spent)


def plausible_time(answered_at: float, now_s: float) -> float:
    """Return when an answer was given, by the browser's clock where that can be true, Unix s.

    A clock that is a day ahead or a month behind, or that counts milliseconds, is not believed.
    """
    if now_s - LONGEST_OFFLINE_S <= answered_at <= now_s + DAY_S:
        return answered_at
    return now_s
