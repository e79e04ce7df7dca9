"""Answers to questions: the option, the several options or the words, as stored and as counted."""

from collections.abc import Mapping
from typing import Any, cast

from annotations.reading.responses import text
from annotations.shown_places import Rename
from annotations.tasks._question_shown import EXTRA, SEVERAL, folded
from core.refusal import Refusal


def checked_answer(response: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """The chosen option as its index in the question's own order, its name, or the words written.

    Where several options may be right, the choice is a list of indices, ascending.

    Raises:
        ValueError: if none of the shown options is chosen, or nothing is written.
    """
    choice = response.get("choice")
    if facts.get(SEVERAL):
        return {"choice": _checked_set(choice, facts)}
    if isinstance(choice, str) and choice in facts.get("extra", ()):
        if response.get("text"):
            raise Refusal(f"Either write an answer, or choose “{EXTRA[choice]}”, not both.")
        return {"choice": choice}
    if facts.get("free_text"):
        return {"text": text(response, "text", "Answer", needed="Write the answer in a few words.")}
    if not isinstance(choice, int) or isinstance(choice, bool):
        raise Refusal("No option is chosen. Choose one by its letter.")
    if choice not in facts["option_order"]:
        raise Refusal(f"Option {choice} was not among those shown. Choose one by its letter.")
    return {"choice": choice}


def _checked_set(choice: object, facts: dict[str, Any]) -> list[int] | str:
    """The chosen options in the question's own order, or the one answer beside them.

    Raises:
        ValueError: if none is chosen, one was not shown, or both kinds are.
    """
    chosen = cast("list[object]", choice) if isinstance(choice, list) else [choice]
    beside = [name for name in chosen if isinstance(name, str) and name in facts.get("extra", ())]
    if beside and len(chosen) > 1:
        raise Refusal(f"Either choose options, or “{EXTRA[beside[0]]}”, not both.")
    if beside:
        return beside[0]
    if chosen in ([], [None]):
        raise Refusal("No option is chosen. Choose each that is right by its letter.")
    options: list[int] = []
    for option in chosen:
        if type(option) is not int or option not in facts["option_order"]:
            raise Refusal(f"Option {option} was not among those shown. Choose by letters.")
        options.append(option)
    return sorted(set(options))


def vote(response: dict[str, Any]) -> str | int | tuple[int, ...] | None:
    """What was answered, a set of one like that one; words without case, blanks and full stop."""
    written, choice = response.get("text"), response.get("choice")
    if written is not None:
        return f"text {folded(written)}"
    if isinstance(choice, list):
        options = sorted(cast("list[int]", choice))
        return tuple(options) if len(options) > 1 else next(iter(options), None)
    return choice


def renamed(response: dict[str, Any], rename: Rename) -> dict[str, Any]:
    """A response with another name for the chosen option, or for each of several."""
    if "choice" not in response:
        return response
    choice = response["choice"]
    if isinstance(choice, list):
        return {**response, "choice": [rename(option) for option in cast("list[Any]", choice)]}
    return {**response, "choice": rename(choice)}


def answer_words(response: dict[str, Any], texts: Mapping[object, str]) -> str:
    """The chosen options with their letters, or what was written; texts by index."""
    choice = response.get("choice")
    if isinstance(choice, list):
        parts = cast("list[int]", choice)
        return "; ".join(answer_words({"choice": part}, texts) for part in parts)
    if not isinstance(choice, int):
        return str(response.get("text") or EXTRA.get(str(choice), choice))
    return f"{chr(65 + choice)}. {texts[choice]}" if choice in texts else str(choice)
