"""Find videos by their titles: exact phrases first, then the nearest by BM25."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from core.footage.titles import Query, bm25, folded, query_of, without_accents
from core.refusal import Refusal
from db.connection import Store, rows

MOST_HITS = 100
SCORED = 10_000  # titles that a query may score: the index scores 500 in a millisecond
RESCORED = 400
COMMON = 30_000  # a phrase in more titles than this is ordered by views, three times as fast

_HITS = """
  SELECT v.id, v.source, v.key, v.url, v.title, v.channel, v.duration_s, v.views, v.upload_date
  FROM {index} x JOIN video v ON v.id = x.rowid
  WHERE {index} MATCH ? {views} ORDER BY {order} LIMIT ?
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
    store: Store, text: str, *, min_views: int = 0, limit: int = MOST_HITS, about: bool = True
) -> Found:
    """Videos whose titles fit, at most `limit`: exact phrases, then the nearest, each once.

    Args:
        store: of the metadata.
        text: words; whatever else stands in it is no syntax.
        min_views: videos with fewer views are left out, and those whose views are unknown, too.
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
        search = _Search(database, query, min_views)
        hits = search.exact(limit)
        if len(hits) < limit:
            hits += search.near(limit - len(hits), {row["id"] for row in hits})
        if about and len(hits) < limit:
            hits += search.about(limit - len(hits), {row["id"] for row in hits})
    numbered = (Hit(rank=rank, **row) for rank, row in enumerate(hits, start=1))
    return Found(tuple(numbered), tuple(query.searched))


class _Search:
    """One query in one read transaction."""

    def __init__(self, database: Database, query: Query, min_views: int):
        self._database, self._query, self._min_views = database, query, min_views
        size = database.conn.execute("SELECT titles, tokens FROM index_size").fetchone()
        self._titles, self._tokens = int(size[0]), int(size[1])
        self._counts = {word: self._count(word) for word in dict.fromkeys(query.words)}

    def _count(self, word: Sequence[str]) -> int:
        """Titles that hold a word, at most: of several tokens those of the rarest."""
        counts: list[int] = []
        for token in word:
            row = self._database.conn.execute(
                "SELECT doc FROM title_words WHERE term = ?", [without_accents(token)]
            ).fetchone()
            counts.append(int(row[0]) if row else 0)
        return min(counts)

    def _rows(self, index: str, expression: str, order: str, limit: int) -> list[dict[str, Any]]:
        views = f"AND v.views >= {self._min_views}" if self._min_views else ""
        sql = _HITS.format(index=index, views=views, order=order)
        return rows(self._database, sql, [expression, limit])

    def exact(self, limit: int) -> list[dict[str, Any]]:
        """Titles that hold the words beside each other in their order."""
        counts = [self._counts[word] for word in self._query.words]
        if not min(counts):
            return []
        order = "v.views DESC" if min(counts) > COMMON else "rank"
        hits = self._rows("title_index", self._query.phrase, order, limit)
        return [{**row, "kind": "exact"} for row in hits]

    def near(self, limit: int, taken: set[int]) -> list[dict[str, Any]]:
        """Titles that hold most of the words, by BM25 over any of them."""
        shares = {word: count / max(self._titles, 1) for word, count in self._counts.items()}
        parts = [self._query.near(shares, SCORED / max(self._titles, 1))]
        if all(self._counts.values()) and len(self._query.words) > 1:
            parts.append(f"({self._query.all_words})")
        expression = " OR ".join(part for part in parts if part)
        if not expression:
            return []
        pool = self._rows("title_index", expression, "rank", max(RESCORED, limit + len(taken)))
        usual = self._tokens / max(self._titles, 1)
        scores = bm25(
            (folded(row["title"]) for row in pool), self._query.words, self._counts, self._titles,
            usual,
        )  # fmt: skip
        scored = sorted(zip(scores, pool, strict=True), key=lambda pair: -pair[0])
        remaining = [row for _, row in scored if row["id"] not in taken]
        return [{**row, "kind": "near"} for row in remaining[:limit]]

    def about(self, limit: int, taken: set[int]) -> list[dict[str, Any]]:
        """Videos whose description or channel holds all the words."""
        pool = self._rows("about_index", self._query.all_words, "rank", limit + len(taken))
        remaining = [row for row in pool if row["id"] not in taken]
        return [{**row, "kind": "about"} for row in remaining[:limit]]
