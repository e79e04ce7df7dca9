"""Human accuracy while people answer: per condition, category, tag and person."""

import time
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from annotations.free_answers.several_right import several_right
from annotations.people import Person
from annotations.scoring import human_accuracy, score_coverage
from annotations.scoring.human_accuracy import Resampled, Row
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import Snapshot, data_version, take
from annotations.scoring.statistics import figures
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.statistics.metric import Estimate
from ui.access import fragment
from ui.components.cards import accuracy_card, baseline_card, cards, difference_card, style
from ui.components.charts import accuracy_dots
from ui.components.downloads import csv_button
from ui.components.largest_groups import drawn_of_groups, of_largest_groups
from ui.components.nothing_yet import IMPORT, PEOPLE, RUNS, nothing_yet
from ui.components.population import leaves_out_seen, population_words
from ui.components.runs.choosing import choose_resample
from ui.components.runs.every_statistic import show_figures
from ui.components.runs.free_form import draw_several_right
from ui.components.tables import show_table
from ui.components.words import plain
from ui.theme import DARK, LIGHT, Palette

TITLE = "Metrics"
ICON = ":material/monitoring:"
ROLES = frozenset({"author", "admin"})

_DRAWN = "metrics drawn"
_REST = 5
_MOST_VALUES = 30


def render(workspace: Workspace, person: Person) -> None:
    """Draw the page; it draws itself again as answers arrive."""
    del person
    begun, version = time.monotonic(), data_version(workspace)
    title_at, choice_at = st.columns([3, 2], vertical_alignment="bottom")
    title_at.title("Metrics")
    with take(workspace, leave_out_seen=leaves_out_seen()) as snapshot:
        if population(snapshot).stands_on or leaves_out_seen() or several_right(snapshot):
            with choice_at, st.container(horizontal_alignment="right"):
                resample = choose_resample("metrics resample")
            _body(snapshot, resample)
        else:
            _nothing_yet(workspace, snapshot)
    clock = time.monotonic()
    st.session_state[_DRAWN] = (version, clock + _REST * (clock - begun))
    _watch(workspace)


def _body(snapshot: Snapshot, resample: Resampled) -> None:
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    _headline(snapshot, resample, palette)
    st.subheader("By category")
    _groups(snapshot, "category", resample, palette)
    if tag := _tag(snapshot):
        _groups(snapshot, tag, resample, palette)
    _people(snapshot, resample)
    if sets := several_right(snapshot, resample):
        draw_several_right(sets)
    st.subheader("Every statistic")
    show_figures(figures(snapshot, resample=resample, people_alone=True))
    _method(resample)


@fragment(run_every="2s")
def _watch(workspace: Workspace) -> None:
    """Ask for the cheap version every two seconds; draw anew only when it has changed.

    A page that took long to draw rests longer, so that watching never takes the machine from those
    who answer.
    """
    version, earliest = st.session_state[_DRAWN]
    if time.monotonic() >= earliest and data_version(workspace) != version:
        st.rerun()


def _nothing_yet(workspace: Workspace, snapshot: Snapshot) -> None:
    progress = score_coverage.progress(snapshot)
    if not progress:
        nothing_yet(
            "There are no questions to answer yet. Import a benchmark's questions and videos; "
            "a task for each condition is made with them.",
            IMPORT, command="rushes import QUESTIONS --videos FOLDER", root=workspace.root,
        )  # fmt: skip
        return
    ways = (PEOPLE, RUNS) if snapshot.predictions.runs else (PEOPLE,)
    nothing_yet(
        "No answers of people are counted yet. Invite people; as soon as the first answer is "
        "stored, their accuracy appears here by itself.",
        *ways,
    )
    show_table(
        {
            "Condition": [line.condition for line in progress],
            "Answers wanted": [line.wanted for line in progress],
        }
    )
    population_words(snapshot)


def _headline(snapshot: Snapshot, resample: Resampled, palette: Palette) -> None:
    conditions = human_accuracy.accuracy_table(snapshot, resample=resample)
    progress = {line.condition: line for line in score_coverage.progress(snapshot)}
    shown = [
        accuracy_card(row, progress.get(row.condition), _colour(palette, index), palette)
        for index, row in enumerate(conditions)
    ]
    differences = human_accuracy.differences(snapshot, resample)
    shown += [difference_card(difference) for difference in differences[:3]]
    shown.append(baseline_card(human_accuracy.baselines(snapshot, resample)))
    st.html(style(palette) + cards(*shown))
    words_at, button_at = st.columns([8, 1], vertical_alignment="center")
    with words_at:
        for condition, estimate in human_accuracy.weighted(snapshot, resample):
            st.caption(
                f":material/balance: {plain(condition)}, a sample: weighted to the categories of"
                f" all questions {percent_words(estimate)}."
            )
        population_words(snapshot)
    with button_at, st.container(horizontal_alignment="right"):
        csv_button("accuracy by condition", _columns(conditions, "Condition"))


def _groups(snapshot: Snapshot, by: str, resample: Resampled, palette: Palette) -> None:
    """A chart of groups with its table and its download beside it."""
    rows = human_accuracy.accuracy_table(snapshot, by=by, resample=resample)
    pooled = human_accuracy.accuracy_table(snapshot, by=by, condition=human_accuracy.EVERYTHING)
    columns = _columns(rows, _words(by))
    drawn = of_largest_groups(rows)
    chart_at, table_at = st.columns([10, 9], gap="medium")
    with chart_at:
        st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
            accuracy_dots(drawn, pooled, palette),
            width="stretch",
            theme=None,
            config={"displayModeBar": False},
            key=f"chart {by}",
        )
        _footnote(drawn)
        if sentence := drawn_of_groups(rows):
            st.caption(sentence)
    with table_at:
        _table(columns)
        with st.container(horizontal_alignment="right"):
            csv_button(f"accuracy by {by}", columns)


def _footnote(rows: Sequence[Row]) -> None:
    certain = sum(1 for row in rows if row.accuracy.exact)
    if certain:
        st.caption(
            f"{certain} of {len(rows)}: all answers are right, or all are wrong. Resampling cannot "
            "show how uncertain that is, so the exact binomial bounds are drawn, dotted."
        )


def _people(snapshot: Snapshot, resample: Resampled) -> None:
    rows = human_accuracy.accuracy_table(snapshot, by="person", resample=resample)
    columns = _columns(rows, "Person")
    st.subheader("By person")
    _table(columns)
    with st.container(horizontal_alignment="right"):
        csv_button("accuracy by person", columns)


def _columns(rows: Sequence[Row], heading: str) -> dict[str, list[object]]:
    """Rows as columns, shares in percent; the person's table has times, the others baselines."""
    estimates = [row.accuracy for row in rows]
    columns: dict[str, list[object]] = {}
    if heading != "Condition":
        columns[heading] = [row.group for row in rows]
    columns["Condition"] = [row.condition for row in rows]
    columns["Accuracy %"] = [_percent(estimate.value) for estimate in estimates]
    columns["Low"] = [_percent(estimate.bounds[0]) for estimate in estimates]
    columns["High"] = [_percent(estimate.bounds[1]) for estimate in estimates]
    if heading != "Person":
        columns["Low, people like these"] = [_percent(row.like_these.bounds[0]) for row in rows]
        columns["High, people like these"] = [_percent(row.like_these.bounds[1]) for row in rows]
    columns["Answers"] = [estimate.n for estimate in estimates]
    columns["Videos"] = [row.videos for row in rows]
    if heading == "Person":
        columns["Left out"] = [
            sum(count for _, count in estimate.excluded) for estimate in estimates
        ]
        columns["Active min"] = [round(row.active_s / 60, 1) for row in rows]
        handled = [
            estimate.n + sum(count for _, count in estimate.excluded) for estimate in estimates
        ]
        columns["s per item"] = [
            round(row.active_s / count, 1) if count else None
            for row, count in zip(rows, handled, strict=True)
        ]
    else:
        columns["Random %"] = [_percent(row.random_guess) for row in rows]
        columns["Frequent %"] = [_percent(row.frequent_choice) for row in rows]
    for words in dict.fromkeys(words for row in rows for words, _ in row.beside):
        counts = [dict(row.beside).get(words, 0) for row in rows]
        columns[f"{words[:1].upper()}{words[1:]} %"] = [
            _percent(count / estimate.n) if estimate.n else None
            for count, estimate in zip(counts, estimates, strict=True)
        ]
    columns["Note"] = [estimate.reason for estimate in estimates]
    return columns


def _table(columns: Mapping[str, Sequence[object]]) -> None:
    words = ("%", "Low", "High", "min", "s per item", "like these")
    decimals = [name for name in columns if name.endswith(words)]
    st.dataframe(  # pyright: ignore[reportUnknownMemberType]
        pd.DataFrame({name: cells for name, cells in columns.items() if name != "Note"}),
        hide_index=True,
        width="stretch",
        column_config={name: st.column_config.NumberColumn(format="%.1f") for name in decimals},
        placeholder="–",
    )


def _method(resample: Resampled) -> None:
    with st.expander("How these numbers are made", icon=":material/function:"):
        st.markdown(
            "- **Accuracy** is the share of counted answers that choose the key. A corrected "
            "answer replaces the one before; a corrected key moves answers to the same options.\n"
            "- **Who counts**: people who could not know the key, answering to be measured. "
            "Answers that check keys, and those of authors, are counted apart. Of a task that asks "
            "further "
            "people only where answers differ, accuracy takes the answers asked whatever happens: "
            "the further ones are to hard questions alone. Decisions use all of them.\n"
            f"- **Intervals** hold 95 %: percentile bootstrap, 10,000 resamples of {resample}s, "
            "fixed seed. They keep these people and draw other videos. What *people like these* "
            "would score has wider bounds: persons and videos vary together (crossed, with "
            "Student's t), and with few persons they are wide.\n"
            "- **Random guess** is the mean of 1 / number of options. **Most frequent option** "
            "always chooses the place in the list that holds the key most often among these very "
            "questions.\n"
            "- **Differences** are paired: only questions answered under both conditions."
        )


def _tag(snapshot: Snapshot) -> str | None:
    """Head the section on tags and choose one of those with two values or more, if not too many."""
    names = [
        name
        for name, values in human_accuracy.tags(snapshot).items()
        if 2 <= len(values) <= _MOST_VALUES
    ]
    if len(names) < 2:
        for name in names:
            st.subheader(plain(f"By {_words(name).lower()}"))
        return names[0] if names else None
    st.subheader("By tag")
    return st.segmented_control(
        "Tag",
        names,
        format_func=_words,
        default=names[0],
        required=True,
        key="metrics tag",
        label_visibility="collapsed",
    )


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _colour(palette: Palette, index: int) -> str:
    return palette.series[index % len(palette.series)]


def percent_words(estimate: Estimate) -> str:
    """A share in percent with its interval, or why there is none."""
    low, high = estimate.bounds
    if estimate.value is None or low is None or high is None:
        return f"undefined ({estimate.reason})"
    return f"{percent_text(estimate.value)} ({100 * low:.1f} to {100 * high:.1f})"


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
