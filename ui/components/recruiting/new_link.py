"""Forms that make a survey link, and that say what a task asks of everybody."""

import streamlit as st

from annotations.record.task import TaskCounts
from annotations.recruiting.onboarding import Onboarding, onboarding_of, set_onboarding
from annotations.recruiting.recruitment import OUTCOMES, make_recruitment
from annotations.recruiting.sites import SITES
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.words import plain


def new_link(workspace: Workspace, tasks: list[TaskCounts]) -> None:
    """Draw the form of a new survey link."""
    names = {task.id: task.name for task in tasks}
    site = st.segmented_control(
        "Site", list(SITES), default="mturk", required=True, key="recruit-site",
        format_func=lambda name: SITES[name].label,
    )  # fmt: skip
    with st.form("recruit-new", border=False):
        name_at, task_at = st.columns(2)
        name = name_at.text_input("Name", max_chars=80, placeholder="Pilot, 20 people")
        task = task_at.selectbox("Task", list(names), format_func=lambda number: names[number])
        items_at, places_at, reward_at = st.columns(3)
        items = items_at.number_input("Answers per submission", 1, 10_000, 10)
        places = places_at.number_input("Submissions at most", 1, 100_000, 20)
        reward = reward_at.number_input(
            f"Reward, {workspace.settings.currency}", 0.0, 10_000.0, 2.0, format="%.2f",
            help="What the site pays for one submission. Time at work that is worth more at the "
            "task's hourly rate is listed as a bonus.",
        )  # fmt: skip
        consent = st.text_area(
            "Consent (Markdown)", max_chars=20_000, height=140,
            placeholder="Who asks, what for, what is kept and for how long, whom to write to.",
        )  # fmt: skip
        codes: dict[str, str] = {}
        if SITES[site].own_codes:
            st.caption(
                "Completion codes that the site has made, by how it ends; the first is asked."
            )
            for column, (outcome, words) in zip(
                st.columns(len(OUTCOMES)), OUTCOMES.items(), strict=True
            ):
                codes[outcome] = column.text_input(words[:1].upper() + words[1:], max_chars=40)
        if st.form_submit_button("Make the link", type="primary"):
            try:
                make_recruitment(
                    workspace, name=name, site=site, task_id=task, items=int(items),
                    places=int(places), reward=float(reward), consent=consent, codes=codes,
                )  # fmt: skip
            except Refusal as error:
                st.error(plain(str(error)))
            else:
                st.rerun()


def onboarding_form(workspace: Workspace, tasks: list[TaskCounts]) -> None:
    """Draw what a task asks of everybody but authors: a mark in practice, and limits."""
    names = {task.id: task.name for task in tasks}
    task = st.selectbox("Of task", list(names), format_func=lambda number: names[number])
    now = onboarding_of(workspace, task)
    with st.form(f"recruit-onboarding-{task}", border=False):
        pass_at, name_at, attention_at = st.columns(3, vertical_alignment="bottom")
        mark = pass_at.number_input(
            "Practice to be right, %", 0, 100, _percent(now.pass_mark), placeholder="no mark",
            help="At the first try, before any work is handed out. A skip is not right.",
        )  # fmt: skip
        name = name_at.text_input(
            "Qualification", now.qualification, max_chars=60, placeholder="this task's own",
            help="Tasks with the same word here take each other's practice.",
        )  # fmt: skip
        attention = attention_at.number_input(
            "Attention items to be right, %", 0, 100, _percent(now.attention_mark),
            placeholder="no mark", help="Below it, payments are to be looked at; none is rejected.",
        )  # fmt: skip
        day_at, total_at = st.columns(2)
        day = day_at.number_input(
            "Answers of one person in a day", 1, None, now.daily_limit, placeholder="no limit"
        )
        total = total_at.number_input(
            "Answers of one person in all", 1, None, now.total_limit, placeholder="no limit"
        )
        if st.form_submit_button("Save", type="primary"):
            try:
                set_onboarding(
                    workspace, task, Onboarding(_share(mark), name, _share(attention), day, total)
                )
            except Refusal as error:
                st.error(plain(str(error)))
            else:
                st.success("Saved. It holds from the next item on that is handed out.")


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


def _share(percent: int | None) -> float | None:
    return None if percent is None else percent / 100
