"""Who works here: invites, progress, time and pay."""

import time

import streamlit as st

from annotations import people
from annotations.attention import attention_accuracy
from annotations.people import Person, everyone, invite
from annotations.workspace import Workspace
from ui.components.tables import show_table
from ui.links import link_to

TITLE = "People"
ICON = ":material/group:"
ROLES = frozenset({"author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """A form that makes invite links, and what everybody did."""
    st.title("People")
    with st.form("invite", border=True, clear_on_submit=True):
        name_at, role_at, button_at = st.columns([3, 2, 1], vertical_alignment="bottom")
        name = name_at.text_input("Name", max_chars=people.NAME_LENGTH, placeholder="Ada Lovelace")
        roles = people.ROLES if person.role == "admin" else people.ROLES[:2]
        role = role_at.selectbox("Role", roles)
        if button_at.form_submit_button("Invite", type="primary", width="stretch"):
            _invite(workspace, name, role)
    _table(workspace)


def _invite(workspace: Workspace, name: str, role: str) -> None:
    try:
        token = invite(workspace, name, role)
    except ValueError as error:
        st.error(str(error))
        return
    st.success(f"Send this link to {name.strip()}. Whoever opens it is signed in as them.")
    st.code(link_to(workspace, token), language=None)


@st.fragment(run_every="5s")
def _table(workspace: Workspace) -> None:
    rows = everyone(workspace)
    if not rows:
        st.info("Nobody is invited yet.")
        return
    now = time.time()
    settings = workspace.settings
    known = attention_accuracy(workspace)
    show_table(
        {
            "Name": [row["name"] for row in rows],
            "Role": [row["role"] if row["kind"] == "person" else "model" for row in rows],
            "Answers": [row["answers"] for row in rows],
            "Skipped": [row["skips"] for row in rows],
            "Extras": [row["extras"] for row in rows],
            "Active min": [round(row["active_s"] / 60, 1) for row in rows],
            f"Earned {settings.currency}": [round(row["earned"], 2) for row in rows],
            "Attention items right": [_of(*known.get(row["id"], (0, 0))) for row in rows],
            "Last answer": [_ago(now - row["last_at"]) if row["last_at"] else "" for row in rows],
        }
    )


def _of(right: int, given: int) -> str:
    return f"{right} of {given}" if given else "–"


def _ago(seconds: float) -> str:
    if seconds < 90:
        return "just now"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min ago"
    return f"{seconds / 3600:.0f} h ago" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} d ago"
