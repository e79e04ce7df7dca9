"""Why models fail: their answers as cards with what they saw, and what people said went wrong."""

from typing import Any

import streamlit as st

from annotations.people import Person
from annotations.record.prediction import has_predictions
from annotations.workspace import Workspace
from ui.access import cookie_name
from ui.components.desk.desk import mount_failures
from ui.components.failure_report import report_of_failures
from ui.components.nothing_yet import IMPORT, PIPELINE, nothing_yet
from ui.routes.assets import assets_url
from ui.routes.failures import BASE

TITLE = "Failures"
ICON = ":material/troubleshoot:"
ROLES = frozenset({"author", "admin"})
VIEWS = "Failures", "Report"
# What an address may ask for, as ?run=3&category=count: the part of the filter, and its type.
ASKED = {
    "run": "runs", "condition": "conditions", "category": "categories", "tag": "tags",
    "state": "states", "question": "question", "text": "text", "outcome": "outcome",
    "people": "people", "others": "others", "order": "order", "tagged": "tagged",
    "class": "classes", "once": "once",
}  # fmt: skip
LISTS = ("runs", "conditions", "categories", "tags", "states", "classes")


def render(workspace: Workspace, person: Person) -> None:
    """The wall and the cards of failures, or the report of the tags."""
    with workspace.store.single() as database:
        answered = has_predictions(database)
    if not answered:
        st.title("Failures")
        nothing_yet(
            "No model has answered yet. Once predictions are imported or a model has answered the"
            " questions, the wrong ones stand here, with exactly the frames that the model saw.",
            IMPORT, PIPELINE, command="rushes import predictions.json", root=workspace.root,
        )  # fmt: skip
        return
    with st.container(key="failures-view"):
        view = st.segmented_control(
            "View", VIEWS, default=VIEWS[0], required=True, key="failures view",
            label_visibility="collapsed",
        )  # fmt: skip
    if view == VIEWS[1]:
        report_of_failures(workspace)
        return
    st.html(WHOLE_WINDOW)
    mount_failures(
        {
            "base": BASE,
            "assets": assets_url(),
            "person": person.name,
            "workspace": cookie_name(workspace),
            "filter": _asked(),
            "view": st.query_params.get("view", "wall"),
            "at": st.query_params.get("at", ""),
        },
        key="failures",
    )


def _asked() -> dict[str, Any]:
    """The filter of the address; {} if it names none."""
    wanted: dict[str, Any] = {}
    for name, part in ASKED.items():
        values = st.query_params.get_all(name)
        if part == "runs":
            wanted |= (
                {part: [int(value) for value in values if value.isdecimal()]} if values else {}
            )
        elif values and part == "once":
            wanted[part] = values[-1] == "yes"
        elif values:
            wanted[part] = values if part in LISTS else values[-1]
    return wanted


# The room fills the window below the navigation; the choice of view stands beside the filters.
WHOLE_WINDOW = """
<style>
[data-testid="stMainBlockContainer"] { padding: 3.7rem 1rem 0 1rem; max-width: none; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0; }
.st-key-failures-view { position: fixed; top: 3.7rem; right: 1rem; z-index: 3;
  width: max-content !important; min-width: 9.5rem; }
:root { --desk-height: calc(100vh - 4.4rem); }
</style>
"""
