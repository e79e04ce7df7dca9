"""Expand a list of actions in rounds by a language model, then squeeze it; origins are kept.

ActionAtlas 2.1: two rounds made 19,500 actions of 150 sports, and squeezing left 10,500. A model
may only speak of names that it was given: others that it names are refused and counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from annotations.footage.action_list import (
    PROPOSED,
    SQUEEZED,
    Action,
    action_key,
    actions_in,
    add_actions,
    set_state,
)
from core.model import ItemError, LoadOptions, Request
from core.model_loading import load_model
from core.refusal import Refusal
from core.reply import llm_json
from db.connection import Store

SHOWN = 200  # names of the list that a request shows
TENS = 10
MAX_TOKENS = 1024
EXPAND = """\
We collect actions of the domain “{domain}” that can be seen in videos and have a name of their own.
These are listed so far:
{names}

Name up to {count} more that are missing, specific ones rather than general ones. Answer with JSON
alone: [{{"name": "...", "description": "what can be seen, in one sentence"}}]"""
SQUEEZE = """\
These are candidates for actions of the domain “{domain}”:
{names}

Which of them should be dropped because they are the same as another one of these, too general to be
one action, or not visible in a video? Answer with JSON alone; an empty list drops none:
[{{"name": "...", "reason": "duplicate of ... | too general | not visible"}}]"""


@dataclass(frozen=True)
class Expanded:
    """What the rounds did.

    Attributes:
        new: names that came in, by round.
        squeezed: names that were dropped.
        refused: names in replies that were not among those asked about, or that are none.
        failed: replies that could not be read.
    """

    new: tuple[int, ...]
    squeezed: int
    refused: int
    failed: int


def expand_actions(
    store: Store, listed: str, model_name: str, *, domain: str, rounds: int = 2, count: int = 20,
    enough: float = 0.05, key_variable: str = "", say: Callable[[str], None] = lambda text: None,
) -> Expanded:  # fmt: skip
    """Expand a list round by round, until one adds less than `enough` of it, then squeeze it.

    Args:
        store: of the metadata.
        listed: name of the list.
        model_name: of a language model.
        domain: of the actions.
        rounds: at most.
        count: names that a request asks for.
        key_variable: environment variable with the key of a server; '' sends none.
        enough: the share of new names below which no further round is made.
        say: is told what is being done.

    Raises:
        Refusal: if the list is empty and there is no domain to begin with.
        ModelError: if the model cannot be had.
    """
    if not domain.strip():
        raise Refusal("Name the domain of the actions, such as football.")
    model = load_model("text", model_name, LoadOptions(api_key_env=key_variable))
    new: list[int] = []
    refused = failed = 0
    for number in range(1, rounds + 1):
        have = [entry.name for entry in actions_in(store, listed)]
        parts = [have[at : at + SHOWN] for at in range(0, len(have), SHOWN)] or [[]]
        added = 0
        for part in parts:
            names = "\n".join(f"- {name}" for name in part) or "- (none yet)"
            text = EXPAND.format(domain=domain, names=names, count=count)
            entries = _entries(model, text)
            failed += entries is None
            pairs, bad = _named(entries or [])
            refused += bad
            added += add_actions(store, listed, pairs, domain=domain, step="expand",
                                 who=model_name, round_number=number)  # fmt: skip
            say(f"round {number}: {added:,} new")
        new.append(added)
        if added < enough * max(1, len(have)):
            break
    squeezed, bad, unread = _squeeze(store, listed, model, model_name, domain, len(new))
    return Expanded(tuple(new), squeezed, refused + bad, failed + unread)


def _squeeze(
    store: Store, listed: str, model: Any, model_name: str, domain: str, number: int
) -> tuple[int, int, int]:
    """Names dropped, names refused, and replies that could not be read; in tens."""
    proposed = actions_in(store, listed, (PROPOSED,))
    squeezed = refused = failed = 0
    for begin in range(0, len(proposed), TENS):
        part: Sequence[Action] = proposed[begin : begin + TENS]
        names = "\n".join(f"- {entry.name}" for entry in part)
        entries = _entries(model, SQUEEZE.format(domain=domain, names=names))
        failed += entries is None
        by_key = {action_key(entry.name): entry for entry in part}
        for entry in entries or []:
            action = by_key.get(action_key(str(entry.get("name") or "")))
            if action is None:
                refused += 1
                continue
            why = " ".join(str(entry.get("reason") or "").split())[:300]
            set_state(store, [action.id], SQUEEZED, who=model_name, step="squeeze", why=why,
                      round_number=number)  # fmt: skip
            squeezed += 1
    return squeezed, refused, failed


def _entries(model: Any, text: str) -> list[dict[str, Any]] | None:
    """The objects of a reply's JSON; None if it could not be read."""
    [reply] = model.generate([Request(text, None, "")], MAX_TOKENS)
    if isinstance(reply, ItemError) or not reply.finished:
        return None
    parsed = llm_json.read(reply.text)
    value = parsed.value
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        value = fields.get("actions", [fields])
    if not isinstance(value, list):
        return None
    listed = cast("list[object]", value)
    return [
        cast("dict[str, Any]", entry) if isinstance(entry, dict) else {"name": entry}
        for entry in listed
    ]


def _named(entries: Sequence[dict[str, Any]]) -> tuple[list[tuple[str, str]], int]:
    """Names with descriptions, two names in one apart; and how many are none."""
    pairs: list[tuple[str, str]] = []
    bad = 0
    for entry in entries:
        description = str(entry.get("description") or "")
        for name in str(entry.get("name") or "").split("/"):
            name = " ".join(name.split())
            if action_key(name) and len(name) <= 120:
                pairs.append((name, description))
            else:
                bad += 1
    return pairs, bad
