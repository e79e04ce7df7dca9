"""Keys that stand at one place more often than chance: who always takes it needs no video."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import scipy.stats  # pyright: ignore[reportMissingTypeStubs]

from core.check import CheckedQuestion, Flag
from core.number_text import percent_text

TITLE = "Keys unevenly placed"
HELP = "Among questions with as many options, one place holds the key too often to be chance."
CERTAIN = 0.001
FEWEST = 20


def find(question: CheckedQuestion) -> list[Flag]:
    """Nothing: one question alone tells nothing of it."""
    del question
    return []


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """A flag for each number of options at which some place is too common.

    By the exact binomial test of the commonest place, times the number of places that could have
    been it; at 20 questions or more.
    """
    by_size: dict[int, Counter[int]] = {}
    for question in questions:
        if question.key is not None and len(question.options) > 1:
            by_size.setdefault(len(question.options), Counter())[question.key] += 1
    test = cast("Any", scipy.stats).binom.sf  # its types are not published
    flags: list[Flag] = []
    for size, counts in sorted(by_size.items()):
        total = counts.total()
        position, count = counts.most_common(1)[0]
        chance = size * float(test(count - 1, total, 1 / size))
        if total >= FEWEST and chance < CERTAIN:
            flags.append(
                Flag(
                    f"of {total:,} questions with {size} options {count:,} have the key at"
                    f" {chr(65 + position)}: who always takes it is right in"
                    f" {percent_text(count / total)}, by chance in {percent_text(1 / size)}"
                )
            )
    return flags
