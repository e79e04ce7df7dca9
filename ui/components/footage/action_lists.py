"""Lists of actions on the page: proposed, squeezed, merged and approved, with their origins."""

import streamlit as st

from annotations.footage.action_list import (
    APPROVED,
    MERGED,
    PROPOSED,
    REJECTED,
    STATES,
    Action,
    actions_in,
    add_actions,
    describe,
    lists,
    set_state,
)
from annotations.footage.expand import expand_actions
from annotations.footage.store import FootageStore
from annotations.people import Person
from annotations.workspace import Workspace
from core.model import ModelError
from core.refusal import Refusal
from ui.components.pipeline.model_choices import allowed_key, offered_models
from ui.components.tables import show_table
from ui.components.words import plain

NEW = "A new list …"
_EXPANDED = "footage-expanded"


def show_action_lists(workspace: Workspace, store: FootageStore, person: Person) -> None:
    """The list that is chosen, with what can be done about the actions that are marked."""
    if _EXPANDED in st.session_state:
        st.success(st.session_state.pop(_EXPANDED), icon=":material/check:")
    names = lists(store)
    chosen = st.selectbox("List", [*names, NEW], key="footage-list") if names else NEW
    _add(store, person, "" if chosen == NEW else chosen)
    if chosen == NEW:
        return
    _expand(workspace, store, chosen)
    actions = actions_in(store, chosen)
    counts = {state: sum(action.state == state for action in actions) for state in STATES}
    state = st.segmented_control(
        "State", [state for state in STATES if counts[state]], key="footage-action-state",
        format_func=lambda name: f"{name} {counts[name]:,}", label_visibility="collapsed",
    )  # fmt: skip
    shown = [action for action in actions if state in (None, action.state)]
    show_table(
        {
            "Action": [action.name for action in shown],
            "Description": [action.description for action in shown],
            "State": [action.state + (f" into {action.merged_into}" * bool(action.merged_into))
                      for action in shown],
            "Came by": [action.origin for action in shown],
            "Why": [action.why for action in shown],
        },
        height=400, wide=["Description", "Why"],
    )  # fmt: skip
    _decide(store, person, shown, actions)


def _add(store: FootageStore, person: Person, listed: str) -> None:
    with st.expander("Add actions", expanded=not listed):
        name = listed or st.text_input("Name of the list", key="footage-list-name", max_chars=80)
        domain = st.text_input("Domain", key="footage-domain", max_chars=80)
        text = st.text_area(
            "Actions, one in each line", key="footage-actions",
            placeholder="bicycle kick: a kick overhead, with both feet in the air\nrabona",
        )  # fmt: skip
        if st.button("Add", key="footage-add", disabled=not (name.strip() and text.strip())):
            pairs = [line.partition(":") for line in text.splitlines() if line.strip()]
            try:
                new = add_actions(
                    store, name.strip(), [(pair[0], pair[2]) for pair in pairs],
                    domain=domain.strip(), who=person.name,
                )  # fmt: skip
            except Refusal as refusal:
                st.error(str(refusal))
                return
            st.toast(f"{new:,} are new; the others were there.")
            st.rerun()


def _expand(workspace: Workspace, store: FootageStore, listed: str) -> None:
    """Let a language model add actions in rounds, and drop what is double, general or unseen."""
    models = offered_models(workspace, ("text",))
    with st.expander("Expand by a language model"), st.form("footage-expand", border=False):
        model_at, domain_at, rounds_at, count_at = st.columns([4, 3, 1, 1])
        model = model_at.selectbox("Model", models, index=None, key="footage-expand-model")
        domain = domain_at.text_input("Of the domain", key="footage-expand-domain", max_chars=80)
        rounds = rounds_at.number_input("Rounds", 1, 5, 2, key="footage-expand-rounds")
        count = count_at.number_input("Names asked", 1, 100, 20, key="footage-expand-count")
        if not st.form_submit_button("Expand and squeeze"):
            return
        if model is None:
            st.error("Choose a model first.")
            return
        try:
            key = allowed_key(workspace, ("text",), model)
            with st.status("Asking the model …") as status:
                done = expand_actions(
                    store, listed, model, domain=domain, rounds=int(rounds), count=int(count),
                    key_variable=key,
                    say=lambda words: status.update(label=words),
                )  # fmt: skip
        except (Refusal, ModelError) as error:
            st.error(plain(str(error)))
            return
    unread = f", {done.failed:,} replies could not be read" if done.failed else ""
    st.session_state[_EXPANDED] = (
        f"{sum(done.new):,} came in, {done.squeezed:,} were dropped again, each with its reason"
        f"{unread}. Nothing is approved by this."
    )
    st.rerun()


def _decide(
    store: FootageStore, person: Person, shown: list[Action], actions: list[Action]
) -> None:
    marked = st.multiselect(
        "Decide about", shown, format_func=lambda event: event.name, key="footage-marked",
        placeholder="All that are shown",
    )  # fmt: skip
    chosen = marked or shown
    if len(marked) == 1:
        _describe(store, person, marked[0])
    why = st.text_input("Why", key="footage-why", max_chars=300, placeholder="optional")
    buttons = st.columns(4)
    wishes = ((0, "Approve", APPROVED), (1, "Reject", REJECTED), (2, "Propose again", PROPOSED))
    for position, label, state in wishes:
        if buttons[position].button(
            f"{label} {len(chosen):,}", key=f"footage-{state}", disabled=not chosen, width="stretch"
        ):
            set_state(store, [event.id for event in chosen], state, who=person.name, why=why)
            st.rerun()
    into = buttons[3].selectbox(
        "Merge into", [event for event in actions if event not in marked], index=None,
        format_func=lambda event: event.name, key="footage-into", label_visibility="collapsed",
        placeholder="Merge into …", disabled=not marked,
    )  # fmt: skip
    if into is not None and marked:
        ids = [event.id for event in marked]
        set_state(store, ids, MERGED, who=person.name, why=why, into=into.id)
        del st.session_state["footage-into"]
        st.rerun()


def _describe(store: FootageStore, person: Person, action: Action) -> None:
    """Fields for the name and the description of the one action that is marked."""
    with st.form(f"footage-describe-{action.id}", border=False):
        name_at, text_at, button_at = st.columns([2, 4, 1], vertical_alignment="bottom")
        name = name_at.text_input("Name", action.name, key=f"footage-name-{action.id}")
        text = text_at.text_input(
            "Description", action.description, key=f"footage-text-{action.id}", max_chars=1000
        )
        if not button_at.form_submit_button("Save", width="stretch"):
            return
    try:
        describe(store, action.id, name, text, person.name)
    except Refusal as refusal:
        st.error(plain(str(refusal)))
        return
    st.rerun()
