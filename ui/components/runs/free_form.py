"""Free-form answers: right by similarity with the options, and what judge models gave them."""

import streamlit as st

from annotations.free_answers.answers_in_words import FreeAnswers, free_answers
from annotations.free_answers.free_form import (
    JudgeScore,
    SimilarityScores,
    judge_scores,
    runs_scored_freely,
    similarity_scores,
)
from annotations.free_answers.free_population import free_population
from annotations.free_answers.several_right import SeveralRight, several_right
from annotations.scoring.snapshot import take
from core.reply.similarity import THRESHOLD
from core.statistics.metric import Estimate
from ui.access import fragment
from ui.components.downloads import take_table
from ui.components.population import draw_population
from ui.components.runs.accuracy_lines import threshold_line
from ui.components.runs.asked import Asked, draw_chart
from ui.components.runs.words import interval, percent, share_words
from ui.components.tables import show_table


def draw(asked: Asked) -> None:
    """Draw one run's accuracy by similarity at a threshold, and the means of its judges."""
    lines = free_answers(asked.snapshot)
    if lines:
        _written(lines)
        of_people = free_population(asked.snapshot).population
        if of_people.stands_on or of_people.answers:
            draw_population(of_people)
    sets = several_right(asked.snapshot)
    if sets:
        draw_several_right(sets)
    scored = runs_scored_freely(asked.snapshot)
    names = {run.id: run.name for run in asked.snapshot.predictions.runs if run.id in scored}
    if not names and (lines or sets):
        return
    if not names:
        st.info(
            "No run has free-form scores. Import a table with the similarity of each answer to "
            "each option (column cosine_similarities), or with a judge's logic, factuality, "
            "accuracy, conciseness and overall, 0 to 10.",
            icon=":material/notes:",
        )
        return
    run_id = st.selectbox("Run", list(names), format_func=names.__getitem__, key="runs free form")
    similarity_at, judges_at = st.columns([3, 2], gap="large")
    with similarity_at:
        _similarity(asked, run_id)
    with judges_at:
        _judges(judge_scores(asked.snapshot, run_id), run_id)


def _written(lines: list[FreeAnswers]) -> None:
    """Draw how answers in people's and models' own words score."""
    st.markdown("**Answers in words of one's own**")
    judges = sorted({name for line in lines for name in line.judged})
    columns: dict[str, list[object]] = {
        "Who": [line.who for line in lines],
        "Condition": [line.condition for line in lines],
        "Answers": [line.answers for line in lines],
        "Word for word %": [_percent(line.equal) for line in lines],
        "Interval": ["" if line.equal is None else interval(line.equal) for line in lines],
        f"Similarity above {THRESHOLD:g} %": [_percent(line.similar) for line in lines],
        **{f"Judge: {name}": [_mean(line.judged.get(name)) for line in lines] for name in judges},
        "Not scored": [line.unscored for line in lines],
    }
    show_table(columns, formats={
        **dict.fromkeys(("Word for word %", f"Similarity above {THRESHOLD:g} %"), "%.1f"),
        **{f"Judge: {name}": "%.2f" for name in judges},
    })  # fmt: skip
    st.caption(
        "Word for word counts answers that are an accepted one but for case, articles and "
        "punctuation; other answers may be right as well, so it is a lower bound. Similarities "
        "and judges' scores come with an import of predictions, or are made here: `rushes score "
        "RUN --embeddings MODEL` and `rushes score RUN --judge MODEL`. People's answers are only "
        "held against the accepted ones word for word."
    )
    take_table("free answers", columns)


def draw_several_right(lines: list[SeveralRight]) -> None:
    """Draw how often people and models choose exactly the right options, with intervals."""
    st.markdown("**Several options may be right**")
    columns = set_columns(lines)
    show_table(columns, formats={"Exactly the right ones %": "%.1f"})
    st.caption(
        "An answer is right where it holds all the right options and no other (set match). These "
        "questions have no one key, so they are in no other accuracy. Of people those count that "
        "count in every accuracy: *people like these* are bounds in which persons vary as well."
    )
    take_table("several right options", columns)


def set_columns(lines: list[SeveralRight]) -> dict[str, list[object]]:
    """The table's cells by heading."""
    columns: dict[str, list[object]] = {
        "Who": [line.who for line in lines],
        "Condition": [line.condition for line in lines],
        "Answers": [line.replies for line in lines],
        "Questions": [line.questions for line in lines],
        "Exactly the right ones %": [percent(line.exact.value) for line in lines],
        "Interval": [interval(line.exact) for line in lines],
    }
    if any(line.like_these for line in lines):
        columns["People like these"] = [
            interval(line.like_these) if line.like_these else "" for line in lines
        ]
    return columns


def _percent(estimate: Estimate | None) -> float | None:
    return None if estimate is None else percent(estimate.value)


def _mean(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.value


@fragment()
def _similarity(asked: Asked, run_id: int) -> None:
    st.markdown("**By similarity** (K9-Bench, appendix F)")
    threshold = st.slider(
        "The key's similarity has to be the highest, and above", 0.0, 1.0, THRESHOLD, 0.05,
        key="runs similarity threshold",
    )  # fmt: skip
    # A fragment is drawn again by itself, when the snapshot of the page is long left.
    with take(asked.workspace) as snapshot:
        scores = similarity_scores(snapshot, run_id, threshold)
    if scores is None:
        st.caption("This run has no similarities.")
        return
    st.markdown(
        f"### {share_words(scores.accuracy.value)} &nbsp; :gray[{interval(scores.accuracy)}]\n"
        f"{scores.n:,} answers; of {scores.below:,} no option is above {threshold:.2f}."
    )
    draw_chart(threshold_line(scores.curve, threshold, asked.palette), "runs similarity curve")
    take_table(f"accuracy by similarity, run {run_id}", _curve(scores))


def _curve(scores: SimilarityScores) -> dict[str, list[object]]:
    return {
        "Threshold": [step for step, _ in scores.curve],
        "Accuracy %": [percent(share) for _, share in scores.curve],
    }


def _judges(lines: list[JudgeScore], run_id: int) -> None:
    st.markdown("**By judges**, means from 0 to 10")
    if not lines:
        st.caption("No judge scored this run.")
        return
    columns: dict[str, list[object]] = {
        "Judge": [line.judge for line in lines],
        "Score": [line.score for line in lines],
        "Mean": [line.mean.value for line in lines],
        "Low": [line.mean.bounds[0] for line in lines],
        "High": [line.mean.bounds[1] for line in lines],
        "Answers": [line.mean.n for line in lines],
        "Not scored": [line.missing for line in lines],
    }
    show_table(columns, formats=dict.fromkeys(("Mean", "Low", "High"), "%.2f"))
    take_table(f"judges, run {run_id}", columns)
