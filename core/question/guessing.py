"""How far somebody comes who never looks at the video: rules that need the words alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.check import CheckedQuestion
from core.question.words import content_stems, length_in_words


@dataclass(frozen=True)
class Guess:
    """A rule that guesses.

    Attributes:
        rule: what it does, in words.
        right: expected number of right answers; where several options tie, the share of them.
        questions: with a key, on which it was tried.
        chance: expected number of right answers by chance.
    """

    rule: str
    right: float
    questions: int
    chance: float

    @property
    def share(self) -> float | None:
        """Share of right answers; None without questions."""
        return self.right / self.questions if self.questions else None


def _length(question: CheckedQuestion) -> list[float]:
    return [float(length_in_words(option)) for option in question.options]


def _shortness(question: CheckedQuestion) -> list[float]:
    return [-length for length in _length(question)]


def _near_the_question(question: CheckedQuestion) -> list[float]:
    asked = content_stems(question.text, question.language)
    return [len(asked & content_stems(option, question.language)) for option in question.options]


def _like_the_others(question: CheckedQuestion) -> list[float]:
    stems = [content_stems(option, question.language) for option in question.options]
    return [
        float(
            sum(
                len(option_stems & other_stems)
                for at, other_stems in enumerate(stems)
                if at != index
            )
        )
        for index, option_stems in enumerate(stems)
    ]


RULES: dict[str, Callable[[CheckedQuestion], list[float]]] = {
    "always the longest option": _length,
    "always the shortest option": _shortness,
    "the option that shares most words with the question": _near_the_question,
    "the option that shares most words with the others": _like_the_others,
}


def guesses(questions: Sequence[CheckedQuestion]) -> list[Guess]:
    """What each rule would solve of the questions with a key, without any video."""
    asked = [
        question for question in questions if question.key is not None and len(question.options) > 1
    ]
    chance = sum(1 / len(question.options) for question in asked)
    return [
        Guess(name, sum(_right(question, rule(question)) for question in asked), len(asked), chance)
        for name, rule in RULES.items()
    ]


def _right(question: CheckedQuestion, scores: Sequence[float]) -> float:
    """1 if the best score is the key's, a part of it where others score the same, else 0."""
    best = max(scores)
    tied = [index for index, score in enumerate(scores) if score == best]
    return 1 / len(tied) if question.key in tied else 0.0
