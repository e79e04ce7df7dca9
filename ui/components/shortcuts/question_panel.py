"""One question of the audit: its options with the key, and what every run replied."""

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from annotations.scoring.question_replies import QuestionReplies, Reply, question_replies
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import PEOPLE
from ui.components.tables import show_table
from ui.components.words import plain

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def question_panel(snapshot: Snapshot, question_id: int, sentences: Sequence[str]) -> None:
    """Draw it, with what the audit says of the question."""
    replies = question_replies(snapshot, question_id)
    address = f"failures?{urlencode({'question': replies.uid})}"
    st.markdown(
        f"**{plain(replies.uid)}** · {plain(replies.category)} · [what the runs saw]({address})"
    )
    if sentences:
        st.caption("  \n".join(f":material/flag: {plain(sentence)}" for sentence in sentences))
    st.markdown(plain(replies.text))
    counts = _chosen(replies)
    lines = [
        f"- {'**' if index == replies.key else ''}{_LETTERS[index % 26]}. {plain(option)}"
        f"{' (key)**' if index == replies.key else ''}{counts[index]}"
        for index, option in enumerate(replies.options)
    ]
    st.markdown("\n".join(lines))
    runs = [reply for reply in replies.replies if reply.model != PEOPLE]
    if runs:
        show_table(
            {
                "": ["✓" if reply.right else "✗" for reply in runs],
                "Condition": [reply.condition for reply in runs],
                "Answer": [_answer(reply) for reply in runs],
                "Model": [reply.model for reply in runs],
                "Reply": [reply.reply for reply in runs],
                "Read": [reply.words for reply in runs],
            },
            height=min(420, 40 + 35 * len(runs)),
        )


def _chosen(replies: QuestionReplies) -> list[str]:
    """How many runs and how many people chose each option."""
    lines: list[str] = []
    for index in range(len(replies.options)):
        choosers = [reply for reply in replies.replies if reply.choice == index]
        people = sum(reply.model == PEOPLE for reply in choosers)
        runs = len(choosers) - people
        parts = [f"{runs} run{'s'[: runs != 1]}"] if runs else []
        parts += [f"{people} {'people' if people != 1 else 'person'}"] if people else []
        lines.append(f" · {', '.join(parts)}" if parts else "")
    return lines


def _answer(reply: Reply) -> str:
    return reply.state if reply.choice is None else _LETTERS[reply.choice % 26]
