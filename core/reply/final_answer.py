"""The last answer that a reply declares, also where the reply was cut off or is all thought."""

import re

from core.reply.choices import Choices
from core.reply.declared import Declaration, declarations
from core.reply.result import CUT_OFF, Reading, labels_clash, read_as, several, short
from core.reply.whole_reply import whole

# It may go on: 'Answer: A man'.
_ANSWER_IS_A = re.compile(r"[A-Za-z]{2,}.*(?<![A-Za-z(\[])A\s*$", re.DOTALL)
# What leads from an answer to a better one.
_MENDED = re.compile(
    r"\b(?:but|hmm+|reflection|however|wait|no|not|actually|instead|rather|final|finally|correction|so|therefore"
    r"|thus|hence|conclusion|overall|best|chang\w+|reconsider\w*|second|edit|should|though|although|sorry)\b"
    r"|[^\x00-\u024f]",
    re.IGNORECASE,
)
_IF = re.compile(r"(?:^|[.;,!?\n])\s*(?:(?:and|but|or)\s+)?if\b", re.IGNORECASE)
_ASKED_FOR = re.compile(
    r"answer|correct|option|choice|choose|select|pick|[^\x00-\u024f]", re.IGNORECASE
)


def declared_answer(choices: Choices, text: str) -> Reading | None:
    """The last declaration, such as 'the answer is B'."""
    declared = declarations(choices, text)
    valid = [
        declaration
        for declaration in declared
        if declaration.stated.indices or declaration.stated.clash
    ]
    if not valid:
        return _outside(choices, declared)
    newest = valid[-1]
    later = [
        declaration
        for declaration in declared
        if declaration.end > newest.end and declaration.stated.outside not in ("", "A", "I")
    ]
    if later:
        return _outside(choices, later)
    if newest.stated.clash:
        return labels_clash(newest.quotation)
    index, *others = newest.stated.indices
    if others:
        return several(
            choices, newest.stated.indices, f"declared together: {short(newest.quotation)}"
        )
    earlier = {declaration.stated.indices for declaration in valid[:-1]} - {newest.stated.indices}
    if earlier and (len(_IF.findall(text)) > 1 or not _MENDED.search(text, valid[0].end)):
        all_of_them = [index, *(one for stated in earlier for one in stated)]
        return several(choices, all_of_them, "declared one after the other, and none taken back")
    more = "; earlier statements are taken back" if earlier else ""
    rule = "words declared" if newest.stated.by_words else "label declared"
    return read_as(choices, index, rule, f"declared by {short(newest.quotation)}{more}")


def _outside(choices: Choices, declared: list[Declaration]) -> Reading | None:
    letters = [
        declaration.stated.outside
        for declaration in declared
        if declaration.stated.outside not in ("", "I", "A")
    ]
    if not letters or not choices.letters:
        return None
    reason = (
        f"declares {letters[-1]}, but the options are {choices.shown(range(len(choices.labels)))}"
    )
    return Reading(None, "unread", "label without option", reason)


def cut_off(choices: Choices, text: str) -> Reading:
    """The declared answer of a reply that ends in the middle, or that it has none."""
    alone = whole(choices, text)
    if alone and alone.rule == "label alone" and not _ANSWER_IS_A.search(text):
        return alone
    reading = declared_answer(choices, text)
    if reading and (reading.choice is None or _stands_complete(choices, text)):
        return reading
    reason = f"the reply was cut off before it declared an answer: it ends {short(text[-60:])}"
    return Reading(None, "unread", CUT_OFF, reason)


def _stands_complete(choices: Choices, text: str) -> bool:
    """Whether the last declaration cannot go on behind the end of the text.

    'The answer is A' may go on as 'A man', 'I think B' with 'is unlikely', and 'B or' with another.
    """
    declaration = [valid for valid in declarations(choices, text) if valid.stated.indices][-1]
    rest = text[declaration.end :].strip()
    if re.fullmatch(r"or|and|but|,|/|&", rest):
        return False
    if rest:
        return True
    ends_in_a = re.search(r"(?<![A-Za-z(\[])A$", text[: declaration.end]) is not None
    asked_for = _ASKED_FOR.search(declaration.quotation) is not None
    return asked_for and not (declaration.stated.by_words or ends_in_a)


def at_the_end(choices: Choices, text: str) -> Reading:
    """The answer declared in the last words of a text that may be all thought."""
    declared = [valid for valid in declarations(choices, text) if valid.stated.indices]
    if declared and not text[declared[-1].end :].strip(" .!)]*\"'"):
        reading = declared_answer(choices, text)
        if reading:
            return reading
    reason = f"the reply is a thought that nothing ends: {short(text[-60:])}"
    return Reading(None, "unread", "cut off in the middle of thinking", reason)
