"""Where people begin: their tasks, and for authors how far everything is."""

from html import escape

import streamlit as st

from annotations.answering.assignments import is_for
from annotations.answering.progress import progress as progress_of
from annotations.people import Person, everyone
from annotations.planning.task_store import all_tasks, status
from annotations.record.task import TaskCounts
from annotations.workspace import Workspace
from ui.components.take_away import take_away
from ui.components.words import plain
from ui.going import go_to

TITLE = "Start"
ICON = ":material/home:"
ROLES = frozenset({"annotator", "author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """Tasks to do; for authors the state of the workspace and what to do next."""
    name_at, leave_at = st.columns([4, 1], vertical_alignment="bottom")
    name_at.title(workspace.settings.name)
    leave_at.html(
        f'<div style="text-align: right; opacity: .8">{escape(person.name)}, {person.role} · '
        '<a href="/leave" target="_self" style="color: inherit">Sign out</a></div>'
    )
    tasks = [
        task
        for task in all_tasks(workspace)
        if task.items and (person.is_author or is_for(workspace, task.id, person))
    ]
    if person.is_author:
        _state(workspace)
    if not tasks:
        _empty(workspace, person)
        return
    st.subheader("Tasks" if person.is_author else "Your tasks")
    for task in tasks:
        _task_card(workspace, person, task)
    if person.is_author:
        take_away(workspace)


def _task_card(workspace: Workspace, person: Person, task: TaskCounts) -> None:
    progress = progress_of(workspace, task.id, person)
    with st.container(border=True):
        text_at, action = st.columns([4, 1], vertical_alignment="center")
        with text_at:
            st.markdown(f"**{plain(task.name)}**")
            if person.is_author:
                wanted, answers = task.wanted, task.answers
                items = f"{task.finished} of {task.items} items finished"
                st.progress(
                    answers / wanted if wanted else 0.0,
                    text=f"{answers} of {wanted} answers; {items}, {task.overlap} people each",
                )
            else:
                handled, total = progress["done"] + progress["skipped"], progress["total"]
                minutes = progress["active_s"] / 60
                pay = f", {progress['pay']:.2f} {workspace.settings.currency}"
                st.progress(
                    handled / total if total else 0.0,
                    text=f"{handled} of {total} done, {minutes:.0f} min"
                    + (pay if workspace.settings.show_pay else ""),
                )
        with action:
            label = "Continue" if progress["done"] else "Begin"
            if progress["open_for_me"] == 0:
                label = "Look back"
            if st.button(
                label,
                key=f"open-{task.id}",
                type="secondary" if person.is_author else "primary",
                width="stretch",
            ):
                go_to("annotate", task=str(task.id))


def _state(workspace: Workspace) -> None:
    counts = status(workspace)
    people = sum(row["kind"] == "person" for row in everyone(workspace))
    shown = (
        ("Usable videos", f"{counts['videos_usable']:,} of {counts['videos']:,}"),
        ("Questions", f"{counts['questions']:,}"),
        ("Answers", f"{counts['annotations']:,}"),
        ("People", f"{people:,}"),
    )
    for column, (name, value) in zip(st.columns(len(shown)), shown, strict=True):
        column.metric(name, value, border=True)
    lost = counts["videos_missing"] + counts["videos_broken"]
    if lost:
        st.warning(
            f"{counts['videos_missing']} videos are missing and {counts['videos_broken']} cannot be"
            " read; their questions wait. The page Videos says which and why.",
            icon=":material/report:",
        )


def _empty(workspace: Workspace, person: Person) -> None:
    if not person.is_author:
        st.info("There is nothing to do yet. An author will add tasks; come back later.")
        return
    st.info("No questions yet. Import a benchmark, then invite people:")
    st.code(
        f"rushes import QUESTIONS --videos FOLDER --workspace {workspace.root}\n"
        f"rushes invite NAME --role annotator --workspace {workspace.root}",
        language="bash",
    )
