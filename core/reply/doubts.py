"""What makes an answer doubtful that a rule has read: then none is given to the reply."""

import re

from core.reply.choices import Choices
from core.reply.reply import plain_words
from core.reply.statement import NOUN

_HELD_POSSIBLE_BEFORE = re.compile(
    r"(?:\b(?:could|might|may|can)(?:\s+(?:also|equally|just as well|instead))+\s+be"
    r"|\b(?:alternatively|or (?:maybe|perhaps|possibly|even))\b,?"
    r"|\b(?:könnte|kann) (?:auch|ebenso)|\b(?:aber|doch|oder) (?:auch|vielleicht)"
    r"|\b(?:podría|puede|pourrait|peut|potrebbe|poderia)\s+(?:también|aussi|anche|também)\s"
    r"(?:ser|être|essere)"
    r"|也(?:可能|许|可以)(?:也?是|为|选)?)"
    rf"\s*(?:(?:la|le|el|die|the)\s+)?(?:{NOUN}\s*)?[(\[\"']?$",
    re.IGNORECASE,
)
_HELD_POSSIBLE_AFTER = re.compile(
    r"[)\]\"'.]*\s*(?:(?:\s(?:is|are|was|seems|looks|would|could|might|may|can|remains|does)\s+)?"
    r"(?:(?:also|equally|still|likewise|just as|as well)\s+)"
    r"(?:be\s+|seems?\s+|looks?\s+|remains?\s+)?"
    r"(?:an?\s+)?(?:possib|plausib|correct|right|valid|accept|reason|likely|fit|match|appl"
    r"|true|accura|work|good|conceiv|defens|describ)"
    r"|\s(?:könnte|kann) (?:auch|ebenso)"
    r"|\sist (?:auch|ebenso|ebenfalls) (?:möglich|denkbar|richtig)"
    r"|也(?:有)?(?:可能|可以|对|對|正确|符合)|も(?:正しい|あり得|ありえ|可能)|도\s*(?:가능|맞))",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:no longer (?:sure|certain|confident|convinced)"
    r"|(?:I|I've|I have) (?:have )?changed my mind|take (?:it|that) back"
    r"|(?:ignore|disregard) (?:that|this|my|the (?:previous|above))"
    r"|(?:on reflection|come to think of it|on second thoughts?)\b"
    r"|(?:that|this|it)(?:'s| is| was| may be| might be| could be)"
    r" (?:wrong|not right|incorrect|mistaken)"
    r"|I (?:was|am|may be|might be|could be) (?:wrong|mistaken)"
    r"|(?:edit|update|correction|erratum)\s*:"
    r"|(?:should|ought to) (?:be|have been|read)\s+(?:\w+\s+)?[(\[]?[A-Z]\b)",
    re.IGNORECASE,
)

_EACH_OPTION = re.compile(
    r"\b(?:each|every|all)(?: of the| the)? (?:\w+ )?(?:options?|choices?)\b|\boptions? (?:one )?by"
    r" one"
    r"|\b(?:the|my|your|available|following|given) (?:options|choices) are\b"
    r"|\bhere are the options\b",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"(?:def \w+\(|import \w+|from \w+ import |class \w+[:(])")
_OWN_LIST = re.compile(r"\b(?:choices|options)\s*:", re.IGNORECASE)
_ENTRY = re.compile(r"(?<![A-Za-z])[(\[]?([A-J])[)\].][ \t]+([^\n(]{1,80})")
# What these rules read is said in passing, and only once.
_IN_PASSING = ("words of one option", "one label named")


def doubt(choices: Choices, text: str, index: int, rule: str) -> str:
    """Why a reply does not stand by an answer that it gives; '' if it does.

    What it says behind the last place that names the answer counts: 'A. On reflection, I'm no
    longer sure', 'B, but it could also be C'.

    Args:
        choices: the options.
        text: the plain reply.
        index: the option that a rule has read.
        rule: which.
    """
    if rule in _IN_PASSING and _EACH_OPTION.search(text):
        return "it goes through the options without a conclusion"
    if rule in _IN_PASSING and text[:1] in "[{":
        return "it is data without an answer"
    if rule in _IN_PASSING and _PROGRAM.match(text):
        return "it is a program"
    if _lists_others(choices, text):
        return "it lists options of its own"
    behind = _last_named(choices, text, index)
    rest = text[behind:]
    back = _TAKEN_BACK.search(rest)
    if back:
        return f"it goes on with {back[0]!r}"
    for label in choices.label_here.finditer(text, behind):
        another = choices.by_label.get(label[1].upper())
        if another in (None, index) or label[1].islower():
            continue
        preceding = text[max(behind, label.start() - 60) : label.start()]
        if _HELD_POSSIBLE_BEFORE.search(preceding) or _HELD_POSSIBLE_AFTER.match(text, label.end()):
            return f"it holds {choices.labels[another]} possible as well"
    return ""


def _lists_others(choices: Choices, text: str) -> bool:
    """Whether a reply goes by a list of options of which none has the words of ours."""
    start = _OWN_LIST.search(text)
    if start is None or not all(choices.plain):
        return False
    entries = {
        entry[1]: plain_words(entry[2])
        for entry in _ENTRY.finditer(text, start.end(), start.end() + 600)
        if entry[1] in choices.by_label
    }
    ours = {label: choices.plain[index] for label, index in choices.by_label.items()}
    return len(entries) > 2 and not any(
        ours[label] in words or words in ours[label] for label, words in entries.items()
    )


def _last_named(choices: Choices, text: str, index: int) -> int:
    """Where the last place ends that names an option by its label or by its words."""
    ends = [
        label.end()
        for label in choices.label_here.finditer(text)
        if choices.by_label.get(label[1].upper()) == index and not label[1].islower()
    ]
    option = choices.plain[index]
    ends += [
        end for start, end in choices.words_in(text) if option and _same(text, start, end, option)
    ]
    return max(ends, default=0)


def _same(text: str, start: int, end: int, option: str) -> bool:
    return " ".join(text[start:end].casefold().split()) == option
