"""Tables on a page."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.stored_json import whole_text

WEB = ("https://", "http://")


def show_table(
    columns: Mapping[str, Sequence[object]],
    *,
    height: int | None = None,
    formats: Mapping[str, str] | None = None,
    links: Collection[str] = (),
    wide: Collection[str] = (),
) -> None:
    """Draw columns of equal length as a sortable table with download and search.

    Args:
        columns: cells by heading, from top to bottom.
        height: px; None fits up to ten rows.
        formats: of numbers by heading, such as '%.3f'.
        links: headings of columns with addresses, which open in another tab; what is no address
            of the web is left out.
        wide: headings of columns that hold sentences.
    """
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(format=shown) for name, shown in (formats or {}).items()
    }
    config |= {name: st.column_config.LinkColumn(width="small") for name in links}
    config |= {name: st.column_config.TextColumn(width="large") for name in wide}
    drawn = {
        name: [_cell(cell, is_link=name in links) for cell in cells]
        for name, cells in columns.items()
    }
    st.dataframe(  # pyright: ignore[reportUnknownMemberType]
        pd.DataFrame(drawn),
        hide_index=True,
        width="stretch",
        height=height or "auto",
        column_config=config,
        placeholder="–",
    )


def _cell(cell: object, *, is_link: bool) -> object:
    if not isinstance(cell, str):
        return cell
    return None if is_link and not cell.startswith(WEB) else whole_text(cell)
