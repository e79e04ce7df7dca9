"""The report of a cross-check, and the forms that begin a blind second pass."""

import streamlit as st

from annotations import task as tasks_of
from annotations.adjudication.cross_check import (
    LATER,
    Decided,
    check_keys,
    decided,
    report,
    second_pass,
)
from annotations.adjudication.decision_words import DecisionWords, decision_words
from annotations.adjudication.outcomes import outcome_words
from annotations.annotator import number_words
from annotations.people import everyone
from annotations.planning.task_store import all_tasks
from annotations.scoring.snapshot import take
from annotations.task_parts import HasKey
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.downloads import csv_button
from ui.components.local_time import local_time
from ui.components.tables import show_table
from ui.components.words import plain

_HEADINGS = {
    "first": "First kept",
    "second": "Second kept",
    LATER: "Later one kept",
    "other": "Another answer",
    "replace_video": "Video replaced",
    "fix_question": "Question fixed",
    "retire": "Retired",
}
_DONE = "second pass done"


def cross_check_report(workspace: Workspace, tasks: dict[str, int]) -> None:
    """Draw the sentence for a paper for each task, the table of counts, and how each item ended."""
    with take(workspace) as snapshot:
        reports = {name: report(snapshot, number) for name, number in tasks.items()}
        decisions = decided(snapshot, list(tasks.values()))
    st.space("small")
    for name, task_report in reports.items():
        if task_report.checked:
            st.markdown(f"**{plain(name)}**")
            st.code(task_report.words, language=None, wrap_lines=True)
    if not any(task_report.checked for task_report in reports.values()):
        st.info("No item has two answers yet.")
        return
    shown = [(name, task_report) for name, task_report in reports.items() if task_report.checked]
    columns: dict[str, list[object]] = {
        "Task": [name for name, _ in shown],
        "Items checked": [task_report.checked for _, task_report in shown],
        "Disagreements": [task_report.disagreements for _, task_report in shown],
        **{
            _HEADINGS[outcome]: [task_report.ended[outcome] for _, task_report in shown]
            for outcome in _HEADINGS
        },
        "Open": [task_report.open for _, task_report in shown],
    }
    show_table(columns)
    _right("cross-check", columns)
    _decisions(decisions, decision_words(workspace, decisions))


def _decisions(rows: list[Decided], in_words: list[DecisionWords]) -> None:
    if not rows:
        return
    st.subheader("How each one ended")
    widest = max(len(row.answers) for row in rows)
    columns: dict[str, list[object]] = {
        "Item": [row.uid.partition(":")[2] for row in rows],
        "Task": [row.task for row in rows],
        "Category": [row.category for row in rows],
        "Outcome": [
            outcome_words(row.outcome, row.value, [response for _, response in row.answers])
            for row in rows
        ],
        "Value": [words.value for words in in_words],
        "Why": [row.reason for row in rows],
        "Signed by": [", ".join(row.signed_by) for row in rows],
        "Decided": [local_time(row.decided_at) for row in rows],
        "State": ["settled" if row.holds else "waits for a signature" for row in rows],
    }
    for column in range(widest):
        columns[f"Answer {column + 1}"] = [
            words.answers[column] if column < len(words.answers) else None for words in in_words
        ]
        columns[f"By {column + 1}"] = [
            row.answers[column][0] if column < len(row.answers) else None for row in rows
        ]
    show_table(columns)
    _right("how disagreements ended", columns)


def _right(name: str, columns: dict[str, list[object]]) -> None:
    with st.container(horizontal_alignment="right"):
        csv_button(name, columns)


def second_pass_forms(workspace: Workspace) -> None:
    """Draw the two ways to have people answer again without seeing what was answered."""
    message = st.session_state.pop(_DONE, "")
    if message:
        st.success(message, icon=":material/check:")
    st.caption(
        "Whoever answers sees neither the key nor anybody's answer. Where they differ, the item"
        " appears under Settle."
    )
    people = [row.name for row in everyone(workspace) if row.kind == "person"]
    keys_at, task_at = st.columns(2, gap="medium")
    with keys_at.form("check keys"):
        st.markdown("**Check the stored keys**")
        st.caption("One person answers every question again; the key is the other answer.")
        _check_keys(workspace, people)
    with task_at.form("second pass"):
        st.markdown("**Ask once more in a task**")
        st.caption("Every item of the task gets one more answer by somebody who has not seen it.")
        _second_pass(workspace, people)


def _check_keys(workspace: Workspace, people: list[str]) -> None:
    kinds = [name for name in tasks_of.kinds() if isinstance(tasks_of.kind(name), HasKey)]
    name = st.text_input("Name of the task", value="Cross-check of the keys", max_chars=200)
    kind_at, condition_at = st.columns(2)
    kind = kind_at.selectbox("Kind", kinds, format_func=lambda name: tasks_of.kind(name).LABEL)
    condition = condition_at.selectbox(
        "Shown", ["full video", *_others(workspace.settings.conditions)]
    )
    chosen = st.multiselect("By whom", people, placeholder="anybody", key="check keys people")
    if st.form_submit_button("Begin", type="primary"):
        try:
            check_keys(workspace, name.strip(), kind, {"condition": condition}, tuple(chosen))
        except Refusal as error:
            st.error(plain(str(error)))
        else:
            _finish(f"The task “{name.strip()}” is open for {_named(chosen)}.")


def _others(conditions: tuple[str, ...] | list[str]) -> list[str]:
    return [condition for condition in conditions if condition != "full video"]


def _second_pass(workspace: Workspace, people: list[str]) -> None:
    tasks = {task.name: task for task in all_tasks(workspace) if task.items}
    name = st.selectbox(
        "Task",
        list(tasks),
        format_func=lambda name: (
            f"{name} ({number_words(tasks[name].overlap, 'person', 'people')} per item now)"
        ),
        index=None,
        placeholder="choose a task",
    )
    chosen = st.multiselect("By whom", people, placeholder="anybody", key="second pass people")
    if not st.form_submit_button("Begin", type="primary"):
        return
    if name is None:
        st.error("Choose a task.")
        return
    try:
        second_pass(workspace, tasks[name].id, tuple(chosen))
    except Refusal as error:
        st.error(plain(str(error)))
    else:
        _finish(f"“{name}” asks once more, open for {_named(chosen)}.")


def _named(chosen: list[str]) -> str:
    return ", ".join(chosen) or "everybody"


def _finish(message: str) -> None:
    st.session_state[_DONE] = plain(message)
    st.rerun()
