"""Who works here: invites, progress, pace, quality and pay; whose work is put aside."""

import time

import streamlit as st

from annotations.agreement.annotator_quality import GROUP, Work, work
from annotations.answering.attention import attention_accuracy
from annotations.answering.exclusion import put_aside, take_back
from annotations.answering.pace import fast_people
from annotations.people import Person, PersonWork, everyone
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import fragment
from ui.components.agreement.charts import quality_lines
from ui.components.downloads import csv_button
from ui.components.people_access import access_form, invite_form
from ui.components.tables import show_table
from ui.components.words import plain
from ui.theme import DARK, LIGHT

TITLE = "People"
ICON = ":material/group:"
ROLES = frozenset({"author", "admin"})
_SAID = "people said"
_MOST_LINES = 6


def render(workspace: Workspace, person: Person) -> None:
    """A form that makes invite links, what everybody did, and how well over time."""
    st.title("People")
    invite_form(workspace, person)
    message = st.session_state.pop(_SAID, "")
    if message:
        st.success(plain(message), icon=":material/check:")
    _table(workspace)
    _aside(workspace)
    access_form(workspace, person)


@fragment(run_every="5s")
def _table(workspace: Workspace) -> None:
    rows = everyone(workspace)
    if not rows:
        st.info("Nobody is invited yet.")
        return
    with take(workspace) as snapshot:
        works = work(snapshot)
    columns = _columns(workspace, rows, works)
    show_table(
        columns,
        formats={"Active min": "%.1f", "Cut min": "%.1f", "s per item": "%.1f",
                 "Agreement %": "%.1f", f"Earned {workspace.settings.currency}": "%.2f"},
    )  # fmt: skip
    words_at, button_at = st.columns([8, 1], vertical_alignment="center")
    words_at.caption(
        "Agreement: how far their answers agree with each other answer to the same items. "
        "Attention items have known answers. Cut: time that a browser claimed beyond what the "
        "clock allows; it is not paid."
    )
    with button_at, st.container(horizontal_alignment="right"):
        csv_button("people", columns)
    _fast(workspace, rows)
    _quality(rows, works)


def _fast(workspace: Workspace, rows: list[PersonWork]) -> None:
    """Name who answers in less than a third of the others' time, or too fast for the videos."""
    paces = fast_people(workspace)
    lines = [
        f"- **{plain(row.name)}**: {plain('; '.join(pace.words for pace in paces[row.id]))}"
        for row in rows
        if row.id in paces
    ]
    if lines:
        heading = "Far faster than the others at the same task, or than its videos can be seen:"
        st.warning(
            "\n".join([heading, "", *lines]),
            icon=":material/speed:",
        )


def _columns(
    workspace: Workspace, rows: list[PersonWork], works_of: dict[str, Work]
) -> dict[str, list[object]]:
    now_s = time.time()
    known = attention_accuracy(workspace)
    works = [works_of.get(row.name, Work()) for row in rows]
    handled = [row.answers + row.skips for row in rows]
    return {
        "Name": [row.name for row in rows],
        "Role": [row.role if row.kind == "person" else "model" for row in rows],
        "Items": [row.answers for row in rows],
        "Skipped": [row.skips for row in rows],
        "Extras": [row.extras for row in rows],
        "Active min": [round(row.active_s / 60, 1) for row in rows],
        "Cut min": [round(row.cut_s / 60, 1) or None for row in rows],
        "s per item": [
            round(row.active_s / count, 1) if count else None
            for row, count in zip(rows, handled, strict=True)
        ],
        "Agreement %": [
            None if quality.agreement is None else round(100 * quality.agreement, 1)
            for quality in works
        ],
        "Compared": [quality.compared for quality in works],
        "Attention items right": [_of(*known.get(row.id, (0, 0))) for row in rows],
        f"Earned {workspace.settings.currency}": [round(row.earned, 2) for row in rows],
        "Last answer": [_ago(now_s - row.last_at) if row.last_at else "" for row in rows],
        "Access": [
            "" if row.kind != "person" else "yes" if row.active else "ended" for row in rows
        ],
        "Work": [f"aside since {row.aside_at[:10]}" if row.aside_at else "counts"
                 for row in rows],
    }  # fmt: skip


def _quality(rows: list[PersonWork], works: dict[str, Work]) -> None:
    """Lines over time of those who have two points or more, those with most answers."""
    series = [
        (row.name, works[row.name].quality)
        for row in rows
        if row.name in works and len(works[row.name].quality) > 1
    ]
    if not series:
        return
    series.sort(key=lambda line: -line[1][-1][0])
    st.markdown(f"**How often they answer as most others do, by {GROUP} answers**")
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
        quality_lines(series[:_MOST_LINES], palette),
        width="stretch",
        theme=None,
        config={"displayModeBar": False},
        key="people quality",
    )
    if len(series) > _MOST_LINES:
        st.caption(f"The {_MOST_LINES} with most answers of {len(series)}.")
    columns: dict[str, list[object]] = {
        "Name": [name for name, points in series for _ in points],
        "Answers so far": [count for _, points in series for count, _ in points],
        "As the majority %": [round(100 * share, 1) for _, points in series for _, share in points],
    }
    with st.container(horizontal_alignment="right"):
        csv_button("quality over time", columns)


def _aside(workspace: Workspace) -> None:
    rows = [row for row in everyone(workspace) if row.answers or row.aside_at]
    if not rows:
        return
    state = {row.name: row.aside_at for row in rows}
    with st.form("aside", border=True):
        who_at, words_at, button_at = st.columns([3, 4, 2], vertical_alignment="bottom")
        name = who_at.selectbox(
            "Put somebody's work aside, or take it back",
            list(state),
            format_func=lambda name_of: f"{name_of} (aside)" if state[name_of] else name_of,
            index=None,
            placeholder="choose",
        )
        words_at.caption(
            "Nothing is deleted: their answers stop counting, their places are free for others, and"
            " they are handed nothing more. What finds a place counts again when it is taken back."
        )
        if button_at.form_submit_button("Put aside or take back", width="stretch") and name:
            st.session_state[_SAID] = _turn(workspace, name, aside=state[name] is None)
            st.rerun()


def _turn(workspace: Workspace, name: str, *, aside: bool) -> str:
    try:
        if aside:
            return f"{put_aside(workspace, name):,} answers of {name} count no more."
        back, beyond = take_back(workspace, name)
    except Refusal as error:
        return str(error)
    extras = f" {beyond:,} found no place and are kept as extras." if beyond else ""
    return f"{back:,} answers of {name} count again.{extras}"


def _of(right: int, total: int) -> str:
    return f"{right} of {total}" if total else "–"


def _ago(seconds: float) -> str:
    if seconds < 90:
        return "just now"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min ago"
    return f"{seconds / 3600:.0f} h ago" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} d ago"
