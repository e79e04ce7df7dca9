"""Giving access, changing it and ending it, on the page People."""

import streamlit as st

from annotations import people
from annotations.access import change_role, end_access, invite_as, new_link
from annotations.people import ROLES, Person, PersonWork, everyone
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.words import plain
from ui.links import ONLY_HERE, link_to, opens_only_here

END, LINK, ROLE = "End access", "New link", "Change role"
_MESSAGE = "people access"


def invite_form(workspace: Workspace, person: Person) -> None:
    """Draw the form that invites; the link of a new person is shown this once."""
    with st.form("invite", border=True, clear_on_submit=True):
        name_at, role_at, button_at = st.columns([3, 2, 1], vertical_alignment="bottom")
        name = name_at.text_input("Name", max_chars=people.NAME_LENGTH, placeholder="Ada Lovelace")
        role = role_at.selectbox("Role", ROLES if person.role == "admin" else ROLES[:1])
        if button_at.form_submit_button("Invite", type="primary", width="stretch"):
            try:
                token = invite_as(workspace, person, name, role)
            except Refusal as error:
                st.error(plain(str(error)))
            else:
                _link(workspace, name.strip(), token)


def _link(workspace: Workspace, name: str, token: str) -> None:
    st.success(
        f"Send this link to {plain(name)}, and to nobody else: whoever opens it is signed in as "
        "them. It is not shown again."
    )
    st.code(link_to(workspace, token), language=None)
    if opens_only_here(workspace):
        st.warning(ONLY_HERE, icon=":material/public_off:")


def access_form(workspace: Workspace, person: Person) -> None:
    """Draw what ends or changes the access of somebody who is here."""
    message = st.session_state.pop(_MESSAGE, "")
    if message:
        st.success(message, icon=":material/check:")
    is_admin = person.role == "admin"
    rows = [
        row
        for row in everyone(workspace)
        if row.kind == "person"
        and row.id != person.id
        and (is_admin or (row.role == "annotator" and row.active))
    ]
    if not rows:
        return
    facts = {row.name: row for row in rows}
    with st.container(border=True):
        who_at, what_at, role_at, button_at = st.columns([3, 3, 2, 2], vertical_alignment="bottom")
        name = who_at.selectbox(
            "Access of", list(facts), index=None, placeholder="choose", key="access of",
            format_func=lambda known: _label(facts[known]) if known in facts else known,
        )  # fmt: skip
        action = what_at.segmented_control(
            "What to do", (END, LINK, ROLE) if is_admin else (END,), default=END, required=True,
            key="access what",
            help="Who is given a new link is signed out everywhere; it also gives ended access "
            "back. What somebody did stays and counts, whatever their access.",
        )  # fmt: skip
        role = role_at.selectbox("Role", ROLES, disabled=action != ROLE, key="access role")
        if button_at.button(action or END, width="stretch", key="access act") and name:
            _act(workspace, person, name, action or END, role)


def _label(person: PersonWork) -> str:
    return f"{person.name}, {person.role}" + ("" if person.active else " (access ended)")


def _act(workspace: Workspace, person: Person, name: str, action: str, role: str) -> None:
    try:
        if action == LINK:
            _link(workspace, name, new_link(workspace, person, name))
            return
        if action == ROLE:
            change_role(workspace, person, name, role)
            message = f"{name} is {role} now."
        else:
            end_access(workspace, person, name)
            message = f"{name} is signed out, and the link that {name} had opens nothing any more."
    except Refusal as error:
        st.error(plain(str(error)))
        return
    st.session_state[_MESSAGE] = plain(message)
    st.rerun()
