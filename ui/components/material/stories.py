"""One video or one question with all that is known of it: who said what, and what came of it."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from annotations.material.answers import Asked
from annotations.people import Person
from annotations.record.stage import Player
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.desk.desk import mount_viewer
from ui.components.tables import show_table
from ui.components.words import plain
from ui.routes.assets import assets_url
from ui.routes.stages import Stages
from ui.serving import preparer

HEIGHT = "clamp(18rem, 52vh, 34rem)"


def play(
    workspace: Workspace, person: Person, sha256: str, start_s: float, end_s: float | None, key: str
) -> None:
    """Draw the player of a clip, or say why it cannot be played."""
    try:
        stage = Stages(workspace, preparer(), person).json(Player(sha256, start_s, end_s))
    except (OSError, Refusal) as error:
        st.warning(plain(f"It cannot be played: {error}"))
        return
    mount_viewer(stage, f"{sha256} {start_s} {end_s}", assets_url(), key=key, height=HEIGHT)


def show_answers(asked: Sequence[Asked]) -> None:
    """Draw every task that asked about it, with answers of people and models and the decision."""
    if not asked:
        st.caption("No task asks about it yet.")
        return
    for task, items in groupby(asked, key=lambda item: (item.task_id, item.task, item.kind)):
        number, name, kind = task
        st.markdown(f"**[{plain(name)}](/tasks?task={number})** · {plain(kind)}")
        of_task = list(items)
        for item in of_task:
            name = item.name.partition(":")[2] or item.name
            _item(item, name if len(of_task) > 1 else "")


def _item(item: Asked, name: str) -> None:
    """Draw the answers to one item, with its name where a task asks several things about it."""
    parts = [
        "" if item.state == "open" else item.state,
        item.decision,
        f"authors: {item.resolution}" if item.resolution else "",
    ]
    line = " · ".join(filter(None, parts)) or "no decision yet"
    st.caption(plain(f"{name}: {line}" if name else line))
    if not item.answers:
        return
    show_table(
        {
            "Who": [answer.who for answer in item.answers],
            "Kind": ["model" if answer.is_model else "person" for answer in item.answers],
            "Condition": [answer.condition for answer in item.answers],
            "Answer": [answer.words for answer in item.answers],
            # What models answer counts for no decision, and nobody has timed it.
            "Counted": [
                None if answer.is_model else "yes" if answer.counted else "no"
                for answer in item.answers
            ],
            "Active s": [
                None if answer.is_model else round(answer.active_s, 1) for answer in item.answers
            ],
        },
        wide=("Answer",),
    )
