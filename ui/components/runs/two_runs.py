"""The paired difference of any two runs, or of a run and people."""

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from annotations.scoring.leaderboard import Comparison, Line, compare, leaderboard
from annotations.scoring.solved_table import Entry
from ui.components import cards
from ui.components.downloads import take_table
from ui.components.largest_groups import drawn_of_groups, of_largest_groups
from ui.components.runs.asked import NARROW_CARDS, Asked, draw_chart
from ui.components.runs.gain_panels import Bar, gain_panels
from ui.components.runs.words import count, percent, share_words, signed, signed_interval
from ui.components.tables import show_table
from ui.components.words import plain


def draw(asked: Asked) -> None:
    """Draw the choice of two runs, their difference, who solves what, and both by category."""
    lines = leaderboard(asked.snapshot, asked.which, asked.resample)
    names = {line.entry.key: line.entry.name for line in lines}
    if len(names) < 2:
        st.info("Two runs are needed for a difference.", icon=":material/compare_arrows:")
        return
    likely_a, second = _likely(lines)
    keys = list(names)
    first_at, second_at = st.columns(2)
    key_a = first_at.selectbox(
        "First", keys, index=keys.index(likely_a), format_func=names.__getitem__, key="runs first"
    )
    key_b = second_at.selectbox(
        "Second", keys, index=keys.index(second), format_func=names.__getitem__, key="runs second"
    )
    if key_a == key_b:
        st.info("Choose two different runs.", icon=":material/compare_arrows:")
        return
    whole, *parts = compare(asked.snapshot, key_a, key_b, asked.which, asked.resample)
    st.html(cards.style(asked.palette) + NARROW_CARDS + cards.cards(*_cards(whole)))
    st.caption(_words(whole, names[key_a], names[key_b]))
    entries = {line.entry.key: line.entry for line in lines}
    link = _failures(asked, [entries[key_a], entries[key_b]])
    if link:
        st.markdown(f":material/troubleshoot: {link}")
    if len(parts) > 1:
        st.subheader("By category")
    chart_at, table_at = st.columns([9, 10], gap="medium")
    with chart_at:
        bars = [
            Bar(part.group, "first minus second", part.difference)
            for part in of_largest_groups(parts)
        ]
        draw_chart(gain_panels(bars, asked.palette, unit=""), "chart difference")
        st.caption(
            "First minus second in percentage points; left of 0 the second is better. "
            + drawn_of_groups(parts)
        )
    with table_at:
        columns = _columns([whole, *parts])
        show_table(columns, formats=dict.fromkeys(_DECIMALS, "%.1f"))
        take_table(f"{names[key_a]} minus {names[key_b]}", columns)


def _likely(lines: Sequence[Line]) -> tuple[str, str]:
    """The best run, and people under the same condition, or else the second best."""
    models = sorted(
        (line for line in lines if line.entry.run is not None),
        key=lambda line: -(line.accuracy.value or 0.0),
    )
    people = [line for line in lines if line.entry.run is None]
    if not models:
        return people[0].entry.key, people[1].entry.key
    best = models[0].entry
    same = [line.entry.key for line in people if line.entry.condition == best.condition]
    others = same + [line.entry.key for line in [*models[1:], *people]]
    return best.key, others[0]


def _cards(whole: Comparison) -> list[str]:
    difference = whole.difference
    shown = "–" if difference.value is None else signed(difference.value)
    beside = difference.reason if difference.value is None else "points"
    below: list[str] = []
    if difference.bounds[0] is not None:
        below.append(f"95 % interval {signed_interval(difference)}")
    elif difference.value is not None:
        below.append(difference.reason)
    below.append(f"paired over {count(whole.questions, 'common question')}")
    both, only_first, only_second, neither = whole.solved
    return [
        cards.number_card("First minus second", shown, beside, below),
        cards.number_card("First, there", share_words(whole.first)),
        cards.number_card("Second, there", share_words(whole.second)),
        cards.number_card(
            "Who solves what",
            f"{only_first} : {only_second}",
            "only first : only second",
            [f"{both:,} solved by both, {neither:,} by neither"],
        ),
    ]


def _words(whole: Comparison, name_a: str, second: str) -> str:
    alone = [
        f"{count(number, 'question')} that only {name} answered"
        for number, name in zip(whole.alone, (name_a, second), strict=True)
        if number
    ]
    left_out = "Left out: " + "; ".join(alone) + "."
    return plain(left_out if alone else "Both answered the same questions.")


def _failures(asked: Asked, two: Sequence[Entry]) -> str:
    """A link to the questions that only one of the two solves; '' without a model.

    Of people the page Failures knows all answers to a question, whatever they were shown.
    """
    table = asked.snapshot.predictions
    runs = [table.runs[entry.run].id for entry in two if entry.run is not None]
    if not runs:
        return ""
    if len(runs) == len(two):
        label, besides = "Failures of either run where the other is right", {"others": "some right"}
    else:
        label, besides = "Failures of the run where people are right", {"people": "right"}
    query = {"run": runs, "category": asked.which.categories, "once": "yes", **besides}
    return f"[{label}](/failures?{urlencode(query, doseq=True)})"


_DECIMALS = ("First %", "Second %", "Difference", "Low", "High")


def _columns(parts: Sequence[Comparison]) -> dict[str, list[object]]:
    return {
        "Category": [part.group for part in parts],
        "First %": [percent(part.first) for part in parts],
        "Second %": [percent(part.second) for part in parts],
        "Difference": [percent(part.difference.value) for part in parts],
        "Low": [percent(part.difference.bounds[0]) for part in parts],
        "High": [percent(part.difference.bounds[1]) for part in parts],
        "Questions": [part.questions for part in parts],
        "Only first": [part.solved[1] for part in parts],
        "Only second": [part.solved[2] for part in parts],
        "Note": [part.difference.reason for part in parts],
    }
