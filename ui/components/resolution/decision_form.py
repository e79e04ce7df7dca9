"""The form in which an author decides a disagreement and signs."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotations.adjudication.answers_side_by_side import AnswersSideBySide
from annotations.adjudication.resolution import (
    LONGEST_REASON,
    OUTCOMES,
    asked_signatures,
    resolve,
)
from annotations.people import Person, everyone
from annotations.question.questions import effect_of_changes
from annotations.question.reasking import CHANGES, Effect
from annotations.record.question import Question
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import callback
from ui.components.resolution.decision_record import REOPEN_BECAUSE
from ui.components.resolution.decision_steps import LETTERS, attempt, foretell
from ui.components.words import plain

_OUTCOME, _OTHER, _REASON = "deciding outcome", "deciding other", "deciding reason"
_TWO, _TEXT, _OPTIONS, _KEY = "deciding two", "deciding text", "deciding options", "deciding key"
_TURN, _AGAIN = "deciding turn", "deciding again"


def begin(workspace: Workspace) -> None:
    """Empty the form for another item."""
    beginning = _beginning(workspace)
    beginning[_TWO] = st.session_state.get(_TWO, beginning[_TWO])
    beginning[_TURN] = 1 - int(st.session_state.get(_TURN, 0))
    st.session_state.update(beginning)


def _beginning(workspace: Workspace) -> dict[str, Any]:
    authors = [
        row for row in everyone(workspace) if row["kind"] == "person" and row["role"] != "annotator"
    ]
    return {
        _OUTCOME: "first",
        _OTHER: 0,
        _REASON: "",
        REOPEN_BECAUSE: "",
        _TWO: len(authors) > 1,
        _TURN: 0,
    }


def decide(workspace: Workspace, person: Person, table: AnswersSideBySide, seen: int) -> None:
    """Draw the outcomes with their reason; say what will change before anybody signs."""
    item_id = table.item.id
    state = st.session_state
    for name, value in _beginning(workspace).items():
        state.setdefault(name, value)  # Streamlit forgets fields while they are not drawn
    with st.container(border=True, gap="small"):
        st.radio(
            "What holds?",
            _outcomes(table),
            format_func=lambda name: _outcome_words(name, table),
            key=_OUTCOME,
            horizontal=True,
            label_visibility="collapsed",
        )
        outcome: str = state[_OUTCOME]
        if outcome == "other":
            st.selectbox(
                "The right answer",
                range(len(table.others)),
                format_func=[label for _, label in table.others].__getitem__,
                key=_OTHER,
            )
        if outcome == "fix_question" and table.question:
            _fix(table.question)
            _ask_again(workspace, table.question.question_id)
        st.text_area(
            "Why",
            height=68,
            max_chars=LONGEST_REASON,
            key=_REASON,
            placeholder="Why",
            label_visibility="collapsed",
        )
        value, changes = _value(outcome, table), _changes(outcome)
        asked = asked_signatures(workspace, item_id)
        foretell(workspace, item_id, value, changes, state[_TWO] if asked is None else asked > 1)
        two, button = st.columns([3, 2], vertical_alignment="center")
        _signatures(two, asked)
        button.button(
            "Decide and sign",
            type="primary",
            shortcut="Mod+Enter",
            width="stretch",
            on_click=callback(_decide),
            args=(workspace, person, table, seen),
        )


def _signatures(container: DeltaGenerator, asked: int | None) -> None:
    """Draw who has to sign: a choice, unless the task says it."""
    if asked is None:
        container.checkbox("A second author has to sign", key=_TWO)
    else:
        container.caption(
            "Holds with your signature." if asked == 1 else f"{asked} authors have to sign."
        )


def _outcomes(table: AnswersSideBySide) -> list[str]:
    left_out = {
        "second": len(table.answers) < 2,
        "other": not table.others,
        "fix_question": table.question is None,
    }
    return [name for name in OUTCOMES if not left_out.get(name)]


def _outcome_words(name: str, table: AnswersSideBySide) -> str:
    index = {"first": 0, "second": 1}.get(name)
    label = OUTCOMES[name]
    if index is None:
        return label[:1].upper() + label[1:]
    answer = table.answers[index].words
    short = answer if len(answer) <= 24 else answer[:23] + "…"
    return plain(f"Keep the {name}: {short}")


def _in_turn(name: str) -> str:
    """A field's name for this item, another than for the item before.

    Fields that come and go take their first value with them: one that is set beforehand can be
    lost when a quick second click ends the run that would have sent it.
    """
    return f"{name} {st.session_state[_TURN]}"


def _fix(question: Question) -> None:
    st.text_input("Question", value=question.text, key=_in_turn(_TEXT))
    options_at, key_at = st.columns([3, 2])
    text = options_at.text_area(
        "Options, one on each line",
        value="\n".join(question.options),
        key=_in_turn(_OPTIONS),
        height=120,
    )
    options = _lines(text)
    key: int | None = question.key
    key_at.selectbox(
        "Key",
        range(len(options)),
        format_func=lambda i: f"{LETTERS[i % 26]}. {options[i]}",
        index=key if key is not None and key < len(options) else None,
        placeholder="no key",
        key=_in_turn(_KEY),
    )


def _ask_again(workspace: Workspace, question_id: int) -> None:
    """Say what the fix does to answers before anybody signs, and let the author say otherwise."""
    changes = _fixed()
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
        key=_in_turn(_AGAIN),
        required=True,
    )
    again: bool | None = st.session_state[_in_turn(_AGAIN)]
    total = by_rule.stay + by_rule.again
    effect = {None: by_rule, True: asked, False: Effect(total, 0, by_rule.in_hand)}[again]
    st.caption(f"{effect.words[:1].upper()}{effect.words[1:]}.")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _value(outcome: str, table: AnswersSideBySide) -> dict[str, Any] | None:
    match outcome:
        case "first":
            return table.answers[0].response
        case "second":
            return table.answers[1].response
        case "other":
            return table.others[int(st.session_state[_OTHER])][0]
        case _:
            return None


def _changes(outcome: str) -> dict[str, Any] | None:
    if outcome != "fix_question":
        return None
    again: bool | None = st.session_state.get(_in_turn(_AGAIN))
    return _fixed() if again is None else {**_fixed(), "ask_again": again}


def _fixed() -> dict[str, Any]:
    """The question as the form has it."""
    state = st.session_state
    return {
        "text": state[_in_turn(_TEXT)],
        "options": _lines(state[_in_turn(_OPTIONS)]),
        "key": state[_in_turn(_KEY)],
    }


def _decide(workspace: Workspace, person: Person, table: AnswersSideBySide, seen: int) -> None:
    state = st.session_state
    item_id, outcome = table.item.id, str(state[_OUTCOME])
    value, changes = _value(outcome, table), _changes(outcome)
    attempt(
        workspace,
        item_id,
        lambda: resolve(
            workspace,
            item_id,
            person,
            outcome,
            answers=tuple(answer.id for answer in table.answers),
            seen_revision=seen,
            value=value if outcome == "other" else None,
            changes=changes,
            reason=str(state[_REASON]),
            signatures=2 if state[_TWO] else 1,
        ),
        value,
        changes,
    )
