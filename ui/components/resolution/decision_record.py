"""What was decided about a disagreement: who signed it, signing as well, reopening."""

from typing import Any

import streamlit as st

from annotations.adjudication.resolution import LONGEST_REASON, OUTCOMES, Resolution, reopen, sign
from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.resolution.decision_steps import LETTERS, attempt, foretell
from ui.components.words import plain

REOPEN_BECAUSE = "deciding reopen"


def decided(workspace: Workspace, person: Person, item_id: int, found: Resolution) -> None:
    """Draw what was decided, who signed, and what can follow: another signature, or reopening."""
    with st.container(border=True, gap="small"):
        missing = found.signatures - len(found.signed_by)
        waits = f"Waits for {missing} more signature{'s'[: missing != 1]}"
        st.markdown(f"**{'Settled' if found.holds else waits}: {OUTCOMES[found.outcome]}**")
        if found.reason:
            st.markdown(plain(found.reason))
        if found.changes:
            st.markdown(_fixed(found.changes))
        st.caption("Signed by " + plain(", ".join(found.signed_by)))
        if not found.holds:
            foretell(workspace, item_id, found.value, found.changes, False)
        if not found.holds and person.name not in found.signed_by:
            st.button(
                "Sign as well",
                type="primary",
                shortcut="Mod+Enter",
                on_click=attempt,
                args=(
                    workspace,
                    item_id,
                    lambda: sign(workspace, item_id, person, found.revision),
                    found.value,
                    found.changes,
                ),
            )
        why, button = st.columns([4, 1], vertical_alignment="bottom")
        why.text_input("Reopen because", max_chars=LONGEST_REASON, key=REOPEN_BECAUSE)
        button.button(
            "Reopen", width="stretch", on_click=_reopen, args=(workspace, item_id, person, found)
        )


def _fixed(changes: dict[str, Any]) -> str:
    key = changes.get("key")
    options = [
        f"{LETTERS[i % 26]}. {plain(text)}" + (" :material/key:" if i == key else "")
        for i, text in enumerate(changes.get("options", []))
    ]
    return " &ensp; ".join([f"**{plain(str(changes.get('text', '')))}**", *options])


def _reopen(workspace: Workspace, item_id: int, person: Person, found: Resolution) -> None:
    why = str(st.session_state[REOPEN_BECAUSE])
    attempt(workspace, item_id, lambda: reopen(workspace, item_id, person, found.revision, why))
