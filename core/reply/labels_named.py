"""Options that a reply names by their labels: first, last, or as the only one."""

import re

from core.reply.choices import Choices
from core.reply.corrections import RETRACTED
from core.reply.declared import joined_before
from core.reply.lettered_things import begins_a_name, of_something
from core.reply.mentions import Mention, denied_after, in_question, marks, worded
from core.reply.refusals import NOT_KNOWN, refusal
from core.reply.result import Reading, labels_clash, read_as, several, short
from core.reply.statement import NOUN, after_label, list_end, stated_at, words_at

MOST_OF_A_CAPTION = 8  # words
_RANGE = re.compile(r"(?<![A-Za-z])[A-Za-z]\s*[-\u2013\u2014]\s*$")
_LAST_WORD = re.compile(r"[,;:\u2013\u2014-]\s*[(\[\"']?([A-Z]|\d{1,2})[)\]\"'!]*\.?[)\]\"'!]*$")
# Of a list in one line: 'A: no. B: yes.', 'A - yes, B - yes'.
_ENTRIES = re.compile(r"[.;,]\s+([A-Z])(?:\s*[:=]|\.|\s+[-\u2013\u2014])\s")
_JUDGED = re.compile(r"\W*[A-Za-z]\W{0,2}\s*[:=]\s*(?:no|not|false|incorrect|wrong)\b", re.I)
# What Chinese, Japanese and Korean glue to a label that is the answer; 'B超' is an ultrasound.
_GLUED = (
    r"(?:是|为|為|选|選|正|对|對|项|項|因为|因為|由于|由於|符合|最|应|應|，|。|：|、|です|だ|が正|が最|が適"
    r"|を選|で(?:す|あ)|と思|の(?:方|選)|입니다|이다|예요|이에요|번|가\s*(?:맞|정)|이\s*(?:맞|정)"
    r"|를\s*선|을\s*선|라고|로\s*보)"
)
_LEADS = re.compile(
    rf"(?:{NOUN}\s+)?[(\[\"']?(?P<label>[A-Za-z]|\d{{1,2}})(?P<after>[)\].:,;]+[\"']?"
    rf"|\s*[-\u2013\u2014](?=\s)|(?=\n)|(?=\s+(?:because|since|as|rather than|instead of)\b)"
    rf"|(?={_GLUED}))",
    re.IGNORECASE,
)
_BRACKET = re.compile(rf"\s*[(\[]\s*(?:{NOUN}\s*)?", re.IGNORECASE)


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
    labels = {match[1].upper() for match in choices.label_here.finditer(line)}
    label = choices.label_here.search(line)
    return len(labels) == 1 and label is not None and not denied_after(line, label.end())


def leading(choices: Choices, text: str) -> Reading | None:
    """A reply that begins with a label: 'B. throws the ball', '(B) because...'."""
    together = stated_at(choices, text, 0, strong=True)
    if together and len(together.indices) > 1:
        if denied_after(text, together.end):
            return None
        return several(choices, together.indices, f"stated together: {short(text)}")
    lines = [line for line in text.split("\n") if line.strip()]
    lead = _leads(choices, text)
    if lead is None or RETRACTED.search(text) or _JUDGED.match(text):
        return None
    index, end = lead
    rest = text.lstrip()[end:]
    if _initials(choices, rest) or NOT_KNOWN.fullmatch(rest):
        return None
    if begins_a_name(choices, index, text.lstrip()[:end].strip(), rest):
        return labels_clash(lines[0]) if _words_of_another(choices, lines[0], index) else None
    if after_label(choices, text.lstrip(), _label_end(choices, text), index)[1]:
        return labels_clash(lines[0])
    others = {index}
    # Behind a full answer on a line of its own, entries explain or belong to another question.
    full = len(lines[0].split()) > 1 and _is_entry(choices, lines[0])
    for line in lines[1:]:
        if full and not _is_entry(choices, line):
            continue
        another = _leads(choices, line + "\n")
        if another and not _is_denied(choices, line, another[0]):
            others.add(another[0])
    others |= {m.index for m in marks(choices, lines[0]) if not m.denied}
    others |= {choices.by_label.get(letter, index) for letter in _ENTRIES.findall(lines[0])}
    if len(others) == 1 and _words_of_another(choices, lines[0], index):
        return labels_clash(lines[0])
    if len(others) > 1:
        return several(choices, list(others), "listed, and none of them called the answer")
    if _is_denied(choices, lines[0], index):
        return None
    return read_as(choices, index, "begins with the label", f"begins with {short(lines[0], 40)}")


def _is_entry(choices: Choices, line: str) -> bool:
    """Whether a line is a label with its own option's words and no more, or the label alone."""
    lead = _leads(choices, line + "\n")
    if lead is None:
        return False
    line = line.lstrip()
    at = len(line) - len(line[lead[1] :].lstrip(" \"'("))
    option = words_at(choices, line, at)
    end = option[1] if option and option[0] == lead[0] else at
    return not line[end:].strip(" .!\"')")


def _words_of_another(choices: Choices, line: str, index: int) -> bool:
    """Whether a line that begins with a label goes on with another option's words alone."""
    named = {mention.index for mention in worded(choices, line) if not mention.denied}
    return bool(named) and index not in named


def _initials(choices: Choices, rest: str) -> bool:
    """Whether another label with its stop follows at once, as in 'D. C. United'."""
    again = choices.label_here.match(rest.lstrip(" "))
    return bool(again) and "\n" not in rest[:1] and rest.lstrip(" ")[again.end() :][:1] in ".)"


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


def closing(choices: Choices, text: str) -> Reading | None:
    """A reply whose last line or last word is a label, alone or with its option's words."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    word = _LAST_WORD.search(text)
    preceding = text[max(0, word.start(1) - 40) : word.start(1)] if word else ""
    if (word and of_something(text, word.start(1))) or _RANGE.search(preceding):
        return None
    if word and word[1] in choices.by_label and not joined_before(text, word.start(1)):
        index = choices.by_label[word[1]]
        return read_as(choices, index, "ends with the label", f"the last word is {word[1]}")
    if len(lines) < 2:
        return None
    led = [_leads(choices, line + "\n") for line in lines]
    closing = led[-1]
    bare = re.fullmatch(r"[(\[\"']?([A-Za-z]|\d{1,2})[)\].\"']*", lines[-1])
    index = choices.by_label.get(bare[1].upper()) if bare else None
    if index is None and closing:
        end, clash = after_label(choices, lines[-1], _label_end(choices, lines[-1]), closing[0])
        if clash:
            return labels_clash(lines[-1])
        alone = not lines[-1][end:].strip(" .!\"')]")
        index = closing[0] if alone else None
    if index is None:
        return None
    if bare and choices.equal(lines[-2]) not in ([], [index]):
        return labels_clash(text[-80:])
    brief = len(lines) == 2 and len(lines[0].split()) <= MOST_OF_A_CAPTION
    if bare and brief and _words_of_another(choices, lines[0], index):
        return labels_clash(text)
    # A list of the options ends in a label too; only a bare letter can follow one as the answer.
    listed = {lead[0] for lead in led[:-1] if lead} - {index}
    same_form = any(re.fullmatch(r"[(\[]?([A-Za-z]|\d{1,2})[)\].]*", line) for line in lines[:-1])
    if listed and (same_form or not bare):
        return several(choices, [*listed, index], "listed, and none of them called the answer")
    return read_as(
        choices, index, "ends with the label", f"the last line is {short(lines[-1], 40)}"
    )


def marked(choices: Choices, text: str) -> Reading | None:
    """A reply that names exactly one option by its label and does not deny it."""
    labels = [mark for mark in marks(choices, text) if not in_question(text, mark.end)]
    named = {mention.index for mention in labels if not mention.denied}
    if len(named) == 1:
        index = named.pop()
        if all(_entry_of_a_list(text, m) for m in labels if m.index == index):
            return Reading(
                None, "unread", "no rule", f"looks at {choices.labels[index]} and concludes nothing"
            )
        if any(list_end(choices, text, mark.end, by_words=True) > mark.end for mark in labels):
            return Reading(None, "unread", "no rule", "names several options and chooses none")
        starts = {label.start for label in labels}
        if any(
            _names_before(text, starts, mention)
            for mention in worded(choices, text)
            if mention.index != index
        ):
            return labels_clash(text)
        return read_as(
            choices, index, "one label named", "the only option that is named and not denied"
        )
    if len(named) > 1 and not refusal(text):
        return several(choices, list(named), "named, and none of them called the answer")
    return None


def _entry_of_a_list(text: str, mention: Mention) -> bool:
    """Whether an option is looked at in a line of its own: 'A. sits down: the man does not'."""
    begins = text.rfind("\n", 0, mention.start) + 1
    own_line = begins > 0 and not text[begins : mention.start].strip(" ([\"'")
    goes_on = re.compile(r"\s*(?::|[-\u2013\u2014]\s)\s*\w").match(text, mention.end)
    return own_line and goes_on is not None


def _names_before(text: str, label_starts: set[int], mention: Mention) -> bool:
    """Whether words stand right before a label in brackets: 'throws the ball (B)'."""
    bracket = _BRACKET.match(text, mention.end)
    return bracket is not None and bracket.end() in label_starts
