"""Which titles hold each word of a query: of common words not all, so that no word takes long."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.footage.titles import quoted, without_accents

Word = tuple[str, ...]  # tokens that stand beside each other
Ids = NDArray[np.int64]

LISTED = 12_000  # titles of all words of a query together: 3,000 are listed in a millisecond
EFFORT = 80_000  # places of the tokens of a word that are gone through: 15,000 in a millisecond
TASTED = 400  # titles of a token from which its number is estimated
SLICES = 8  # of the index, from which the number of a word's titles is estimated
EXACTLY = 100_000  # a word in fewer titles than this is counted: that takes 3 ms at most

_LISTED = """
  SELECT group_concat(rowid) FROM (
    SELECT rowid FROM title_index WHERE title_index MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?
  )
"""


@dataclass
class WordLists:
    """Titles by word.

    Attributes:
        ids: of each word, of titles that hold it, ascending.
        counts: titles that hold each word, estimated for common ones.
        whole: words whose list has all titles, the rarest first.
        beside: words whose list has at least all titles that are in that of the first of `whole`.
    """

    ids: dict[Word, Ids] = field(default_factory=dict[Word, Ids])
    counts: dict[Word, int] = field(default_factory=dict[Word, int])
    whole: list[Word] = field(default_factory=list[Word])
    beside: set[Word] = field(default_factory=set[Word])

    def holding_all(self) -> Ids | None:
        """Titles that hold all words; None if the lists do not tell."""
        if not self.whole or len(self.beside) < len(self.ids):
            return None
        holding = self.ids[self.whole[0]]
        for ids in self.ids.values():
            holding = holding[np.isin(holding, ids, assume_unique=True)]
        return holding


class WordIndex:
    """The index of titles, asked for ids only: it scores nothing and reads no title."""

    def __init__(self, database: Database):
        self._execute = database.conn.execute
        self._newest = int(self._execute("SELECT coalesce(max(id), 0) FROM video").fetchone()[0])

    def listed(
        self, expression: str, limit: int, lowest: int = 1, highest: int | None = None
    ) -> Ids:
        """The ids of titles that fit, ascending, the first `limit` of them."""
        bounds = [lowest, self._newest if highest is None else highest]
        row = self._execute(_LISTED, [expression, *bounds, limit]).fetchone()
        return np.fromstring(row[0] or "", np.int64, sep=",")

    def lists(self, terms: Sequence[Word], limit: int) -> WordLists:
        """The titles of each word, and of common words above all those that hold others as well.

        Args:
            terms: words, each once.
            limit: titles of a word that are listed, wherever else they are found.
        """
        lists = WordLists()
        efforts = {word: self._effort(word) for word in terms}
        for word in sorted(terms, key=lambda word: efforts[word]):
            if efforts[word] <= EFFORT:
                self._list(lists, word, limit)
            else:
                self._sample(lists, word, EFFORT / efforts[word])
        sampled = [word for word in terms if efforts[word] > EFFORT]
        if sampled and not lists.whole:
            # All are common or take long: gone through is that which takes the least.
            self._list(lists, min(sampled, key=lambda word: efforts[word]), limit)
        lists.whole.sort(key=lambda word: lists.counts[word])
        self._complete(lists, efforts)
        return lists

    def _effort(self, word: Word) -> float:
        """Places of tokens that listing a word goes through, where it is of several tokens."""
        if len(word) == 1:
            return 0.0
        return sum(self._estimate(self.listed(quoted([token]), TASTED), TASTED) for token in word)

    def _estimate(self, ids: Ids, limit: int) -> float:
        """How many there are about, of which these are the first."""
        return len(ids) if len(ids) < limit else limit * self._newest / int(ids[-1])

    def _list(self, lists: WordLists, word: Word, limit: int) -> None:
        ids = self.listed(quoted(word), limit)
        lists.ids[word] = ids
        if len(ids) < limit:
            lists.counts[word] = len(ids)
            lists.whole.append(word)
            lists.beside.add(word)
            return
        about = round(self._estimate(ids, limit))
        is_counted = len(word) == 1 and about < EXACTLY
        lists.counts[word] = self._count(word[0]) if is_counted else about

    def _sample(self, lists: WordLists, word: Word, share: float) -> None:
        """List a word in some slices of the index, a share of it together."""
        starts = [1 + self._newest * number // SLICES for number in range(SLICES)]
        size = max(1, round(self._newest * share / SLICES))
        parts = [self.listed(quoted(word), size, start, start + size - 1) for start in starts]
        lists.ids[word] = np.concatenate(parts)
        lists.counts[word] = round(max(1, len(lists.ids[word])) / share)

    def _count(self, token: str) -> int:
        row = self._execute(
            "SELECT doc FROM title_words WHERE term = ?", [without_accents(token)]
        ).fetchone()
        return int(row[0]) if row else 0

    def _complete(self, lists: WordLists, efforts: dict[Word, float]) -> None:
        """Add to the lists that end early the titles that hold a rare word as well.

        So a common word finds few titles by itself, but counts beside each of the rare ones.
        """
        known = [word for word in lists.whole if lists.counts[word]]
        rest = [word for word in lists.ids if word not in lists.whole]
        for word in rest:
            others = known or [other for other in rest if other != word and not efforts[other]]
            if not others:
                continue
            others = others[:1] if efforts[word] > EFFORT else others
            either = " OR ".join(quoted(other) for other in others)
            both = self.listed(f"({either}) AND {quoted(word)}", LISTED)
            lists.ids[word] = np.union1d(lists.ids[word], both)
            if known and len(both) < LISTED:
                lists.beside.add(word)
