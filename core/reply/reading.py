"""Which option a model's reply chooses, read by rules, each with its reason.

Nothing is ever guessed: a reply that no rule reads is 'unread', and none of the options is given to
it. Harness parsers that fall back to a random or the first letter, or take any capital letter as an
answer, credit models with what they never said.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from core.refusal import Refusal
from core.reply import llm_json
from core.reply.choices import Choices
from core.reply.declared import declarations
from core.reply.mentions import marks, worded
from core.reply.refusals import failed_call
from core.reply.reply import prepare
from core.reply.result import Reading, State, short
from core.reply.rules import by_rules
from core.reply.statement import stated_at

SHORT = 300  # characters; what is read out of shorter replies is kept
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANSWER_KEYS = re.compile(
    r"(?:final|best|correct|predicted|selected|chosen|my|the)?_?"
    r"(?:answer|choice|option|prediction|pred|verdict|response|selection|letter|label|result"
    r"|output)"
    r"(?:_(?:letter|choice|option|label|key|id))?|ans",
)  # fmt: skip


def read(
    response: str | None,
    options: Sequence[str],
    labels: Sequence[str] | None = None,
    *,
    finished: bool = True,
) -> Reading:
    """The option that a reply to a single-choice question chooses.

    Args:
        response: the raw reply; None where none came.
        options: the options' words in displayed order; '' where the words are not known.
        labels: what stood before each option, letters or numbers; None: A, B, C...
        finished: False if the reply ended at a limit of tokens: then only a declared answer counts.

    Returns:
        A reading; options that the reply mentions in passing or denies are not its answer, and the
        last of several declarations counts.

    Raises:
        ValueError: if there are no options, or not as many labels as options.
    """
    choices = _choices(options, labels)
    if response is None or not response.strip():
        return Reading(None, "empty", "no reply", "there is no reply")
    if len(response) > SHORT:
        return _reading(choices.texts, choices.labels, response, finished)
    return _remembered(choices.texts, choices.labels, response, finished)


def _reading(
    options: tuple[str, ...], labels: tuple[str, ...], response: str, finished: bool
) -> Reading:
    """`read` of a reply that holds something."""
    choices = _kept(options, labels)
    if failed_call(response) and not choices.equal(response):
        return Reading(
            None, "empty", "failed call", f"no reply came: the file holds {short(response)}"
        )
    reply = prepare(response)
    if reply.boxes:
        reading = by_rules(choices, reply.boxes[-1], finished=finished)
        return _inside(reading, "answer in a tag or box")
    data = _data_answer(reply.source)
    if data is not None:
        reading = by_rules(choices, data, finished=finished)
        return _inside(reading, "answer field of JSON")
    if not reply.text:
        state: State = "unread" if reply.cut.startswith("cut") else "empty"
        return Reading(None, state, reply.cut or "no reply", reply.cut or "there is no reply")
    return by_rules(choices, reply.text, finished=finished, unclosed=reply.unclosed)


# Many models give the same few words to the same question.
_remembered = lru_cache(maxsize=20_000)(_reading)


def read_several(
    response: str | None, options: Sequence[str], labels: Sequence[str] | None = None
) -> tuple[int, ...]:
    """All options that a reply to a question with several right answers chooses, ascending.

    Args:
        response: the raw reply; None where none came.
        options: as in `read`.
        labels: as in `read`; letters may stand glued together, as in 'Answer: AC'.

    Returns:
        Positions from 0; () if nothing could be read.
    """
    choices = _choices(options, labels)
    reply = prepare(response or "")
    text = reply.boxes[-1] if reply.boxes else reply.text
    glued = re.search(r"(?:^|[:\s(])\(?([A-Z](?:\s*[,;]?\s*[A-Z])+)\)?[.!]?\s*(?:$|\n)", text)
    if glued and choices.letters:
        letters = re.findall(r"[A-Z]", glued[1])
        if len(set(letters)) == len(letters) and all(item in choices.by_label for item in letters):
            return tuple(sorted(choices.by_label[item] for item in letters))
    declared = [item.stated.indices for item in declarations(choices, text) if item.stated.indices]
    if declared:
        return tuple(sorted(declared[-1]))
    stated = stated_at(choices, text, 0, strong=True)
    if stated and stated.indices:
        return tuple(sorted(stated.indices))
    named = {m.index for m in marks(choices, text) if not m.denied}
    named = named or {m.index for m in worded(choices, text) if not m.denied}
    return tuple(sorted(named))


def _choices(options: Sequence[str], labels: Sequence[str] | None) -> Choices:
    names = tuple(labels) if labels is not None else tuple(LETTERS[: len(options)])
    if not options or len(names) != len(options):
        raise Refusal(
            f"Got {len(options)} options and {len(names)} labels; allowed are 1 to 26 options with "
            "a label each. Pass the options as they were displayed."
        )
    return _kept(tuple(options), names)


@lru_cache(maxsize=4096)
def _kept(options: tuple[str, ...], labels: tuple[str, ...]) -> Choices:
    """The same options are read for every model."""
    return Choices(options, labels)


def _inside(reading: Reading, where: str) -> Reading:
    return Reading(reading.choice, reading.state, where, f"{where}: {reading.reason}")


def _data_answer(source: str) -> str | None:
    """What the answer field of the last JSON object in a reply holds; None if there is none."""
    if "{" not in source:
        return None
    parsed = llm_json.read(source)
    for value in reversed(parsed.values):
        fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        named = [
            key for key in fields if _ANSWER_KEYS.fullmatch(key.strip().lower().replace(" ", "_"))
        ]
        if not named:
            continue
        named.sort(key=lambda key: ("final" in key.lower(), "answer" in key.lower()))
        answer = _innermost(fields[named[-1]])
        if "cut off at the end" in parsed.repaired and source.rstrip().endswith(answer or " "):
            return ""  # '{"answer": "B' may go on as 'Both'
        return answer
    cut = "cut off at the end" in parsed.repaired and source.lstrip().startswith("{")
    return "" if cut and '"answer"' in source else None


def _innermost(value: object) -> str:
    """The text of an answer field; of one that holds fields the answer among those, if any."""
    if not isinstance(value, dict):
        return _as_text(value)
    fields = cast("dict[str, object]", value)
    named = [key for key in fields if _ANSWER_KEYS.fullmatch(key.strip().lower())]
    return _as_text(fields[named[-1]] if named else fields)


def _as_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_as_text(part) for part in cast("list[object]", value))
    return "" if value is None else str(value)
