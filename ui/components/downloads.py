"""Tables as files to take away; which table it is, a button tells those who hear its name."""

import io
import json
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.spreadsheet import inert, write_rows
from ui.components.words import plain


def csv_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """Columns of equal length as CSV in UTF-8; None is an empty cell.

    It begins with a byte order mark, without which spreadsheets show other letters. A text that a
    spreadsheet would run as a formula gets an apostrophe in front.
    """
    target = io.StringIO(newline="")
    rows = [tuple(columns), *zip(*columns.values(), strict=True)]
    write_rows(target, ([inert(cell) for cell in row] for row in rows))
    return target.getvalue().encode("utf-8-sig")


def csv_button(name: str, columns: Mapping[str, Sequence[object]]) -> None:
    """Draw a button that saves the columns as NAME.csv."""
    st.download_button(
        f"CSV **{plain(name)}**",
        data=lambda: csv_bytes(columns),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"csv {name}",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )


def json_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """Columns of equal length as a JSON list with one object a row; None is null."""
    names = list(columns)
    rows = [dict(zip(names, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


def take_table(name: str, columns: Mapping[str, Sequence[object]]) -> None:
    """Draw two buttons at the right that save the columns as NAME.csv and as NAME.json."""
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        csv_button(name, columns)
        json_button(name, lambda: json_bytes(columns))


def json_button(name: str, data: Callable[[], bytes], label: str = "JSON") -> None:
    """Draw a button that saves what a function gives as NAME.json."""
    st.download_button(
        f"{label} **{plain(name)}**",
        data,
        file_name=f"{name}.json",
        mime="application/json",
        key=f"json {name}",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )
