"""One question of the audit: its options with the key, and what every run replied."""

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from annotations.scoring.question_replies import QuestionReplies, Reply, question_replies
from annotations.scoring.solved_table import PEOPLE
from annotations.workspace import Workspace
from ui.components.tables import show_table
from ui.components.words import plain

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def question_panel(workspace: Workspace, question_id: int, said: Sequence[str]) -> None:
    """Draw it, with what the audit says of the question."""
    found = question_replies(workspace, question_id)
    address = f"failures?{urlencode({'question': found.uid})}"
    st.markdown(
        f"**{plain(found.uid)}** · {plain(found.category)} · [what the runs saw]({address})"
    )
    if said:
        st.caption("  \n".join(f":material/flag: {plain(words)}" for words in said))
    st.markdown(plain(found.text))
    counts = _chosen(found)
    lines = [
        f"- {'**' if place == found.key else ''}{_LETTERS[place % 26]}. {plain(option)}"
        f"{' (key)**' if place == found.key else ''}{counts[place]}"
        for place, option in enumerate(found.options)
    ]
    st.markdown("\n".join(lines))
    runs = [one for one in found.replies if one.model != PEOPLE]
    if runs:
        show_table(
            {
                "": ["✓" if one.right else "✗" for one in runs],
                "Condition": [one.condition for one in runs],
                "Answer": [_answer(one) for one in runs],
                "Model": [one.model for one in runs],
                "Reply": [one.reply for one in runs],
                "Read": [one.words for one in runs],
            },
            height=min(420, 40 + 35 * len(runs)),
        )


def _chosen(found: QuestionReplies) -> list[str]:
    """How many runs and how many people chose each option."""
    said: list[str] = []
    for place in range(len(found.options)):
        here = [one for one in found.replies if one.choice == place]
        people = sum(one.model == PEOPLE for one in here)
        runs = len(here) - people
        parts = [f"{runs} run{'s'[: runs != 1]}"] if runs else []
        parts += [f"{people} {'people' if people != 1 else 'person'}"] if people else []
        said.append(f" · {', '.join(parts)}" if parts else "")
    return said


def _answer(one: Reply) -> str:
    return one.state if one.choice is None else _LETTERS[one.choice % 26]
