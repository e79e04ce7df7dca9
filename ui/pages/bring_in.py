"""Page Import: upload files of questions or predictions, check the plan, write it."""

import streamlit as st

from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.importing.prediction_plan import PredictionPlan
from annotations.importing.uploads import FOLDER, keep_uploads
from annotations.people import Person
from annotations.prediction_format import PredictionChoices
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.importing.prediction_plan import draw_plan
from ui.components.importing.question_plan import bring_in_questions

TITLE = "Import"
ICON = ":material/upload_file:"
ROLES = frozenset({"author", "admin"})

CONDITIONS = (
    "full video", "16 frames", "8 frames", "4 frames", "1 frame", "1 random frame",
    "1 handpicked frame", "16 shuffled frames", "text only", "objects only",
)  # fmt: skip
FROM_FILE = "as the files say"
TYPES = ["json", "jsonl", "csv", "tsv", "xlsx", "parquet"]
QUESTIONS, PREDICTIONS = "Questions", "Predictions"
_KIND = "bring-in kind"
_PLAN, _ROUND, _DONE = "bring-in plan", "bring-in round", "bring-in done"


def render(workspace: Workspace, person: Person) -> None:
    """Choose files, look at the plan, write it."""
    del person
    st.title("Import")
    any_questions = bool(workspace.store.rows("SELECT 1 FROM question LIMIT 1"))
    st.session_state.setdefault(_KIND, PREDICTIONS if any_questions else QUESTIONS)
    kind = st.segmented_control(
        "What the files hold", (QUESTIONS, PREDICTIONS), key=_KIND, required=True,
    )  # fmt: skip
    if kind == QUESTIONS:
        bring_in_questions(workspace)
    elif any_questions:
        _bring_in_predictions(workspace)
    else:
        st.info("Predictions belong to questions, and there are none yet. Import them first.")


def _bring_in_predictions(workspace: Workspace) -> None:
    st.caption(
        "Sample logs of lmms-eval, tables of VLMEvalKit, results of TOMATO, TempCompass or "
        "NExT-QA, or a plain CSV, TSV, JSON or xlsx with one reply a row. Replies are read again "
        "by our own rules; scores in the files are kept beside ours."
    )
    if report := st.session_state.pop(_DONE, ""):
        st.success(report, icon=":material/check:")
    plan = _asked(workspace)
    if plan is None:
        return
    draw_plan(plan)
    _write(workspace, plan)


def _asked(workspace: Workspace) -> PredictionPlan | None:
    """The plan of the files that are chosen, made once for the same choice; None without files."""
    number = st.session_state.setdefault(_ROUND, 0)
    files = st.file_uploader(
        "Files of predictions", TYPES, accept_multiple_files=True, key=f"bring-in files {number}"
    )
    model_at, condition_at = st.columns(2)
    model = model_at.text_input(
        "Model", placeholder=FROM_FILE, key=f"bring-in model {number}"
    ).strip()
    condition = condition_at.selectbox(
        "What the model saw", [FROM_FILE, *CONDITIONS], accept_new_options=True,
        key=f"bring-in condition {number}",
    )  # fmt: skip
    if not files:
        return None
    choices = PredictionChoices(
        model=model, condition="" if condition in (None, FROM_FILE) else condition
    )
    chosen = (tuple(file.file_id for file in files), choices)
    kept = st.session_state.get(_PLAN)
    if kept is None or kept[0] != chosen:
        uploads = [(file.name, file.getvalue()) for file in files]
        with st.spinner("Matching replies to questions and reading them…"):
            try:
                plan = plan_predictions(workspace, keep_uploads(workspace, uploads), choices)
            except Refusal as error:
                st.error(str(error))
                return None
        kept = st.session_state[_PLAN] = (chosen, plan)
    return kept[1]


def _write(workspace: Workspace, plan: PredictionPlan) -> None:
    missing = plan.undecided
    if not missing and any(run.model == FOLDER for run in plan.runs):
        missing = "The files do not say which model it is. Name it above."
    if missing:
        st.warning(missing, icon=":material/help:")
    if not plan.matched:
        st.warning("No reply belongs to a stored question: there is nothing to write.")
    label = f"Write {plan.matched:,} answers"
    if st.button(label, type="primary", disabled=bool(missing) or not plan.matched):
        try:
            results = write_predictions(workspace, plan)
        except Refusal as error:
            st.error(str(error))
            return
        counts = [
            sum(getattr(result, name) for _, result in results)
            for name in ("new", "changed", "same")
        ]
        st.session_state[_DONE] = (
            f"Written: {counts[0]:,} new answers, {counts[1]:,} changed, {counts[2]:,} there "
            "already. They are on the page Runs."
        )
        st.session_state.pop(_PLAN, None)
        st.session_state[_ROUND] += 1
        st.rerun()
