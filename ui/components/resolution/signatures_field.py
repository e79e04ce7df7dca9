"""A field for how many authors sign what settles a disagreement in a task."""

import streamlit as st

CHOICES = {
    None: "the authors choose each time",
    1: "one author",
    2: "two authors",
    3: "three authors",
}


def signatures_field(key: str, standing: int | None) -> int | None:
    """Draw the field; the number chosen, None where the authors say so each time."""
    choices = CHOICES if standing in CHOICES else {**CHOICES, standing: f"{standing} authors"}
    return st.selectbox(
        "Who signs a decision",
        list(choices),
        list(choices).index(standing),
        format_func=lambda number: choices[number],
        key=key,
        help="Two people who disagreed are settled by so many authors, each signing the outcome.",
        persist_state="session",
    )
