"""What a reply states at one place: a label, several labels, or an option's own words."""

import re
from dataclasses import dataclass

from core.reply.choices import Choices

NOUN = (
    r"(?:options?|choices?|letters?|captions?|sentences?|statements?|descriptions?|candidates?"
    r"|alternatives?|answers?|number|no\.(?=\s*\d)|opci[oó]n|opzione|opção|variante?"
    r"|letra|lettera|lettre|buchstabe"
    r"|选项|選項|選択肢|选|選|선택지)"
)
_FILLER = re.compile(
    r"(?:[\s:=>\-\u2013\u2014\u2192\u21d2,\"'(\[{#|]|is\b|are\b|was\b|be\b|would\b|should\b"
    r"|must\b|will\b"
    r"|has to\b|have to\b|to\b|the\b|that\b|of\b|clearly\b|likely\b|most\b|probably\b|definitely\b"
    r"|indeed\b|therefore\b|thus\b|hence\b|simply\b|either\b|both\b|with\b|for\b|on\b|my\b|final\b"
    r"|correct\b|right\b|best\b|labell?ed\b|ist\b|est\b|es\b|è\b|é\b|är\b|er\b|la\b|el\b|die\b"
    r"|der\b|das\b"
    r"|adalah\b|ialah\b|to\b|jest\b|je\b|это\b|là\b|le\b|l'|lautet\b"
    r"|[是为為应该應該选選择择\u3001はが\uff1a项項]|은|는|"
    + NOUN + r"(?![A-Za-z]))*",
    re.IGNORECASE,
)  # fmt: skip
_NOT_BUT = re.compile(r"(?:not|nicht|pas|no\s+es)\s+|不是\s*", re.IGNORECASE)
_BUT = re.compile(
    r"[)\].,;\s]*(?:(?:but|sondern|mais|sino)\s+(?:rather\s+)?|而是\s*)", re.IGNORECASE
)
_JOIN = re.compile(
    r"[)\]\"']*\s*(?:,?\s*(?:and/or|and|or|und|oder|et|ou|y|o|和|及|或者|或是|还是|還是|以及|或|与|與|跟|且|と|や|か|も|および|及び"
    r"|와|과|이랑|랑|하고|또는)(?=[\s(\[A-Z])"
    rf"|も?[,/&+;|\u3001]|[\u2013\u2014](?=[A-Z](?![A-Za-z])))\s*(?:both\s+|either\s+|maybe\s+|perhaps\s+|possibly\s+|{NOUN}\s+)?[(\[\"']*",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s+(?:because|since|as|due|for|and|or|but|with|which|while|given|based|in|is|was|if|not|over"
    r"|rather|from|qui|que|sondern|mais|sino)\b|\s*[-/&+\u2013\u2014(]",
    re.IGNORECASE,
)
_REACH = 120
MOST_DENIALS = 4
MOST_JOINED = 30
_LIST_ENDS = re.compile(
    r"[)\]}>\"']*\s*(?:$|[.,;:!?\n\u3002]|(?:are|were|both|can|could|may|might|do|have|would|should)\b|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])"
)
_ENDS_WELL = re.compile(
    r"\s*(?:$|[.!?\n;:)\]\"'\u3002\uff0c]|[-\u2013\u2014(]\s|,?\s*(?:because|since|as|which"
    r"|given|based|so|due)\b"
    r"|,\s*(?:not|rather|I)\b)",
    re.IGNORECASE,
)
COUNTS_OTHERS = re.compile(
    r"\s*(?:(?:uniformly|sampled|video|still|different|separate)\s+)*"
    r"(?:frames?|images?|pictures?|seconds?|secs?|s\b|minutes?|%|fps|options?|choices?|[.,:]\d)",
    re.IGNORECASE,
)
_GAP = re.compile(r"[)\]\"'.:,]*[ \t]*[-:\u2013\u2014]?[ \t]*(?:\n[ \t]*){0,2}[\"'(]?")


@dataclass(frozen=True, slots=True)
class Stated:
    """What stands at a place.

    Attributes:
        indices: options named, in their order in the text; empty if only `outside` is named.
        end: where it ends.
        outside: a letter that no option has, or ''.
        clash: whether a label is followed by the words of another option.
        by_words: whether the option's words were read and no label.
    """

    indices: tuple[int, ...]
    end: int
    outside: str = ""
    clash: bool = False
    by_words: bool = False


def words_at(choices: Choices, text: str, start: int) -> tuple[int, int] | None:
    """Which option's words begin at a place, and where they end; None if none do.

    Equal options are none: which of them is meant cannot be told.
    """
    match = choices.words_at(text, start)
    if match is None or (match[0].isdigit() and COUNTS_OTHERS.match(text, match[1])):
        return None
    equal = choices.equal(match[0])
    return (equal[0], match[1]) if len(equal) == 1 else None


def stated_at(choices: Choices, text: str, start: int, *, strong: bool) -> Stated | None:
    """What a reply states from a place on, after words such as 'is' and 'option'; or None.

    Args:
        choices: the options.
        text: the plain reply.
        start: where to begin, behind 'the answer'.
        strong: whether what stands before asks for an answer, so that a small letter counts.
    """
    behind = _past_filler(text, start)
    # An option such as 'Both A and B' begins with a word that is else no part of the answer.
    if text[:behind].lower().endswith("both ") and words_at(choices, text, behind - 5):
        behind -= 5
    at = _past_denials(choices, text, behind, strong=strong)
    if at is None:
        return None
    statement = _one(choices, text, at, strong=strong)
    if statement is None or statement.outside or statement.clash:
        return statement
    indices, end = list(statement.indices), statement.end
    while len(indices) < MOST_JOINED and (joined := _JOIN.match(text, end)):
        more = _one(choices, text, joined.end(), strong=False)
        if more is None or not more.indices or not _list_goes_on(text, more.end):
            break
        indices += more.indices
        end = more.end
    if len(indices) == 1 and statement.by_words and not ends_well(text, end):
        return None
    return Stated(tuple(dict.fromkeys(indices)), end, by_words=statement.by_words)


def list_end(choices: Choices, text: str, end: int, *, by_words: bool = False) -> int:
    """Where a list of labels ends of which one ends at a place: 'A, C and D'.

    Args:
        choices: the options.
        text: the plain reply.
        end: where one of the labels ends.
        by_words: whether only words such as 'and' go on with the list, and no comma.
    """
    for _ in range(MOST_JOINED):
        joined = _JOIN.match(text, end)
        if by_words and joined and not any(letter.isalpha() for letter in joined[0]):
            return end
        label = choices.label_here.match(text, joined.end()) if joined else None
        index = choices.by_label.get(label[1].upper()) if label else None
        if label is None or index is None:
            return end
        end = after_label(choices, text, label.end(), index)[0]
    return end


def _past_filler(text: str, start: int) -> int:
    filler = _FILLER.match(text, start, start + _REACH)
    return filler.end() if filler else start


def _past_denials(choices: Choices, text: str, at: int, *, strong: bool) -> int | None:
    """Where the statement stands behind 'not A but'; None if a denial leads to no other option.

    Replies that loop say 'not' thousands of times: a few are followed, and no more.
    """
    for _ in range(MOST_DENIALS):
        denial = _NOT_BUT.match(text, at)
        if denial is None:
            return at
        denied = _one(choices, text, _past_filler(text, denial.end()), strong=strong)
        turn = _BUT.match(text, denied.end) if denied else None
        if turn is None:
            return None
        at = _past_filler(text, turn.end())
    return None


def ends_well(text: str, end: int) -> bool:
    """Whether words that are an option's end there, and are not the start of something else."""
    return _ENDS_WELL.match(text, end) is not None


def _list_goes_on(text: str, end: int) -> bool:
    return _LIST_ENDS.match(text, end) is not None or _JOIN.match(text, end) is not None


def _one(choices: Choices, text: str, at: int, *, strong: bool) -> Stated | None:
    option = words_at(choices, text, at)
    label = choices.label_here.match(text, at)
    by_words = Stated((option[0],), option[1], by_words=True) if option else None
    if label is None or (option and option[1] > label.end() and len(choices.plain[option[0]]) > 2):
        return by_words
    if not is_label(choices, text, label, strong=strong):
        return by_words
    index = choices.by_label.get(label[1].upper())
    if index is None:
        return by_words or Stated((), label.end(), outside=label[1].upper())
    if option and option[0] != index:
        return Stated((), label.end(), clash=True)
    end, clash = after_label(choices, text, label.end(), index)
    return Stated(() if clash else (index,), end, clash=clash)


def after_label(choices: Choices, text: str, end: int, index: int) -> tuple[int, bool]:
    """Where a label with its option's own words ends, and whether another's words follow instead.

    Another option's words count only if they fill the rest of the line.
    """
    gap = _GAP.match(text, end)
    start = gap.end() if gap else end
    option = words_at(choices, text, start)
    if option is None or start == end:
        return end, False
    if option[0] == index:
        return option[1], False
    return end, not text[option[1] : option[1] + _REACH].split("\n")[0].strip(" .!\"')")


def is_label(choices: Choices, text: str, match: re.Match[str], *, strong: bool) -> bool:
    """Whether a letter that stands alone is a label there and no word such as 'a' or 'I'."""
    start, end = match.span()
    letter, previous, after = match[1], text[max(0, start - 1) : start], text[end : end + _REACH]
    if not choices.letters:
        return COUNTS_OTHERS.match(after) is None
    if previous in ("(", "[", '"') and previous and after[:1] in (")", "]", '"'):
        return True
    ends = not after.strip() or after[0] in ".,;:)!?]\"'\n\u3002\u3001" or after[0] > "\u2e80"
    index = choices.by_label.get(letter.upper())
    option = words_at(choices, text, match.end() + 1) if after[:1] == " " else None
    if option and option[0] == index:
        return True
    if letter.islower():
        return strong and ends
    if letter == "I":
        return ends or re.match(r"\s+(?:because|since)\b", after) is not None
    return letter != "A" or ends or _GOES_ON.match(after) is not None
