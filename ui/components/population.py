"""Which answers of people the figures of a page stand on, and the switch for those seen before."""

import streamlit as st

from annotations.scoring.population import Population
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import Snapshot
from ui.access import callback
from ui.components.words import plain

_SWITCH, _CHOSEN = "leave out seen", "seen are left out"


def leaves_out_seen() -> bool:
    """Whether the person wants answers about clips that were seen before left out, on any page."""
    return bool(st.session_state.get(_CHOSEN))


def population_words(snapshot: Snapshot) -> None:
    """Draw what the figures stand on and what is left out; the switch where there is a choice."""
    stands_on = population(snapshot)
    draw_population(stands_on)
    if stands_on.seen or leaves_out_seen():
        st.toggle(
            "Leave out who had met the clip before",
            value=leaves_out_seen(),
            key=_SWITCH,
            on_change=callback(_choose),
            help="People who saw the full video and answer from a few of its frames remember it. "
            "The switch holds on the pages Metrics, Runs and Shortcuts.",
        )


def draw_population(stands_on: Population) -> None:
    """Draw what figures stand on, and what is left out, in words and counts."""
    sentences = stands_on.sentences() or ["Of these answers nothing is left out"]
    st.caption(f":material/groups: {plain(stands_on.words)}.")
    st.caption(f":material/rule: {plain('; '.join(sentences))}.")


def _choose() -> None:
    st.session_state[_CHOSEN] = bool(st.session_state[_SWITCH])
