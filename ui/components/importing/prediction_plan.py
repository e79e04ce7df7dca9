"""Plan of a prediction import, drawn before anything is written."""

import streamlit as st

from annotations.annotator import number_words
from annotations.importing.import_reports import Problems
from annotations.importing.prediction_plan import PlannedAnswer, PlannedRun, PredictionPlan
from core.reply.verdict import BOTH_RIGHT, NOT_COMPARABLE, ONLY_OURS, ONLY_THEIRS
from ui.components.downloads import take_table
from ui.components.importing.file_settings import words_of_page
from ui.components.tables import show_table
from ui.components.words import plain

MOST_PROBLEMS = 200
MOST_ROWS = 500
FEW_ROWS, PROBLEMS_PX = 5, 280
COLORS: dict[str, str] = {"error": "red", "warning": "orange"}


def draw_plan(plan: PredictionPlan) -> None:
    """Runs with their counts, what is scored otherwise, the mapping, and the problems."""
    st.markdown(
        f"**{plan.matched:,} replies** belong to stored questions, {plan.unmatched:,} to none. "
        f"The workspace holds {plan.questions:,} questions."
    )
    _runs(plan.runs)
    _notes(plan)
    _differing(plan.runs)
    with st.expander("What becomes what"):
        for file in plan.files:
            st.caption(f"{file.format}: {', '.join(path.name for path in file.files)}")
            show_table(
                {
                    "Field": [field for field, _ in file.mapping],
                    "Comes from": [source for _, source in file.mapping],
                }
            )
    draw_problems(plan.problems)


def _runs(runs: list[PlannedRun]) -> None:
    show_table(
        {
            "Model": [run.model or "not said" for run in runs],
            "Condition": [run.condition or "not said" for run in runs],
            "Answers": [len(run.answers) for run in runs],
            "New": [run.writes["new"] for run in runs],
            "Found by": [_counted(run.rules) for run in runs],
            "Read as": [_counted(run.states) for run in runs],
            "Ours": [_percent(run, ONLY_OURS) for run in runs],
            "Theirs": [_percent(run, ONLY_THEIRS) for run in runs],
            "Scored otherwise": [len(run.differing) for run in runs],
        },
        formats={"Ours": "%.1f %%", "Theirs": "%.1f %%"},
    )


def _percent(run: PlannedRun, alone: str) -> float | None:
    """Accuracy of one side over the replies that both score, percent; None if there are none."""
    verdicts = run.verdicts
    n = len(run.answers) - verdicts[NOT_COMPARABLE]
    return 100 * (verdicts[BOTH_RIGHT] + verdicts[alone]) / n if n else None


def _counted(counts: dict[str, int]) -> str:
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {count:,}" for name, count in ranked if count)


def _notes(plan: PredictionPlan) -> None:
    if plan.shortened:
        st.caption(f"{plan.shortened:,} rows show fewer options than their question has.")
    if plan.other_keys:
        st.caption(
            f"{plan.other_keys:,} rows have another right option than is stored; the stored counts."
        )


def _differing(runs: list[PlannedRun]) -> None:
    rows = [(run, answer) for run in runs for answer in run.differing]
    if not rows:
        return
    with st.expander(f"Scored otherwise by us: {len(rows):,} replies"):
        columns: dict[str, list[object]] = {
            "Model": [run.model for run, _ in rows],
            "Question": [answer.match.question.uid for _, answer in rows],
            "Reply": [answer.draft.response or "" for _, answer in rows],
            "Key": [_option(answer, answer.match.question.key) for _, answer in rows],
            "Our reading": [
                _option(answer, answer.choice) or answer.reading.state for _, answer in rows
            ],
            "Why": [answer.reading.reason for _, answer in rows],
            "Their score": [answer.draft.score for _, answer in rows],
        }
        show_table({name: cells[:MOST_ROWS] for name, cells in columns.items()}, height=320)
        take_table("scored otherwise", columns)


def _option(answer: PlannedAnswer, index: int | None) -> str:
    return "" if index is None else answer.match.question.options[index]


def draw_problems(problems: Problems) -> None:
    """What a person should know, the worst first; nothing where there is nothing."""
    if not problems.listed:
        return
    errors = number_words(problems.errors, "error")
    title = f"Problems: {errors}, {number_words(problems.warnings, 'warning')}"
    with st.expander(title, expanded=bool(problems.errors)):
        groups = problems.grouped
        shown = groups[:MOST_PROBLEMS]
        # A table would cut the end of a sentence, which says what to do.
        with st.container(height=PROBLEMS_PX if len(shown) > FEW_ROWS else "content", border=False):
            for problem in shown:
                badge = f":{COLORS[problem.level]}-badge[{problem.level}]"
                st.markdown(f"{badge} {plain(words_of_page(problem.text))}")
        more = len(groups) - len(shown)
        if more:
            st.caption(f"And {more:,} more; all are kept with the import.")
        take_table(
            "problems",
            {
                "Level": [problem.level for problem in groups],
                "What": [problem.text for problem in groups],
            },
        )
