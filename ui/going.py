"""Going from one page to another."""

import streamlit as st


def go_to(name: str, **query: str) -> None:
    """Leave this page for another one, by the name of its file, with what its address asks for.

    Streamlit knows our pages by their address: a page that is a function has no path to name.
    """
    st.switch_page(st.Page(_nothing, url_path=name, title=name), query_params=query)


def _nothing() -> None:
    pass
