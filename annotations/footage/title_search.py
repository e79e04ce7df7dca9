"""Find videos by their titles: exact phrases first, then the nearest by BM25."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.footage.word_lists import LISTED, WordIndex
from core.footage.nearness import Nearness, for_length, nearness
from core.footage.titles import Query, bm25, folded, query_of, quoted, weight
from core.refusal import Refusal
from db.connection import Store, rows

MOST_HITS = 100
LOOKED_UP = 800  # titles whose length and views are asked for, if that is enough for the hits
EXACT_LOOKED_UP = 10_000  # the same for exact ones, of which none is more promising than another
AT_ONCE = 200
SPARE = 50  # titles more than are wanted are scored by their text, where a word may stand twice

_FIELDS = "v.id, v.source, v.key, v.url, v.title, v.channel, v.duration_s, v.views, v.upload_date"
_LOOKED_UP = """
  SELECT v.id, s.sz FROM json_each(?) x CROSS JOIN video v ON v.id = x.value
  CROSS JOIN title_index_docsize s ON s.id = v.id WHERE true {views}
"""
_STREAMED = """
  SELECT v.id FROM title_index x CROSS JOIN video v ON v.id = x.rowid
  WHERE title_index MATCH ? {views} LIMIT ?
"""
_ROWS = f"SELECT {_FIELDS} FROM json_each(?) x CROSS JOIN video v ON v.id = x.value"
_ABOUT = f"""
  SELECT {_FIELDS} FROM about_index x JOIN video v ON v.id = x.rowid
  WHERE about_index MATCH ? {{views}} ORDER BY rank LIMIT ?
"""


@dataclass(frozen=True)
class Hit:
    """A video whose title fits.

    Attributes:
        kind: 'exact' where the title holds the words as a phrase, else 'near'; 'about' where only
            the description or the channel does.
        rank: 1 for the first.
        views: None where unknown.
    """

    rank: int
    kind: str
    id: int
    source: str
    key: str
    url: str
    title: str
    channel: str
    duration_s: float | None
    views: int | None
    upload_date: str


@dataclass(frozen=True)
class Found:
    """The hits of a query.

    Attributes:
        searched: the words that were looked for.
        hint: why nothing was looked for; '' if something was.
    """

    hits: tuple[Hit, ...]
    searched: tuple[str, ...]
    hint: str = ""


def find_titles(
    store: Store,
    text: str,
    *,
    min_views: int = 0,
    known_views: bool = False,
    limit: int = MOST_HITS,
    about: bool = True,
) -> Found:
    """Videos whose titles fit, at most `limit`: exact phrases, then the nearest, each once.

    Args:
        store: of the metadata.
        text: words; whatever else stands in it is no syntax.
        min_views: videos with fewer views are left out, and those whose views are unknown, too.
        known_views: whether those whose views are unknown are left out if 0 are enough as well.
        limit: 1 to 10,000.
        about: whether descriptions and channels are looked through where titles do not fill it.

    Raises:
        Refusal: for a limit or a number of views that is not allowed.
    """
    if not 1 <= limit <= 10_000:
        raise Refusal(f"The limit is {limit}. Allowed: 1 to 10,000 hits.")
    if min_views < 0:
        raise Refusal(f"The views are {min_views}. Allowed: 0 or more.")
    query = query_of(text)
    if not query.words:
        return Found((), (), "Type a word: letters or digits of any script.")
    with store.read() as database:
        search = _Search(database, query, limit, min_views, known_views)
        hits = search.exact(limit)
        if len(hits) < limit:
            hits += search.near(limit - len(hits), {row["id"] for row in hits})
        if about and len(hits) < limit:
            hits += search.about(limit - len(hits), {row["id"] for row in hits})
    numbered = (Hit(rank=rank, **row) for rank, row in enumerate(hits, start=1))
    return Found(tuple(numbered), tuple(query.searched))


def most_viewed_first(hits: Sequence[Hit]) -> list[Hit]:
    """The hits by their views; those whose views are unknown last, as near as they were."""
    return sorted(hits, key=lambda hit: (hit.views is None, -(hit.views or 0)))


class _Search:
    """One query in one read transaction."""

    def __init__(
        self, database: Database, query: Query, limit: int, min_views: int, known_views: bool
    ):
        self._database, self._query = database, query
        # Unknown views are no number: no comparison holds for them.
        self._views = f"AND v.views >= {int(min_views)}" if min_views or known_views else ""
        size = database.conn.execute("SELECT titles, tokens FROM index_size").fetchone()
        self._titles = int(size[0])
        self._usual = int(size[1]) / max(self._titles, 1)  # tokens of a title
        self._index = WordIndex(database)
        terms = list(dict.fromkeys(query.words))
        share = max(LISTED // len(terms), limit)
        self._lists = self._index.lists(terms, share) if len(terms) > 1 else None

    def exact(self, limit: int) -> list[dict[str, Any]]:
        """Titles that hold the words beside each other in their order."""
        tokens = [token for word in self._query.words for token in word]
        holding = self._lists.holding_all() if self._lists else None
        if holding is not None and not len(holding):
            return []
        bounds = () if holding is None else (int(holding[0]), int(holding[-1]))
        listed = self._index.listed(quoted(tokens), max(LISTED, limit), *bounds)
        # All weigh the same: the shortest come first.
        promising = nearness([listed], [1.0], [len(tokens)], self._usual)
        best = self._best(promising, limit, EXACT_LOOKED_UP)
        if len(best) < limit and len(listed) >= LISTED:
            sql = _STREAMED.format(views=self._views)
            more = self._database.conn.execute(sql, [quoted(tokens), limit])
            best = list(dict.fromkeys([*best, *(row[0] for row in more)]))[:limit]
        return self._read(best, "exact")

    def near(self, limit: int, taken: set[int]) -> list[dict[str, Any]]:
        """Titles that hold some of the words, by BM25 over any of them."""
        if self._lists is None:
            return []
        ids, counts = self._lists.ids, self._lists.counts
        promising = nearness(
            list(ids.values()), [weight(counts[word], self._titles) for word in ids],
            [len(word) for word in ids], self._usual,
        )  # fmt: skip
        best = self._best(promising, limit + len(taken) + SPARE, LOOKED_UP)
        pool = self._read(best, "near")
        scores = bm25(
            (folded(row["title"]) for row in pool), self._query.words, counts, self._titles,
            self._usual,
        )  # fmt: skip
        scored = sorted(zip(scores, pool, strict=True), key=lambda pair: -pair[0])
        remaining = [row for _, row in scored if row["id"] not in taken]
        return remaining[:limit]

    def about(self, limit: int, taken: set[int]) -> list[dict[str, Any]]:
        """Videos whose description or channel holds all the words."""
        sql = _ABOUT.format(views=self._views)
        pool = rows(self._database, sql, [self._query.all_words, limit + len(taken)])
        remaining = [row for row in pool if row["id"] not in taken]
        return [{**row, "kind": "about"} for row in remaining[:limit]]

    def _best(self, promising: Nearness, wanted: int, most_looked_up: int) -> list[int]:
        """The ids of the nearest titles of enough views, each word taken as standing once in them.

        Titles are looked up, the most promising first, until none can be among the best any more,
        or as many as are wanted are found and `most_looked_up` looked up.
        """
        sql = _LOOKED_UP.format(views=self._views)
        ids, scores = np.empty(0, np.int64), np.empty(0)
        for begin in range(0, len(promising.ids), AT_ONCE):
            if len(ids) == wanted and (
                begin >= most_looked_up or promising.ceilings[begin] <= scores[-1]
            ):  # fmt: skip
                break
            part = slice(begin, begin + AT_ONCE)
            weights = dict(
                zip(promising.ids[part].tolist(), promising.weights[part].tolist(), strict=True)
            )
            looked_up = self._database.conn.execute(sql, [json.dumps(sorted(weights))]).fetchall()
            fits = np.array([row[0] for row in looked_up], np.int64)
            lengths = np.array([_number(row[1]) for row in looked_up], float)
            score = np.array([weights[row[0]] for row in looked_up], float)
            ids = np.concatenate([ids, fits])
            scores = np.concatenate([scores, score * for_length(lengths, self._usual)])
            order = np.argsort(-scores, kind="stable")[:wanted]
            ids, scores = ids[order], scores[order]
        return ids.tolist()

    def _read(self, ids: Sequence[int], kind: str) -> list[dict[str, Any]]:
        """What is known of the videos, in the order of their ids."""
        read = {row["id"]: row for row in rows(self._database, _ROWS, [json.dumps(sorted(ids))])}
        return [{**read[number], "kind": kind} for number in ids]


def _number(stored: bytes) -> int:
    """The first number of those that the index keeps for a title: its tokens."""
    number = 0
    for byte in stored:
        number = number << 7 | byte & 127
        if byte < 128:
            break
    return number
