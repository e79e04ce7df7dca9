"""Options of unequal length or form: the odd one out is guessed, or left out, without looking."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

from core.check import CheckedQuestion, Flag
from core.question.words import ENGLISH, folded, length_in_words, words

TITLE = "Options of unequal length or form"
HELP = "One option is much longer than the rest, or written in another form."
TIMES_LONGER, WORDS_LONGER = 2.0, 4
_NUMBER = re.compile(r"[\d.,]+\s*%?")
_ING = re.compile(r"\w*[aeiouy]\w*ing")
_NO_VERBS = {
    "during", "evening", "morning", "ceiling", "building", "nothing", "something", "anything",
    "everything", "wedding",
}  # fmt: skip


def find(question: CheckedQuestion) -> list[Flag]:
    """Options that are much longer than the median, and a single one of another form."""
    options = question.options
    if len(options) < 2:
        return []
    lengths = [length_in_words(option) for option in options]
    flags: list[Flag] = []
    for index, length in enumerate(lengths):
        usual = median(lengths[:index] + lengths[index + 1 :])
        if length >= TIMES_LONGER * usual and length - usual >= WORDS_LONGER:
            reason = f"{length} words, the others {usual:g}"
            flags.append(Flag(reason, f"option {index + 1}"))
    if len(options) > 2:
        flags += _odd_forms(question)
    return flags


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """Nothing: each question is judged alone."""
    del questions
    return []


def _odd_forms(question: CheckedQuestion) -> list[Flag]:
    forms: tuple[tuple[Callable[[str], object], str], ...] = (
        (lambda option: option.rstrip()[-1:] == ".", "a full stop at its end"),
        (lambda option: _capital(option), "a capital at its beginning"),
        (lambda option: bool(_NUMBER.fullmatch(option.strip(" ."))), "a number alone"),
    )
    flags = [flag for form, name in forms for flag in _odd(question.options, form, name)]
    # Only where all others begin alike: plain words are no form.
    begins = [_begins(option, question.language) for option in question.options]
    usual, count = Counter(begins).most_common(1)[0]
    if usual and count == len(begins) - 1:
        [odd] = [index for index, begin in enumerate(begins) if begin != usual]
        flags.append(Flag(f"all others begin with {usual}", f"option {odd + 1}"))
    return flags


def _capital(option: str) -> bool | None:
    """Whether the first letter is a capital; None where there is no such thing as a capital."""
    letter = next((sign for sign in option if sign.isalnum()), "")
    return None if letter.upper() == letter.lower() else letter.isupper()


def _begins(option: str, language: str) -> str:
    """What form an English option begins with: 'to', a word in -ing, or ''."""
    option_words = words(option, language)
    if language != ENGLISH or not option_words:
        return ""
    start = folded(option_words[0].text)
    if start == "not" and len(option_words) > 1:
        start = folded(option_words[1].text)
    if start == "to":
        return start
    is_verb = _ING.fullmatch(start) and start not in _NO_VERBS
    return "a word in -ing" if is_verb else ""


def _odd(options: Sequence[str], form: Callable[[str], object], name: str) -> list[Flag]:
    """A flag for the only option that differs from all others in a form."""
    values = [form(option) for option in options]
    counts = Counter(values)
    if len(counts) != 2 or None in counts or min(counts.values()) > 1:
        return []
    [odd] = [index for index, value in enumerate(values) if counts[value] == 1][:1]
    if list(counts.values()) == [1, 1]:
        return []
    return [Flag(f"it differs from all others in {name}", f"option {odd + 1}")]
