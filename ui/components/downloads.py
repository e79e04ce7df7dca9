"""Tables as files to take away."""

import csv
import io
from collections.abc import Mapping, Sequence

import streamlit as st

from annotations.spreadsheet import inert


def csv_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """Columns of equal length as CSV in UTF-8; None is an empty cell.

    A text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([inert(name) for name in columns])
    for row in zip(*columns.values(), strict=True):
        writer.writerow([inert(cell) for cell in row])
    return target.getvalue().encode()


def csv_button(name: str, columns: Mapping[str, Sequence[object]]) -> None:
    """Draw a button that saves the columns as NAME.csv."""
    st.download_button(
        "CSV",
        data=lambda: csv_bytes(columns),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"csv {name}",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )
