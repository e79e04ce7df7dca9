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

MOST_WORDS = 12  # of a query
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


class _Letters(dict[int, int]):
    """Letters by their code, blanks for all other signs; filled as they are met."""

    def __missing__(self, code: int) -> int:
        kind = unicodedata.category(chr(code))
        self[code] = code if kind.startswith(_TOKEN_KINDS) else ord(" ")
        return self[code]


_LETTERS = _Letters()


def tokens(folded_text: str) -> list[str]:
    """The tokens of a folded text, as the index's tokenizer has them, with their accents."""
    return folded_text.translate(_LETTERS).split()


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


def query_of(text: str) -> Query:
    """The words of a query: what stands between blanks; signs and marks alone are none.

    A word with a hyphen, a point or an apostrophe is a phrase of its parts: 'multi-agent', '20.04'.
    """
    terms = (tuple(tokens(folded(word))) for word in text.split())
    return Query(tuple(term for term in terms if term)[:MOST_WORDS], text)


def quoted(parts: Iterable[str]) -> str:
    """Tokens as a quoted string of the query language: nothing in it is an operator."""
    return '"' + " ".join(parts).replace('"', '""') + '"'


def weight(count: int, total: int) -> float:
    """What a word that stands in `count` of `total` titles weighs in BM25, as SQLite has it."""
    return max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))


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
        word: weight(counts[word], total) for word in dict.fromkeys(terms) if counts.get(word)
    }
    for title in titles:
        parts = tokens(without_accents(title))
        length = K1 * (1 - B + B * len(parts) / max(usual_length, 1e-9))
        single = Counter(parts)
        score = 0.0
        for word, rarity in weights.items():
            often = single[without_accents(word[0])] if len(word) == 1 else _often(parts, word)
            score += rarity * often * (K1 + 1) / (often + length) if often else 0.0
        yield score


def _often(parts: Sequence[str], word: Sequence[str]) -> int:
    plain, size = [without_accents(part) for part in word], len(word)
    return sum(list(parts[at : at + size]) == plain for at in range(len(parts) - size + 1))


class _Plain(dict[int, str]):
    """Signs without their accents, by code; filled as they are met."""

    def __missing__(self, code: int) -> str:
        apart = unicodedata.normalize("NFD", chr(code))
        plain = "".join(sign for sign in apart if not "\u0300" <= sign <= "\u036f")
        self[code] = unicodedata.normalize("NFC", plain)
        return self[code]


_PLAIN = _Plain()


def without_accents(text: str) -> str:
    """The text without accents, as the tokenizer's remove_diacritics leaves Latin words."""
    return text if text.isascii() else text.translate(_PLAIN)
