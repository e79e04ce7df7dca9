"""The rules that read a plain reply, the surest first."""

import re
from collections.abc import Sequence

from core.reply.choices import Choices
from core.reply.declared import Declaration, declarations, joined_before
from core.reply.mentions import Mention, denied_after, marks, whole_clause, worded
from core.reply.refusals import refusal
from core.reply.result import CUT_OFF, Reading
from core.reply.statement import NOUN, after_label, ends_well, stated_at, words_at


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
    if not finished:
        return _cut_off(choices, text)
    if unclosed:
        return _at_the_end(choices, text)
    for rule in (_whole, _yes_or_no, _declared, _leading, _closing, _marked, _justified):
        reading = rule(choices, text)
        if reading:
            return reading
    kind = refusal(text)
    if kind and _begins_with_option(choices, text) is None:
        return Reading(None, "refused", kind, f"declines to answer ({kind}): {short(text)}")
    return _by_words(choices, text) or Reading(
        None, "unread", "no rule", f"no rule reads an option out of {short(text)}"
    )


def _read(choices: Choices, index: int, rule: str, reason: str) -> Reading:
    return Reading(index, "read", rule, f"{choices.labels[index]}: {reason}")


def _several(choices: Choices, indices: Sequence[int], reason: str) -> Reading:
    return Reading(None, "several", "several options", f"{choices.shown(indices)}: {reason}")


def _clash(text: str) -> Reading:
    return Reading(
        None,
        "several",
        "label and words differ",
        f"the label is that of one option and the words are another's: {short(text)}",
    )


def _cut_off(choices: Choices, text: str) -> Reading:
    """The declared answer of a reply that ends in the middle, or that it has none."""
    whole = _whole(choices, text)
    if whole and whole.rule == "label alone":
        return whole
    reading = _declared(choices, text)
    if reading and (reading.choice is None or _stands_complete(choices, text)):
        return reading
    reason = f"the reply was cut off before it declared an answer: it ends {short(text[-60:])}"
    return Reading(None, "unread", CUT_OFF, reason)


def _stands_complete(choices: Choices, text: str) -> bool:
    """Whether the last declaration cannot go on behind the end of the text: 'A' as 'A man'."""
    declaration = [one for one in declarations(choices, text) if one.stated.indices][-1]
    rest = text[declaration.end :].strip()
    ends_in_a = re.search(r"(?<![A-Za-z(\[])A$", text[: declaration.end]) is not None
    return bool(rest) or not (declaration.stated.by_words or ends_in_a)


def _at_the_end(choices: Choices, text: str) -> Reading:
    """The answer declared in the last words of a text that may be all thought."""
    declared = [one for one in declarations(choices, text) if one.stated.indices]
    if declared and not text[declared[-1].end :].strip(" .!)]*\"'"):
        reading = _declared(choices, text)
        if reading:
            return reading
    reason = f"the reply is a thought that nothing ends: {short(text[-60:])}"
    return Reading(None, "unread", "cut off in the middle of thinking", reason)


_YES_NO = re.compile(
    r"\W*(?P<word>yes|no)(?:\s*(?:$|[.,;:!\n\u2013\u2014-])|\s+(?:the|it|he|she|they|this|that|there"
    r"|I|we)\b)(?!\s*(?:and|or)\s+(?:yes|no)\b)",
    re.IGNORECASE,
)


def _yes_or_no(choices: Choices, text: str) -> Reading | None:
    """The first word of a reply to a yes-or-no question; what follows only says why."""
    if not {"yes", "no"} <= set(choices.plain):
        return None
    begins = _YES_NO.match(text)
    if begins is None or _RETRACTED.search(text[:200]):
        return None
    index = choices.plain.index(begins["word"].lower())
    declared = _declared(choices, text)
    if declared and declared.choice not in (None, index):
        both = [index, declared.choice]
        return _several(choices, both, f"begins with one, and {declared.reason}")
    return _read(choices, index, "begins with the words", f"begins with {short(text, 40)}")


def _whole(choices: Choices, text: str) -> Reading | None:
    """A reply that is nothing but a label, an option's words, or both."""
    bare = _AROUND.sub("", text)
    named = re.fullmatch(
        rf"(?:the\s+)?(?:{NOUN}\s*[:#]?\s*)?[(\[\"']*([A-Za-z]|\d{{1,2}})", bare, re.IGNORECASE
    )
    label = choices.by_label.get(named[1].upper()) if named else None
    # A label on its own line is no article: 'A' above 'throws the ball'.
    worded_as = [] if _LABEL_LINE.match(text) else choices.equal(text)
    if label is not None and worded_as and worded_as != [label]:
        return _clash(text)
    if label is not None:
        return _read(choices, label, "label alone", "the reply is the label and nothing else")
    if len(worded_as) > 1:
        return _several(choices, worded_as, "the reply is the words that these options share")
    if worded_as:
        return _read(choices, worded_as[0], "words alone", "the reply is this option's words")
    if named and choices.letters and named[1].isalpha():
        return Reading(None, "unread", "label without option", f"no option is labelled {named[1]}")
    return None


def _declared(choices: Choices, text: str) -> Reading | None:
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
        return _clash(newest.quotation)
    index, *others = newest.stated.indices
    if others:
        return _several(
            choices, newest.stated.indices, f"declared together: {short(newest.quotation)}"
        )
    earlier = {declaration.stated.indices for declaration in valid[:-1]} - {newest.stated.indices}
    more = "; earlier statements are taken back" if earlier else ""
    rule = "words declared" if newest.stated.by_words else "label declared"
    return _read(choices, index, rule, f"declared by {short(newest.quotation)}{more}")


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


_LABEL_LINE = re.compile(r"\W*[A-Za-z]\W*\n\s*\w")
_AROUND = re.compile(r"^[\W_]+|[\W_]+$")
_LAST_WORD = re.compile(r"[,;:\u2013\u2014-]\s*[(\[\"']?([A-Z]|\d{1,2})[)\]\"'.!]*$")
_JUSTIFIED = re.compile(
    r"(?P<first>[^.!?\n]+)[.!]\s+(?:This|That|It|We|You|I)\s+(?:conclusion\s+)?(?:can|could|is|was|know)\s+"
    r"(?:be\s+|best\s+|clearly\s+|tell\b|this\b|primarily\s+)*(?:inferred|deduced|determined|seen|observed"
    r"|evident|evidenced|indicated|shown|clear|apparent|based|because|concluded|demonstrated|suggested"
    r"|supported|noted|confirmed|told|by\b)",
    re.IGNORECASE,
)
_JUDGED = re.compile(r"\W*[A-Za-z]\W{0,2}\s*[:=]\s*(?:no|not|false|incorrect|wrong)\b", re.I)
_RETRACTED = re.compile(
    r"\bwait(?:[,.!]|$)|\bactually,|\bcorrection:|\bon second (?:thought|look)|\bscratch that"
    r"|\bsorry[,.!]|\bhold on\b|\boops\b|等等|等一下|说错|說錯|待って|訂正|間違え|잠깐|정정"
    r"|\bnein,? Moment\b"
    r"|\bKorrektur\b|\battend(?:s|ez)[,!]|\besper[ae][,!]|\baspetta[,!]|подожди|стоп[,!]",
    re.IGNORECASE,
)
_LEADS = re.compile(
    rf"(?:{NOUN}\s+)?[(\[\"']?(?P<label>[A-Za-z]|\d{{1,2}})(?P<after>[)\].:,;]+[\"']?"
    rf"|\s*[-\u2013\u2014](?=\s)|(?=\n)|(?=\s+(?:because|since|as)\b)|(?=[\u2e80-\u9fff\uac00-\ud7af]))",
    re.IGNORECASE,
)


def _leads(choices: Choices, line: str) -> tuple[int, int] | None:
    """The label that a line begins with, and where it ends; None if it begins with none."""
    match = _LEADS.match(line.lstrip()) if line.strip() else None
    if match is None:
        return None
    index = choices.by_label.get(match["label"].upper())
    if index is None:
        return None
    line = line.lstrip()
    rest = line[match.end() :]
    if rest[:1] > "\u2e80" and not match["after"].strip() and not _alone_in_line(choices, line):
        return None
    glued = bool(rest) and not rest[0].isspace() and match["after"].strip() != ""
    if glued and rest[0] < "\u2e80":
        option = words_at(choices, line, match.end())
        if option is None or option[0] != index:
            return None
    lower = match["label"].islower() and not match["after"].strip().startswith((".", ")", ":", "]"))
    if lower or (match["label"] in "I" and match["after"].startswith(",")):
        return None
    return index, match.end()


def _alone_in_line(choices: Choices, line: str) -> bool:
    """Whether a label is the only one of its line, and the line does not deny it.

    Scripts without blanks glue words to a label, so that it may be one of several: 'A和B都对'.
    """
    labels = {label[1].upper() for label in choices.label_here.finditer(line)}
    first = choices.label_here.search(line)
    return len(labels) == 1 and first is not None and not denied_after(line, first.end())


def _leading(choices: Choices, text: str) -> Reading | None:
    """A reply that begins with a label: 'B. throws the ball', '(B) because...'."""
    together = stated_at(choices, text, 0, strong=True)
    if together and len(together.indices) > 1 and not denied_after(text, together.end):
        return _several(choices, together.indices, f"stated together: {short(text)}")
    lines = [line for line in text.split("\n") if line.strip()]
    lead = _leads(choices, text)
    if lead is None or _RETRACTED.search(text) or _JUDGED.match(text):
        return None
    index, _ = lead
    if after_label(choices, text.lstrip(), _label_end(choices, text), index)[1]:
        return _clash(lines[0])
    others = {index}
    for line in lines[1:]:
        another = _leads(choices, line + "\n")
        if another and not _is_denied(choices, line, another[0]):
            others.add(another[0])
    others |= {m.index for m in marks(choices, lines[0]) if not m.denied}
    if len(others) > 1:
        return _several(choices, list(others), "listed, and none of them called the answer")
    if _is_denied(choices, lines[0], index):
        return None
    return _read(choices, index, "begins with the label", f"begins with {short(lines[0], 40)}")


def _label_end(choices: Choices, text: str) -> int:
    """Where the label ends that a text begins with, past its noun: 'Option B'."""
    label = choices.label_here.search(text.lstrip())
    return label.end() if label else 0


def _is_denied(choices: Choices, line: str, index: int) -> bool:
    return any(m.index == index and m.denied for m in marks(choices, line)) or bool(
        re.match(
            r"\W*(?:\w+\s+)?\(?\w{1,2}\)?[.:]?\s+(?:(?:is|are|was)\s+)?(?:not|incorrect|wrong"
            r"|false)\b",
            line,
        )
    )


def _closing(choices: Choices, text: str) -> Reading | None:
    """A reply whose last line or last word is a label, alone or with its option's words."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    word = _LAST_WORD.search(text)
    if word and word[1] in choices.by_label and not joined_before(text, word.start(1)):
        index = choices.by_label[word[1]]
        return _read(choices, index, "ends with the label", f"the last word is {word[1]}")
    if len(lines) < 2:
        return None
    led = [_leads(choices, line + "\n") for line in lines]
    closing = led[-1]
    bare = re.fullmatch(r"[(\[\"']?([A-Za-z]|\d{1,2})[)\].\"']*", lines[-1])
    index = choices.by_label.get(bare[1].upper()) if bare else None
    if index is None and closing:
        end, clash = after_label(choices, lines[-1], _label_end(choices, lines[-1]), closing[0])
        if clash:
            return _clash(lines[-1])
        alone = not lines[-1][end:].strip(" .!\"')]")
        index = closing[0] if alone else None
    if index is None:
        return None
    if bare and choices.equal(lines[-2]) not in ([], [index]):
        return _clash(text[-80:])
    # A list of the options ends in a label too; only a bare letter can follow one as the answer.
    listed = {lead[0] for lead in led[:-1] if lead} - {index}
    same_form = any(re.fullmatch(r"[(\[]?([A-Za-z]|\d{1,2})[)\].]*", line) for line in lines[:-1])
    if listed and (same_form or not bare):
        return _several(choices, [*listed, index], "listed, and none of them called the answer")
    return _read(choices, index, "ends with the label", f"the last line is {short(lines[-1], 40)}")


def _marked(choices: Choices, text: str) -> Reading | None:
    """A reply that names exactly one option by its label and does not deny it."""
    labels = marks(choices, text)
    named = {mention.index for mention in labels if not mention.denied}
    if len(named) == 1:
        index = named.pop()
        starts = {label.start for label in labels}
        if any(
            _names_before(text, starts, mention)
            for mention in worded(choices, text)
            if mention.index != index
        ):
            return _clash(text)
        return _read(
            choices, index, "one label named", "the only option that is named and not denied"
        )
    if len(named) > 1 and not refusal(text):
        return _several(choices, list(named), "named, and none of them called the answer")
    return None


def _justified(choices: Choices, text: str) -> Reading | None:
    """A reply that names one option in its first sentence and goes on to say how it knows."""
    match = _JUSTIFIED.match(text)
    if match is None:
        return None
    sentence = match["first"]
    named = {mention.index for mention in worded(choices, sentence) if not mention.denied}
    if len(named) != 1:
        return None
    return _read(
        choices, named.pop(), "first sentence, justified", f"says {short(sentence)} and why"
    )


def _names_before(text: str, label_starts: set[int], mention: Mention) -> bool:
    """Whether words stand right before a label in brackets: 'throws the ball (B)'."""
    bracket = re.compile(r"\s*[(\[]").match(text, mention.end)
    return bracket is not None and bracket.end() in label_starts


def _begins_with_option(choices: Choices, text: str) -> int | None:
    option = words_at(choices, text, 0)
    if option is None:
        return None
    if choices.plain[option[0]] in choices.nested and not whole_clause(text, 0, option[1]):
        return None
    short = choices.plain[option[0]] in ("yes", "no", "true", "false")
    if ends_well(text, option[1]) or (short and re.match(r"\s*[,\u2014-]", text[option[1] :])):
        return option[0]
    return None


def _by_words(choices: Choices, text: str) -> Reading | None:
    """A reply that uses the words of exactly one option and does not deny them."""
    leading = None if _RETRACTED.search(text) else _begins_with_option(choices, text)
    mentions = worded(choices, text)
    named = {mention.index for mention in mentions if not mention.denied}
    if leading is not None and named <= {leading}:
        return _read(choices, leading, "begins with the words", "begins with this option's words")
    if len(named) == 1:
        return _read(
            choices, named.pop(), "words of one option", "only this option's words are used"
        )
    if len(named) > 1:
        return _several(choices, list(named), _listed_words(mentions))
    return None


def _listed_words(mentions: Sequence[Mention]) -> str:
    return f"their words are used in {len(mentions)} places, and none of them called the answer"


def short(text: str, length: int = 60) -> str:
    """Text in quotes on one line, cut where it is long."""
    line = " ".join(text.split())
    return repr(line if len(line) <= length else line[: length - 1] + "\u2026")
