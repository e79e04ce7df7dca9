"""The first view of runs: what the benchmark measures in five numbers, and the leaderboard."""

from collections.abc import Sequence

import streamlit as st

from annotations.scoring.human_accuracy import Baseline
from annotations.scoring.leaderboard import Line, baselines, leaderboard
from annotations.scoring.prediction_columns import READ
from annotations.shortcut.shortcut_metrics import gains, many_conditions
from ui.components import cards
from ui.components.downloads import take_table
from ui.components.runs.asked import NARROW_CARDS, Asked
from ui.components.runs.matrix import matrix
from ui.components.runs.matrix import style as matrix_style
from ui.components.runs.words import (
    count,
    interval,
    percent,
    share_words,
    short,
    signed,
    signed_interval,
)
from ui.components.tables import show_table

# A run is ranked if it answered this share of the questions that the fullest run answered.
COVERED = 0.9
DECIMALS = ("Accuracy %", "Low", "High", "Unread %", "Refused %", "Several %", "Empty %")


def draw(asked: Asked) -> None:
    """Draw cards, the table of models by conditions, and all columns of every run."""
    lines = leaderboard(asked.snapshot, asked.which, asked.resample)
    chance = baselines(asked.snapshot, asked.which, asked.resample)
    st.html(
        cards.style(asked.palette)
        + NARROW_CARDS
        + cards.cards(*_cards(asked, lines, chance))
        + matrix_style(asked.palette)
        + matrix(lines, chance, asked.palette)
    )
    st.caption(
        "Accuracy in percent with its 95 % interval; below it the questions answered of those "
        "asked, and the share of replies in which no choice could be read, which count as wrong."
    )
    st.subheader("Every run")
    columns = leaderboard_columns(lines, chance)
    hidden = {"Note", "Left out"}
    shown = [(line.entry.model, line.entry.condition) for line in lines if line.entry.task]
    base = [(model.split(" · ")[0], condition) for model, condition in shown]
    if len(set(base)) == len(base):
        hidden |= {"Task", "Made on"}  # no two runs have to be told apart
    show_table(
        {name: cells for name, cells in columns.items() if name not in hidden},
        formats=dict.fromkeys(DECIMALS, "%.1f"),
    )
    take_table("runs", columns)
    _refusals(lines)


def _cards(asked: Asked, lines: Sequence[Line], chance: Sequence[Baseline]) -> list[str]:
    models = [line for line in lines if line.entry.run is not None]
    shown = [best_card(lines), _text_card(models, chance)]
    several = [name for name in many_conditions(asked.snapshot) if name != "full video"]
    if several:
        shown += [
            _gain_card(asked, "Does order matter?", "frame order sensitivity", several[0]),
            _gain_card(asked, "Is one frame enough?", "multi-frame gain", several[0]),
        ]
    shown.append(_read_card(models))
    return [card for card in shown if card]


def best_card(lines: Sequence[Line]) -> str:
    """The best of the runs that cover the questions, and people at their best."""
    models = [x for x in lines if x.entry.run is not None and x.accuracy.value is not None]
    people = [x for x in lines if x.entry.run is None and x.accuracy.value is not None]
    if not models:
        return ""
    most = max(line.questions for line in models)
    ranked = [line for line in models if line.questions >= COVERED * most]
    best = max(ranked, key=lambda line: line.accuracy.value or 0.0)
    below = [f"{short(best.entry.model, 40)}, {best.entry.condition}"]
    if len(ranked) < len(models):
        others = len(models) - len(ranked)
        below.append(f"{count(others, 'run')} on fewer questions not ranked")
    if people:
        top = max(people, key=lambda line: line.accuracy.value or 0.0)
        below.append(f"People: {share_words(top.accuracy.value)}, {top.entry.condition}")
    return cards.number_card(
        "Best run", share_words(best.accuracy.value), interval(best.accuracy), below
    )


def _text_card(models: Sequence[Line], guesses: Sequence[Baseline]) -> str:
    """What the best run reaches that saw the text alone, against blind guessing."""
    blind = [x for x in models if x.entry.condition == "text only" and x.accuracy.value is not None]
    chance = " · ".join(
        f"{baseline.name} {share_words(baseline.estimate.value)}" for baseline in guesses
    )
    if not blind:
        return cards.number_card("From the text alone", "–", "no run", [chance])
    best = max(blind, key=lambda line: line.accuracy.value or 0.0)
    return cards.number_card(
        "From the text alone",
        share_words(best.accuracy.value),
        interval(best.accuracy),
        [f"{short(best.entry.model, 40)}, best of {count(len(blind), 'run')}", chance],
    )


def _gain_card(asked: Asked, title: str, metric: str, many: str) -> str:
    """A shortcut metric of the model that is best with several frames."""
    known = [
        gain
        for gain in gains(asked.snapshot, metric, many, asked.which, asked.resample)
        if gain.estimate.value is not None and gain.model != "People"
    ]
    if not known:
        [above, below] = ("shuffled frames", many) if "order" in metric else ("one frame", many)
        return cards.number_card(title, "–", "", [f"No model has runs with {above} and {below}"])
    best = max(known, key=lambda gain: gain.high or 0.0)
    low, high = best.estimate.bounds
    sure = low is not None and high is not None and not low <= 0 <= high
    return cards.number_card(
        title,
        signed(best.estimate.value, " %"),
        signed_interval(best.estimate) if sure else "may be nothing",
        [
            f"{best.above} over {best.below}"
            + ("" if sure else f": {signed_interval(best.estimate)}"),
            f"{short(best.model, 40)}, {count(best.questions, 'question')}",
        ],
    )


def _read_card(models: Sequence[Line]) -> str:
    totals = [sum(line.counts.states[state] for line in models) for state in range(5)]
    if not sum(totals):
        return ""
    nothing = sum(totals) - totals[READ]
    parts = [
        f"{number:,} {name}"
        for number, name in zip(totals[1:], ("unread", "refused", "several", "empty"), strict=True)
        if number
    ]
    return cards.number_card(
        "Replies without a choice",
        share_words(nothing / sum(totals)),
        f"of {sum(totals):,}",
        [", ".join(parts) or "Every reply was read", "They count as wrong"],
    )


def leaderboard_columns(
    lines: Sequence[Line], chance: Sequence[Baseline] = ()
) -> dict[str, list[object]]:
    """Every run as columns, shares in percent; baselines are the last rows."""
    counts = [line.counts for line in lines]
    columns: dict[str, list[object]] = {
        "Model": [line.entry.model for line in lines],
        "Condition": [line.entry.condition for line in lines],
        "Accuracy %": [percent(line.accuracy.value) for line in lines],
        "Low": [percent(line.accuracy.bounds[0]) for line in lines],
        "High": [percent(line.accuracy.bounds[1]) for line in lines],
        "Answers": [line.accuracy.n for line in lines],
        "Answered": [f"{count.answered:,} of {count.asked:,}" for count in counts],
    }
    for state, name in enumerate(("Unread %", "Refused %", "Several %", "Empty %"), 1):
        columns[name] = [percent(count.share(state)) for count in counts]
    if any(count.earlier for count in counts):
        columns["To an earlier version"] = [count.earlier for count in counts]
    columns["Failed"] = [count.failed for count in counts]
    columns["Task"] = [line.entry.task for line in lines]
    columns["Made on"] = [line.entry.made for line in lines]
    columns["Videos"] = [line.accuracy.clusters for line in lines]
    columns["Left out"] = ["; ".join(f"{n} {why}" for why, n in count.excluded) for count in counts]
    columns["Note"] = [line.accuracy.reason for line in lines]
    for baseline in chance:
        row = dict.fromkeys(columns, None) | {
            "Model": baseline.name,
            "Condition": "no look",
            "Accuracy %": percent(baseline.estimate.value),
            "Low": percent(baseline.estimate.bounds[0]),
            "High": percent(baseline.estimate.bounds[1]),
            "Note": baseline.estimate.reason,
        }
        for name, cells in columns.items():
            cells.append(row[name])
    return columns


def _refusals(lines: Sequence[Line]) -> None:
    """A table of refusals by kind, a row for each run that has some."""
    having = [line for line in lines if line.counts.refusals]
    if not having:
        return
    kinds: dict[str, int] = {}
    for line in having:
        for kind, number in line.counts.refusals:
            kinds[kind] = kinds.get(kind, 0) + number
    order = sorted(kinds, key=lambda kind: -kinds[kind])
    st.subheader("Refusals by kind")
    columns: dict[str, list[object]] = {
        "Model": [line.entry.model for line in having],
        "Condition": [line.entry.condition for line in having],
    }
    for kind in order:
        columns[kind.capitalize()] = [dict(line.counts.refusals).get(kind, 0) for line in having]
    show_table(columns)
    take_table("refusals by kind", columns)
