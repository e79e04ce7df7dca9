"""Page Import: upload questions, predictions, answers or verdicts, check the plan, write it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from annotations import answer_format, prediction_format
from annotations.answer_format import FIELD_NAMES as ANSWER_FIELDS
from annotations.importing.answer_import import write_answers
from annotations.importing.answer_plan import AnswerPlan, plan_answers
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.importing.prediction_plan import PredictionPlan
from annotations.importing.uploads import FOLDER, keep_uploads
from annotations.importing.verdict_import import write_verdicts
from annotations.importing.verdict_plan import NAMES as VERDICT_FIELDS
from annotations.importing.verdict_plan import VerdictPlan, plan_verdicts
from annotations.people import Person
from annotations.prediction_format import PredictionChoices
from annotations.prediction_formats.table import NAMES as REPLY_FIELDS
from annotations.prediction_formats.table import open_table
from annotations.record.question import has_questions
from annotations.record.video import has_usable_video
from annotations.workspace import Workspace
from core import plugins
from core.refusal import Refusal
from ui.components.importing.answer_plan import draw_answers
from ui.components.importing.file_settings import choose_settings, show_refusal
from ui.components.importing.prediction_plan import draw_plan
from ui.components.importing.question_plan import bring_in_questions
from ui.components.importing.verdict_plan import draw_verdicts

TITLE = "Import"
ICON = ":material/upload_file:"
ROLES = frozenset({"author", "admin"})

CONDITIONS = (
    "full video", "16 frames", "8 frames", "4 frames", "1 frame", "1 random frame",
    "1 handpicked frame", "16 shuffled frames", "text only", "objects only",
)  # fmt: skip
FROM_FILE = "as the files say"
TYPES = ["json", "jsonl", "csv", "tsv", "xlsx", "parquet"]
KINDS = ("Questions", "Predictions", "People's answers", "Verdicts")
QUESTIONS, PREDICTIONS, ANSWERS, VERDICTS = KINDS
# What the command line is told by these stands above on the page.
_OPTIONS = ("--condition '16 frames'", "--condition 'full video'", "--model NAME")
ABOUT = ("id", "question", "options", "video", "category")
_KIND = "bring-in kind"
_PLAN, _ROUND, _DONE = "bring-in plan", "bring-in round", "bring-in done"

Planned = PredictionPlan | AnswerPlan | VerdictPlan


@dataclass(frozen=True)
class _Kind:
    """What the page asks for and does with one kind of answers."""

    files: str
    caption: str
    fields: tuple[str, ...]
    folder: str
    plan: Callable[..., Any]
    asks_condition: bool = True


_PREDICTIONS = _Kind(
    "Files of predictions",
    "Sample logs of lmms-eval, tables of VLMEvalKit, results of TOMATO, TempCompass or NExT-QA, or "
    "a plain CSV, TSV, JSON or xlsx with one reply a row. Replies are read again by our own rules; "
    "scores in the files are kept beside ours.",
    ("response", *ABOUT, *(name for name in REPLY_FIELDS if name != "response")),
    prediction_format.FOLDER,
    plan_predictions,
)
_ANSWERS = _Kind(
    "Files of people's answers",
    "Batch results of Mechanical Turk, exports of Label Studio or potato, or a table with "
    "annotator, item, answer and condition. They count in human accuracy like answers given here.",
    ("person", "response", *ABOUT, *(n for n in ANSWER_FIELDS if n not in ("person", "response"))),
    answer_format.FOLDER,
    plan_answers,
)


def _plan_verdicts(
    workspace: Workspace, paths: Sequence[Path], choices: PredictionChoices, *, format_name: str
) -> VerdictPlan:
    del format_name
    return plan_verdicts(workspace, [open_table(path, choices.encoding) for path in paths], choices)


_VERDICTS = _Kind(
    "Files of verdicts on videos",
    "A table with a video, whether it is accepted, and if there are some reasons and a score: of "
    "people who screened elsewhere, or of a filter, which you name. *Filters* holds a filter's "
    "against people's.",
    tuple(VERDICT_FIELDS),
    "",
    _plan_verdicts,
    asks_condition=False,
)
_WAYS = {PREDICTIONS: _PREDICTIONS, ANSWERS: _ANSWERS, VERDICTS: _VERDICTS}


def render(workspace: Workspace, person: Person) -> None:
    """Choose files, look at the plan, write it."""
    del person
    st.title("Import")
    with workspace.store.single() as database:
        any_questions, any_videos = has_questions(database), has_usable_video(database)
    st.session_state.setdefault(_KIND, PREDICTIONS if any_questions else QUESTIONS)
    kind = st.segmented_control("What the files hold", KINDS, key=_KIND, required=True)
    if kind == QUESTIONS:
        bring_in_questions(workspace)
    elif any_videos if kind == VERDICTS else any_questions:
        _bring_in(workspace, _WAYS[str(kind)])
    elif kind == VERDICTS:
        st.info("Verdicts are about videos, and none is here yet. Import them first.")
    else:
        st.info("Answers belong to questions, and there are none yet. Import them first.")


def _bring_in(workspace: Workspace, kind: _Kind) -> None:
    st.caption(kind.caption)
    if report := st.session_state.pop(_DONE, ""):
        st.success(report, icon=":material/check:")
    plan = _asked(workspace, kind)
    if isinstance(plan, PredictionPlan):
        draw_plan(plan)
    elif isinstance(plan, VerdictPlan):
        draw_verdicts(plan)
    elif plan is not None:
        draw_answers(plan)
    if plan is not None:
        _write(workspace, plan)


def _asked(workspace: Workspace, kind: _Kind) -> Planned | None:
    """The plan of the files that are chosen, made once for the same choice; None without files."""
    number = st.session_state.setdefault(_ROUND, 0)
    files = st.file_uploader(
        kind.files, TYPES, accept_multiple_files=True, key=f"bring-in files {number}"
    )
    model, condition = _model_and_condition(kind, number)
    if not files:
        return None
    paths = keep_uploads(workspace, [(file.name, file.getvalue()) for file in files])
    settings = choose_settings(
        paths, kind.fields, _columns, plugins.names(kind.folder) if kind.folder else (),
        f"bring-in {number}", keys=kind.asks_condition,
    )  # fmt: skip
    choices = PredictionChoices(
        model, condition, settings.columns, settings.encoding, settings.keys
    )
    chosen = (kind.files, tuple(file.file_id for file in files), choices, settings.layout)
    kept = st.session_state.get(_PLAN)
    if kept is None or kept[0] != chosen:
        with st.spinner("Matching answers to questions and reading them…"):
            try:
                plan = kind.plan(workspace, paths, choices, format_name=settings.layout)
            except Refusal as error:
                show_refusal(str(error))
                return None
        kept = st.session_state[_PLAN] = (chosen, plan)
    return kept[1]


def _model_and_condition(kind: _Kind, number: int) -> tuple[str, str]:
    """Name of the model, which people have none of, and what was shown; '' as the files say."""
    model = ""
    place, condition_at = st.columns(2)
    if kind is not _ANSWERS:
        label = "Filter, if it is one" if kind is _VERDICTS else "Model"
        model = place.text_input(label, placeholder=FROM_FILE, key=f"bring-in model {number}")
    if not kind.asks_condition:
        return model.strip(), ""
    if kind is _PREDICTIONS:
        who = "What the model saw"
    else:
        condition_at, who = place, "What people saw"
    condition = condition_at.selectbox(
        who, [FROM_FILE, *CONDITIONS], accept_new_options=True, key=f"bring-in condition {number}"
    )
    return model.strip(), "" if condition in (None, FROM_FILE) else condition


def _columns(path: Path, encoding: str) -> Sequence[str]:
    return open_table(path, encoding).columns


def _write(workspace: Workspace, plan: Planned) -> None:
    missing = plan.undecided
    named = isinstance(plan, PredictionPlan) and any(run.model == FOLDER for run in plan.runs)
    if not missing and named:
        missing = "The files do not say which model it is. Name it above."
    if missing:
        for option in _OPTIONS:
            missing = missing.replace(f": {option}", " above")
        st.warning(missing, icon=":material/help:")
    verdicts = isinstance(plan, VerdictPlan)
    count = len(plan.drafts) if verdicts else plan.matched
    noun = "verdict" if verdicts else "answer"
    if not count:
        about = "is about a video that is here" if verdicts else "belongs to a stored question"
        st.warning(f"No {noun} {about}: there is nothing to write.")
    label = f"Write {count:,} {noun}{'s'[: count != 1]}"
    if st.button(label, type="primary", disabled=bool(missing) or not count):
        try:
            with st.spinner(f"Writing {noun}s…"):
                st.session_state[_DONE] = _written(workspace, plan)
        except Refusal as error:
            st.error(str(error))
            return
        st.session_state.pop(_PLAN, None)
        st.session_state[_ROUND] += 1
        st.rerun()


def _written(workspace: Workspace, plan: Planned) -> str:
    """Write the answers, and say how many were new."""
    noun = "verdicts" if isinstance(plan, VerdictPlan) else "answers"
    if isinstance(plan, VerdictPlan):
        stored, where = [write_verdicts(workspace, plan)], "Filters"
    elif isinstance(plan, AnswerPlan):
        stored, where = [write_answers(workspace, plan)], "Metrics"
    else:
        stored, where = [result for _, result in write_predictions(workspace, plan)], "Runs"
    new, changed, same = (
        sum(getattr(result, name) for result in stored) for name in ("new", "changed", "same")
    )
    return (
        f"Written: {new:,} new {noun}, {changed:,} changed, {same:,} there already. They are on "
        f"the page {where}."
    )
