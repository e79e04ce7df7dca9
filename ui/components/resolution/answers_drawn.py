"""The answers to an item drawn side by side, and what they conclude by the task's own rule."""

from collections.abc import Callable
from html import escape

import streamlit as st

from annotations.adjudication.answers_side_by_side import AnswersSideBySide, ShownAnswer
from annotations.adjudication.outcomes import ordinal
from annotations.decision import Decision
from core.stored_json import whole_text
from ui.components.resolution.answer_rows import NOTHING, AnswerRow, answer_rows
from ui.components.words import plain
from ui.form import form

STATUSES = {
    "decided": "By the task’s rule",
    "tie": "By the task’s rule it is a tie",
    "open": "By the task’s rule it is open",
    "none": "No decision",
}
FrameAddress = Callable[[int], str]

_STYLE = """<style>
.side-by-side { width: 100%; border-collapse: collapse; font-size: .9rem; }
.side-by-side :is(th, td) { text-align: left; vertical-align: top; padding: .3rem .5rem;
  border-bottom: 1px solid light-dark(#DDD6CB, #3A3631); overflow-wrap: anywhere; }
.side-by-side thead th { font-weight: 600; }
.side-by-side thead small { display: block; font-weight: 400; }
.side-by-side tbody th { font-weight: 400; max-width: 16rem; }
.side-by-side .differ td { font-weight: 600; background: light-dark(#F6E7DC, #33241C); }
details > summary { cursor: pointer; padding: .3rem .5rem; font-size: .9rem; }
.side-by-side img { display: block; width: 100%; max-width: 12rem; margin-bottom: .2rem; }
</style>"""


def name_of(index: int, answer: ShownAnswer) -> str:
    """What an answer is called: by its place, or by who gave it where names are shown."""
    named = bool(st.session_state.get("resolving names"))
    return answer.annotator if named else f"{ordinal(index).capitalize()} answer"


def draw_answers(table: AnswersSideBySide, frame_address: FrameAddress) -> None:
    """Draw what each person answered: a card each, or a table where the form has several parts."""
    rows = rows_of(table)
    if len(rows) > 1 or any(row.frames for row in rows):
        st.html(_table(table, rows, frame_address))
    else:
        _cards(table)
    _rule(table.decision)


def _rule(decision: Decision) -> None:
    """Say what the answers conclude, with the arithmetic where there is more to say than that."""
    summary = STATUSES[decision.status]
    more = "" if decision.words == decision.status else f": {plain(decision.words)}"
    st.markdown(f"{summary}{more}.")


def rows_of(table: AnswersSideBySide) -> list[AnswerRow]:
    """The parts of the answers, by the task's own form."""
    fields = form(table.task.kind, table.task.settings)["fields"]
    responses = [answer.response for answer in table.answers]
    return answer_rows(fields, table.content.values, responses)


def _cards(table: AnswersSideBySide) -> None:
    width = min(len(table.answers), 3)
    for begins in range(0, len(table.answers), width):
        row = table.answers[begins : begins + width]
        for index, (column, answer) in enumerate(zip(st.columns(width), row, strict=False)):
            with column.container(border=True, gap="xsmall"):
                st.caption(plain(name_of(begins + index, answer)))
                st.markdown(f"**{plain(answer.words)}**")
                how = f"{plain(answer.shown)}; {answer.active_s:.0f} s"
                st.caption(how, help=plain(answer.shown_in_full))


def _table(table: AnswersSideBySide, rows: list[AnswerRow], frame_address: FrameAddress) -> str:
    heads = "".join(
        f'<th scope="col" title="{_text(answer.shown_in_full)}">{_text(name_of(index, answer))}'
        f"<small>{_text(answer.shown)}{'; ' if answer.shown else ''}{answer.active_s:.0f} s</small>"
        "</th>"
        for index, answer in enumerate(table.answers)
    )
    differ = "".join(_line(row, frame_address) for row in rows if row.differ)
    same = [_line(row, frame_address) for row in rows if not row.differ]
    parts = "1 part" if len(same) == 1 else f"{len(same)} parts"
    folded = (
        f"<details><summary>{parts} answered alike</summary>"
        f'<table class="side-by-side"><tbody>{"".join(same)}</tbody></table></details>'
        if same
        else ""
    )
    return (
        f'{_STYLE}<table class="side-by-side"><thead><tr><td></td>{heads}</tr></thead>'
        f"<tbody>{differ}</tbody></table>{folded}"
    )


def _line(row: AnswerRow, frame_address: FrameAddress) -> str:
    cells = "".join(_cell(row, index, frame_address) for index in range(len(row.cells)))
    differ = ' class="differ"' if row.differ else ""
    return f'<tr{differ}><th scope="row">{_text(row.label)}</th>{cells}</tr>'


def _cell(row: AnswerRow, index: int, frame_address: FrameAddress) -> str:
    words = _text(row.cells[index]) or NOTHING
    frame = row.frames[index] if row.frames else None
    if frame is None:
        return f"<td>{words}</td>"
    picture = f'<img src="{escape(frame_address(frame))}" alt="{words}">'
    return f"<td>{picture}{words}</td>"


def _text(words: str) -> str:
    return escape(whole_text(words))
