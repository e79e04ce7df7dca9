"""The resolution screen: the clip, the answers side by side, and what authors make of them."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from annotations.history import comment, events
from annotations.people import Person
from annotations.resolution import (
    OUTCOMES,
    ChangedMeanwhileError,
    Resolution,
    reopen,
    resolution,
    resolve,
    sign,
)
from annotations.table_of_answers import OnTheTable, on_the_table
from annotations.workspace import Workspace
from ui.components.desk.desk import mount_viewer
from ui.components.words import plain
from ui.routes.assets import assets_url
from ui.routes.stages import Stages
from ui.serving import preparer

NAMES = "First", "Second", "Third", "Fourth", "Fifth", "Sixth"


def resolving(workspace: Workspace, person: Person, item_id: int) -> None:
    """Draw one item with its answers, its resolution and its history."""
    table = on_the_table(workspace, item_id)
    found = resolution(workspace, item_id)
    clip, side = st.columns([5, 4], gap="medium")
    with clip:
        stage = Stages(workspace, preparer(), person).json(table.content.stage)
        mount_viewer(stage, str(item_id), assets_url(), key="resolving-stage")
    with side:
        _question(table)
        _answers(table)
        if found is None or found.outcome == "reopen":
            _decide(workspace, person, table, found)
        else:
            _decided(workspace, person, item_id, found)
    _said(workspace, person, item_id)


def _question(table: OnTheTable) -> None:
    text = table.content.values.get("question")
    if text:
        st.markdown(f"**{plain(str(text))}**")
    lines = [
        f"- {plain(words)}" + (" :material/key: **key**" if response == table.key else "")
        for response, words in table.others
    ]
    if lines:
        st.markdown("\n".join(lines))


def _answers(table: OnTheTable) -> None:
    named = st.toggle("Show names", key="resolving-names")
    columns = st.columns(min(len(table.answers), 3))
    for place, given in enumerate(table.answers):
        with columns[place % len(columns)].container(border=True):
            st.caption(given.annotator if named else f"{NAMES[min(place, 5)]} answer")
            st.markdown(f"**{plain(given.words)}**")
            st.caption(f"{given.shown} · {given.active_s:.0f} s")


def _decide(
    workspace: Workspace, person: Person, table: OnTheTable, before: Resolution | None
) -> None:
    item_id = int(table.item["id"])
    outcomes = [name for name in OUTCOMES if name != "other" or table.others]
    with st.form("resolving", border=True, enter_to_submit=False):
        outcome = st.radio("What holds?", outcomes, format_func=lambda name: OUTCOMES[name])
        value: dict[str, Any] | None = None
        if table.others:
            place = st.selectbox(
                "Another answer",
                range(len(table.others)),
                format_func=[words for _, words in table.others].__getitem__,
                help="Only for 'another answer is right'.",
            )
            value = table.others[place][0]
        reason = st.text_area("Why", height=80, max_chars=4000)
        two = st.checkbox("A second author has to sign", value=True)
        if not st.form_submit_button("Decide and sign", type="primary", shortcut="Mod+Enter"):
            return
    try:
        made = resolve(
            workspace,
            item_id,
            person,
            outcome,
            answers=tuple(given.id for given in table.answers),
            seen_revision=before.revision if before else 0,
            value=value if outcome == "other" else None,
            reason=reason,
            signatures=2 if two else 1,
        )
    except ChangedMeanwhileError as error:
        st.warning(str(error), icon=":material/sync_problem:")
        return
    except ValueError as error:
        st.error(str(error))
        return
    st.toast("Settled." if made.holds else "Signed; a second author has to sign.")
    st.rerun()


def _decided(workspace: Workspace, person: Person, item_id: int, found: Resolution) -> None:
    with st.container(border=True):
        state = "Settled" if found.holds else f"Waits for {found.signatures} signatures"
        st.markdown(f"**{state}: {OUTCOMES[found.outcome]}**")
        if found.reason:
            st.markdown(plain(found.reason))
        st.caption("Signed by " + ", ".join(found.signed_by))
        may_sign = not found.holds and person.name not in found.signed_by
        if may_sign and st.button("Sign as well", type="primary", shortcut="Mod+Enter"):
            _attempt(lambda: sign(workspace, item_id, person, found.revision))
        with st.form("reopening", border=False):
            why = st.text_input("Reopen because", max_chars=4000)
            if st.form_submit_button("Reopen"):
                _attempt(lambda: reopen(workspace, item_id, person, found.revision, why))


def _attempt(step: Callable[[], object]) -> None:
    try:
        step()
    except ValueError as error:
        st.warning(str(error))
    else:
        st.rerun()


def _said(workspace: Workspace, person: Person, item_id: int) -> None:
    with st.form("comment", border=False, clear_on_submit=True):
        words, button = st.columns([6, 1], vertical_alignment="bottom")
        text = words.text_input("Comment", placeholder="for the other author")
        if button.form_submit_button("Say", width="stretch") and text.strip():
            comment(workspace, item_id, person, text)
    with st.expander("History of this item"):
        for event in events(workspace, item_id):
            st.markdown(
                f"{event['at'].replace('T', ' ')[:16]} · **{plain(event['who'])}** · "
                f"{event['what']} · {plain(_short(event['detail']))}"
            )


def _short(detail: Any) -> str:
    if isinstance(detail, dict):
        return ", ".join(f"{name} {value}" for name, value in detail.items() if value != "")  # pyright: ignore
    return str(detail)
