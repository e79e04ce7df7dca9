"""The key says more than the wrong options do: writers take care with what is right."""

from collections.abc import Sequence

from core.check import CheckedQuestion, Flag
from core.question.words import words

TITLE = "The key is more detailed"
HELP = "The key has clearly more words that carry meaning than any wrong option."
TIMES, MORE = 1.5, 2


def find(question: CheckedQuestion) -> list[Flag]:
    """A flag at the key, where it has half as many such words again as the next, and two more."""
    if question.key is None or len(question.options) < 2:
        return []
    counts = [
        sum(word.content for word in words(option, question.language))
        for option in question.options
    ]
    key_count = counts[question.key]
    longest_wrong = max(count for index, count in enumerate(counts) if index != question.key)
    if key_count < TIMES * longest_wrong or key_count - longest_wrong < MORE:
        return []
    reason = f"{key_count} words that carry meaning, the wrong options at most {longest_wrong}"
    return [Flag(reason, f"option {question.key + 1}")]


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """Nothing: each question is judged alone."""
    del questions
    return []
