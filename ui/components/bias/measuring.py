"""Which descriptions and which embedding model, and the button that measures."""

import streamlit as st

from annotations.bias.result import EMBEDDINGS, Result, kept, measured
from annotations.description.stored import DescriptionSet
from annotations.workspace import Workspace
from core.model import ModelError
from core.refusal import Refusal
from ui.components.words import plain


def chosen_result(workspace: Workspace, sets: list[DescriptionSet]) -> Result | None:
    """Draw the choices; the measurement of the data as they are now, None before it was made."""
    set_at, model_at = st.columns([2, 2], vertical_alignment="bottom")
    names = [one.name for one in sets]
    name = set_at.selectbox("Descriptions", names, key="bias descriptions")
    model = model_at.text_input(
        "Embedding model", EMBEDDINGS, key="bias embeddings",
        help="A folder, a hub name, package:minilm, or server:URL#MODEL.",
    ).strip()  # fmt: skip
    st.caption(plain(next(one for one in sets if one.name == name).words))
    result = kept(workspace, name, model or EMBEDDINGS)
    if result is not None:
        return result
    st.info(
        "Nothing has been measured for these data yet, or they have changed since. Texts that were "
        "embedded before are not embedded again. For large sets, measure in a terminal:",
        icon=":material/science:",
    )
    st.code(f"rushes bias --workspace {workspace.root}", language="bash")
    if st.button("Measure now", type="primary", key="bias measure"):
        _measure(workspace, name, model or EMBEDDINGS)
    return None


def _measure(workspace: Workspace, name: str, model: str) -> None:
    bar = st.progress(0.0, "Reading texts")

    def say(what: str, done: int, total: int) -> None:
        bar.progress(min(1.0, done / max(1, total)), f"{what}: {done:,} of {total:,}")

    try:
        measured(workspace, name, model, say=say)
    except (Refusal, ModelError) as error:
        bar.empty()
        st.error(plain(str(error)))
        return
    st.rerun()
