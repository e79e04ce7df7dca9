"""The options of one question as they were displayed, and where a reply names them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from core.reply.reply import LATIN, plain_words

_LATIN = re.compile(f"[{LATIN}]")
_NO_WORD = re.compile(r"[^\w'-]+")
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
        return {label.upper(): position for position, label in enumerate(self.labels)}

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
        return tuple(sorted({option for option in self.plain if option}, key=len, reverse=True))

    @cached_property
    def nested(self) -> frozenset[str]:
        """Words of options that also begin or stand in another option."""
        return frozenset(
            part
            for part in self.known
            for whole in self.known
            if part != whole and f" {part} " in f" {_NO_WORD.sub(' ', whole)} "
        )

    def words_at(self, text: str, start: int) -> tuple[str, int] | None:
        """The longest words of an option that begin at a place, and where they end; or None."""
        lowered = _lowered(text)
        for option in self.known:
            if lowered.startswith(option, start) and _alone(text, start, start + len(option)):
                return option, start + len(option)
        return None

    def words_in(self, text: str) -> list[tuple[int, int]]:
        """Where words of options stand in a reply, in order; the longest where one holds another.

        Where two overlap and neither holds the other, it is neither of them.
        """
        lowered = _lowered(text)
        taken: list[tuple[int, int]] = []
        doubtful: set[tuple[int, int]] = set()  # 'not moving' in 'not moving up'
        covered = bytearray(len(lowered))
        for option in self.known:
            start = lowered.find(option)
            while start >= 0:
                end = start + len(option)
                if not any(covered[start:end]) and _alone(text, start, end):
                    taken.append((start, end))
                    covered[start:end] = b"\x01" * (end - start)
                elif not all(covered[start:end]) and _alone(text, start, end):
                    doubtful |= {span for span in taken if span[0] < end and start < span[1]}
                start = lowered.find(option, end)
        return sorted(set(taken) - doubtful)

    def equal(self, text: str) -> list[int]:
        """Positions of the options whose words are this text; several if options are equal."""
        wanted = plain_words(text)
        equal = [i for i, option in enumerate(self.plain) if option and option == wanted]
        if equal or not wanted:
            return equal
        bare = _LEAD_IN.sub("", wanted)
        return [
            i for i, option in enumerate(self.plain) if option and _ARTICLE.sub("", option) == bare
        ]

    def shown(self, indices: Sequence[int]) -> str:
        """Labels in words: 'A, B and D'."""
        names = [self.labels[i] for i in sorted(set(indices))]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


@cache
def _label_pattern(label: str) -> re.Pattern[str]:
    after = rf"(?![{LATIN}]|['\-][{LATIN}]|\.\d)"
    return re.compile(rf"(?<![{LATIN}\-])(?<![{LATIN}]')({label}){after}")


@lru_cache(maxsize=16)
def lower_case(text: str) -> str:
    """The text in lower case, every character at its old position.

    Patterns in lower case find the same places in it as patterns that ignore case find in the text,
    in less than half the time.
    """
    lowered = text.casefold()
    if len(lowered) != len(text):
        lowered = "".join(c if len(c.casefold()) != 1 else c.casefold() for c in text)
    return lowered


@lru_cache(maxsize=16)
def _lowered(text: str) -> str:
    """The text in lower case with every blank as a space."""
    return _BLANK.sub(" ", lower_case(text))


def _alone(text: str, start: int, end: int) -> bool:
    """Whether the text between two positions is not part of a longer word."""
    previous = text[start - 1 : start] if start else ""
    if previous == "-" or _LATIN.match(previous):
        return False
    after = text[end : end + 2]
    return not (_LATIN.match(after) or (after[:1] == "-" and _LATIN.match(after[1:])))
