"""Lists and sentences of language models without their numbers, brackets, quotes and "none"."""

import json
import re
from typing import Any, cast

from annotations.description.concepts import OBJECTS, TextKind

_NUMBER = re.compile(r"(?:^|(?<=\s))\d{1,3}[.)](?=\s|$)", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*[-*•–][ \t]+", re.MULTILINE)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_QUOTES = "\"'“”‘’«»`"
_EMPTY = re.compile(
    r"(?:none|n/?a|nothing|no|not applicable)"
    r"|(?:there (?:is|are) )?(?:no|none of the) (?:visible )?"
    r"(?:objects?|activit(?:y|ies)|actions?|verbs?|movements?)"
    r"(?: (?:is|are|can be))?(?: (?:visible|seen|mentioned|listed|described|depicted))?"
    r"(?: in (?:the|this) (?:image|picture|photo|frame))?",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:and|or)\s+", re.IGNORECASE)
_VERB = re.compile(r"\b\w{2,}ing\b", re.IGNORECASE)
# Things whose names end in -ing.
_NO_VERBS = (
    " building ceiling clothing railing string ring king wing spring swing painting drawing "
    "lighting flooring wiring earring bedding siding awning paneling thing "
)


def cleaned(text: str, kind: TextKind) -> str:
    """A model's text for one frame as it is embedded; '' where it says that there is nothing.

    A list of objects comes back as 'dog, red ball', each entry once; other texts as one line.
    """
    if kind is OBJECTS:
        return ", ".join(entries(text))
    lines = [_bare(line) for line in _plain(text).splitlines()]
    kept = [line for line in lines if line and not _says_nothing(line)]
    joined = " ".join(kept)
    return "" if _says_nothing(joined) else joined


def entries(text: str) -> list[str]:
    """The names in a model's list of objects, in its order, each once whatever its case."""
    parts = re.split(r"[,;\n]|\.\s|\.$", _plain(text))
    names = (_LEADING.sub("", _bare(part)).strip(" .:") for part in parts)
    once: dict[str, str] = {}
    for name in names:
        if name and any(letter.isalnum() for letter in name) and not _says_nothing(name):
            once.setdefault(name.casefold(), name)
    return list(once.values())


def is_cut(text: str) -> bool:
    """Whether a published text ends in an ellipsis: it is not whole."""
    return text.rstrip().endswith(("...", "…"))


def leaks(names: list[str]) -> int:
    """How many names of objects say more than an object: a verb in -ing, or over two words."""
    return sum(len(name.split()) > 2 or _has_verb(name) for name in names)


def class_words(name: str) -> str:
    """A class name in words: 'ApplyEyeMakeup' is 'apply eye makeup', 'riding_horse' likewise.

    A name that has spaces already stays as it is but for its edges.
    """
    name = name.strip()
    if " " in name:
        return " ".join(name.split())
    spaced = re.sub(r"[_\-/]+", " ", name)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", spaced)
    words = (word if word.isupper() and len(word) > 1 else word.lower() for word in spaced.split())
    return " ".join(words)


def _has_verb(name: str) -> bool:
    return any(f" {word.casefold()} " not in _NO_VERBS for word in _VERB.findall(name))


def _plain(text: str) -> str:
    """Without numbers of lists and brackets; a JSON list becomes lines."""
    text = _from_json(text.strip())
    if _NUMBER.match(text):
        text = _NUMBER.sub("\n", text)
    text = _BULLET.sub("", text)
    if "(" not in text and "[" not in text:
        return text
    shorter = _BRACKETS.sub("", text)
    while shorter != text:
        text, shorter = shorter, _BRACKETS.sub("", shorter)
    return text


def _from_json(text: str) -> str:
    if not text.startswith("["):
        return text
    try:
        found: Any = json.loads(text)
    except ValueError:
        # The brackets of a list that is no JSON are no remark.
        return text.strip("[]")
    parts = cast("list[Any]", found) if isinstance(found, list) else []
    return "\n".join(str(part) for part in parts)


def _bare(text: str) -> str:
    """One line without quotes around it and with single spaces."""
    text = re.sub(r"\s+(?=[.,;:])", "", " ".join(text.split()))
    while len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
        text = text[1:-1].strip()
    return text.strip('"“”«»`') if text.count('"') % 2 else text


def _says_nothing(text: str) -> bool:
    return _EMPTY.fullmatch(text.strip(" .!:")) is not None
