"""The action, or an inflection of it, stands in the question: then nobody has to look."""

from collections.abc import Sequence

from core.check import CheckedQuestion, Flag
from core.question.words import content_stems, folded, same_key, stem, words

TITLE = "The action is named"
HELP = "The question names the action or the key, or a form of its words, and no other option's."
_NEGATIONS = {"no", "not", "none", "never", "nothing", "neither"}
SHORTEST = 4  # letters of a key found across words, such as 'backhand' in 'back-hand'


def find(question: CheckedQuestion) -> list[Flag]:
    """One flag for each name of the action in the question, and one if it names the key alone."""
    flags: list[Flag] = []
    for name in question.actions:
        marks = named(question.text, name, question.language)
        if marks:
            flags.append(Flag(f"the question names the action “{name}”", "question", marks))
    if flags or question.key is None:
        return flags
    key = question.options[question.key]
    marks = _key_named(question.text, key, question.language)
    others = [
        option
        for index, option in enumerate(question.options)
        if index != question.key and named(question.text, option, question.language)
    ]
    shared = _shared(question)
    if marks and not others and not content_stems(key, question.language) <= shared:
        flags.append(Flag(f"the question names the key “{key}” and no other option", "question",
                          marks))  # fmt: skip
    return flags


def find_in_set(questions: Sequence[CheckedQuestion]) -> list[Flag]:
    """Nothing: each question is judged alone."""
    del questions
    return []


def _key_named(text: str, key: str, language: str) -> tuple[str, ...]:
    """As `named`, for a key: a negated one is not named, and of 'slide down' both words must be."""
    key_words = words(key, language)
    if any(folded(word.text) in _NEGATIONS for word in key_words):
        return ()
    if len(key_words) > 1 and sum(word.content for word in key_words) < 2:
        stems = [word.stem for word in words(text, language)]
        wanted = [word.stem for word in key_words]
        starts = range(len(stems) - len(wanted) + 1)
        if not any(stems[at : at + len(wanted)] == wanted for at in starts):
            return ()
    return named(text, key, language)


def _shared(question: CheckedQuestion) -> frozenset[str]:
    """Stems that more than one option has: they give nothing away."""
    stems = [content_stems(option, question.language) for option in question.options]
    return frozenset(
        stem
        for option_stems in stems
        for stem in option_stems
        if sum(stem in other_stems for other_stems in stems) > 1
    )


def named(text: str, name: str, language: str = "english") -> tuple[str, ...]:
    """The words of a text that name an action, in whatever form; none if it is not named.

    It is named where all its words that carry meaning occur in any form and order, or where the
    text says the same across spaces and hyphens.
    """
    stems = content_stems(name, language)
    text_words = words(text, language)
    if not stems:
        return ()
    if stems <= {word.stem for word in text_words}:
        return tuple(word.text for word in text_words if word.stem in stems)
    key = same_key(name, language)
    if len(key) < SHORTEST:
        return ()
    return next(
        (
            tuple(word.text for word in text_words[start : start + length])
            for length in range(1, len(words(name, language)) + 3)
            for start in range(len(text_words) - length + 1)
            if _joined(text_words[start : start + length], language) == key
        ),
        (),
    )


def _joined(part: Sequence[object], language: str) -> str:
    texts = [str(getattr(word, "text", "")).casefold() for word in part]
    return "".join([*texts[:-1], ""]) + stem(texts[-1], language) if texts else ""
