"""All tasks with how far they are, up to date while people work; a row can be chosen."""

import pandas as pd
import streamlit as st

from annotations import task as kinds
from annotations.planning.task_store import all_tasks
from annotations.record.task import TaskCounts
from annotations.workspace import Workspace
from ui.access import fragment

HEAD_PX, ROW_PX = 35, 33  # of Streamlit's tables
SEEN = 10  # rows that are seen without scrolling
CLICKED, FIRST = "tasks-clicked", "tasks-first"


def task_table(workspace: Workspace, chosen: int) -> int:
    """The id of the chosen task; choosing another one draws the page again."""
    _table(workspace, chosen)
    return chosen


@fragment(run_every="5s")
def _table(workspace: Workspace, chosen: int) -> None:
    tasks = _in_order(all_tasks(workspace), chosen)
    ids = [task.id for task in tasks]
    index = ids.index(chosen) if chosen in ids else 0
    selection = st.dataframe(  # pyright: ignore[reportUnknownMemberType, reportCallIssue]
        _frame(tasks),
        hide_index=True,
        width="stretch",
        column_config={
            "Task": st.column_config.TextColumn(width="large"),
            "Finished": st.column_config.ProgressColumn(format="%d %%", min_value=0, max_value=100),
        },
        height=HEAD_PX + ROW_PX * max(1, min(SEEN, len(tasks))),
        key=f"tasks-table {ids[:1]} {max(ids)}",  # others have other rows: a choice is of a row
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": [index], "columns": [], "cells": []}},
    )
    rows: list[int] = selection["selection"]["rows"]
    if rows and rows[0] < len(ids) and ids[rows[0]] != chosen:
        st.session_state[CLICKED] = ids[rows[0]]
        st.query_params["task"] = str(ids[rows[0]])
        st.rerun()


def _in_order(tasks: list[TaskCounts], chosen: int) -> list[TaskCounts]:
    """The newest task first, but for one that the page was opened with and nobody would see.

    What somebody clicks stays where it is.
    """
    newest_first = sorted(tasks, key=lambda task: -task.id)
    if chosen != st.session_state.get(CLICKED):
        seen = [task.id for task in newest_first[:SEEN]]
        st.session_state[FIRST] = None if chosen in seen else chosen
    first = st.session_state.get(FIRST)
    return sorted(newest_first, key=lambda task: task.id != first)


def _frame(tasks: list[TaskCounts]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Task": [task.name for task in tasks],
            "Kind": [kinds.kind(task.kind).LABEL for task in tasks],
            "State": [task.status for task in tasks],
            "Finished": [
                100 * task.answers / task.wanted if task.wanted else 0.0 for task in tasks
            ],
            "Items": [f"{task.finished:,} of {task.items:,}" for task in tasks],
            "Answers": [f"{task.answers:,} of {task.wanted:,}" for task in tasks],
            "Saved": [task.saved for task in tasks],
            "Waiting": [task.waiting for task in tasks],
        }
    )
