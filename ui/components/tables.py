"""Tables on a page."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from ui.components.words import whole


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
        links: headings of columns with addresses, which open in another tab.
        wide: headings of columns that hold sentences.
    """
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(format=shown) for name, shown in (formats or {}).items()
    }
    config |= {name: st.column_config.LinkColumn(width="small") for name in links}
    config |= {name: st.column_config.TextColumn(width="large") for name in wide}
    st.dataframe(  # pyright: ignore[reportUnknownMemberType]
        pd.DataFrame(
            {
                name: [whole(cell) if isinstance(cell, str) else cell for cell in cells]
                for name, cells in columns.items()
            }
        ),
        hide_index=True,
        width="stretch",
        height=height or "auto",
        column_config=config,
        placeholder="–",
    )
