"""One clip of a filter: what the filter said, and what authors make of people's answers."""

import streamlit as st

from annotations import task as kinds
from annotations.filter.filter_table import Filtered, filtered
from annotations.people import Person
from annotations.record.item import item_in
from annotations.record.prediction import prediction_of, run_failure
from annotations.record.task import task_in
from annotations.scoring.snapshot import take
from annotations.video.video_about import titles_of
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.desk.desk import mount_viewer
from ui.components.filters.clips import reasons_words
from ui.components.resolution.resolution_screen import resolving
from ui.components.words import plain
from ui.routes.assets import assets_url
from ui.routes.stages import Stages
from ui.serving import preparer

HEIGHT = "clamp(20rem, calc(100vh - 20rem), 46rem)"


def opened() -> bool:
    """Whether the address asks for one clip."""
    return st.query_params.get("item", "").isdecimal() and bool(st.query_params.get("run"))


def look(workspace: Workspace, person: Person) -> None:
    """Draw the clip of the address, and a way back."""
    title_at, back_at = st.columns([6, 1], vertical_alignment="bottom")
    if back_at.button("Back", icon=":material/arrow_back:", width="stretch", shortcut="Esc"):
        _leave()
    run, wanted = st.query_params.get("run", "0"), st.query_params.get("item", "")
    try:
        with take(workspace) as snapshot:
            table = filtered(snapshot, int(run) if run.isdecimal() else 0)
    except Refusal:
        table = None
    items: list[int] = [] if table is None else table.item_id.tolist()
    index = items.index(int(wanted)) if wanted.isdecimal() and int(wanted) in items else -1
    if table is None or index < 0:
        st.warning("This clip is not among the filter's any more.")
        return
    item, name = items[index], table.names[index]
    title = titles_of(workspace, [item]).get(item, "")
    title_at.subheader(plain(title or name), anchor=False)
    if title:
        st.caption(plain(name))
    _said(workspace, table, index)
    if table.people_item[index]:
        resolving(workspace, person, int(table.people_item[index]))
        return
    _stage(workspace, person, item)
    st.caption("People have not screened it yet.")


def _leave() -> None:
    del st.query_params["item"]
    st.rerun()


def _said(workspace: Workspace, table: Filtered, index: int) -> None:
    with workspace.store.read() as database:
        prediction = prediction_of(database, table.run.id, int(table.item_id[index]))
        failure = run_failure(database, table.run.id, int(table.item_id[index]))
    if prediction is None:
        why = failure or "it was not asked yet"
        st.markdown(plain(f"{table.run.model}: no verdict: {why}"))
        return
    verdict = {1: "accepts", 0: "rejects"}.get(int(table.model[index]), "says nothing")
    reasons = table.model_reasons[index]
    parts = [f"**{plain(table.run.model)}** {verdict}"]
    if reasons:
        parts.append(plain(reasons_words(table, reasons)))
    if prediction.score is not None:
        parts.append(f"score {prediction.score:.3f}")
    if prediction.words:
        parts.append(plain(prediction.words))
    st.markdown(" · ".join(parts))
    if prediction.reply:
        with st.expander("Its reply, as it came"):
            st.text(prediction.reply)


def _stage(workspace: Workspace, person: Person, item_id: int) -> None:
    with workspace.store.read() as database:
        item = item_in(database, item_id)
        task = task_in(database, item.task_id)
    kind = kinds.kind(task.kind)
    try:
        shown = kind.show(workspace, item, task.settings, str(person.id))
        stage = kind.content(workspace, item, shown).stage
    except Refusal as error:
        st.warning(plain(f"It cannot be shown: {error}"))
        return
    mount_viewer(
        Stages(workspace, preparer(), person).json(stage), str(item_id), assets_url(),
        key="filters-stage", height=HEIGHT,
    )  # fmt: skip
