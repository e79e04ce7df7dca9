"""Fold titles for a full-text index and build its queries; a query is words, never syntax.

An index that splits at blanks finds no word of Chinese, Japanese, Thai, Lao or Khmer, where blanks
are rare: there every sign becomes a token, and a word of a query a phrase of its signs.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

MOST_WORDS = 12  # of a query; more would make too many combinations of them
K1, B = 1.2, 0.75  # of BM25, as SQLite has them

_SIGNS = re.compile(
    "[\u0e00-\u0eff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_POINTS = re.compile("[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]")
_TOKEN_KINDS = ("L", "N", "Co", "Mn", "Mc")


def folded(text: str) -> str:
    """The text as it goes into the index: NFKC, lower case, signs of scripts without blanks apart.

    Vowel points of Arabic and Hebrew are dropped: most people write without them.
    """
    text = unicodedata.normalize("NFKC", text.replace("\0", " ")).casefold()
    return _SIGNS.sub(lambda sign: f" {sign[0]} ", _POINTS.sub("", text))


def tokens(folded_text: str) -> list[str]:
    """The tokens of a folded text, as the index's tokenizer has them, with their accents."""
    return "".join(
        letter if unicodedata.category(letter).startswith(_TOKEN_KINDS) else " "
        for letter in folded_text
    ).split()


@dataclass(frozen=True)
class Query:
    """The words of a query.

    Attributes:
        words: each as the tokens that have to stand beside each other.
        text: what was asked for.
    """

    words: tuple[tuple[str, ...], ...]
    text: str = ""

    @property
    def searched(self) -> list[str]:
        """The words that are looked for, for a person to read."""
        return [" ".join(word) for word in self.words]

    @property
    def phrase(self) -> str:
        """The expression for all words beside each other in their order."""
        return quoted(token for word in self.words for token in word)

    @property
    def all_words(self) -> str:
        """The expression for all words in any order."""
        return " AND ".join(quoted(word) for word in self.words)

    def near(self, shares: Mapping[tuple[str, ...], float], budget: float) -> str:
        """The expression for titles that lack some of the words; '' where that makes no sense.

        Which words may be lacking is chosen so that the index has to score about `budget` of its
        titles: it scores all that fit before it gives the best, so that a common word alone costs
        ten times the rest. Groups of rare words come before groups of common ones.

        Args:
            shares: the share of titles that hold a word, 0 to 1.
            budget: the share of titles that may fit.
        """
        known = [word for word in dict.fromkeys(self.words) if shares.get(word, 0) > 0]
        if len(self.words) < 2 or not known:
            return ""
        groups = [
            group
            for size in range(len(known), 0, -1)
            for group in combinations(known, size)
            if len(group) < len(self.words)
        ]
        groups.sort(key=lambda group: -sum(-math.log(shares[word]) for word in group))
        chosen: list[tuple[tuple[str, ...], ...]] = []
        spent = 0.0
        for group in groups:
            cost = _share_of_group([shares[word] for word in group])
            if chosen and spent + cost > budget:
                continue
            chosen.append(group)
            spent += cost
        smallest = _without_supersets(chosen)
        return " OR ".join(
            f"({' AND '.join(quoted(word) for word in group)})" for group in smallest
        )


def query_of(text: str) -> Query:
    """The words of a query: what stands between blanks; signs and marks alone are none.

    A word with a hyphen, a point or an apostrophe is a phrase of its parts: 'multi-agent', '20.04'.
    """
    terms = (tuple(tokens(folded(word))) for word in text.split())
    return Query(tuple(term for term in terms if term)[:MOST_WORDS], text)


def quoted(parts: Iterable[str]) -> str:
    """Tokens as a quoted string of the query language: nothing in it is an operator."""
    return '"' + " ".join(parts).replace('"', '""') + '"'


def _share_of_group(shares: Sequence[float]) -> float:
    """About what share of titles hold all words; those that are asked for together go together."""
    product = math.prod(shares)
    return min(*shares, product * 20.0 ** (len(shares) - 1)) if len(shares) > 1 else shares[0]


def _without_supersets(
    groups: Sequence[tuple[tuple[str, ...], ...]],
) -> list[tuple[tuple[str, ...], ...]]:
    """Groups of which no other is a part: whatever fits a larger one fits its part."""
    sets = [frozenset(group) for group in groups]
    return [
        group
        for group, members in zip(groups, sets, strict=True)
        if not any(candidate < members for candidate in sets)
    ]


def bm25(
    titles: Iterable[str], terms: Sequence[tuple[str, ...]], counts: Mapping[tuple[str, ...], int],
    total: int, usual_length: float,
) -> Iterator[float]:  # fmt: skip
    """BM25 of each folded title for any of the words, larger is nearer (Robertson's weights).

    Args:
        titles: folded.
        terms: of the query, each its tokens.
        counts: titles that hold each word.
        total: titles of the index.
        usual_length: mean tokens of a title.
    """
    weights = {
        word: max(1e-6, math.log((total - counts[word] + 0.5) / (counts[word] + 0.5)))
        for word in dict.fromkeys(terms)
        if counts.get(word)
    }
    for title in titles:
        parts = tokens(without_accents(title))
        length = K1 * (1 - B + B * len(parts) / max(usual_length, 1e-9))
        single = Counter(parts)
        score = 0.0
        for word, weight in weights.items():
            often = single[without_accents(word[0])] if len(word) == 1 else _often(parts, word)
            score += weight * often * (K1 + 1) / (often + length) if often else 0.0
        yield score


def _often(parts: Sequence[str], word: Sequence[str]) -> int:
    plain, size = [without_accents(part) for part in word], len(word)
    return sum(list(parts[at : at + size]) == plain for at in range(len(parts) - size + 1))


def without_accents(text: str) -> str:
    """The text without accents, as the tokenizer's remove_diacritics leaves Latin words."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not "\u0300" <= c <= "\u036f"))
