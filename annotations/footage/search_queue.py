"""Search for videos, one query after the other; what is stored is not asked for again.

A query that fails costs itself and keeps the kind of its failure. A source that asks to be left
alone (HTTP 429) pauses the whole queue: the query stays waiting, and the pause is kept.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from annotations.footage.store import add_candidates
from core.footage.failure import Failure
from core.footage.lookup import (
    Batch,
    End,
    Lookup,
    Pace,
    channel_target,
    look_up,
    search_target,
    wait_words,
)
from core.refusal import Refusal
from db.connection import Store

PAUSE_S = 3600.0
HOUR_S = 3600.0
SEARCH, CHANNEL, PLAYLIST, RELATED = HOWS = ("search", "channel", "playlist", "related")
A_SEED = 50  # videos of a channel at most
Look = Callable[[Lookup], Iterator[Batch | End]]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Searched:
    """What a session of searching did.

    Attributes:
        queries: that were done now.
        videos: that were found, `new` of them not known before.
        failed: queries that failed, as (target, kind, message).
        left: queries that still wait.
        pause: why nothing is asked for now, and until when; '' if nothing hinders.
    """

    queries: int
    videos: int
    new: int
    failed: tuple[tuple[str, str, str], ...]
    left: int
    pause: str = ""


def add_query(store: Store, how: str, target: str, wanted: int, action: str = "") -> int:
    """The id of a query; asking for more results than before makes it wait again.

    Args:
        how: 'search' for words; 'channel' or 'playlist' for an address; 'related' for words of the
            title of a video, since no source tells which videos it calls related.

    Raises:
        Refusal: for a target that is none.
    """
    target = " ".join(target.split())
    if how in (CHANNEL, PLAYLIST) and urlsplit(target).scheme not in ("http", "https"):
        raise Refusal(f"{target[:100]!r} is no address. It has to begin with http or https.")
    if how not in HOWS or not target or not 1 <= wanted <= 100_000:
        raise Refusal("A query needs words or an address, and 1 to 100,000 results.")
    with store.write() as database:
        row = database.conn.execute(
            "INSERT INTO query (how, target, action, wanted, at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (how, target, action) DO UPDATE SET"
            " state = CASE WHEN excluded.wanted > wanted OR state = 'failed' THEN 'waiting'"
            " ELSE state END, tries = 0, wanted = max(wanted, excluded.wanted) RETURNING id",
            [how, target, action, wanted, time.time()],
        ).fetchone()
    return int(row[0])


def expand_seeds(store: Store, video_ids: list[int], a_channel: int = A_SEED, near: int = 5) -> int:
    """How many queries were added: the channels of some videos, and searches for their titles.

    ActionAtlas and K9-Bench grow their sets so from seeds; a channel is asked for once.
    """
    marks = ", ".join("?" * len(video_ids))
    seeds = store.rows(
        f"SELECT title, channel_url FROM video WHERE id IN ({marks})", list(video_ids)
    )
    earlier = store.rows("SELECT count(*) AS n FROM query")[0]["n"]
    for seed in seeds:
        if seed["channel_url"] and a_channel:
            add_query(store, CHANNEL, seed["channel_url"], a_channel)
        if seed["title"] and near:
            add_query(store, RELATED, seed["title"], near)
    return int(store.rows("SELECT count(*) AS n FROM query")[0]["n"]) - int(earlier)


def run_queries(
    store: Store,
    *,
    only: int | None = None,
    pace: Pace | None = None,
    key: str = "ytsearch",
    stop: Callable[[], bool] = lambda: False,
    say: Say = lambda text: None,
    look: Look = look_up,
) -> Searched:
    """Run the queries that wait, until all are done, the hour's requests are spent, or a stop.

    Args:
        store: of the metadata.
        only: id of one query.
        pace: how gently.
        key: of the search in yt-dlp.
        stop: asked after each page.
        say: is told how far it is.
        look: does one lookup.
    """
    session = _Session(store, pace or Pace(), key, stop, say, look)
    return session.run(only)


class _Session:
    def __init__(self, store: Store, pace: Pace, key: str, stop: Callable[[], bool], say: Say,
                 look: Look):  # fmt: skip
        self.store, self.pace, self.key, self.stop = store, pace, key, stop
        self.say, self.look = say, look
        self.queries = self.videos = self.new = 0
        self.failed: list[tuple[str, str, str]] = []

    def run(self, only: int | None) -> Searched:
        pause = ""
        for query in self._waiting(only):
            pause = self._pause()
            if pause or self.stop():
                break
            pause = self._one(query)
            if pause:
                break
        remaining = len(self._waiting(only))
        return Searched(self.queries, self.videos, self.new, tuple(self.failed), remaining, pause)

    def _waiting(self, only: int | None) -> list[dict[str, Any]]:
        condition, values = ("", []) if only is None else (" AND id = ?", [only])
        return self.store.rows(
            f"SELECT * FROM query WHERE state = 'waiting'{condition} ORDER BY id", values
        )

    def _pause(self) -> str:
        rows = self.store.rows("SELECT * FROM pause WHERE until > ?", [time.time()])
        return f"{rows[0]['why']}; waiting {wait_words(rows[0]['until'])}" if rows else ""

    def _requests_left(self) -> int:
        with self.store.write() as database:
            database.conn.execute("DELETE FROM request WHERE at < ?", [time.time() - HOUR_S])
            row = database.conn.execute("SELECT count(*) FROM request").fetchone()
        return self.pace.an_hour - int(row[0])

    def _one(self, query: dict[str, Any]) -> str:
        """Run a query; why the queue has to pause, '' if it need not."""
        remaining = self._requests_left()
        if remaining <= 0:
            return f"{self.pace.an_hour:,} requests in an hour are made; go on later"
        reached = int(query["reached"])
        job = Lookup(self._target(query), int(query["wanted"]), reached, self.pace, remaining)
        end = End()
        messages = self.look(job)
        try:
            for message in messages:
                if isinstance(message, End):
                    end = message
                    self._count(end.requests)
                    break
                self._count(message.requests)
                videos = message.candidates
                self.new += add_candidates(self.store, videos, query["id"], reached + 1)
                reached += len(videos)
                self.videos += len(videos)
                self.say(f"{query['target'][:60]}: {reached:,} found")
                if self.stop():
                    return "stopped as asked"
        finally:
            close = getattr(messages, "close", None)
            if close is not None:
                close()
        return self._ended(query, end)

    def _target(self, query: dict[str, Any]) -> str:
        if query["how"] in (CHANNEL, PLAYLIST):
            return channel_target(query["target"])
        return search_target(query["target"], int(query["wanted"]), self.key)

    def _count(self, requests: int) -> None:
        with self.store.write() as database:
            moment = time.time()
            database.conn.executemany(
                "INSERT INTO request (at) VALUES (?)", [[moment] for _ in range(requests)]
            )

    def _ended(self, query: dict[str, Any], end: End) -> str:
        if end.spent:
            return f"{self.pace.an_hour:,} requests in an hour are made; go on later"
        if end.failure is None:
            self._set(query["id"], "done")
            self.queries += 1
            return ""
        if end.failure.concerns == "queue":
            until = time.time() + PAUSE_S
            with self.store.write() as database:
                database.conn.execute(
                    "INSERT INTO pause (source, until, why) VALUES ('search', ?, ?)"
                    " ON CONFLICT (source) DO UPDATE SET until = excluded.until,"
                    " why = excluded.why",
                    [until, f"the source {end.failure.kind}"],
                )
            return f"the source {end.failure.kind}; waiting {wait_words(until)}"
        self._failed(query, end.failure)
        return ""

    def _failed(self, query: dict[str, Any], failure: Failure) -> None:
        self.failed.append((query["target"], failure.kind, failure.message))
        self._set(query["id"], "failed", failure)

    def _set(self, query_id: int, state: str, failure: Failure | None = None) -> None:
        with self.store.write() as database:
            database.conn.execute(
                "UPDATE query SET state = ?, failure = ?, message = ?, tries = tries + 1, at = ?"
                " WHERE id = ?",
                [
                    state, failure.kind if failure else "", failure.message if failure else "",
                    time.time(), query_id,
                ],
            )  # fmt: skip


def clear_pause(store: Store) -> None:
    """Forget that a source asked to wait: a person wants to try again."""
    with store.write() as database:
        database.conn.execute("DELETE FROM pause")


def search_time_words(queries: int, wanted: int, pace: Pace) -> str:
    """How long queries will take at a pace: 'about 240,000 requests, 10.0 days'."""
    requests = queries * (1 + -(-wanted // 20))
    seconds = max(requests * pace.request_s, requests / pace.an_hour * HOUR_S)
    days = seconds / 86400
    span = f"{days:.1f} days" if days >= 2 else f"{seconds / 3600:.1f} h"
    return f"about {requests:,} requests, {span if seconds > 5400 else f'{seconds / 60:.0f} min'}"
