"""Strangers from Mechanical Turk and Prolific: survey links, how far they are, and paying."""

import streamlit as st

from annotations.people import Person
from annotations.planning.task_store import all_tasks
from annotations.recruiting.overview import LinkCounts, overview, refusals
from annotations.recruiting.recruitment import set_state
from annotations.workspace import Workspace
from ui.components.nothing_yet import IMPORT, TASKS, nothing_yet
from ui.components.recruiting.new_link import new_link, onboarding_form
from ui.components.recruiting.paying import paying
from ui.components.tables import show_table
from ui.components.words import plain
from ui.survey_links import external_question, survey_link

TITLE = "Recruiting"
ICON = ":material/group_add:"
ROLES = frozenset({"author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """Draw the links with their counts, the chosen one, and the forms that make one."""
    del person
    st.title("Recruiting")
    tasks = all_tasks(workspace)
    if not tasks:
        nothing_yet(
            "A survey link leads to a task, and there is none yet. Importing questions makes one"
            " for each condition.",
            IMPORT, TASKS,
        )  # fmt: skip
        return
    links = overview(workspace)
    if links:
        _table(links)
        names = {row.recruitment.id: row for row in links}
        chosen = st.selectbox(
            "Survey link", list(names), format_func=lambda number: names[number].recruitment.name
        )
        _chosen(workspace, names[chosen])
    else:
        st.info(
            "No survey links yet. With one, people of Mechanical Turk or Prolific work on a task "
            "without an invite: they agree, practise, work, and take a completion code back."
        )
    with st.expander("New survey link", expanded=not links, icon=":material/add_link:"):
        new_link(workspace, tasks)
    with st.expander("What a task asks of everybody", icon=":material/rule:"):
        onboarding_form(workspace, tasks)


def _table(links: list[LinkCounts]) -> None:
    show_table(
        {
            "Survey link": [row.recruitment.name for row in links],
            "Site": [row.recruitment.site.label for row in links],
            "Task": [row.task for row in links],
            "State": [row.recruitment.state for row in links],
            "Places": [row.recruitment.places for row in links],
            "At work": [row.running for row in links],
            "Done": [row.ended for row in links],
            "Failed practice": [row.failed for row in links],
            "Paid": [row.paid for row in links],
            "Not let in": [row.refused for row in links],
        }
    )


def _chosen(workspace: Workspace, counts: LinkCounts) -> None:
    made = counts.recruitment
    link, pay, refused = st.tabs(["Link", "Payments", f"Not let in ({counts.refused})"])
    with link:
        _link(workspace, counts)
    with pay:
        paying(workspace, made)
    with refused:
        _refused(workspace, made.id)


def _link(workspace: Workspace, counts: LinkCounts) -> None:
    made = counts.recruitment
    if made.site.name == "mturk":
        st.markdown(
            "Make the HIT as an *ExternalQuestion* with this XML. Its frame holds a link that opens"
            " the work in a page of its own, and the field for the code."
        )
        st.code(external_question(workspace, made), language="xml")
    else:
        st.markdown(
            "Enter this as the URL of the study, and let people be sent back by *redirect*. "
            "Prolific fills in what stands in double braces."
        )
        st.code(survey_link(workspace, made), language=None)
    if not workspace.settings.url.startswith("https:"):
        st.warning(
            "Both sites ask for an address with https. Write yours into rushes.toml: [server] url.",
            icon=":material/public_off:",
        )
    closed = made.state == "closed"
    if st.button("Open again" if closed else "Close for new people"):
        set_state(workspace, made.id, "open" if closed else "closed")
        st.rerun()
    st.caption(
        f"{made.items:,} answers for {made.reward:.2f} {plain(workspace.settings.currency)}. Who "
        "has begun may finish after it is closed."
    )


def _refused(workspace: Workspace, recruitment_id: int) -> None:
    rows = refusals(workspace, recruitment_id)
    st.caption(
        "What stands in an address proves nothing, so an id belongs to the browser that came with "
        "it first. If somebody writes to you that they cannot go on, an administrator makes a new "
        "link for them on the page People and you send it to them through the site; the first "
        "browser is signed out by that."
    )
    if not rows:
        st.caption("Everybody who came was let in.")
        return
    show_table(
        {
            "Named": [row.name for row in rows],
            "What they were told": [row.why for row in rows],
        },
        wide=["What they were told"],
    )
