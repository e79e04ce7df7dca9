"""The resolution screen: the clip, the answers side by side, and what authors make of them."""

from typing import Any, cast

import streamlit as st

from annotations.adjudication.answers_side_by_side import AnswersSideBySide, answers_side_by_side
from annotations.adjudication.history import comment, events
from annotations.adjudication.resolution import resolution
from annotations.people import Person
from annotations.task import Stage
from annotations.workspace import Workspace
from ui.access import fragment
from ui.components.desk.desk import mount_viewer
from ui.components.resolution.decision_form import begin, decide
from ui.components.resolution.decision_record import decided
from ui.components.resolution.decision_steps import said
from ui.components.words import plain
from ui.routes.assets import assets_url
from ui.routes.stages import Stages
from ui.serving import preparer

NAMES = "First", "Second", "Third", "Fourth", "Fifth", "Sixth"
HEIGHT = "clamp(20rem, calc(100vh - 22rem), 46rem)"
_ITEM = "resolving item"
_WATCHED_EVERY = "4s"


def resolving(workspace: Workspace, person: Person, item_id: int) -> None:
    """Draw one item with its answers, its resolution and its history."""
    table = answers_side_by_side(workspace, item_id)
    standing = resolution(workspace, item_id)
    if st.session_state.get(_ITEM) != item_id:
        st.session_state[_ITEM] = item_id
        begin(workspace)
    clip, side = st.columns([6, 5], gap="medium")
    with clip:
        _stage(workspace, person, table)
        _said(workspace, person, item_id)
    with side:
        said()
        _question(table)
        _answers(table)
        if standing is None or standing.outcome == "reopen":
            decide(workspace, person, table, standing.revision if standing else 0)
        else:
            decided(workspace, person, item_id, standing)
        _watch(workspace, item_id, standing.revision if standing else 0)


@fragment(run_every=_WATCHED_EVERY)
def _watch(workspace: Workspace, item_id: int, drawn: int) -> None:
    """Tell, without taking the page away, that another author has decided since it was drawn."""
    standing = resolution(workspace, item_id)
    if standing is not None and standing.revision != drawn:
        st.warning(
            f"{plain(' and '.join(standing.signed_by))} decided meanwhile.",
            icon=":material/sync_problem:",
        )
        if st.button("Look at it"):
            st.rerun()


def _stage(workspace: Workspace, person: Person, table: AnswersSideBySide) -> None:
    stages = Stages(workspace, preparer(), person)
    stage: Stage | None = table.content.stage
    item = str(table.item.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        seen = None
        if table.clip is not None:
            seen = st.segmented_control(
                "What is shown",
                ("What they saw", "The whole clip"),
                default="What they saw",
                required=True,
                key="resolving view",
                label_visibility="collapsed",
            )
        st.toggle("Show names", key="resolving names")
    if table.clip is not None and seen == "The whole clip":
        stage, item = table.clip, f"{item} clip"
    mount_viewer(stages.json(stage), item, assets_url(), key="resolving-stage", height=HEIGHT)


def _question(table: AnswersSideBySide) -> None:
    values = table.content.values
    text = values.get("question") or values.get("ask") or table.content.label
    st.markdown(f"**{plain(str(text))}**")
    if table.others:
        st.markdown(
            " &ensp; ".join(
                f":green-badge[:material/key: {plain(label)}]"
                if response == table.key
                else plain(label)
                for response, label in table.others
            )
        )


def _answers(table: AnswersSideBySide) -> None:
    width = min(len(table.answers), 3)
    for begins in range(0, len(table.answers), width):
        row = table.answers[begins : begins + width]
        for index, (column, answer) in enumerate(zip(st.columns(width), row, strict=False)):
            with column.container(border=True, gap="xsmall"):
                named = bool(st.session_state.get("resolving names"))
                order = NAMES[min(begins + index, len(NAMES) - 1)]
                st.caption(plain(answer.annotator) if named else f"{order} answer")
                st.markdown(f"**{plain(answer.words)}**")
                how = f"{plain(answer.shown)}; {answer.active_s:.0f} s"
                st.caption(how, help=plain(answer.shown_in_full))


def _said(workspace: Workspace, person: Person, item_id: int) -> None:
    happened = events(workspace, item_id)
    for event in happened:
        if event["what"] == "comment":
            st.markdown(f"**{plain(event['who'])}**: {plain(str(event['detail']))}")
    with st.form("comment", border=False, clear_on_submit=True):
        text_column, button = st.columns([6, 1], vertical_alignment="bottom")
        text = text_column.text_input(
            "Comment", placeholder="Comment for the other author", label_visibility="collapsed"
        )
        if button.form_submit_button("Say", width="stretch") and text.strip():
            comment(workspace, item_id, person, text)
            st.rerun()
    with st.expander(f"History of this item ({len(happened)})"):
        st.markdown(
            "\n".join(
                f"- {event['at'].replace('T', ' ')[:16]} · **{plain(event['who'])}** · "
                f"{event['what']} · {plain(_short(event['detail']))}"
                for event in happened
            )
        )


def _short(detail: Any) -> str:
    match detail:
        case dict():
            named = cast("dict[str, Any]", detail)
            return ", ".join(
                f"{name} {_short(element)}" for name, element in named.items() if element != ""
            )
        case list():
            return " | ".join(_short(element) for element in cast("list[Any]", detail)) or "none"
        case _:
            return str(detail)
