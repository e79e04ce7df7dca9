"""Options that cannot be seen: what is thought, meant, heard or smelled is not in the picture."""

from collections.abc import Sequence

from core.check import CheckedQuestion, Flag
from core.question.words import ENGLISH, Word, folded, stem, words

TITLE = "It cannot be seen"
HELP = "An option tells of thoughts, feelings inside, sounds or smells, which no frame shows."
_UNSEEN_WORDS = """
  think believe remember forget wonder hope wish intend decide realize imagine dream prefer
  expect want hear listen sound noise voice music song scent odor flavor loud loudly jealous
  lonely proud guilty curious opinion memory secret idea
"""
_UNSEEN = frozenset(stem(word) for word in _UNSEEN_WORDS.split())
# The same words where something is seen of it.
_SEEN_WITH = {
    stem(word): {stem(other) for other in others.split()}
    for word, others in {
        "listen": "headphones earphones",
        "song": "sing dance",
        "music": "play dance instrument sheet show perform stand",
    }.items()
}


def find(question: CheckedQuestion) -> list[Flag]:
    """A flag at each option with such words; only in English, for other languages nothing."""
    if question.language != ENGLISH:
        return []
    flags: list[Flag] = []
    asked = {word.stem for word in words(question.text)} & _UNSEEN
    for index, option in enumerate(question.options):
        option_words = words(option)
        stems = {word.stem for word in option_words}
        marks = tuple(word.text for word in option_words if _is_unseen(word, stems, asked))
        if marks:
            reason = f"“{marks[0]}” is nothing that a frame shows"
            flags.append(Flag(reason, f"option {index + 1}", marks))
    return flags


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """Nothing: each question is judged alone."""
    del questions
    return []


def _is_unseen(word: Word, stems: set[str], asked: set[str]) -> bool:
    if word.stem not in _UNSEEN or word.stem in asked:
        return False
    return not stems & _SEEN_WITH.get(word.stem, set()) and bool(folded(word.text))
