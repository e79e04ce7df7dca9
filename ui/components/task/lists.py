"""Lists and tables of a task's settings as tables that are typed into, one row an entry."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st


def words_by_text(key: str, text_heading: str, words_heading: str) -> dict[str, str]:
    """Draw an empty table of two columns; return what stands in it as words by text."""
    frame = pd.DataFrame({text_heading: pd.Series(dtype=str), words_heading: pd.Series(dtype=str)})
    edited = st.data_editor(frame, key=key, num_rows="dynamic", hide_index=True, width="stretch")
    return as_words(edited.to_dict("records"), text_heading, words_heading)


def as_words(
    records: Sequence[Mapping[Any, Any]], text_heading: str, words_heading: str
) -> dict[str, str]:
    """Return words by text; a row that lacks either is left out."""
    pairs = ((_cell(row.get(text_heading)), _cell(row.get(words_heading))) for row in records)
    return {text: words for text, words in pairs if text and words}


def entries_table(key: str, entries: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Draw entries of one shape, each with an id; return them as they stand in the table.

    The id is not shown: it stays that of its label, and a new label gets one of its letters.
    """
    shown = [name for name in entries[0] if name != "id"]
    frame = pd.DataFrame([{name: entry.get(name, "") for name in shown} for entry in entries])
    edited = st.data_editor(
        frame, key=key, num_rows="dynamic", hide_index=True, width="stretch",
        column_config={name: name[:1].upper() + name[1:] for name in shown},
    )  # fmt: skip
    return as_entries(edited.to_dict("records"), entries)


def as_entries(
    records: Sequence[Mapping[Any, Any]], entries: Sequence[Mapping[str, str]]
) -> list[dict[str, str]]:
    """Return rows as entries with ids; rows without a label are left out.

    An entry keeps the id of its label among `entries`; a new one is named by its letters, and by a
    number where that id is taken.
    """
    shown = [name for name in entries[0] if name != "id"]
    ids = {entry["label"]: entry["id"] for entry in entries}
    taken: set[str] = set()
    result: list[dict[str, str]] = []
    for record in records:
        row = {name: _cell(record.get(name)) for name in shown}
        if not row["label"]:
            continue
        base = ids.get(row["label"]) or re.sub(r"\W+", "_", row["label"].lower()).strip("_")
        name, number = base or "entry", 1
        while name in taken:
            number += 1
            name = f"{base or 'entry'}_{number}"
        taken.add(name)
        result.append({"id": name, **row})
    return result


def _cell(value: object) -> str:
    """A cell as text; what nobody has typed into is None or NaN."""
    return "" if value is None or value != value else str(value).strip()
