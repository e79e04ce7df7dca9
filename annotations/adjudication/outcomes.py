"""How authors can settle an item, and what each outcome is called."""

from collections.abc import Sequence

OUTCOMES = {
    "first": "keep the first answer",
    "second": "keep the second answer",
    "other": "another answer is right",
    "replace_video": "replace the video",
    "fix_question": "fix the question",
    "retire": "retire the question",
}


# How 'another answer' is called where it is one of those on the table.
LATER = "keep the {ordinal} answer"


ORDINALS = "first", "second", "third", "fourth", "fifth", "sixth"


def ordinal(index: int) -> str:
    """What an answer on the table is called, counted from 0: 'third' or '7th'."""
    return ORDINALS[index] if index < len(ORDINALS) else f"{index + 1}th"


def outcome_words(outcome: str, value: object, responses: Sequence[object]) -> str:
    """How an item ended, in words.

    Args:
        outcome: one of `OUTCOMES`.
        value: the response that holds.
        responses: those on the table, first and second first.
    """
    if outcome == "other" and value in responses:
        return LATER.format(ordinal=ordinal(responses.index(value)))
    return OUTCOMES[outcome]
