"""Options that are equal or overlap: both may be right, and one is read as the other."""

from collections.abc import Sequence

from core.check import CheckedQuestion, Flag
from core.question.options import names_others
from core.question.words import folded, same_key, words

TITLE = "Equal or overlapping options"
HELP = "Two options say the same, or one stands whole within another."


def find(question: CheckedQuestion) -> list[Flag]:
    """A flag for each pair, at the later or longer of the two."""
    keys = [same_key(option, question.language) for option in question.options]
    texts = [_units(option, question.language) for option in question.options]
    flags: list[Flag] = []
    for later in range(len(keys)):
        for earlier in range(later):
            if keys[earlier] and keys[earlier] == keys[later]:
                reason = f"it says the same as option {earlier + 1}"
                flags.append(Flag(reason, f"option {later + 1}"))
                continue
            for inner, outer in ((earlier, later), (later, earlier)):
                if names_others(question.options[outer]):
                    continue
                if _within(texts[inner], texts[outer]):
                    marks = (question.options[inner],)
                    reason = f"option {inner + 1} stands whole within it"
                    flags.append(Flag(reason, f"option {outer + 1}", marks))
    return flags


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """Nothing: each question is judged alone."""
    del questions
    return []


def _units(option: str, language: str) -> tuple[str, ...]:
    """The words of an option; those joined by hyphens are one, so 'counter-clockwise' is whole."""
    units: list[str] = []
    end = -1
    for word in words(option, language):
        if units and option[end : word.start] == "-":
            units[-1] += f"-{folded(word.text)}"
        else:
            units.append(folded(word.text))
        end = word.end
    return tuple(units)


def _within(inner: Sequence[str], outer: Sequence[str]) -> bool:
    """Whether all words of one stand next to each other within a longer other."""
    size = len(inner)
    return 0 < size < len(outer) and any(
        tuple(outer[start : start + size]) == tuple(inner) for start in range(len(outer) - size + 1)
    )
