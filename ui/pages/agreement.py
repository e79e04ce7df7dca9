"""How far people and models agree: by task, category, pair and annotator, with intervals."""

import time
from dataclasses import replace
from typing import cast

import streamlit as st

from annotations.agreement.agreement_population import agreement_population
from annotations.agreement.coefficients import Resampled, Row
from annotations.agreement.groups import Among, tasks_of_runs
from annotations.agreement.segment_agreement import segment_curve
from annotations.people import Person
from annotations.record.task import task_counts
from annotations.scoring.snapshot import Snapshot, data_version, take
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics import agreement, bootstrap
from ui.access import fragment
from ui.components.agreement.tables import (
    Asked,
    annotators,
    categories,
    dawid_skene,
    download,
    fields,
    pairs,
    scale,
    segments,
)
from ui.components.cards import cards, coefficient_card, style
from ui.components.nothing_yet import PEOPLE, PIPELINE, nothing_yet
from ui.components.population import draw_population
from ui.components.words import plain
from ui.theme import DARK, LIGHT

TITLE = "Agreement"
ICON = ":material/handshake:"
ROLES = frozenset({"author", "admin"})

_DRAWN, _WITH_INTERVALS = "agreement drawn", "agreement with intervals"
_REST = 5
_OWN = "the task's own"
_DISTANCES = (_OWN, "nominal", "ordinal", "interval", "linear", "ratio")
_AMONG: dict[Among, str] = {
    "everybody": "Who decides",
    "people": "People",
    "models": "Models",
    "people and models": "People and models",
}
_RESAMPLED: dict[Resampled, str] = {"item": "Items", "video": "Videos"}


def render(workspace: Workspace, person: Person) -> None:
    """Draw the page, at first without intervals; it draws itself again as answers arrive."""
    del person
    st.title("Agreement")
    with take(workspace) as snapshot:
        if _draw(snapshot):
            _watch(workspace)


def _draw(snapshot: Snapshot) -> bool:
    """Draw what the answers of one moment say; whether there is anything to draw anew later."""
    begun, version = time.monotonic(), snapshot.version
    answered_by_runs = tasks_of_runs(snapshot)
    tasks = {
        task.name: task.id
        for task in task_counts(snapshot.database)
        if task.answers or task.id in answered_by_runs
    }
    if not tasks:
        nothing_yet(
            "No answers yet. Agreement appears here by itself as soon as two people have answered"
            " the same items, or two models.",
            PEOPLE, PIPELINE,
        )  # fmt: skip
        return False
    asked = _choices(snapshot, tasks)
    # The view, and not the answers of a moment: while people answer there is always a later one.
    view = (asked.task_id, asked.distance, asked.among, asked.resample)
    known = st.session_state.get(_WITH_INTERVALS) == view
    spinner_at = st.empty()
    try:
        if known:
            with spinner_at, st.spinner("Intervals are being drawn"):
                for by in ("task", "category", "field", "pair", "annotator"):
                    asked.table(by)
                segment_curve(snapshot, asked.task_id, asked.among)
        _body(asked if known else replace(asked, resamples=0))
    except Refusal as error:
        st.warning(plain(str(error)))
        return False
    if not known:
        st.session_state[_WITH_INTERVALS] = view
        st.rerun()
    clock = time.monotonic()
    st.session_state[_DRAWN] = (version, clock + _REST * (clock - begun))
    return True


@fragment(run_every="3s")
def _watch(workspace: Workspace) -> None:
    """Draw anew once answers have changed; a page that took long to draw rests longer."""
    version, earliest = st.session_state[_DRAWN]
    if time.monotonic() >= earliest and data_version(workspace) != version:
        st.rerun()


def _choices(snapshot: Snapshot, tasks: dict[str, int]) -> Asked:
    task_at, distance_at, among_at, resample_at = st.columns(
        [6, 4, 9, 4], vertical_alignment="bottom"
    )
    name = task_at.selectbox("Task", list(tasks), key="agreement task")
    distance = distance_at.selectbox(
        "Distance of answers",
        _DISTANCES,
        key="agreement distance",
        help="Nominal: equal or not. The others are for numbers: by rank, by squared difference, "
        "by difference (weighted kappa), by ratio.",
    )
    among = among_at.segmented_control(
        "Among", list(_AMONG), format_func=_AMONG.__getitem__, default="everybody", required=True,
        key="agreement among",
        help="Models answer in runs, which decide nothing; their agreement is that of what was "
        "read out of their replies.",
    )  # fmt: skip
    resample = resample_at.segmented_control(
        "Intervals resample", list(_RESAMPLED), format_func=_RESAMPLED.__getitem__, default="item",
        required=True, key="agreement resample",
    )  # fmt: skip
    return Asked(
        snapshot, tasks[name], name, None if distance == _OWN else distance,
        cast("Among", among), cast("Resampled", resample), bootstrap.RESAMPLES,
    )  # fmt: skip


def _body(asked: Asked) -> None:
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    rows = asked.table("task")
    st.html(style(palette) + cards(*(_card(row) for row in rows)))
    words_at, button_at = st.columns([8, 1], vertical_alignment="center")
    with words_at:
        draw_population(agreement_population(asked.snapshot, asked.task_id, asked.among))
    with button_at:
        download("agreement", rows)
    categories(asked)
    fields(asked)
    pairs(asked, palette)
    annotators(asked)
    segments(asked, palette)
    dawid_skene(asked)


def _card(row: Row) -> str:
    module = agreement.coefficient(row.coefficient)
    return coefficient_card(module.NAME, scale(row), row.estimate, module.MEANS)
