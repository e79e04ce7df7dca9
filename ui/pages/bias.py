"""How much of a data set its objects, a single frame and common sense solve (UTD)."""

from typing import Any, cast

import streamlit as st

from annotations.bias.instructions import JOBS, Job
from annotations.bias.result import Result
from annotations.bias.scores import on_splits
from annotations.bias.warnings import serious, warnings
from annotations.description.object_items import make_object_check
from annotations.description.stored import description_sets
from annotations.people import Person
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.refusal import Refusal
from ui.components import cards
from ui.components.bias.heat_map import heat_map
from ui.components.bias.measuring import chosen_result
from ui.components.bias.solved_wall import solved_wall
from ui.components.bias.split_panel import split_panel
from ui.components.nothing_yet import PIPELINE, nothing_yet
from ui.components.runs.asked import NARROW_CARDS, draw_chart
from ui.components.words import plain
from ui.theme import DARK, LIGHT, Palette

TITLE = "Bias"
ICON = ":material/balance:"
ROLES = frozenset({"author", "admin"})
_KINDS = {"common_sense": "Common sense", "dataset": "Learned from the training videos"}


def render(workspace: Workspace, person: Person) -> None:
    """Draw the sixteen, what they rest on, what objects alone solve, and the split without it."""
    st.title("Bias")
    sets = description_sets(workspace)
    if not sets:
        _nothing_yet(workspace)
        return
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    st.html(cards.style(palette) + NARROW_CARDS)
    result = chosen_result(workspace, sets)
    if result is None:
        return
    able: list[Job] = [job for job in JOBS if "reason" not in result.figures[job]]
    if not able:
        st.info(plain(result.figures["classification"]["reason"]))
        return
    job = cast(
        "Job",
        st.segmented_control(
            "Job", able, default=able[0], required=True, format_func=str.capitalize, key="bias job"
        ),
    )
    for words in serious(result.figures):
        st.warning(plain(words), icon=":material/warning:")
    _sixteen(workspace, result, job, palette)
    _cards(result, job)
    for warning in warnings(result.figures):
        st.caption(f":material/warning: {plain(warning)}")
    if "nine" not in result.figures[job]:
        st.info(plain(result.figures[job]["nine_reason"]))
        return
    solved_wall(workspace, person, result, job, palette)
    split_panel(workspace, person, result, job)
    _object_check(workspace, result)


def _sixteen(workspace: Workspace, result: Result, job: Job, palette: Palette) -> None:
    figures = result.figures[job]
    kinds = [kind for kind in _KINDS if kind in figures]
    kind = kinds[0]
    if len(kinds) > 1:
        kind = st.segmented_control(
            "Solved by", kinds, default=kind, required=True, format_func=_KINDS.__getitem__,
            key="bias kind", label_visibility="collapsed",
        )  # fmt: skip
    chosen: list[dict[str, Any]] = (
        figures["common_sense_chosen_frame"] if kind == "common_sense" else []
    )
    reference = {"Chance": figures["chance"]}
    if "most_frequent" in figures:
        reference["Most frequent class"] = figures["most_frequent"]
    models = on_splits(workspace, result, job) if "nine" in figures else []
    best = max(models, key=lambda one: one.full.value or 0.0, default=None)
    if best is not None and best.full.value is not None:
        reference[f"Full model: {best.model}"] = best.full.value
    with st.container(key=f"wide-bias-heat-{job}"):
        draw_chart(heat_map(figures[kind], chosen, reference, palette), f"bias heat {job} {kind}")
    what = "Accuracy" if job == "classification" else "Recall at 1, text to video,"
    st.caption(
        f"{what} in %, with 95 % intervals resampled by video. The best frame knows the answer: a "
        "video counts if any of its eight frames is right."
    )


def _cards(result: Result, job: Job) -> None:
    figures = result.figures
    shown: list[str] = []
    if nine := figures[job].get("nine"):
        best = max(nine["removed_by_one_model"])
        learned = ", which learn from the training videos" if job == "classification" else ""
        shown += [
            cards.number_card(
                "Objects alone solve", percent_text(nine["removed_share"]),
                f"{nine['removed']:,} of {nine['samples']:,}",
                [f"for all nine models{learned}; for the best of them {percent_text(best)}",
                 f"nine guesses alone would solve {_few(nine['removed_by_chance'])}"],
            ),
            cards.number_card(
                "Fleiss' kappa of the nine", _kappa(nine["kappa"]["over_classes"]), "over classes",
                [f"{_kappa(nine['kappa']['over_right_and_wrong'])} over right and wrong"],
            ),
        ]  # fmt: skip
    rate = figures["hallucination"]["hallucination_rate"]
    shown.append(
        cards.number_card(
            "Hallucinated objects", percent_text(rate),
            "" if rate is None else f"of {figures['hallucination']['objects']:,}",
            [figures["hallucination"]["words"]],
        )
    )  # fmt: skip
    st.html(cards.cards(*shown))


def _few(count: float) -> str:
    return f"{count:,.1f}" if count >= 0.05 else "none"


def _kappa(cell: dict[str, Any]) -> str:
    return "–" if cell["value"] is None else f"{cell['value']:.3f}"


def _object_check(workspace: Workspace, result: Result) -> None:
    st.subheader("Are the objects there?")
    st.caption(
        "Every figure here rests on lists that a model wrote. People tick what they see of one "
        "frame of each of 100 videos; what is not there is the rate of hallucination."
    )
    if not st.button("Make the task", key="bias object check", icon=":material/checklist:"):
        return
    try:
        _, frames = make_object_check(workspace, result.figures["descriptions"])
    except Refusal as error:
        st.warning(plain(str(error)))
        return
    st.success(f"The task holds {frames} frames; people find it on the page Annotate.")


def _nothing_yet(workspace: Workspace) -> None:
    nothing_yet(
        "Does the data set need its videos? Models describe eight frames of each; then this page "
        "says how much objects, activities and verbs alone solve, and makes the split that is "
        "left. Describe the videos, or bring in published descriptions, and the data set's own "
        "lists of classes or captions.",
        PIPELINE, root=workspace.root,
        command="rushes run frame_description --model MODEL\n"
        "rushes import-bias descriptions.json trainlist01.txt testlist01.txt",
    )  # fmt: skip
