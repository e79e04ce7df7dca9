"""Letters that stand for something else than an option: initials, articles, jerseys, signs."""

import re

from core.reply.choices import Choices

_THING = (
    r"(?:grade|confidence|certainty|level|rating|score|mark|step(?:\s+\d+)?|team|player|person"
    r"|scene|shot|camera|frame(?:\s+\d+)?|figure|part|section|group|class|type|row|column|point"
    r"|student|teacher|speaker|driver|note|h?mm+|uh+|um+)"
)
_PLACE = (
    r"(?:jersey|shirt|kit|bib|gate|platform|exit|entrance|terminal|apartment|flat|building|block"
    r"|room|hall|ward|door|lane|seat|zone|area|sector|track|bus|train|plate|panel|vitamin"
    r"|hepatitis|league|court|pitch|field|tower|stand|line|key)"
)
_BEFORE = re.compile(rf"\b{_THING}\s*[,:\u2013\u2014-]\s*[(\[\"']?$", re.IGNORECASE)
_IN_BRACKETS = re.compile(rf"\b(?:{_THING}|{_PLACE})\s+[(\[]$", re.IGNORECASE)
_WRITTEN = re.compile(
    r"\b(?:sign|plate|board|banner|poster|shirt|jersey|card|wall|paper)\s+(?:\w+\s+){0,2}"
    r"(?:reads?|says?|shows?)\s*:?\s*[(\[\"']?$",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\bletters?\s+[(\[\"']?$", re.IGNORECASE)
_IS_SEEN = re.compile(
    r"[)\]\"']*\s+(?:can|is|was|are|were|appears?|stands?)\s+(?:also\s+)?(?:be\s+)?"
    r"(?:seen|visible|written|shown|printed|painted|drawn|on|in|at)\b",
    re.IGNORECASE,
)
_AS_LETTERS = re.compile(r"[^.!?\n]*\b(?:letters|alphabet|vowels?|consonants?|article)\b", re.I)
# 'A, E, I, O and U'; 'D, the son, waits'.
_NAMED_SO = re.compile(r"\s*(?:[A-Z],\s+[A-Z]\b|(?:the|an?)\s+[^,.\n]{1,30},\s)")
_WORD = re.compile(r"[ \t]*([^\W\d_][\w'\u2019]*)")
_SECOND = re.compile(r"[ \t]+([^\W\d_][\w'\u2019]*)")
# What a sentence or an explanation behind a label begins with.
_BEGINNINGS = re.compile(
    r"the|he|she|it|they|this|that|these|those|there|here|i|we|you|his|her|its|their|our"
    r"|my|your|in|at|on|as|of|by|to|from|for|with|within|during|after|before|while|when"
    r"|where|which|who|what|why|how|because|since|although|though|if|so|then|thus"
    r"|therefore|hence|first|finally|initially|both|all|most|many|some|several|each|every"
    r"|one|two|three|four|no|not|none|only|also|based|given|looking|considering|according"
    r"|looks|seems|appears|explanation|reason|reasoning|justification|rationale|note"
    r"|evidence|analysis|answer|option|choice|correct|right|wrong|true|false|yes|someone"
    r"|something|everyone|everybody|nobody|another|other|others|final|best|sure|very|just"
    r"|maybe|perhaps|it's|he's|she's|that's|there's|i'm|an|a",
    re.IGNORECASE,
)
_COMMON = re.compile(
    r"man|woman|person|people|player|boy|girl|child|kid|dog|cat|bird|horse|ball|car|truck"
    r"|camera|video|clip|scene|team|athlete|worker|driver|chef|crowd|group|hand|object"
    r"|animal|light|water|background|screen",
    re.IGNORECASE,
)
# Words in -s behind a name that are no verbs.
_NO_VERBS = re.compile(
    r"towards|across|always|his|its|this|as|thus|plus|perhaps|afterwards",
    re.IGNORECASE,
)


def of_something(text: str, start: int) -> bool:
    """Whether the letter at a place is that of something else: 'Grade: B', 'jersey (C)'."""
    before = text[max(0, start - 40) : start]
    return any(pattern.search(before) for pattern in (_BEFORE, _IN_BRACKETS, _WRITTEN))


def seen_as_a_letter(text: str, start: int, end: int) -> bool:
    """Whether a letter between two places is one that somebody sees: 'the letter D is written'."""
    before = text[max(0, start - 12) : start]
    return _LETTER.search(before) is not None and _IS_SEEN.match(text, end) is not None


def begins_a_name(choices: Choices, index: int, label: str, rest: str) -> bool:
    """Whether a letter that a reply begins with is an initial or an article and no label.

    'A. Smith wins', 'E. coli grows' and 'A: man is running' choose nothing, unless an option says
    so in its words; 'B. He runs' and 'B. The ball flies' explain a choice.

    Args:
        choices: the options; of one whose words are not known nothing can be told.
        index: the option that has this letter.
        label: the letter with its stop, as in 'A.'.
        rest: what follows.
    """
    if not choices.plain[index]:
        return False
    letter, stop = label[:1], label[1:].strip()
    line = rest.split("\n")[0]
    if stop == ",":
        return _AS_LETTERS.match(line) is not None or _NAMED_SO.match(line) is not None
    word = _WORD.match(line)
    if word is None or not letter.isupper() or stop not in (".", ":"):
        return False
    if stop == ":" and letter != "A":
        return False
    first = word[1]
    if _begins_a_sentence(first) or _in_options(choices, first):
        return False
    if _COMMON.fullmatch(first):
        return letter == "A" and first.islower()
    second = _SECOND.match(line, word.end())
    verb = second is not None and _may_be_a_verb(second[1])
    if first.islower() or stop == ":":
        return verb and not _shares_words(choices, index, line)
    if verb or second is None:
        return not (second is None and line[word.end() :].strip(" .!"))
    plural = first.endswith("s") and not first.endswith("ss")
    return not plural and not _shares_words(choices, index, line)


def _begins_a_sentence(word: str) -> bool:
    plain = word.lower().replace("\u2019", "'")
    return _BEGINNINGS.fullmatch(plain) is not None or plain.endswith(("ing", "ly", "ed"))


def _may_be_a_verb(word: str) -> bool:
    return word.islower() and word.endswith("s") and _NO_VERBS.fullmatch(word) is None


def _in_options(choices: Choices, word: str) -> bool:
    return any(_alike(word.lower(), of_option) for of_option in " ".join(choices.plain).split())


def _shares_words(choices: Choices, index: int, line: str) -> bool:
    """Whether a line uses a word of an option, in whatever form."""
    ours = re.findall(r"[^\W\d_]{4,}", line.lower())
    return any(_alike(word, theirs) for word in ours for theirs in choices.plain[index].split())


def _alike(word: str, other: str) -> bool:
    """Whether two words may be forms of one: 'throwing' and 'throws'."""
    if min(len(word), len(other)) < 4:
        return word == other
    return word[:4] == other[:4]
