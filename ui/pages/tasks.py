"""The author's tasks: how far they are, what waits, and a wizard for new ones."""

import streamlit as st

from annotations import task as kinds
from annotations.annotator import number_words
from annotations.answering.progress import hourly_rate
from annotations.people import Person
from annotations.planning.task_store import all_tasks, set_status
from annotations.record.task import TaskCounts
from annotations.workspace import Workspace
from ui.components.nothing_yet import IMPORT, nothing_yet
from ui.components.task.task_detail import show_task
from ui.components.task.task_table import task_table
from ui.components.task.task_wizard import forget, wizard
from ui.components.words import plain
from ui.going import go_to

TITLE = "Tasks"
ICON = ":material/assignment:"
ROLES = frozenset({"author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """All tasks and the chosen one, or the wizard."""
    if "new" in st.query_params:
        _new(workspace, person)
        return
    title_at, button_at = st.columns([5, 1], vertical_alignment="bottom")
    title_at.title("Tasks")
    if button_at.button("New task", type="primary", icon=":material/add:", width="stretch"):
        st.query_params["new"] = "1"
        st.rerun()
    tasks = {task.id: task for task in all_tasks(workspace)}
    if not tasks:
        words = (
            "No tasks yet. Importing questions makes one for each condition; *New task* makes any "
            "other kind here."
        )
        nothing_yet(words, IMPORT, command="rushes task create FILE.toml", root=workspace.root)
        return
    chosen = task_table(workspace, _asked(tasks))
    _chosen(workspace, person, tasks[chosen])


def _asked(tasks: dict[int, TaskCounts]) -> int:
    """The task of the address; else one that waits for an author; else the newest."""
    asked = st.query_params.get("task", "")
    if asked.isdecimal() and int(asked) in tasks:
        return int(asked)
    return next((number for number in tasks if tasks[number].waiting), max(tasks))


def _new(workspace: Workspace, person: Person) -> None:
    title_at, button_at = st.columns([5, 1], vertical_alignment="bottom")
    title_at.title("New task")
    task = None
    if button_at.button("All tasks", icon=":material/arrow_back:", width="stretch"):
        forget()
    else:
        task = wizard(workspace, person)
        if task is None:
            return
    st.query_params.clear()
    if task is not None:
        st.query_params["task"] = str(task)
    st.rerun()


def _chosen(workspace: Workspace, person: Person, task: TaskCounts) -> None:
    words_at, buttons_at = st.columns([5, 4], vertical_alignment="center")
    with words_at:
        st.subheader(plain(task.name), anchor=False)
        st.caption(_words(workspace, task))
    with buttons_at.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Preview as an annotator", icon=":material/preview:"):
            query = {"task": str(task.id), "preview": "1"}
            go_to("annotate", **query)
        if task.status == "open":
            _state_button(workspace, task, "Pause", "paused", ":material/pause:")
        else:
            _state_button(workspace, task, "Reopen", "open", ":material/play_arrow:")
        if task.status != "closed":
            _state_button(workspace, task, "Close", "closed", ":material/stop:")
    show_task(workspace, person, task)


def _state_button(
    workspace: Workspace, task: TaskCounts, label: str, status: str, icon: str
) -> None:
    if st.button(label, icon=icon):
        set_status(workspace, task.name, status)
        st.rerun()


def _words(workspace: Workspace, task: TaskCounts) -> str:
    counts = {"practice": task.practice, "attention": task.attention}
    known = [f"{count:,} of {role}" for role, count in counts.items() if count]
    parts = [
        kinds.kind(task.kind).LABEL,
        number_words(task.items, "item") + (f" and {' and '.join(known)}" if known else ""),
        f"{number_words(task.overlap, 'person', 'people')} each",
        f"{hourly_rate(workspace, task):g} {workspace.settings.currency} an hour",
    ]
    parts.append("in the order of import" if task.order_seed is None else "shuffled")
    if task.adaptive:
        parts.append(f"ends items early: {task.saved:,} answers saved")
    return plain(" · ".join(parts))
