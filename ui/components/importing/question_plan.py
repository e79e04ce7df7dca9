"""Import of questions in the browser: the plan, and a choice for each conflict."""

from pathlib import Path
from typing import cast

import streamlit as st

from annotations.format import FOLDER, Choices
from annotations.formats._answer_files import SUFFIXES, open_table
from annotations.importing.conflict import Conflict
from annotations.importing.import_plan import ImportPlan, carry_out, plan_import
from annotations.importing.uploads import keep_uploads
from annotations.planning.task_store import ensure_tasks
from annotations.reading.mapping import FIELDS
from annotations.workspace import Workspace
from core import plugins
from core.refusal import Refusal
from ui.components.importing.file_settings import choose_settings, show_refusal
from ui.components.importing.first_questions import draw_first_questions
from ui.components.importing.prediction_plan import draw_problems
from ui.components.tables import show_table
from ui.components.words import plain

TYPES = [suffix.removeprefix(".") for suffix in SUFFIXES]
HERE, FILE = "here", "file"
CHOICES = {HERE: "Keep what is here", FILE: "Take the file's"}
MOST_CONFLICTS = 50
WIDTHS = (1, 3, 3, 3)
_PLAN, _ROUND, _DONE = "questions-in plan", "questions-in round", "questions-in done"


def bring_in_questions(workspace: Workspace) -> None:
    """Choose files of questions, look at the plan, settle what was edited on both sides, write."""
    st.caption(
        "CSV, TSV, JSON or xlsx with one question a row, or files of TOMATO, TempCompass or "
        "NExT-QA. Importing a file again takes what changed in it and leaves what was edited here."
    )
    if report := st.session_state.pop(_DONE, ""):
        st.success(report, icon=":material/check:")
    plan = _asked(workspace)
    if plan is None:
        return
    _counts(plan)
    draw_first_questions(plan.first_questions)
    take = _settled(plan.conflicts)
    _details(plan)
    _write(workspace, plan, take)


def _asked(workspace: Workspace) -> ImportPlan | None:
    """The plan of the files that are chosen, made once for the same choice; None without files."""
    number = st.session_state.setdefault(_ROUND, 0)
    files = st.file_uploader(
        "Files of questions", TYPES, accept_multiple_files=True, key=f"questions-in files {number}"
    )
    if not files:
        return None
    paths = keep_uploads(workspace, [(file.name, file.getvalue()) for file in files])
    settings = choose_settings(
        paths, FIELDS, lambda path, encoding: open_table(path, encoding).columns,
        plugins.names(FOLDER), f"questions-in {number}",
    )  # fmt: skip
    chosen = (tuple(file.file_id for file in files), settings)
    kept = st.session_state.get(_PLAN)
    if kept is None or kept[0] != chosen:
        path: Path = paths[0] if len(paths) == 1 else paths[0].parent
        choices = Choices(settings.columns, settings.keys, settings.encoding)
        with st.spinner("Reading the questions and comparing them with what is here…"):
            try:
                plan = plan_import(workspace, path, format_name=settings.layout, choices=choices)
            except Refusal as error:
                show_refusal(str(error))
                return None
        kept = st.session_state[_PLAN] = (chosen, plan)
    return cast("ImportPlan", kept[1])


def _counts(plan: ImportPlan) -> None:
    """How many questions are what, and what changes."""
    counts = plan.questions
    shown = {
        "New": counts["new"],
        "Changed": counts["changed"],
        "Unchanged": counts["unchanged"],
        "Edited on both sides": counts["kept"],
        "Refused": counts["refused"],
    }
    for column, (name, count) in zip(st.columns(len(shown)), shown.items(), strict=True):
        column.metric(name, f"{count:,}")
    notes: list[str] = []
    if plan.changed_parts:
        parts = ", ".join(f"{name} in {n:,}" for name, n in plan.changed_parts.most_common())
        notes.append(f"Changed in the file: {parts}. Of people's answers: {plan.effect.words}.")
    if counts["merged"]:
        notes.append(f"Edited here in other parts, so that both is kept: {counts['merged']:,}.")
    missing = plan.videos.counts()["missing"]
    if missing:
        notes.append(f"Videos not here yet: {missing:,}; `rushes import FILE --videos DIR` helps.")
    if notes:
        st.caption(" ".join(notes))


def _details(plan: ImportPlan) -> None:
    """The mapping and the problems."""
    with st.expander("What becomes what"):
        show_table(
            {
                "Field": [field for field, _ in plan.reading.mapping],
                "Comes from": [source for _, source in plan.reading.mapping],
            }
        )
    draw_problems(plan.problems)


def _settled(conflicts: list[Conflict]) -> set[str]:
    """Uids of the conflicts in which the file's is to be taken."""
    if not conflicts:
        return set()
    st.subheader("Edited here and in the file")
    st.caption(
        "Since the last import these questions were changed by people here, and otherwise in the "
        "file. They stay as they are here, unless you take the file's. What only one side changed "
        "is kept either way."
    )
    number = st.session_state[_ROUND]
    take: set[str] = set()
    for conflict in conflicts[:MOST_CONFLICTS]:
        with st.container(border=True):
            about, choice = st.columns((3, 2), vertical_alignment="center")
            where = ", ".join(part for part in (conflict.file, conflict.row) if part)
            about.markdown(f"**{plain(conflict.uid)}** :gray[{plain(where)}]")
            chosen = choice.segmented_control(
                f"Which holds for {plain(conflict.uid)}", list(CHOICES),
                format_func=CHOICES.__getitem__, default=HERE, required=True,
                key=f"questions-in {number} {conflict.revision} {conflict.uid}",
                label_visibility="collapsed",
            )  # fmt: skip
            _side_by_side(conflict)
            if chosen == FILE:
                take.add(conflict.uid)
    more = len(conflicts) - MOST_CONFLICTS
    if more > 0:
        st.caption(
            f"And {more:,} more, which stay as they are here. On the command line --take-file "
            "settles any of them."
        )
    return take


def _side_by_side(conflict: Conflict) -> None:
    """The values of each part that both changed, in full."""
    heads = ("", ":gray[At the last import]", ":gray[Here now]", ":gray[In the file]")
    for column, head in zip(st.columns(WIDTHS), heads, strict=True):
        column.markdown(head)
    for clash in conflict.clashes:
        cells = (clash.imported, clash.current, clash.file)
        part, *values = st.columns(WIDTHS)
        part.markdown(f":gray[{plain(clash.part)}]")
        for column, cell in zip(values, cells, strict=True):
            column.markdown(plain(cell))


def _write(workspace: Workspace, plan: ImportPlan, take: set[str]) -> None:
    if plan.reading.undecided:
        st.warning(plain(plan.reading.undecided), icon=":material/help:")
    writes = plan.questions["new"] + plan.questions["changed"] + len(take)
    label = f"Write {writes:,} question{'s'[: writes != 1]}"
    if not st.button(label, type="primary", disabled=bool(plan.reading.undecided) or plan.is_empty):
        return
    try:
        with st.spinner("Writing questions…"):
            carry_out(workspace, plan, take_file=take)
            ensure_tasks(workspace)
    except Refusal as error:
        st.error(plain(str(error)))
        return
    counts = plan.questions
    st.session_state[_DONE] = (
        f"Written: {counts['new']:,} new questions, {counts['changed']:,} changed, "
        f"{counts['unchanged']:,} unchanged, {counts['kept']:,} kept as edited here."
    )
    st.session_state.pop(_PLAN, None)
    st.session_state[_ROUND] += 1
    st.rerun()
