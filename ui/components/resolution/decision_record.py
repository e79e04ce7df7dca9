"""What was decided about a disagreement: who signed it, signing as well, reopening."""

from typing import Any

import streamlit as st

from annotations.adjudication.answers_side_by_side import AnswersSideBySide
from annotations.adjudication.outcomes import outcome_words
from annotations.adjudication.resolution import LONGEST_REASON, Resolution, reopen, sign
from annotations.people import Person
from annotations.workspace import Workspace
from ui.access import callback
from ui.components.resolution.answer_rows import NOTHING, answer_rows
from ui.components.resolution.decision_form import field_name
from ui.components.resolution.decision_steps import LETTERS, attempt, foretell
from ui.components.words import plain
from ui.form import form

REOPEN_BECAUSE = "deciding reopen"


def decided(
    workspace: Workspace,
    person: Person,
    table: AnswersSideBySide,
    resolution: Resolution,
) -> None:
    """Draw what was decided, who signed, and what can follow: another signature, or reopening."""
    item_id = table.item.id
    on_table = {answer.id: answer.response for answer in table.answers}
    responses = [on_table.get(answer_id) for answer_id in resolution.answers]
    with st.container(border=True, gap="small"):
        missing = resolution.signatures - len(resolution.signed_by)
        how = outcome_words(resolution.outcome, resolution.value, responses)
        waits = f"Waits for {missing} more signature{'s'[: missing != 1]}"
        st.markdown(f"**{'Settled' if resolution.holds else waits}: {how}**")
        if resolution.reason:
            st.markdown(plain(resolution.reason))
        if resolution.value is not None and not table.question:
            _value(table, resolution.value)
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
                key=sign_name(item_id, resolution),
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
        because = f"{REOPEN_BECAUSE} {item_id} {resolution.revision}"
        if because not in st.session_state and person.name not in resolution.signed_by:
            # What an author wrote who came too late is not lost.
            reason_field = field_name("reason", table, resolution.revision - 1)
            st.session_state[because] = str(st.session_state.get(reason_field) or "")
        why.text_input("Reopen because", max_chars=LONGEST_REASON, key=because)
        button.button(
            "Reopen",
            key=f"reopen {item_id} {resolution.revision}",
            width="stretch",
            on_click=callback(_reopen),
            args=(workspace, item_id, person, resolution, because),
        )


def sign_name(item_id: int, resolution: Resolution) -> str:
    """The name of the button that signs this version of the decision about this item."""
    return f"deciding-sign-{item_id}-{resolution.revision}"


def _value(table: AnswersSideBySide, value: dict[str, Any]) -> None:
    """Draw the response that holds, part by part."""
    fields = form(table.task.kind, table.task.settings)["fields"]
    for row in answer_rows(fields, table.content.values, [value]):
        st.markdown(f"{plain(row.label)}: **{plain(row.cells[0]) or NOTHING}**")


def _fixed(changes: dict[str, Any]) -> str:
    key = changes.get("key")
    options = [
        f"{LETTERS[i % 26]}. {plain(text)}" + (" :material/key:" if i == key else "")
        for i, text in enumerate(changes.get("options", []))
    ]
    return " &ensp; ".join([f"**{plain(str(changes.get('text', '')))}**", *options])


def _reopen(
    workspace: Workspace, item_id: int, person: Person, resolution: Resolution, because: str
) -> None:
    why = str(st.session_state[because])
    attempt(
        workspace, item_id, lambda: reopen(workspace, item_id, person, resolution.revision, why)
    )
