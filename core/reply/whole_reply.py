"""A reply that is nothing but its answer: a label, an option's words, or both."""

import re

from core.reply.choices import Choices
from core.reply.result import Reading, labels_clash, read_as, several
from core.reply.statement import NOUN

_NAMED = re.compile(
    rf"(?:the\s+)?(?:{NOUN}\s*[:#]?\s*)?[(\[\"']*([A-Za-z]|\d{{1,2}})",
    re.IGNORECASE,
)
_LABEL_LINE = re.compile(r"\W*[A-Za-z]\W*\n\s*\w")
_AROUND = re.compile(r"^[\W_]+|[\W_]+$")
# 'A+', 'C++' and 'C#' are grades and names.
_GRADE = re.compile(r"\W*[A-Za-z](?:\+|#(?!#)|-\s*$)")
# How sure a model says it is: 'B (90 %)', 'B [high confidence]'.
_SURENESS = re.compile(
    r"\s*[(\[][^()\[\]\n]{0,40}(?:%|confiden)[^()\[\]\n]{0,20}[)\]]\W*$", re.IGNORECASE
)


def whole(choices: Choices, text: str) -> Reading | None:
    """A reply that is nothing but a label, an option's words, or both."""
    if "%" in text or "confiden" in text.lower() or not text.isascii():
        text = _SURENESS.sub("", text)
    bare = "" if _GRADE.match(text) else _AROUND.sub("", text)
    named = _NAMED.fullmatch(bare)
    label = choices.by_label.get(named[1].upper()) if named else None
    # A label on its own line is no article: 'A' above 'throws the ball'.
    worded_as = [] if _LABEL_LINE.match(text) else choices.equal(text)
    if label is not None and worded_as and worded_as != [label]:
        return labels_clash(text)
    if label is not None:
        return read_as(choices, label, "label alone", "the reply is the label and nothing else")
    if len(worded_as) > 1:
        return several(choices, worded_as, "the reply is the words that these options share")
    if worded_as:
        return read_as(choices, worded_as[0], "words alone", "the reply is this option's words")
    if named and choices.letters and named[1].isalpha():
        return Reading(None, "unread", "label without option", f"no option is labelled {named[1]}")
    return None
