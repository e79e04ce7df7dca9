"""The form in which an author decides a disagreement and signs.

Every field and button carries the item, its revision and the answers on the table in its name. A
press that is about what was drawn before is then never taken for what is drawn now.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotations.adjudication.answers_side_by_side import AnswersSideBySide
from annotations.adjudication.outcomes import OUTCOMES, ordinal
from annotations.adjudication.resolution import (
    LONGEST_REASON,
    Resolution,
    asked_signatures,
    resolve,
)
from annotations.people import Person, everyone
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import callback
from ui.components.resolution.decision_steps import attempt, foretell
from ui.components.resolution.question_fix import fix_question, fixed_question
from ui.components.words import plain

KEEP = "keep "
LONGEST_LABEL = 60
_TWO, _TWO_BEFORE = "deciding two", "deciding two before"


def field_name(what: str, table: AnswersSideBySide, seen: int) -> str:
    """The name of a field of this item, as it was drawn with these answers."""
    newest = max(answer.id for answer in table.answers)
    return f"deciding-{what}-{table.item.id}-{seen}-{newest}"


def chosen_outcome(table: AnswersSideBySide, seen: int) -> str | None:
    """What the author has chosen of `outcomes`, None while nothing is."""
    return st.session_state.get(field_name("outcome", table, seen))


def outcomes(table: AnswersSideBySide) -> list[str]:
    """What can be chosen: 'keep 0' and on for each different answer, then `OUTCOMES`."""
    responses = [answer.response for answer in table.answers]
    kept = [f"{KEEP}{i}" for i, response in enumerate(responses) if responses.index(response) == i]
    rest = [name for name in OUTCOMES if name not in ("first", "second")]
    if table.question is None:
        rest.remove("fix_question")
    return [*kept, *rest]


def decide(
    workspace: Workspace,
    person: Person,
    table: AnswersSideBySide,
    seen: int,
    written: Callable[[], dict[str, Any] | None],
) -> None:
    """Draw the outcomes with their reason; say what will change before anybody signs.

    Args:
        written: gives the response that the author gave in the task's own form, None without one.
    """
    item_id, choices = table.item.id, outcomes(table)
    with st.container(border=True, gap="small"):
        outcome = st.radio(
            "What holds?",
            choices,
            index=None,
            format_func=lambda name: f"`{choices.index(name) + 1}` {_outcome_words(name, table)}",
            key=field_name("outcome", table, seen),
            label_visibility="collapsed",
        )
        if outcome == "other" and table.others:
            st.selectbox(
                "The right answer",
                range(len(table.others)),
                index=None,
                placeholder="choose the right answer",
                format_func=[label for _, label in table.others].__getitem__,
                key=field_name("other", table, seen),
            )
        elif outcome == "other":
            st.caption("Give the answer in the form below the clip, as an annotator would.")
        if outcome == "fix_question" and table.question:
            fix_question(workspace, table.question, _names(table, seen))
        st.text_area(
            "Why",
            height=68,
            max_chars=LONGEST_REASON,
            key=field_name("reason", table, seen),
            placeholder="Why",
            label_visibility="collapsed",
        )
        asked = asked_signatures(workspace, item_id)
        two, button = st.columns([5, 6], vertical_alignment="center")
        _signatures(workspace, two, asked)
        value, changes = _value(table, seen, written), _changes(table, seen)
        foretell(workspace, item_id, value, changes, _number(asked) > 1)
        button.button(
            "Decide and sign",
            type="primary",
            shortcut="Mod+Enter",
            width="stretch",
            key=field_name("sign", table, seen),
            on_click=callback(_decide),
            args=(workspace, person, table, seen, written),
        )


def _signatures(workspace: Workspace, container: DeltaGenerator, asked: int | None) -> None:
    """Draw who has to sign: a choice, unless the task says it."""
    if asked is not None:
        container.caption(
            "Holds with your signature." if asked == 1 else f"{asked} authors have to sign."
        )
        return
    authors = [
        row for row in everyone(workspace) if row.kind == "person" and row.role != "annotator"
    ]
    # Streamlit forgets a field while it is not drawn, and this one holds for all items.
    usual = bool(st.session_state.get(_TWO_BEFORE, len(authors) > 1))
    two = container.checkbox("A second author has to sign", usual, key=_TWO)
    st.session_state[_TWO_BEFORE] = two


def _number(asked: int | None) -> int:
    """How many authors have to sign."""
    return asked if asked is not None else 2 if st.session_state.get(_TWO) else 1


def _outcome_words(name: str, table: AnswersSideBySide) -> str:
    if not name.startswith(KEEP):
        return OUTCOMES[name][:1].upper() + OUTCOMES[name][1:]
    index = int(name.removeprefix(KEEP))
    answer = table.answers[index].words
    short = answer if len(answer) <= LONGEST_LABEL else answer[: LONGEST_LABEL - 1] + "…"
    return plain(f"Keep the {ordinal(index)}: {short}")


def _names(table: AnswersSideBySide, seen: int) -> Callable[[str], str]:
    return lambda what: field_name(what, table, seen)


def _changes(table: AnswersSideBySide, seen: int) -> dict[str, Any] | None:
    """What becomes of the question, by the fields of this item."""
    if chosen_outcome(table, seen) != "fix_question":
        return None
    return fixed_question(_names(table, seen))


def _value(
    table: AnswersSideBySide, seen: int, written: Callable[[], dict[str, Any] | None]
) -> dict[str, Any] | None:
    """The response that would hold, by the fields of this item."""
    outcome = chosen_outcome(table, seen)
    if outcome is not None and outcome.startswith(KEEP):
        return table.answers[int(outcome.removeprefix(KEEP))].response
    if outcome != "other":
        return None
    if not table.others:
        return written()
    other: int | None = st.session_state.get(field_name("other", table, seen))
    return None if other is None else table.others[other][0]


def _decide(
    workspace: Workspace,
    person: Person,
    table: AnswersSideBySide,
    seen: int,
    written: Callable[[], dict[str, Any] | None],
) -> None:
    """Store what the fields of the item hold for which the button was drawn."""
    chosen = chosen_outcome(table, seen)
    value, changes = _value(table, seen, written), _changes(table, seen)

    def step() -> Resolution:
        if chosen is None:
            raise Refusal("Choose first what holds.")
        if chosen == "other" and value is None:
            raise Refusal("Give the other answer first.")
        outcome = _stored_outcome(chosen)
        return resolve(
            workspace,
            table.item.id,
            person,
            outcome,
            answers=tuple(answer.id for answer in table.answers),
            seen_revision=seen,
            value=value if outcome == "other" else None,
            changes=changes,
            reason=str(st.session_state.get(field_name("reason", table, seen)) or ""),
            signatures=_number(asked_signatures(workspace, table.item.id)),
        )

    attempt(workspace, table.item.id, step, value, changes)


def _stored_outcome(chosen: str) -> str:
    """The outcome as it is stored: a third or later answer is stored as another answer."""
    if not chosen.startswith(KEEP):
        return chosen
    return {f"{KEEP}0": "first", f"{KEEP}1": "second"}.get(chosen, "other")
