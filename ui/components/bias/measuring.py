"""Which descriptions and which embedding model, and the button that measures."""

import streamlit as st

from annotations.bias.result import (
    COUNTED,
    EMBEDDINGS,
    Result,
    kept,
    measured,
    models_measured,
)
from annotations.description.stored import DescriptionSet
from annotations.workspace import Workspace
from core.model import LoadOptions, ModelError
from core.refusal import Refusal
from ui.components.pipeline.model_choices import allowed_key, offered_models
from ui.components.words import plain

# So few are measured in seconds where no model has to be loaded: nobody has to ask for it.
FEW = 300


def chosen_result(workspace: Workspace, sets: list[DescriptionSet]) -> Result | None:
    """Draw the choices; the measurement of the data as they are now, None before it was made."""
    set_at, model_at = st.columns([2, 2], vertical_alignment="bottom")
    names = [one.name for one in sets]
    name = set_at.selectbox("Descriptions", names, key="bias descriptions")
    offered = _offered(workspace, name)
    model = model_at.selectbox(
        "Embedding model", offered, key="bias embeddings",
        help="More models, servers and folders: whoever runs the server lists them in rushes.toml "
        "under [[models]], or measures by `rushes bias --embeddings`.",
    )  # fmt: skip
    st.caption(plain(next(one for one in sets if one.name == name).words))
    result = kept(workspace, name, model)
    if result is not None:
        return result
    videos = max(next(one for one in sets if one.name == name).videos.values(), default=0)
    if model == COUNTED and videos <= FEW:
        _measure(workspace, name, model)
        return None
    st.info(
        "Nothing has been measured for these data yet, or they have changed since. Texts that were "
        "embedded before are not embedded again. For large sets, measure in a terminal:",
        icon=":material/science:",
    )
    st.code(f"rushes bias --workspace {workspace.root}", language="bash")
    if st.button("Measure now", type="primary", key="bias measure"):
        _measure(workspace, name, model)
    return None


def _offered(workspace: Workspace, set_name: str) -> list[str]:
    """The models to choose from, the usual one first.

    That is the one measured with last; in a demo, at first, the one that needs no package.
    """
    known = models_measured(workspace, set_name)
    usual = COUNTED if workspace.settings.demo else EMBEDDINGS
    listed = offered_models(workspace, ("embedding",))
    return list(dict.fromkeys([*known, usual, *listed, COUNTED]))


def _measure(workspace: Workspace, name: str, model: str) -> None:
    bar = st.progress(0.0, "Reading texts")

    def say(what: str, done: int, total: int) -> None:
        bar.progress(min(1.0, done / max(1, total)), f"{what}: {done:,} of {total:,}")

    try:
        key = "" if model == COUNTED else allowed_key(workspace, ("embedding",), model)
        measured(workspace, name, model, options=LoadOptions(api_key_env=key), say=say)
    except (Refusal, ModelError) as error:
        bar.empty()
        st.error(plain(str(error)))
        return
    st.rerun()
