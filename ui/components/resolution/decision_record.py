"""What was decided about a disagreement: who signed it, signing as well, reopening."""

from typing import Any

import streamlit as st

from annotations.adjudication.resolution import LONGEST_REASON, OUTCOMES, Resolution, reopen, sign
from annotations.people import Person
from annotations.workspace import Workspace
from ui.access import callback
from ui.components.resolution.decision_steps import LETTERS, attempt, foretell
from ui.components.words import plain

REOPEN_BECAUSE = "deciding reopen"


def decided(workspace: Workspace, person: Person, item_id: int, resolution: Resolution) -> None:
    """Draw what was decided, who signed, and what can follow: another signature, or reopening."""
    with st.container(border=True, gap="small"):
        missing = resolution.signatures - len(resolution.signed_by)
        waits = f"Waits for {missing} more signature{'s'[: missing != 1]}"
        st.markdown(
            f"**{'Settled' if resolution.holds else waits}: {OUTCOMES[resolution.outcome]}**"
        )
        if resolution.reason:
            st.markdown(plain(resolution.reason))
        if resolution.changes:
            st.markdown(_fixed(resolution.changes))
        st.caption("Signed by " + plain(", ".join(resolution.signed_by)))
        if not resolution.holds:
            foretell(workspace, item_id, resolution.value, resolution.changes, False)
        if not resolution.holds and person.name not in resolution.signed_by:
            st.button(
                "Sign as well",
                type="primary",
                shortcut="Mod+Enter",
                on_click=callback(attempt),
                args=(
                    workspace,
                    item_id,
                    lambda: sign(workspace, item_id, person, resolution.revision),
                    resolution.value,
                    resolution.changes,
                ),
            )
        why, button = st.columns([4, 1], vertical_alignment="bottom")
        why.text_input("Reopen because", max_chars=LONGEST_REASON, key=REOPEN_BECAUSE)
        button.button(
            "Reopen",
            width="stretch",
            on_click=callback(_reopen),
            args=(workspace, item_id, person, resolution),
        )


def _fixed(changes: dict[str, Any]) -> str:
    key = changes.get("key")
    options = [
        f"{LETTERS[i % 26]}. {plain(text)}" + (" :material/key:" if i == key else "")
        for i, text in enumerate(changes.get("options", []))
    ]
    return " &ensp; ".join([f"**{plain(str(changes.get('text', '')))}**", *options])


def _reopen(workspace: Workspace, item_id: int, person: Person, resolution: Resolution) -> None:
    why = str(st.session_state[REOPEN_BECAUSE])
    attempt(
        workspace, item_id, lambda: reopen(workspace, item_id, person, resolution.revision, why)
    )
