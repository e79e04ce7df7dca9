"""Options of more than twenty words: they are read, not looked for (K9-Bench 3.4)."""

from collections.abc import Sequence

from core.check import CheckedQuestion, Flag
from core.question.words import length_in_words

TITLE = "More than 20 words"
HELP = "An option has more than 20 words; of scripts without spaces more than 40 signs."
MOST_WORDS = 20


def find(question: CheckedQuestion) -> list[Flag]:
    """A flag at each option that is too long."""
    lengths = [length_in_words(option) for option in question.options]
    return [
        Flag(f"{length} words; at most {MOST_WORDS}", f"option {index + 1}")
        for index, length in enumerate(lengths)
        if length > MOST_WORDS
    ]


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """Nothing: each question is judged alone."""
    del questions
    return []
