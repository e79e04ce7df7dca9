"""Replies to yes-or-no questions: the first word answers, what follows only says why."""

import re

from core.reply.choices import Choices
from core.reply.corrections import RETRACTED
from core.reply.final_answer import declared_answer
from core.reply.readings import labels_clash, read_as, several, short
from core.reply.refusals import NOT_KNOWN
from core.reply.result import Reading
from core.reply.statement import NOUN

_YES_NO = re.compile(
    r"\W*(?:\d{1,2}[.)]\s*)?(?P<word>yes|no)(?!\.?\s*\d+\W*$|\.\d|\.\s*\d+\s+(?:(?:is|was|has|wears|on|in|of)\b|[a-z]+s\W*$))(?:\s*(?:$|[.,;:!\n\u2013\u2014-])|\s+(?:the|it|he|she|they|this|that|there"
    r"|I|we)\b)(?!\s*(?:and|or)\s+(?:yes|no)\b)",
    re.IGNORECASE,
)
_YES_NO_AT_END = re.compile(
    r"(?:\?|\bso,?|:|^\W*(?:correct|right|exactly|indeed|not really|not quite|sure|well),)"
    r"\s*(yes|no)\W*$|^\W*(?=(yes|no)\b)(?:\2\W*)+$",
    re.IGNORECASE,
)
_CONTRARY = re.compile(r"\W*(?:(?:but|and)\s+)?(yes|no)\W*", re.IGNORECASE)
_ONLY_LABEL = re.compile(
    rf"\W*(?:(?:it is|it's|so)\s+)?(?:{NOUN}\s*)?[(\[]?([A-Z])[)\].!]*\s*", re.IGNORECASE
)


def yes_or_no(choices: Choices, text: str) -> Reading | None:
    """The first word of a reply to a yes-or-no question; what follows only says why."""
    if not {"yes", "no"} <= set(choices.plain):
        return None
    begins = _YES_NO.match(text)
    ends = _YES_NO_AT_END.search(text)
    if begins is None and ends and not RETRACTED.search(text):
        index = choices.plain.index((ends[1] or ends[2]).lower())
        return read_as(choices, index, "ends with the words", f"ends with {short(text[-40:])}")
    if begins is None or RETRACTED.search(text[:200]):
        return None
    index = choices.plain.index(begins["word"].lower())
    if NOT_KNOWN.fullmatch(text, begins.end("word")):
        return Reading(None, "refused", "does not know", f"does not know: {short(text)}")
    contrary = _CONTRARY.fullmatch(text, begins.end("word"))
    if contrary and contrary[1].lower() != begins["word"].lower():
        return several(choices, (0, 1), "says one, and then the other")
    label = _ONLY_LABEL.fullmatch(text, begins.end("word"))
    if label and choices.by_label.get(label[1].upper(), index) != index:
        return labels_clash(text)
    declared = declared_answer(choices, text)
    if declared and declared.choice not in (None, index):
        both = [index, declared.choice]
        return several(choices, both, f"begins with one, and {declared.reason}")
    return read_as(choices, index, "begins with the words", f"begins with {short(text, 40)}")
