"""A rewriting moved the key: what now stands at its place says what a wrong option said."""

from collections.abc import Sequence

from core.check import CheckedQuestion, Flag
from core.question.words import content_stems

TITLE = "The key moved by rewriting"
HELP = "After options were rewritten, the key is nearer to an old wrong option than to the old key."


def find(question: CheckedQuestion) -> list[Flag]:
    """A flag at the key, or at a wrong option that is now nearest to the old key."""
    if question.key is None or not question.earlier:
        return []
    options, key = question.earlier[0]
    if key is None or (options, key) == (question.options, question.key):
        return []
    likeness = [
        [_likeness(new, old, question.language) for old in options] for new in question.options
    ]
    key_likeness = likeness[question.key]
    flags: list[Flag] = []
    if max(key_likeness) > 0 and key_likeness[key] < max(key_likeness):
        nearest = key_likeness.index(max(key_likeness))
        reason = (
            f"it says what the wrong option “{options[nearest]}” said before; the key was"
            f" “{options[key]}”"
        )
        flags.append(Flag(reason, f"option {question.key + 1}"))
    for index, near in enumerate(likeness):
        if index != question.key and near[key] > key_likeness[key] and near[key] == max(near):
            reason = f"it says what the key said before: “{options[key]}”"
            flags.append(Flag(reason, f"option {index + 1}"))
    return flags


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """Nothing: each question is judged alone."""
    del questions
    return []


def _likeness(text: str, other_text: str, language: str) -> float:
    """Share of stems that two texts have in common, 0 to 1."""
    stems, other_stems = content_stems(text, language), content_stems(other_text, language)
    return len(stems & other_stems) / len(stems | other_stems) if stems | other_stems else 0.0
