"""A filter against people: how far it can be trusted, and what a threshold keeps and loses."""

import time
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import streamlit as st

from annotations.filter.filter_audit import SIDES, Audit, audit, differing, verdicts
from annotations.filter.filter_population import filter_population
from annotations.filter.filter_table import Filtered, filter_runs, filtered
from annotations.people import Person
from annotations.record.task import answered_tasks
from annotations.run.runs import Run
from annotations.scoring.snapshot import Snapshot, take
from annotations.workspace import Workspace
from core.statistics.threshold import ACCEPTED
from ui.access import fragment
from ui.components.cards import cards, style
from ui.components.downloads import csv_button
from ui.components.filters.audit_cards import audit_cards, reason_columns
from ui.components.filters.calibrating import calibrating, start_threshold
from ui.components.filters.clips import clip_cards
from ui.components.filters.fewer import fewer_answers
from ui.components.filters.gallery import gallery
from ui.components.filters.looking import look, opened
from ui.components.filters.threshold import threshold_slider
from ui.components.nothing_yet import PIPELINE, TASKS, nothing_yet
from ui.components.pipeline.run_state import note_of
from ui.components.population import draw_population
from ui.components.tables import show_table
from ui.components.words import plain
from ui.theme import DARK, LIGHT, Palette

TITLE = "Filters"
ICON = ":material/filter_alt:"
ROLES = frozenset({"author", "admin"})

OWN, BY_SCORE = "Its own verdicts", "A threshold on its score"
RESAMPLES = 4_000
_REST = 8
MOST_IN_STRIP = 10
PAGE = 24


def render(workspace: Workspace, person: Person) -> None:
    """Draw the page: a run to choose, then what it is worth; or one clip that was opened."""
    if opened():
        look(workspace, person)
        return
    begun = time.monotonic()
    title_at, run_at = st.columns([2, 5], vertical_alignment="bottom")
    title_at.title("Filters")
    runs = _filters(workspace)
    if not runs:
        _nothing_yet()
        return
    with run_at:
        run = _choose(workspace, runs)
    with take(workspace) as snapshot:
        serial = filtered(snapshot, run.id).serial
    _filter(workspace, person, run.id)
    clock = time.monotonic()
    _watch(workspace, run.id, (serial, len(runs)), clock + max(3.0, _REST * (clock - begun)))


def _nothing_yet() -> None:
    nothing_yet(
        "No filter has run yet. A filter is a model that accepts or rejects the videos of a "
        "screening task. Once people have screened some of the same videos, this page says how "
        "far it can be trusted.",
        PIPELINE, TASKS,
    )  # fmt: skip


def _choose(workspace: Workspace, runs: Sequence[Run]) -> Run:
    """The run that is asked for; else the newest one beside which people have judged."""
    by_id = {run.id: run for run in runs}
    asked = st.query_params.get("run", "")
    if asked.isdecimal() and int(asked) in by_id:
        number = int(asked)
    else:
        with workspace.store.single() as database:
            judged = answered_tasks(database)
        number = ([run for run in runs if run.task_id in judged] or runs)[-1].id
    chosen = st.selectbox(
        "Filter", list(by_id), index=list(by_id).index(number), key=f"filters run {asked}",
        format_func=lambda number: by_id[number].name, label_visibility="collapsed",
    )  # fmt: skip
    if chosen != number:
        st.query_params["run"] = str(chosen)
        st.rerun()
    return by_id[number]


@fragment()
def _filter(workspace: Workspace, person: Person, run_id: int) -> None:
    with take(workspace) as snapshot:
        _filter_of(workspace, snapshot, person, filtered(snapshot, run_id))


def _filter_of(workspace: Workspace, snapshot: Snapshot, person: Person, table: Filtered) -> None:
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    _words(table.run)
    scored = bool(np.isfinite(table.score).any())
    threshold = None
    if scored and _by_score(table.run.id):
        threshold = _slider(workspace, person, table, palette)
    result = _audited(table, threshold)
    _headline(result, table, palette)
    _stands_on(snapshot, table)
    _reasons(result, table.run)
    fewer_answers(workspace, snapshot, table, threshold)
    _differing(workspace, person, table, threshold, palette)
    _method(result)


def _stands_on(snapshot: Snapshot, table: Filtered) -> None:
    """Whose answers people's verdicts come from, once there are any."""
    people = filter_population(snapshot, table)
    if people.stands_on or people.answers:
        draw_population(people)


@lru_cache(maxsize=4)
def _audited(table: Filtered, threshold: float | None) -> Audit:
    """A table never changes, so neither does what is counted of it."""
    return audit(table, threshold, resamples=RESAMPLES)


def _words(run: Run) -> None:
    """Whose scores these are, where that has to be said."""
    if note := note_of(run):
        icon, text = note
        st.caption(f"{icon} **{plain(text)}**")


def _by_score(run_id: int) -> bool:
    chosen = st.segmented_control(
        "What decides", (OWN, BY_SCORE), default=BY_SCORE, required=True,
        key=f"filters decides {run_id}", label_visibility="collapsed",
    )  # fmt: skip
    return chosen == BY_SCORE


def _slider(workspace: Workspace, person: Person, table: Filtered, palette: Palette) -> float:
    with st.container(border=True):
        begins, reference = start_threshold(table)
        at = threshold_slider(
            table, begins, palette, f"filters threshold {table.run.id}", reference=reference
        )
        _strip(workspace, person, table, at, palette)
        calibrating(workspace, person, table, at)
    return at


def _headline(result: Audit, table: Filtered, palette: Palette) -> None:
    st.html(style(palette) + cards(*audit_cards(result)))
    left_out = "; ".join(f"{count:,} {why}" for why, count in result.left_out)
    st.caption(
        plain(
            f"{result.counts.judged:,} of {len(table.item_id):,} videos have a verdict of both. "
            + (f"Left out: {left_out}." if left_out else "Nothing is left out.")
        )
    )


def _reasons(result: Audit, run: Run) -> None:
    if not result.rows:
        return
    st.subheader("By reason", anchor=False)
    columns = reason_columns(result)
    shares = {name: "%.1f" for name in columns if name.endswith(("%", " from", " to"))}
    show_table({name: cells for name, cells in columns.items() if name != "Note"}, formats=shares)
    with st.container(horizontal_alignment="right"):
        csv_button(f"{run.model} against people", columns)


def _strip(
    workspace: Workspace, person: Person, table: Filtered, at: float, palette: Palette
) -> None:
    """What changes sides between the filter's own verdicts and the threshold; else what is near."""
    after = verdicts(table, at)
    moved = np.flatnonzero((table.model != after) & (table.model >= 0) & (after >= 0))
    shown = moved if len(moved) else np.flatnonzero(np.isfinite(table.score))
    near = shown[np.argsort(np.abs(table.score[shown] - at), kind="stable")][:MOST_IN_STRIP]
    kept = int((after[moved] == ACCEPTED).sum())
    st.caption(
        f"**Change sides** against the filter's own verdicts: {kept:,} kept more, "
        f"{len(moved) - kept:,} kept no more."
        + (" The nearest to the threshold:" if len(moved) > MOST_IN_STRIP else "")
        if len(moved)
        else "**Nearest to the threshold.** Every verdict is the filter's own here."
    )
    ordered = near[np.argsort(table.score[near], kind="stable")]
    clip_list = clip_cards(workspace, person, table, ordered.tolist(), after, short=True)
    _open(table, gallery(clip_list, palette, "filters strip", "6.2rem"))


def _differing(
    workspace: Workspace, person: Person, table: Filtered, threshold: float | None, palette: Palette
) -> None:
    groups = differing(table, threshold)
    st.subheader("Where filter and people differ", anchor=False)
    named = dict(zip(SIDES, groups, strict=True))
    side = st.segmented_control(
        "Show", SIDES, default=SIDES[0], required=True, key="filters side",
        format_func=lambda name: f"{name[0].upper()}{name[1:]} ({len(named[name]):,})",
        label_visibility="collapsed",
    )  # fmt: skip
    indices = named[side or SIDES[0]]
    if not len(indices):
        st.caption("None.")
        return
    page = 1
    if len(indices) > PAGE:
        page = st.pagination(-(-len(indices) // PAGE), key="filters page")
    shown = indices[(page - 1) * PAGE : page * PAGE]
    model = verdicts(table, threshold)
    clip_list = clip_cards(workspace, person, table, shown.tolist(), model)
    _open(table, gallery(clip_list, palette, "filters apart"))


def _open(table: Filtered, item: str | None) -> None:
    """Go to the clip that was clicked."""
    if item:
        st.query_params["run"] = str(table.run.id)
        st.query_params["item"] = item
        st.rerun()


@fragment(run_every="4s")
def _watch(workspace: Workspace, run_id: int, drawn: tuple[int, int], earliest: float) -> None:
    """Draw anew once something of this filter has changed, or there is another one.

    A page that took long to draw rests longer.
    """
    if time.monotonic() < earliest:
        return
    with take(workspace) as snapshot:
        serial = filtered(snapshot, run_id).serial
    if (serial, len(_filters(workspace))) != drawn:
        st.rerun()


def _filters(workspace: Workspace) -> list[Run]:
    with workspace.store.read() as database:
        return filter_runs(database)


def _method(result: Audit) -> None:
    with st.expander("How these numbers are made", icon=":material/function:"):
        st.markdown(
            "- What is looked for are **rejections**, as in K9-Bench (B.3, Table 7): a video that"
            " both reject is a true positive (TP), one that only people reject is missed (FN), one"
            " that only the filter rejects is a false alarm (FP).\n"
            "- **People's verdict** is that of authors once enough have signed, else the task's"
            " rule over all counted answers; ties are left out. The same clip in another task of"
            " the same settings counts as well.\n"
            "- **Same reason**: of the videos that both reject and both give reasons for, those"
            " with a reason in common. In the row of a reason: of TP, those for which the filter"
            " names it too. A video with several reasons is counted in each row, so rows need not"
            " sum to the totals.\n"
            f"- **Intervals** hold 95 %: percentile bootstrap, {RESAMPLES:,} resamples of videos,"
            " fixed seed; where all or none are hits, exact binomial bounds. The intervals beside"
            " the slider come from 2,000 resamples."
        )
        st.caption(f"{result.counts.judged:,} videos are compared.")
