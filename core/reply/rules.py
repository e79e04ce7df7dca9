"""The rules that read a plain reply, the surest first."""

import re
from collections.abc import Sequence

from core.reply.choices import Choices
from core.reply.corrections import RETRACTED
from core.reply.doubts import doubt
from core.reply.final_answer import at_the_end, cut_off, declared_answer
from core.reply.labels_named import closing, leading, marked
from core.reply.mentions import Mention, in_question, whole_clause, worded
from core.reply.refusals import NOT_KNOWN, refusal
from core.reply.result import Reading, labels_clash, read_as, several, short
from core.reply.statement import COUNTS_OTHERS, NOUN, ends_well, words_at
from core.reply.whole_reply import whole

# Nothing else stands in these replies that could be doubted.
_WHOLE = ("label alone", "words alone")
_JUSTIFIED = re.compile(
    r"(?P<first>[^.!?\n]+)[.!]\s+(?:This|That|It|We|You|I)\s+(?:conclusion\s+)?(?:can|could|is|was|know)\s+"
    r"(?:be\s+|best\s+|clearly\s+|tell\b|this\b|primarily\s+)*(?:inferred|deduced|determined|seen|observed"
    r"|evident|evidenced|indicated|shown|clear|apparent|based|because|concluded|demonstrated|suggested"
    r"|supported|noted|confirmed|told|by\b)",
    re.IGNORECASE,
)


def by_rules(
    choices: Choices, text: str, *, finished: bool = True, unclosed: bool = False
) -> Reading:
    """What a plain reply chooses, by the first rule that reads it.

    Args:
        choices: the options as displayed.
        text: the reply without its thinking and markup.
        finished: False if it ended at a limit of tokens: then only a declared answer counts.
        unclosed: whether it may be a thought to its end: then only an answer at the end counts.
    """
    text = text.strip()
    if not text:
        return Reading(None, "empty", "no reply", "there is no reply")
    reading = _first_rule(choices, text, finished=finished, unclosed=unclosed)
    if reading.choice is None or reading.rule in _WHOLE:
        return reading
    why = doubt(choices, text, reading.choice, reading.rule)
    if not why:
        return reading
    label = choices.labels[reading.choice]
    return Reading(None, "unread", "doubted", f"names {label}, but {why}")


def _first_rule(choices: Choices, text: str, *, finished: bool, unclosed: bool) -> Reading:
    """What the first rule reads that reads anything."""
    if not finished:
        return cut_off(choices, text)
    if unclosed:
        return at_the_end(choices, text)
    for rule in (whole, yes_or_no, declared_answer, leading, closing, marked, _justified):
        reading = rule(choices, text)
        if reading:
            return reading
    kind = refusal(text)
    if kind and _begins_with_option(choices, text) is None:
        return Reading(None, "refused", kind, f"declines to answer ({kind}): {short(text)}")
    return _by_words(choices, text) or Reading(
        None, "unread", "no rule", f"no rule reads an option out of {short(text)}"
    )


def _justified(choices: Choices, text: str) -> Reading | None:
    """A reply that names one option in its first sentence and goes on to say how it knows."""
    match = _JUSTIFIED.match(text)
    if match is None:
        return None
    sentence = match["first"]
    named = {mention.index for mention in worded(choices, sentence) if not mention.denied}
    if len(named) != 1:
        return None
    return read_as(
        choices, named.pop(), "first sentence, justified", f"says {short(sentence)} and why"
    )


def _begins_with_option(choices: Choices, text: str) -> int | None:
    option = words_at(choices, text, 0)
    if option is None:
        return None
    if choices.plain[option[0]] in choices.nested and not whole_clause(text, 0, option[1]):
        return None
    short = choices.plain[option[0]] in ("yes", "no", "true", "false")
    if short and re.match(r"\.?\s*\d", text[option[1] :]):
        return None  # 'No. 1'
    if ends_well(text, option[1]) or (short and re.match(r"\s*[,\u2014-]", text[option[1] :])):
        return option[0]
    return None


def _in_question(choices: Choices, text: str, mention: Mention) -> bool:
    """Whether words stand in a question, which chooses nothing, and are none themselves."""
    return in_question(text, mention.end) and not choices.texts[mention.index].rstrip().endswith(
        "?"
    )


def _by_words(choices: Choices, text: str) -> Reading | None:
    """A reply that uses the words of exactly one option and does not deny them."""
    leading = None if RETRACTED.search(text) else _begins_with_option(choices, text)
    mentions = [m for m in worded(choices, text) if not _in_question(choices, text, m)]
    named = {mention.index for mention in mentions if not mention.denied}
    if leading is not None and named <= {leading}:
        return read_as(choices, leading, "begins with the words", "begins with this option's words")
    if len(named) == 1 and _among_other_numbers(choices, text, min(named)):
        return None
    if len(named) == 1:
        return read_as(
            choices, named.pop(), "words of one option", "only this option's words are used"
        )
    if len(named) > 1:
        return several(choices, list(named), _listed_words(mentions))
    return None


def _among_other_numbers(choices: Choices, text: str, index: int) -> bool:
    """Whether an option that is a number stands among numbers that no option is."""
    if not choices.plain[index].isdigit():
        return False
    numbers = {
        match[0] for match in _NUMBER.finditer(text) if not COUNTS_OTHERS.match(text, match.end())
    }
    return bool(numbers - set(choices.plain))


def _listed_words(mentions: Sequence[Mention]) -> str:
    return f"their words are used in {len(mentions)} places, and none of them called the answer"


_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
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
