"""The fields in which an author fixes a question, and what the fix does to answers."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from annotations.question.questions import effect_of_changes
from annotations.question.reasking import CHANGES, Effect
from annotations.record.question import Question
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.resolution.decision_steps import LETTERS

TEXT, OPTIONS, KEY, AGAIN = "text", "options", "key", "again"
Name = Callable[[str], str]


def fix_question(workspace: Workspace, question: Question, name: Name) -> None:
    """Draw the question's fields, and say what the change does to answers.

    Args:
        workspace: whose answers.
        question: as it is.
        name: gives the name of a field of this item.
    """
    st.text_input("Question", value=question.text, key=name(TEXT))
    options_at, key_at = st.columns([3, 2])
    options = _lines(
        options_at.text_area(
            "Options, one on each line",
            value="\n".join(question.options),
            key=name(OPTIONS),
            height=120,
        )
    )
    stored = question.key
    key_at.selectbox(
        "Key",
        range(len(options)),
        format_func=lambda i: f"{LETTERS[i % 26]}. {options[i]}",
        index=stored if stored is not None and stored < len(options) else None,
        placeholder="no key",
        key=name(KEY),
    )
    _ask_again(workspace, question.question_id, name)


def fixed_question(name: Name) -> dict[str, Any]:
    """What becomes of the question, by the fields."""
    again: bool | None = st.session_state.get(name(AGAIN))
    return _fixed(name) if again is None else {**_fixed(name), "ask_again": again}


def _fixed(name: Name) -> dict[str, Any]:
    text, options, key = (st.session_state.get(name(field)) for field in (TEXT, OPTIONS, KEY))
    return {"text": text or "", "options": _lines(options or ""), "key": key}


def _ask_again(workspace: Workspace, question_id: int, name: Name) -> None:
    """Say what the fix does to answers before anybody signs, and let the author say otherwise."""
    changes = _fixed(name)
    try:
        with workspace.store.read() as database:
            change, by_rule = effect_of_changes(database, question_id, changes)
            asked = effect_of_changes(database, question_id, changes, ask_again=True)[1]
    except Refusal:
        return  # said when it is signed
    if change == "nothing" or not asked.again:
        return
    st.segmented_control(
        "People's answers",
        [None, True, False],
        default=None,
        format_func=lambda again: {
            None: f"By the rule for {CHANGES[change]}",
            True: "Ask again",
            False: "Let them stay",
        }[again],
        key=name(AGAIN),
        required=True,
    )
    again: bool | None = st.session_state.get(name(AGAIN))
    total = by_rule.stay + by_rule.again
    effect = {None: by_rule, True: asked, False: Effect(total, 0, by_rule.in_hand)}[again]
    st.caption(f"{effect.words[:1].upper()}{effect.words[1:]}.")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
