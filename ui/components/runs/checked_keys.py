"""Runs by keys that people still check: the estimate, and the form that draws what is next."""

import streamlit as st

from annotations.adjudication.checked_keys import (
    WANTED_WIDTH,
    KeysUnderCheck,
    keys_under_check,
    more_checks,
)
from annotations.adjudication.draw_checks import draw_checks
from annotations.people import everyone
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics.metric import Estimate
from core.statistics.share import words_of
from ui.access import callback
from ui.components.downloads import take_table
from ui.components.population import draw_population
from ui.components.runs.asked import Asked
from ui.components.runs.words import percent
from ui.components.tables import show_table
from ui.components.words import plain

_DONE, _KEY = "checks drawn", "checked keys"
_MOST = f"More checks until ± {100 * WANTED_WIDTH:.0f} points"


def draw(asked: Asked) -> None:
    """Draw every run by stored keys beside the estimate, then the form."""
    level, message = st.session_state.pop(_DONE, ("", ""))
    if level:
        (st.success if level == "success" else st.error)(message)
    checked = keys_under_check(asked.snapshot)
    if checked is None:
        st.info(
            "No stored key is checked yet. Keys may be wrong, and then so is every accuracy. Let"
            " people answer some questions again, blind: from few checks and all stored keys this"
            " page says how often each run is right, with an interval.",
            icon=":material/fact_check:",
        )
    else:
        _figures(checked)
    _form(asked.workspace)


def _figures(checked: KeysUnderCheck) -> None:
    count = checked.population.stands_on
    st.caption(
        f"Confirmed keys, of those checked: {words_of(checked.confirmed, count)};"
        f" {checked.everything:,} questions have a key. The estimate is what accuracy would be if"
        " every key were checked: the stored keys on everything, put right by the checks"
        " (prediction-powered inference)."
        + (" Each check weighs by one over its chance to be drawn." if checked.chances else "")
    )
    columns = checked_columns(checked)
    decimals = [name for name in columns if name.endswith("%") or "Low" in name or "High" in name]
    show_table(columns, formats=dict.fromkeys(decimals, "%.1f"))
    take_table("runs by checked keys", columns)
    draw_population(checked.population)


def checked_columns(checked: KeysUnderCheck) -> dict[str, list[object]]:
    """Every run as columns, shares in percent."""
    runs = checked.runs
    estimates = [run.figures.estimate if run.figures else Estimate(None) for run in runs]
    alone = [run.figures.alone if run.figures else Estimate(None) for run in runs]
    return {
        "Model": [run.entry.model for run in runs],
        "Condition": [run.entry.condition for run in runs],
        "By stored keys %": [percent(run.by_stored) for run in runs],
        "If all were checked %": [percent(estimate.value) for estimate in estimates],
        "Low": [percent(estimate.bounds[0]) for estimate in estimates],
        "High": [percent(estimate.bounds[1]) for estimate in estimates],
        "Checks": [estimate.n for estimate in estimates],
        "By checks alone %": [percent(estimate.value) for estimate in alone],
        "Low, alone": [percent(estimate.bounds[0]) for estimate in alone],
        "High, alone": [percent(estimate.bounds[1]) for estimate in alone],
        _MOST: [more_checks(run.figures) for run in runs],
        "Note": [run.why or estimate.reason for run, estimate in zip(runs, estimates, strict=True)],
    }


def _form(workspace: Workspace) -> None:
    st.subheader("Draw keys to check", anchor=False)
    st.caption(
        "More is drawn where many models choose the same other option, and every key has a chance."
        " Whoever checks answers the question blind; where they differ, authors settle it on"
        " Disagreements."
    )
    name_at, count_at, shown_at, who_at, button_at = st.columns(
        [4, 2, 2, 3, 2], vertical_alignment="bottom"
    )
    name_at.text_input(
        "Name of the task", value="Keys drawn to check", max_chars=120, key=f"{_KEY} name"
    )
    count_at.number_input("Checks", min_value=10, value=60, key=f"{_KEY} count")
    others = [name for name in workspace.settings.conditions if name != "full video"]
    shown_at.selectbox("Shown", ["full video", *others], key=f"{_KEY} shown")
    people = [row.name for row in everyone(workspace) if row.kind == "person"]
    who_at.multiselect("By whom", people, placeholder="anybody", key=f"{_KEY} who")
    button_at.button(
        "Draw and ask people", key=f"{_KEY} go", width="stretch", on_click=callback(_draw),
        args=(workspace,),
    )  # fmt: skip


def _draw(workspace: Workspace) -> None:
    state = st.session_state
    name = str(state[f"{_KEY} name"])
    try:
        with take(workspace) as snapshot:
            draw_checks(
                workspace, snapshot, int(state[f"{_KEY} count"]), name,
                str(state[f"{_KEY} shown"]), list(state[f"{_KEY} who"]),
            )  # fmt: skip
    except Refusal as error:
        state[_DONE] = "error", plain(str(error))
    else:
        state[_DONE] = "success", f"The task “{plain(name)}” is open: people check what was drawn."
