"""Sentences that were put together below, in the language of whoever reads them.

What annotations/ says to a person is English with values in it: why an answer was refused, what is
said about practice. A language file has a pattern for each such sentence under "sentences",
{English with {name} where a value stands: translation}, and under "parts" for what stands as a
value within one. What no pattern fits, such as an author's own words, stays as it is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from annotations.shown_places import PLACE
from ui.languages import ENGLISH, decimal_sign, language_patterns, texts

_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"-?\d+\.\d+")
# Names of values that are data, and of those that are numbers; any other is words of ours.
_DATA = frozenset(
    {"action", "category", "domain", "key", "model", "condition", "name", "option", "question",
     "reason", "text", "value"}
)  # fmt: skip
_NUMBERS = frozenset({"n", "start", "end", "time", "beyond", "share", "low", "high", "most"})
# What of a declared form is shown to people; values and names are data.
SHOWN = frozenset({"label", "help", "placeholder", "text", "description", "second_label"})
# What of an item's values Rushes has put together itself; all else is data or an author's words.
COMPOSED = frozenset({"ask", "about", "by", "note"})


def spoken(code: str, words: str) -> str:
    """Return what is said to a person in a language, sentence by sentence.

    Args:
        code: of the language.
        words: English, one or more sentences; from the first that is not known on they stay.
    """
    if code == ENGLISH or not words:
        return words
    said = " ".join(_one_by_one(code, words))
    return said if said != words else _whole(code, _known(code).sentences, words) or words


def translated(value: Any, code: str) -> Any:
    """A declared form with the texts that people read in a language."""
    match value:
        case dict():
            fields = cast("dict[str, Any]", value)
            return {
                name: _label(code, part)
                if name in SHOWN and isinstance(part, str)
                else translated(part, code)
                for name, part in fields.items()
            }
        case list():
            return [translated(part, code) for part in cast("list[Any]", value)]
        case _:
            return value


def _label(code: str, words: str) -> str:
    """What a form says: its own words, else a sentence with values in it."""
    text = texts(code).get(words)
    return spoken(code, words) if text is None else text


def reply_in(code: str, reply: dict[str, Any]) -> dict[str, Any]:
    """Return what a desk is answered, with what Rushes says in it in a language."""
    if code == ENGLISH:
        return reply
    changed = dict(reply)
    if "results" in reply:
        changed["results"] = [_receipt(code, receipt) for receipt in reply["results"]]
    if "items" in reply:
        changed["items"] = [_item(code, item) for item in reply["items"]]
    return _item(code, changed) if "stage" in changed else changed


def _receipt(code: str, receipt: dict[str, Any]) -> dict[str, Any]:
    feedback = receipt.get("feedback")
    if feedback:
        feedback = {**feedback, "words": spoken(code, feedback["words"])}
    return {**receipt, "reason": spoken(code, receipt["reason"]), "feedback": feedback}


def _item(code: str, item: dict[str, Any]) -> dict[str, Any]:
    values = {name: _item_value(code, name, value) for name, value in item["values"].items()}
    return {**item, "stage": _stage(code, item["stage"]), "values": values}


def _stage(code: str, stage: dict[str, Any]) -> dict[str, Any]:
    """A stage, in which notes and the words beside pictures of other videos are ours."""
    changed = dict(stage)
    if stage.get("note"):
        changed["note"] = spoken(code, stage["note"])
    for name in ("grid", "player"):
        if isinstance(stage.get(name), dict):
            changed[name] = _stage(code, stage[name])
    if "beside" in stage:
        changed["beside"] = [
            {**video, "label": spoken(code, video["label"])} for video in stage["beside"]
        ]
    return changed


def _item_value(code: str, name: str, value: Any) -> Any:
    match value:
        case str() if name == "read":
            return value.partition(":")[0]  # how a reply was read is said in English only
        case str() if name in COMPOSED:
            return "; ".join(spoken(code, part) for part in value.split("; "))
        case dict():
            named = cast("dict[str, Any]", value)
            return {key: _item_value(code, key, part) for key, part in named.items()}
        case list() if name == "options":
            return [_option(code, option) for option in cast("list[dict[str, Any]]", value)]
        case _:
            return value


def _option(code: str, option: dict[str, Any]) -> dict[str, Any]:
    """An option; one that does not stand for a place is an answer that Rushes has added."""
    name = option.get("value")
    if not isinstance(name, str) or PLACE.fullmatch(name):
        return option
    return {**option, "text": spoken(code, option["text"])}


@dataclass(frozen=True)
class _Pattern:
    """What an English sentence looks like, as a whole and where more follows."""

    whole: re.Pattern[str]
    begins: re.Pattern[str]
    translation: str


@dataclass(frozen=True)
class _Known:
    """The patterns of a language, the more particular first."""

    sentences: tuple[_Pattern, ...]
    with_parts: tuple[_Pattern, ...]


def _whole(code: str, patterns: Sequence[_Pattern], words: str) -> str | None:
    """The translation of words that one pattern fits; None if there is none."""
    for pattern in patterns:
        if match := pattern.whole.fullmatch(words):
            return _filled(code, pattern.translation, match)
    return None


def _one_by_one(code: str, words: str) -> list[str]:
    """The translations of one sentence after the other, and what is left, if anything."""
    said, rest = list[str](), words
    while rest and (first := _first(code, rest)):
        translation, rest = first
        said.append(translation)
    return [*said, rest] if rest else said


def _first(code: str, words: str) -> tuple[str, str] | None:
    """The translation of the first sentence, and what comes after it; None if it is not known."""
    for pattern in _known(code).sentences:
        if match := pattern.begins.match(words):
            return _filled(code, pattern.translation, match), words[match.end() :].lstrip()
    return None


def _filled(code: str, translation: str, match: re.Match[str]) -> str:
    values = {
        name: value if name in _DATA else _value(code, value)
        for name, value in match.groupdict().items()
    }
    return _PLACE.sub(lambda place: values[place[1]], translation)


def _value(code: str, value: str) -> str:
    """A value within a sentence: a sentence, a part, a form's label, a number, a list, or data."""
    if _NUMBER.fullmatch(value):
        return value.replace(".", decimal_sign(code))
    if (whole := _whole(code, _known(code).with_parts, value)) is not None:
        return whole
    if (label := texts(code).get(value)) is not None:
        return label
    first, *others = _one_by_one(code, value)
    if first != value:
        return " ".join([first, *(_value(code, other) for other in others)])
    parts = value.split(", ")
    return value if len(parts) == 1 else ", ".join(_value(code, part) for part in parts)


@cache
def _known(code: str) -> _Known:
    sentences = language_patterns(code, "sentences")
    return _Known(
        _compiled(sentences), _compiled({**sentences, **language_patterns(code, "parts")})
    )


def _compiled(translations: Mapping[str, str]) -> tuple[_Pattern, ...]:
    by_length = sorted(translations.items(), key=lambda pair: -len(_PLACE.sub("", pair[0])))
    return tuple(
        _Pattern(
            re.compile(_as_regex(english), re.DOTALL),
            re.compile(_as_regex(english) + r"(?<=[.:!?])(?=\s|$)", re.DOTALL),
            translation,
        )
        for english, translation in by_length
    )


def _as_regex(english: str) -> str:
    """A regular expression of an English pattern, with a group for each value."""
    literal, names = _PLACE.split(english)[0::2], _PLACE.split(english)[1::2]
    texts = {name: r"-?[\d.,]+(?: ?%)?" if name in _NUMBERS else ".+?" for name in names}
    groups = [*(f"(?P<{name}>{text})" for name, text in texts.items()), ""]
    return "".join(re.escape(text) + group for text, group in zip(literal, groups, strict=True))
