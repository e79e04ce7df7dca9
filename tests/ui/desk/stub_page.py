"""Two pages of a Streamlit app: the desk, and another one."""

import streamlit as st

from ui.components.desk.desk import assets_hash, mount_desk
from ui.components.server_away import server_away


def desk() -> None:
    """The desk, with things around it that make Streamlit run again."""
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    if st.button("Run again"):
        st.info("A box that was not there before")
    st.write(f"run {st.session_state['runs']}")
    st.text_input("A field of Streamlit", key="field")
    assets = f"/desk/assets/{assets_hash()}/"
    noise = st.session_state["runs"]  # other data each time, so that the component is called again
    person = st.context.cookies["person"]
    data = {"base": "/desk", "task": 2, "person": person, "assets": assets, "noise": noise}
    mount_desk(data, key="desk")


def elsewhere() -> None:
    """A page without the desk."""
    st.title("Elsewhere")
    st.text_input("Words", key="words")


st.set_page_config(layout="wide")
server_away()
st.navigation([st.Page(desk), st.Page(elsewhere)], position="top").run()
