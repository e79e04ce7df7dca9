"""A button that saves all answers and decisions."""

import io
import tempfile
import zipfile
from pathlib import Path

import streamlit as st

from annotations.exporting.export import FORMATS, export
from annotations.exporting.export_folder import NAMES
from annotations.workspace import Workspace

_WORDS = {"jsonl": "JSON lines", "csv": "CSV for spreadsheets", "parquet": "Parquet"}


def take_away(workspace: Workspace) -> None:
    """Draw a choice of format and the button; the files are made when it is pressed."""
    with st.container(border=True):
        text_at, form_at, button = st.columns([5, 2, 2], vertical_alignment="bottom")
        text_at.markdown("**Take answers and decisions away**")
        text_at.caption(
            "Questions with every revision, every vote with when and what was shown, what was "
            "decided, raw replies of models. People are A1, A2, …"
        )
        form = form_at.selectbox(
            "Format", FORMATS, format_func=_WORDS.__getitem__, label_visibility="collapsed"
        )
        button.download_button(
            "Export",
            data=lambda: zipped(workspace, form),
            file_name=f"{workspace.root.name} {form}.zip",
            mime="application/zip",
            icon=":material/download:",
            on_click="ignore",
            width="stretch",
        )


def zipped(workspace: Workspace, form: str) -> bytes:
    """The exported files as one archive, without the names of people."""
    target = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        export(workspace, Path(folder), form)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file() and path.name != NAMES:
                    archive.write(path, path.relative_to(folder).as_posix())
    return target.getvalue()
