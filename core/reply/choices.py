"""The options of one question as they were displayed, and where a reply names them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from core.reply.reply import LATIN, plain_words

_LATIN = re.compile(f"[{LATIN}]")
_BLANK = re.compile(r"\s")
_ARTICLE = re.compile(r"^(?:an?|the)\s+")
_LEAD_IN = re.compile(r"^(?:an?|the|it is|it's|to)\s+")


@dataclass(frozen=True)
class Choices:
    """The options of one question.

    Attributes:
        texts: their words; '' where unknown.
        labels: such as ('A', 'B', 'C') or ('1', '2').
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The words of each option for comparing."""
        return tuple(plain_words(text) for text in self.texts)

    @cached_property
    def by_label(self) -> dict[str, int]:
        """Positions by label."""
        return {label.upper(): place for place, label in enumerate(self.labels)}

    @cached_property
    def letters(self) -> bool:
        """Whether the labels are letters."""
        return all(label.isalpha() for label in self.labels)

    @cached_property
    def label_here(self) -> re.Pattern[str]:
        """A pattern of one label that is not glued to a word; group 1 is the label."""
        return _label_pattern("[A-Za-z]" if self.letters else r"\d{1,2}")

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Distinct words of options, the longest first."""
        return tuple(sorted({one for one in self.plain if one}, key=len, reverse=True))

    def words_at(self, text: str, place: int) -> tuple[str, int] | None:
        """The longest words of an option that begin at a place, and where they end; or None."""
        lowered = _lowered(text)
        for words in self.known:
            if lowered.startswith(words, place) and _alone(text, place, place + len(words)):
                return words, place + len(words)
        return None

    def words_in(self, text: str) -> list[tuple[int, int]]:
        """Where words of options stand in a reply, in order; of two that overlap the longer."""
        lowered = _lowered(text)
        taken: list[tuple[int, int]] = []
        covered = bytearray(len(lowered))
        for words in self.known:
            place = lowered.find(words)
            while place >= 0:
                end = place + len(words)
                if not any(covered[place:end]) and _alone(text, place, end):
                    taken.append((place, end))
                    covered[place:end] = b"\x01" * (end - place)
                place = lowered.find(words, end)
        return sorted(taken)

    def equal(self, text: str) -> list[int]:
        """Positions of the options whose words are this text; several if options are equal."""
        wanted = plain_words(text)
        found = [i for i, one in enumerate(self.plain) if one and one == wanted]
        if found or not wanted:
            return found
        bare = _LEAD_IN.sub("", wanted)
        return [i for i, one in enumerate(self.plain) if one and _ARTICLE.sub("", one) == bare]

    def shown(self, indices: Sequence[int]) -> str:
        """Labels in words: 'A, B and D'."""
        names = [self.labels[i] for i in sorted(set(indices))]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


@cache
def _label_pattern(one: str) -> re.Pattern[str]:
    after = rf"(?![{LATIN}]|['\-][{LATIN}]|\.\d)"
    return re.compile(rf"(?<![{LATIN}'\-])({one}){after}")


@lru_cache(maxsize=16)
def _lowered(text: str) -> str:
    """Text for finding words in, with every place where it was."""
    lowered = text.casefold()
    if len(lowered) != len(text):
        lowered = "".join(c if len(c.casefold()) != 1 else c.casefold() for c in text)
    return _BLANK.sub(" ", lowered)


def _alone(text: str, start: int, end: int) -> bool:
    """Whether what stands between two places is not part of a longer word."""
    before = text[start - 1 : start] if start else ""
    if before == "-" or _LATIN.match(before):
        return False
    after = text[end : end + 2]
    return not (_LATIN.match(after) or (after[:1] == "-" and _LATIN.match(after[1:])))
