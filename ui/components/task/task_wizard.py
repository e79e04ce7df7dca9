"""A new task in two steps: what it is, then its first items as they will be."""

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import streamlit as st

from annotations import task as tasks
from annotations.annotator import number_words
from annotations.answering.adaptive import expected_share
from annotations.people import Person, everyone
from annotations.planning.examples import kinds_with_example
from annotations.planning.task_files import read_rows
from annotations.planning.task_plan import AS_IMPORTED, ORDERS, ROWS, SHUFFLED, TaskPlan, plan_task
from annotations.planning.task_store import all_tasks, make_task
from annotations.task import TaskKind
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.refusal import Refusal
from ui.components.resolution.signatures_field import signatures_field
from ui.components.task.first_items import show_example, show_first_items
from ui.components.task.settings_fields import read_settings, settings_fields
from ui.components.words import plain
from ui.form import looks, rows_hint, settings_editor
from ui.routes.desk_json import instructions_html

PLAN, FILE = "new-task-plan", "new-task-file"
SOURCE_WORDS = {
    "questions": "the questions of this workspace",
    "videos": "the videos of this workspace",
    "tasks": "what passed in another task",
    "predictions": "the wrong predictions of this workspace",
    ROWS: "the rows of a file",
}
ORDER_WORDS = {SHUFFLED: "shuffled", AS_IMPORTED: "in the order of import"}
ORDER_HELP = (
    "The same order for everybody. Files come one category after the other, which tires and biases "
    "whoever answers; shuffled, segments of one video still follow each other, and practice, "
    "attention items and priorities keep their places."
)
SKIP_HELP = "An item that so many people have skipped is handed out no more until you look at it."
ADAPTIVE_HELP = (
    "Ask for another answer only while it could still change the decision: two equal answers of "
    "three end the item. The decisions are the same, with fewer answers."
)


def wizard(workspace: Workspace, person: Person) -> int | None:
    """The id of the task once it is made; None until then."""
    plan = st.session_state.get(PLAN)
    if isinstance(plan, TaskPlan):
        return _look(workspace, person, plan)
    _describe(workspace)
    return None


def forget() -> None:
    """Begin anew next time."""
    for name in (PLAN, FILE):
        st.session_state.pop(name, None)


def _usual(workspace: Workspace, kinds: list[str]) -> int:
    """Place of the kind that most tasks here are of; the first one where there are no tasks."""
    counts = Counter(task.kind for task in all_tasks(workspace))
    return max(range(len(kinds)), key=lambda place: counts[kinds[place]])


def _describe(workspace: Workspace) -> None:
    kinds = {name: tasks.kind(name) for name in tasks.kinds()}
    form_column, preview_column = st.columns([4, 7], gap="large")
    with form_column:
        kind = st.radio(
            "Kind of task",
            list(kinds),
            index=_usual(workspace, list(kinds)),
            format_func=lambda name: f"{looks(name)[0]} {kinds[name].LABEL}",
            captions=[looks(name)[1] for name in kinds],
            key="new-kind",
            persist_state="session",
        )
    module = kinds[kind]
    with preview_column:
        source = _source(kind, module)
        editor = settings_editor(kind)
        edited = editor(workspace) if editor else None
        with st.form("new-task", border=False):
            arguments = _fields(workspace, kind, module, source, edited)
            if st.form_submit_button("Look at the first items", type="primary"):
                _plan(workspace, kind, source, arguments)


def _source(kind: str, module: TaskKind) -> str:
    if len(module.SOURCES) == 1:
        st.markdown(f"Items are made of **{_source_words(module.SOURCES[0])}**.")
        return module.SOURCES[0]
    return str(
        st.segmented_control(
            "Items are made of",
            list(module.SOURCES),
            default=module.SOURCES[0],
            required=True,
            format_func=_source_words,
            key=f"new-{kind}-source",
            persist_state="session",
        )
    )


def _source_words(source: str) -> str:
    return SOURCE_WORDS.get(source, source)


def _fields(
    workspace: Workspace, kind: str, module: TaskKind, source: str, edited: dict[str, Any] | None
) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    name_at, overlap_at, skips_at = st.columns([4, 2, 2], vertical_alignment="bottom")
    arguments["name"] = name_at.text_input(
        "Name", placeholder=f"{module.LABEL}, first round", max_chars=120, key="new-name",
        persist_state="session",
    )  # fmt: skip
    arguments["overlap"] = overlap_at.number_input(
        "People per item", 1, 1000, module.OVERLAP, key=f"new-{kind}-overlap",
        persist_state="session",
    )  # fmt: skip
    arguments["skip_limit"] = skips_at.number_input(
        "Skip limit", 1, 1000, 3, key="new-skips", persist_state="session", help=SKIP_HELP
    )
    signatures_at, order_at = st.columns(2, vertical_alignment="bottom")
    with signatures_at:
        arguments["signatures"] = signatures_field("new-signatures", None)
    arguments["order"] = order_at.selectbox(
        "Items are handed out", ORDERS, format_func=ORDER_WORDS.__getitem__, key="new-order",
        help=ORDER_HELP, persist_state="session",
    )  # fmt: skip
    arguments["adaptive"] = st.toggle(
        "Stop asking once the decision is certain", key="new-adaptive", help=ADAPTIVE_HELP,
        persist_state="session",
    )  # fmt: skip
    if arguments["adaptive"] and arguments["overlap"] > 1:
        share = expected_share(min(int(arguments["overlap"]), 15))
        st.caption(
            f"About {percent_text(share, 0)} fewer answers, if people are right four times in five "
            "and the most frequent of four options wins (simulated)."
        )
    arguments["file"] = _file(kind, source)
    if kind in kinds_with_example():
        with st.expander("What such a file looks like", icon=":material/help:"):
            show_example(kind)
    if edited is None:
        arguments["settings"], arguments["defaults"] = _settings(kind, module)
    else:
        arguments["settings"], arguments["defaults"] = edited, None
    who_at, rate_at = st.columns([4, 2], vertical_alignment="bottom")
    people = [row.name for row in everyone(workspace) if row.kind == "person"]
    arguments["people"] = who_at.multiselect(
        "People", people, placeholder="everybody who is invited", key="new-people",
        persist_state="session",
    )  # fmt: skip
    arguments["rate"] = rate_at.number_input(
        f"{workspace.settings.currency} per hour", 0.0, 99_999.0, None,
        placeholder=f"{workspace.settings.rate:g}, as everywhere", key="new-rate",
        persist_state="session",
    )  # fmt: skip
    usual_text = tasks.instructions(kind)
    with st.expander("Instructions (Markdown)"):
        text = st.text_area(
            "Instructions", usual_text, height=260, key=f"new-{kind}-instructions",
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
    arguments["instructions"] = "" if text.strip() == usual_text.strip() else text
    return arguments


def _file(kind: str, source: str) -> Any:
    kept = _kept(kind)
    label = "Items, a JSONL, CSV or xlsx file"
    if source != ROWS:
        label = (
            "Known answers, a JSONL, CSV or xlsx file (for practice and attention items; optional)"
        )
    upload = st.file_uploader(label, ["jsonl", "ndjson", "csv", "tsv", "xlsx"], key="new-file")
    if kept and not upload:
        st.caption(plain(f"Kept: {kept[1]}, {len(kept[2])} rows. Another file replaces it."))
    return upload


def _kept(kind: str) -> tuple[str, str, list[dict[str, Any]]] | None:
    """Kind, name and rows of the file uploaded last, if it was for this kind."""
    kept = st.session_state.get(FILE)
    return kept if kept and kept[0] == kind else None


def _settings(kind: str, module: TaskKind) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        defaults = module.check_settings({})
    except Refusal as error:
        st.caption(plain(str(error)))
        return {}, {}
    if not defaults:
        return {}, {}
    with st.expander(f"Settings of {module.LABEL.lower()}", expanded=len(defaults) <= 3):
        return settings_fields(kind, defaults), defaults


def _plan(workspace: Workspace, kind: str, source: str, arguments: dict[str, Any]) -> None:
    try:
        rows = _rows(kind, arguments["file"])
        plan = plan_task(
            workspace,
            name=arguments["name"],
            kind=kind,
            settings=_read(arguments),
            overlap=int(arguments["overlap"]),
            source=source,
            rows=rows,
            adaptive=arguments["adaptive"],
            skip_limit=int(arguments["skip_limit"]),
            rate=arguments["rate"],
            signatures=arguments["signatures"],
            order=arguments["order"],
            instructions=arguments["instructions"],
            people=arguments["people"],
        )
    except Refusal as error:
        kept = _kept(kind) if str(error).startswith("row ") else None
        st.error(plain(f"{kept[1]}: {error}" if kept else str(error)))
        return
    st.session_state[PLAN] = plan
    st.rerun()


def _read(arguments: dict[str, Any]) -> dict[str, Any]:
    """The settings: as a kind's own editor gives them, else read from their fields."""
    if arguments["defaults"] is None:
        return arguments["settings"]
    return read_settings(arguments["settings"], arguments["defaults"])


def _rows(kind: str, uploaded: Any) -> list[dict[str, Any]] | None:
    """The rows of the file that was uploaded now, else of the one kept; None without any."""
    if uploaded is None:
        kept = _kept(kind)
        return kept[2] if kept else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(uploaded.name).name
        path.write_bytes(uploaded.getvalue())
        rows = read_rows(path)
    st.session_state[FILE] = (kind, uploaded.name, rows)
    return rows


def _look(workspace: Workspace, person: Person, plan: TaskPlan) -> int | None:
    known = "".join(
        f", {plan.count(role):,} of {role}"
        for role in ("practice", "attention")
        if plan.count(role)
    )
    st.markdown(
        f"**{plain(plan.name)}** · {tasks.kind(plan.kind).LABEL} · "
        f"{number_words(plan.count('work'), 'item')}{known}"
        f" · {number_words(plan.overlap, 'person', 'people')} each"
        + (", fewer where they agree" if plan.adaptive else "")
        + f" · {ORDER_WORDS[plan.order]}"
    )
    kept = _kept(plan.kind) if plan.source == ROWS else None
    if kept and (hint := rows_hint(plan.kind, plan.settings, kept[2])):
        st.warning(plain(hint), icon=":material/visibility_off:")
    items, instructions = st.tabs(["First items", "Instructions"])
    with items:
        show_first_items(workspace, person, plan)
    with instructions:
        st.html(instructions_html(plan.instructions or tasks.instructions(plan.kind)))
    with st.container(horizontal=True):
        create = st.button("Create the task", type="primary")
        if st.button("Back"):
            st.session_state.pop(PLAN)
            st.rerun()
    if not create:
        return None
    try:
        task = make_task(workspace, plan)
    except Refusal as error:
        st.error(plain(str(error)))
        return None
    forget()
    return task
