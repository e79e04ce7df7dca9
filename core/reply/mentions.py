"""Options that a reply mentions, and whether it denies them there."""

import re
from dataclasses import dataclass

from core.reply.choices import Choices
from core.reply.lettered_things import of_something, seen_as_a_letter
from core.reply.statement import NOUN, ends_well, is_label, list_end, words_at

_CLAUSE = re.compile(
    r"[.!?;\n\u3002\uff1b](?:\s|$)|\n|\bbut\b|\bhowever\b|\binstead it\b|\u800c\u662f"
    r"|\u53ea\u6709|\uff0c|(?:\bnot\b|n't\b)[^.,;\n]*,\s*(?=(?:it|he|she|they)(?:'s|'re|\s+\w+)\b)|,(?=\s*[\u2e80-\u9fff])|,?\s\bso\b",
    re.IGNORECASE,
)
_DENIED_BEFORE = re.compile(
    r"\b(?:not|never|neither|nor|no|none|nobody|nothing|no one|cannot|without|rather than"
    r"|instead of|unlike|opposed to|contrary to|except|excluding"
    r"|rul(?:e|es|ed|ing) out|eliminat(?:e|es|ed|ing)|exclud(?:e|es|ed)|discard(?:ed|ing)?"
    r"|reject(?:ed|ing)?"
    r"|almost|nearly|first (?:considered|thought)|considered"
    r"|incorrect|wrong|unlikely|less likely|lack of"
    r"|absence of|if|whether|would (?:be|have|indicate|suggest|imply|show|mean))\b"
    r"|n't\b|不是|不|\b(?:consider(?:ing)?|see|cf\.?"
    r"|compare[d]?(?: to| with)?)\s+(?:\w+\s+){0,2}[(\[]?$"
    r"|(?:let me|let's|I (?:will|need to|should|must|have to)|I'll|going to)"
    r"\s+(?:first\s+)?(?:think|look|consider|check|start|begin|examine|analy[sz]e|compare|verify)"
    r"|(?:think|thinking|look|looking|start|starting|begin|beginning)\s+(?:about|at|with)\b"
    r"(?!\s+(?:the|these|this|all)\s+(?:\w+\s+){0,3}(?:frames?|video|clip|images?|footage)\b[^,]*,)",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"(?:(?!\b(?:because|since|as|while|and|but|so|not|instead)\b)[^.!?;,:\n\u3002]){0,25}?"
    r"(?:\b(?:is|are|was|were|seems?|can|could|does|do|would"
    r"|should)(?:\s+(?:also|clearly|both|all|therefore|be))*"
    r"(?:\s+not\b|n't\b|\s+(?:incorrect|wrong|false|unlikely|ruled out|eliminated|excluded"
    r"|dismissed|discarded|rejected|disregarded|off the table"
    r"|out\b|less|impossible|implausible|irrelevant|inaccurate))"
    r"|\bcannot\b|不对|不對|不正确|错|錯|也不|不是|(?:は|が|も)?(?:違|間違|誤り|不正解|正しくな)"
    r"|ではな|でな|じゃな|(?:은|는|이|가)?\s*(?:아니|아닙|틀))",
    re.IGNORECASE,
)
# What an option says, not what is seen: 'option D needs a brush'.
_SPOKEN_OF = re.compile(
    r"[)\]\"']*\s+(?:(?:would\s+)?(?:(?:mean|need|require)s?|impl(?:y|ies))"
    r"|would\s+(?:show|look|appear|involve|have))\b",
    re.IGNORECASE,
)
_ASKED_AND_DENIED = re.compile(r"[)\]\"']*\s*\?\s*(?:no|nope|not)\b", re.IGNORECASE)
_NUMBERS = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "twice": "2",
    "thrice": "3", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
}  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_NUMBERS)})\b", re.IGNORECASE)
# Words too common to be an answer wherever they stand.
_COMMON = frozenset(
    {"yes", "no", "true", "false", "none", "both", "neither", "either", "all", "one", "other"}
    | {"same", "it", "this", "that", *"abcdefghi"}
)


# What an option says: 'B is described as "sits down"'.
_TOLD = re.compile(
    r"(?<![A-Za-z])[A-Z][)\]\"']*\s+(?:is\s+(?:described|given|listed|worded|labell?ed|stated)(?:\s+as)?|says?|reads?"
    r"|states?|mentions?|refers? to|suggests?|claims?|stands? for|corresponds? to)"
    r"\s*[:,]?\s*[\"']?\s*$"
)
_QUESTION = re.compile(r"[^.!?\n\u3002]*\?")


@dataclass(frozen=True, slots=True)
class Mention:
    """An option that is named somewhere in a reply.

    Attributes:
        index: the option.
        start: where.
        end: where it ends.
        denied: whether the reply says there that it is not so.
    """

    index: int
    start: int
    end: int
    denied: bool


def marks(choices: Choices, text: str) -> list[Mention]:
    """Labels that can be nothing else: '(B)', 'option B', 'B. its own words'."""
    mentions: list[Mention] = []
    for label in choices.label_here.finditer(text):
        index = choices.by_label.get(label[1].upper())
        if index is None:
            continue
        start, end = label.start(), label.end()
        preceding = text[max(0, start - 24) : start]
        bracketed = preceding.endswith(("(", "[")) and text[end : end + 1] in (")", "]")
        gap = re.compile(r"[)\].:]\s*[\"']?").match(text, end)
        option = words_at(choices, text, gap.end()) if gap else None
        named = re.search(NOUN + r"\s+[(\[\"']?$", preceding, re.IGNORECASE)
        named = named and is_label(choices, text, label, strong=True)
        if not choices.letters and not named and not (option and option[0] == index):
            continue
        if _is_no_option(choices, text, label):
            continue
        if bracketed or named or (option and option[0] == index):
            end = option[1] if option and option[0] == index else end
            is_denied = denied(text, start, end) or denied_after(text, list_end(choices, text, end))
            mentions.append(Mention(index, start, end, is_denied))
    return mentions


def _is_no_option(choices: Choices, text: str, label: re.Match[str]) -> bool:
    """Whether a letter is that of a jersey or on a wall, and not behind an option's own words."""
    if seen_as_a_letter(text, *label.span()):
        return True
    if not choices.letters or not of_something(text, label.start()):
        return False
    before = text[: label.start()].rstrip(" ([")
    return not any(end == len(before) for _, end in choices.words_in(before))


def worded(choices: Choices, text: str) -> list[Mention]:
    """Options whose words stand in a reply; the longest where one lies in another.

    None at all where one of them is a step in a sequence that no option describes as a whole.
    """
    numeric = all(text_of_option.isdigit() for text_of_option in choices.plain if text_of_option)
    text = (
        _NUMBER_WORD.sub(lambda m: _NUMBERS[m[1].lower()].ljust(len(m[1])), text)
        if numeric
        else text
    )
    mentions: list[Mention] = []
    for start, end in choices.words_in(text):
        option = words_at(choices, text, start)
        quoted = " ".join(text[start:end].casefold().split())
        if option is None or quoted in _COMMON:
            continue
        if _in_sequence(text, start, end):
            return []
        if quoted in choices.nested and not whole_clause(text, start, end):
            return []
        if _TOLD.search(text, max(0, start - 40), start):
            continue
        if _TIMES.fullmatch(quoted) and (
            _BOUND.search(text[:start][-24:]) or (quoted == "once" and not ends_well(text, end))
        ):
            continue
        if quoted.isdigit() and (_counts_before(text, start) or _BOUND.search(text[:start][-24:])):
            continue
        mentions.append(Mention(option[0], start, end, denied(text, start, end)))
    return mentions


def _in_sequence(text: str, start: int, end: int) -> bool:
    """Whether words are one step of a longer sequence, which no option describes as a whole."""
    follows = re.compile(r",?\s+(?:and\s+)?(?:then|afterwards|followed by)\b", re.IGNORECASE)
    precedes = re.compile(r"\b(?:then|followed by)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
    return bool(follows.match(text, end) or precedes.search(text, max(0, start - 40), start))


_CLAUSE_BEGINS = re.compile(
    r"(?:^|[.!?:;,\n(\[\"'\u2013\u2014-]|\b(?:is|are|was|were|be|being|turns?|becomes?|gets?|it's|that's|he's|she's"
    r"|shows?|means?"
    r"|answer|option|choose|picks?|say|with|as|than|not|or))\s*(?:(?:\w+ly"
    r"|only|also|just)\s+)?(?:(?:an?|the)\s+)?$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"[.;,:]?\s+(?:and\s+|but\s+)?(?:(?:it|he|she|they)\s+)?(?:then"
    r"|afterwards?|after that|later|next"
    r"|finally|subsequently|before|until|followed by|again)\b",
    re.IGNORECASE,
)
_STEP_BEFORE = re.compile(
    r"\b(?:first(?:ly)?|initially|at first|to begin with"
    r"|starts?|starting|begins?|beginning)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)


def whole_clause(text: str, start: int, end: int) -> bool:
    """Whether words between two places are a clause of their own and no step of something longer.

    Asked of words that also stand in a longer option: a paraphrase of that one may contain them.
    """
    if not ends_well(text, end) or _GOES_ON.match(text, end):
        return False
    before = text[max(0, start - 80) : start]
    return bool(_CLAUSE_BEGINS.search(before)) and not _STEP_BEFORE.search(before)


_TIMES = re.compile(r"once|twice|thrice|(?:\w+) times")
_BOUND = re.compile(
    r"\b(?:at (?:least|most)|(?:more|less|fewer|greater|other) than|over|under|up to|above|below"
    r"|beyond|exceeds?)\s*$",
    re.IGNORECASE,
)


def _counts_before(text: str, start: int) -> bool:
    """Whether a number is that of a frame, a second or an option, or part of a time."""
    return re.search(
        r"(?:(?:frames?|images?)\s+(?:\d+(?:\s*(?:,|and|to|-)\s*)+)+|frames?|seconds?|images?"
        r"|pictures?|steps?|options?|at|until|from|[-:.,/]\d*)\s*#?$|\d[:.,]$",
        text[max(0, start - 60) : start],
        re.IGNORECASE,
    ) is not None  # fmt: skip


def in_question(text: str, end: int) -> bool:
    """Whether what ends at a place stands in a question: 'What about option B?'."""
    return _QUESTION.match(text, end) is not None


def denied(text: str, start: int, end: int) -> bool:
    """Whether a reply denies what stands between two places, judged by the clause around it."""
    clauses = list(_CLAUSE.finditer(text, max(0, start - 200), start))
    begin = clauses[-1].end() if clauses else max(0, start - 200)
    if _DENIED_BEFORE.search(text, begin, start):
        return True
    return denied_after(text, end)


def denied_after(text: str, end: int) -> bool:
    """Whether a reply goes on to deny what ends at a place: '... is wrong', '... does not fit'."""
    patterns = (_DENIED_AFTER, _ASKED_AND_DENIED, _SPOKEN_OF)
    return any(pattern.match(text, end) for pattern in patterns)
