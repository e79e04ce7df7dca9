"""A step in deciding a disagreement: what it will change, taking it, what it came to."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from annotations.adjudication.resolution import ChangedMeanwhileError, Resolution
from annotations.adjudication.resolution_effect import key_change
from annotations.record.item import item_in
from annotations.scoring import human_accuracy
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.refusal import Refusal
from ui.components.words import plain

LETTERS = [chr(65 + i) for i in range(26)]
_SAID = "deciding said"
# The item that this author has decided about last: it may leave the list without a word.
OWN_STEP = "deciding own step"


def foretell(
    workspace: Workspace,
    item_id: int,
    value: dict[str, Any] | None,
    changes: dict[str, Any] | None,
    two: bool,
) -> None:
    """Say, before anybody signs, what a decision will change.

    Args:
        two: whether a second author has to sign first.
    """
    change = key_change(workspace, item_id, value, changes)
    if change is None:
        return
    old, new = (
        plain("; ".join(text for _, text in options)) for options in (change.old, change.new)
    )
    when = ", once the second author has signed" if two else ""
    st.markdown(
        f":orange[:material/key: **This will change the key {change.words}** "
        f"({f'{old} → ' if old else ''}{new}){when}.]"
    )


def attempt(
    workspace: Workspace,
    item_id: int,
    step: Callable[[], Resolution],
    value: dict[str, Any] | None = None,
    changes: dict[str, Any] | None = None,
) -> None:
    """Take a step and keep what it came to; a change of the key also says what metrics moved."""
    change = key_change(workspace, item_id, value, changes)
    accuracies = _accuracies(workspace) if change else {}
    try:
        resolution = step()
    except ChangedMeanwhileError as error:
        st.session_state[_SAID] = "warning", plain(str(error))
    except Refusal as error:
        st.session_state[_SAID] = "error", plain(str(error))
    else:
        st.session_state[OWN_STEP] = item_id
        message = "reopened." if resolution.outcome == "reopen" else "settled."
        if resolution.outcome != "reopen" and not resolution.holds:
            message = "signed. It waits for a second author under 'to sign'."
        if change and resolution.holds:
            message += f" The key is changed {change.words}."
            message += _moved(accuracies, _accuracies(workspace))
        with workspace.store.single() as database:
            uid = item_in(database, item_id).uid
        st.session_state[_SAID] = "success", f"{plain(uid.partition(':')[2])}: {message}"


def _accuracies(workspace: Workspace) -> dict[str, float | None]:
    with take(workspace) as snapshot:
        rows = human_accuracy.accuracy_table(snapshot)
    return {row.condition: row.accuracy.value for row in rows}


def _moved(old: dict[str, float | None], new: dict[str, float | None]) -> str:
    moved = [
        f"{plain(name)} {percent_text(old.get(name) or 0)} → {percent_text(share or 0)}"
        for name, share in new.items()
        if share != old.get(name)
    ]
    return f" Accuracy: {'; '.join(moved)}." if moved else " Accuracy over everybody is as before."


def said() -> None:
    """Draw what the last step came to, once."""
    level, message = st.session_state.pop(_SAID, ("", ""))
    if level == "warning":
        st.warning(message, icon=":material/sync_problem:")
    elif level == "error":
        st.error(message)
    elif level:
        st.success(message, icon=":material/check:")
