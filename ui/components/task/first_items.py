"""The first items of a planned task, as annotators will see them."""

from typing import Any, cast

import streamlit as st

from annotations.people import Person
from annotations.planning.examples import example_of
from annotations.planning.preview import first_looks
from annotations.planning.task_plan import TaskPlan
from annotations.record.stage import Content
from annotations.workspace import Workspace
from ui.components.desk.desk import mount_viewer
from ui.components.words import plain
from ui.routes.assets import assets_url
from ui.routes.stages import Stages
from ui.serving import preparer

SHOWN = 5


def show_first_items(workspace: Workspace, person: Person, plan: TaskPlan) -> None:
    """One of the first items at a time: its stage, and the words beside it."""
    looks = first_looks(workspace, plan, SHOWN, str(person.id))
    numbers = list(range(1, len(looks) + 1))
    number = st.segmented_control(
        "Item", numbers, default=1, required=True, key="new-item", label_visibility="collapsed",
        format_func=lambda number: f"Item {number}",
    )  # fmt: skip
    item, look = looks[(number or 1) - 1]
    if isinstance(look, str):
        st.warning(plain(f"{item.draft.uid} cannot be shown: {look}"))
        return
    stage_at, words_at = st.columns([5, 4], gap="medium")
    with stage_at:
        stage = Stages(workspace, preparer(), person).json(look.stage)
        mount_viewer(stage, item.draft.uid, assets_url(), key="new-stage")
    with words_at:
        if item.role != "work":
            st.badge(f"{item.role}: the answer is known", icon=":material/key:", color="gray")
        st.markdown("\n".join(content_lines(look)))


def content_lines(content: Content) -> list[str]:
    """Markdown lines for what a person reads beside the stage."""
    lines = [f"**{plain(content.label)}**", ""]
    for name, value in content.values.items():
        lines += _lines(name, value)
    return lines


def _lines(name: str, value: Any) -> list[str]:
    if value in (None, "", [], {}):
        return []
    match value:
        case list():
            entries = cast("list[Any]", value)
            head = [] if name == "options" else [f"{_title(name)}:", ""]
            return [*head, *(f"- {plain(_entry(entry))}" for entry in entries), ""]
        case dict():
            parts = cast("dict[str, Any]", value)
            if _main(parts):
                return [f"{_title(name)}: {plain(_entry(parts))}", ""]
            return [line for part, inner in parts.items() for line in _lines(part, inner)]
        case _:
            text = plain(str(value))
            return [text if name == "question" else f"{_title(name)}: {text}", ""]


def _entry(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    named = cast("dict[str, Any]", value)
    main = _main(named) or ", ".join(map(str, named.values()))
    letter = f"{named['letter']}. " if named.get("letter") else ""
    description = f": {named['description']}" if named.get("description") else ""
    marks = ", ".join(mark for mark in ("key", "chosen") if named.get(mark) is True)
    return f"{letter}{main}{description}{f' ({marks})' if marks else ''}"


def _main(named: dict[str, Any]) -> str:
    """What an entry is called; '' for one that has no name of its own."""
    return next((str(named[key]) for key in ("text", "label", "title", "name") if key in named), "")


def _title(name: str) -> str:
    return plain(name.replace("_", " ").capitalize())


def show_example(kind: str) -> None:
    """Show rows and a task file of a kind to begin from."""
    example = example_of(kind)
    st.caption(plain(f"{example.rows_name}: a row for each item; names are those of your files."))
    st.code(example.rows, language=None, wrap_lines=True)
    st.caption(
        plain(
            f"{kind}.toml: the whole task as a file, if you like files better than this page. "
            f"`rushes task example {kind} FOLDER` writes both."
        )
    )
    st.code(example.declared, language="toml")
