"""The resolution screen: the clip, the answers side by side, and what authors make of them."""

from collections.abc import Callable
from typing import Any, cast

import streamlit as st

from annotations.adjudication.answers_side_by_side import AnswersSideBySide, answers_side_by_side
from annotations.adjudication.history import Event, comment, events
from annotations.adjudication.resolution import Resolution, resolution
from annotations.people import Person
from annotations.record.stage import Picker, Stage
from annotations.workspace import Workspace
from ui.access import fragment
from ui.components.desk.desk import mount_resolving, written_answer
from ui.components.local_time import local_time
from ui.components.resolution.answers_drawn import draw_answers, name_of
from ui.components.resolution.answers_on_stage import answer_form, lanes, page_keys, picks
from ui.components.resolution.decision_form import chosen_outcome, decide
from ui.components.resolution.decision_record import decided
from ui.components.resolution.decision_steps import said
from ui.components.words import plain
from ui.routes.assets import assets_url
from ui.routes.media import address
from ui.routes.stages import Stages
from ui.serving import preparer

STAGE = "resolving-stage"
ANSWERING = "answer", "correction", "skip"
RETURNED = "returned to "
HEIGHT = "clamp(20rem, calc(100vh - {around}rem), 46rem)"
AROUND_REM, LANE_REM = 22, 1.8
LONGEST_ROW = 70  # characters of options side by side
_WATCHED_EVERY = "4s"


def resolving(workspace: Workspace, person: Person, item_id: int) -> None:
    """Draw one item with its answers, its resolution and its history."""
    table = answers_side_by_side(workspace, item_id)
    standing = resolution(workspace, item_id)
    seen = standing.revision if standing else 0
    undecided = standing is None or standing.outcome == "reopen"
    clip, side = st.columns([6, 5], gap="medium")
    with clip:
        _stage(workspace, person, table, seen, None if undecided else standing)
        _said(workspace, person, table)
    with side:
        said()
        _question(table)
        draw_answers(table, _frame_address(workspace, person, table))
        if undecided:
            decide(workspace, person, table, seen, lambda: written_answer(STAGE, str(item_id)))
        else:
            assert standing is not None
            decided(workspace, person, table, standing)
        _watch(workspace, item_id, seen)


def _frame_address(
    workspace: Workspace, person: Person, table: AnswersSideBySide
) -> Callable[[int], str]:
    """Gives the address of a frame of the clip on the stage."""
    stage = table.content.stage
    sha256 = stage.player.sha256 if isinstance(stage, Picker) else ""
    return lambda frame: address(workspace, person, sha256, f"frames/{frame}.jpg")


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


def _stage(
    workspace: Workspace,
    person: Person,
    table: AnswersSideBySide,
    seen: int,
    standing: Resolution | None,
) -> None:
    stages = Stages(workspace, preparer(), person)
    stage: Stage | None = table.content.stage
    item = str(table.item.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        view = None
        if table.clip is not None:
            view = st.segmented_control(
                "What is shown",
                ("What they saw", "The whole clip"),
                default="What they saw",
                required=True,
                key="resolving view",
                label_visibility="collapsed",
            )
        st.toggle("Show names", key="resolving names")
    if table.clip is not None and view == "The whole clip":
        stage, item = table.clip, f"{item} clip"
    names = [name_of(index, answer) for index, answer in enumerate(table.answers)]
    lines = lanes(table, names)
    own_form = standing is None and not table.others and chosen_outcome(table, seen) == "other"
    mount_resolving(
        stages.json(stage),
        item,
        assets_url(),
        key=STAGE,
        height=HEIGHT.format(around=AROUND_REM + LANE_REM * len(lines)),
        extras={
            "lanes": lines,
            "picks": picks(table, names),
            "keys": page_keys(table, seen, standing),
            "answering": answer_form(table) if own_form else None,
        },
    )


def _question(table: AnswersSideBySide) -> None:
    values = table.content.values
    text = values.get("question") or values.get("ask") or table.content.label
    st.markdown(f"**{plain(str(text))}**")
    if table.others:
        # Long options stand one below the other, as those who answered saw them.
        long = sum(len(label) for _, label in table.others) > LONGEST_ROW
        st.markdown(
            ("  \n" if long else " &ensp; ").join(
                f":green-badge[:material/key: {plain(label)}]"
                if response == table.key
                else plain(label)
                for response, label in table.others
            )
        )


def _said(workspace: Workspace, person: Person, table: AnswersSideBySide) -> None:
    item_id = table.item.id
    happened = events(workspace, item_id)
    names = {answer.annotator: name_of(i, answer) for i, answer in enumerate(table.answers)}
    for event in happened:
        if event.what == "comment":
            st.markdown(f"**{plain(event.who)}**: {plain(str(event.detail))}")
    with st.form(f"comment {item_id}", border=False, clear_on_submit=True):
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
                f"- {local_time(event.at)} · **{plain(_who(event, names))}** · "
                f"{plain(_what(event, names))} · {plain(_short(event.detail))}"
                for event in happened
            )
        )


def _who(event: Event, names: dict[str, str]) -> str:
    """Who did it; whoever answered or skipped is named as on the table."""
    who = event.who
    if event.what not in ANSWERING or st.session_state.get("resolving names"):
        return who
    return names.get(who, "Another person")


def _what(event: Event, names: dict[str, str]) -> str:
    """What was done, with the person to whom an answer went back named as on the table."""
    what = event.what
    who = what.removeprefix(RETURNED)
    if who == what or st.session_state.get("resolving names"):
        return what
    return f"{RETURNED}{names.get(who, 'another person')}"


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
