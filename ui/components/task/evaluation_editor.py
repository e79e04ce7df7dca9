"""What a human evaluation shows and asks, put together by clicking: no word has to be known."""

from typing import Any

import streamlit as st

from annotations.question.question_values import values_to_choose_by
from annotations.tasks.human_evaluation import DEFAULTS, build_items, check_settings
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.filters.gallery import Badge, Card, gallery
from ui.components.task.condition_pictures import OFFERED, condition_picture
from ui.components.task.lists import words_by_text
from ui.components.words import plain
from ui.theme import DARK, LIGHT

CONDITION = "new-human_evaluation-condition"
MOST_VALUES = 40  # a tag with more, such as the name of a file, is nothing to choose by
TOGGLES = {
    "shuffle_options": "Options in another order for each person",
    "free_text": "People write the answer instead of choosing it",
    "none_right": "“None of these is right” is an answer, too",
    "cannot_tell": "“I cannot tell” is an answer, too",
    "meet_once": "Nobody meets a clip twice",
}


def evaluation_editor(workspace: Workspace) -> dict[str, Any]:
    """Draw what is shown, how it is answered and which questions; return the settings."""
    settings = dict(DEFAULTS)
    settings["condition"] = _condition()
    for column, names in zip(
        st.columns(2), (list(TOGGLES)[:3], list(TOGGLES)[3:]), strict=True
    ):  # fmt: skip
        for name in names:
            settings[name] = column.toggle(
                TOGGLES[name], DEFAULTS[name], key=f"new-human_evaluation-{name}",
                persist_state="session",
            )  # fmt: skip
    _questions(workspace, settings)
    with st.expander("Explain options to people"):
        settings["descriptions"] = words_by_text(
            "new-human_evaluation-descriptions", "Option", "What it means"
        )
    return settings


def _condition() -> str:
    st.markdown("**What people see**")
    current = str(st.session_state.get(CONDITION) or DEFAULTS["condition"])
    cards = [
        Card(
            name, name[:1].upper() + name[1:], condition_picture(name),
            (Badge("chosen", "reject"),) if name == current else (), (words,),
        )
        for name, words in OFFERED.items()
    ]  # fmt: skip
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    clicked = gallery(cards, palette, "new-condition-pictures", "9.5rem")
    if clicked and clicked != current:
        st.session_state[CONDITION] = clicked
        st.rerun()
    written = st.text_input(
        "Condition", DEFAULTS["condition"], key=CONDITION, persist_state="session",
        help="As chosen above, or another number of frames, such as “4 frames” or “32 shuffled "
        "frames”; up to 100.",
    )  # fmt: skip
    return written or DEFAULTS["condition"]


def _questions(workspace: Workspace, settings: dict[str, Any]) -> None:
    st.markdown("**Which questions**")
    known = values_to_choose_by(workspace, MOST_VALUES)
    columns = st.columns(max(2, min(3, len(known))))
    only: dict[str, list[str]] = {}
    for place, (name, values) in enumerate(known.items()):
        chosen = columns[place % len(columns)].multiselect(
            name[:1].upper() + name[1:].replace("_", " "), list(values),
            format_func=lambda value, values=values: f"{value} ({values[value]:,})",
            placeholder="all", key=f"new-human_evaluation-only-{name}", persist_state="session",
        )  # fmt: skip
        if chosen:
            only[name] = chosen
    settings["only"] = only
    sample_at, seed_at = st.columns(2)
    settings["sample"] = int(
        sample_at.number_input(
            "Draw so many of them, each category in its share; 0 asks all", 0, None, 0,
            key="new-human_evaluation-sample", persist_state="session",
        )
    )  # fmt: skip
    if settings["sample"]:
        settings["sample_seed"] = int(
            seed_at.number_input(
                "Seed of the draw", value=int(DEFAULTS["sample_seed"]),
                key="new-human_evaluation-sample_seed", persist_state="session",
            )
        )  # fmt: skip
    try:
        asked = sum(1 for _ in build_items(workspace, check_settings(settings), None))
    except Refusal as error:
        st.caption(plain(str(error)))
        return
    st.caption("1 question is asked." if asked == 1 else f"{asked:,} questions are asked.")
