"""The rules that read a plain reply, the surest first."""

import re
from collections.abc import Sequence

from core.reply.choices import Choices
from core.reply.declared import Declaration, declarations, joined_before
from core.reply.mentions import Mention, denied_after, marks, worded
from core.reply.refusals import refusal
from core.reply.result import Reading
from core.reply.statement import NOUN, after_label, ends_well, stated_at, words_at


def by_rules(choices: Choices, text: str) -> Reading:
    """What a plain reply chooses, by the first rule that reads it.

    Args:
        choices: the options as displayed.
        text: the reply without its thinking and markup.
    """
    text = text.strip()
    if not text:
        return Reading(None, "empty", "no reply", "there is no reply")
    for rule in (_whole, _declared, _leading, _closing, _marked, _justified):
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


def _whole(choices: Choices, text: str) -> Reading | None:
    """A reply that is nothing but a label, an option's words, or both."""
    bare = _AROUND.sub("", text)
    named = re.fullmatch(
        rf"(?:the\s+)?(?:{NOUN}\s*[:#]?\s*)?[(\[\"']*([A-Za-z]|\d{{1,2}})", bare, re.IGNORECASE
    )
    label = choices.by_label.get(named[1].upper()) if named else None
    worded_as = choices.equal(text)
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


_AROUND = re.compile(r"^[\W_]+|[\W_]+$")
_LAST_WORD = re.compile(r"[,;:\u2013\u2014-]\s*[(\[\"']?([A-Z]|\d{1,2})[)\]\"'.!]*$")
_JUSTIFIED = re.compile(
    r"(?P<first>[^.!?\n]+)[.!]\s+(?:This|That|It|We|You|I)\s+(?:conclusion\s+)?(?:can|could|is|was|know)\s+"
    r"(?:be\s+|best\s+|clearly\s+|tell\b|this\b|primarily\s+)*(?:inferred|deduced|determined|seen|observed"
    r"|evident|evidenced|indicated|shown|clear|apparent|based|because|concluded|demonstrated|suggested"
    r"|supported|noted|confirmed|told|by\b)",
    re.IGNORECASE,
)
_RETRACTED = re.compile(
    r"\bwait[,.!]|\bactually,|\bcorrection:|\bon second (?:thought|look)|\bscratch that",
    re.IGNORECASE,
)
_LEADS = re.compile(
    rf"(?:{NOUN}\s+)?[(\[\"']?(?P<label>[A-Za-z]|\d{{1,2}})(?P<after>[)\].:,;]+[\"']?"
    rf"|\s*[-\u2013\u2014](?=\s)|(?=\n)|(?=\s+(?:because|since|as)\b)|(?=[\u2e80-\u9fff]))",
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
    glued = bool(rest) and not rest[0].isspace() and match["after"].strip() != ""
    if glued and rest[0] < "\u2e80":
        option = words_at(choices, line, match.end())
        if option is None or option[0] != index:
            return None
    lower = match["label"].islower() and not match["after"].strip().startswith((".", ")", ":", "]"))
    if lower or (match["label"] in "I" and match["after"].startswith(",")):
        return None
    return index, match.end()


def _leading(choices: Choices, text: str) -> Reading | None:
    """A reply that begins with a label: 'B. throws the ball', '(B) because...'."""
    together = stated_at(choices, text, 0, strong=True)
    if together and len(together.indices) > 1 and not denied_after(text, together.end):
        return _several(choices, together.indices, f"stated together: {short(text)}")
    lines = [line for line in text.split("\n") if line.strip()]
    lead = _leads(choices, text)
    if lead is None or _RETRACTED.search(text):
        return None
    index, end = lead
    if after_label(choices, text.lstrip(), end - 1, index)[1]:
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
        end, clash = after_label(choices, lines[-1], closing[1] - 1, closing[0])
        if clash:
            return _clash(lines[-1])
        alone = not lines[-1][end:].strip(" .!\"')]")
        index = closing[0] if alone else None
    if index is None:
        return None
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
        if any(
            _names_before(text, labels, mention)
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


def _names_before(text: str, labels: Sequence[Mention], mention: Mention) -> bool:
    """Whether words stand right before a label in brackets: 'throws the ball (B)'."""
    return any(text[mention.end : label.start].strip() in ("(", "[") for label in labels)


def _begins_with_option(choices: Choices, text: str) -> int | None:
    option = words_at(choices, text, 0)
    if option is None:
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
