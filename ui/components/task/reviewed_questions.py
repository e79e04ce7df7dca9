"""What reviews make of a task's questions, old beside new, and the button that carries it over."""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from html import escape

import streamlit as st

from annotations.people import Person
from annotations.review.apply_review import carry_over, foreseen, results
from annotations.review.question_changes import Reviewed
from annotations.review.review_decision import flag_counts
from annotations.review.review_results import (
    CARRIED,
    CHANGED,
    READY,
    SETTLED,
    STATES,
    UNDECIDED,
    ReviewResult,
)
from annotations.workspace import Workspace
from ui.components.words import plain
from ui.theme import DARK, LIGHT, Palette

MOST = 100
_ABOUT = {
    READY: "Decided, and not carried over yet.",
    CHANGED: "The question was changed after it was reviewed, so it is left alone: return the "
    "answers, or carry on with the question as it is.",
    UNDECIDED: "Answers are lacking, or authors have to settle them first.",
    CARRIED: "Done. Another decision brings a question back among those that are ready.",
    SETTLED: "Authors changed the question themselves when they settled a disagreement.",
}


def show_reviewed(
    workspace: Workspace,
    person: Person,
    task_id: int,
    finish: Callable[[str], None],
) -> None:
    """Draw counts, the button, and the questions as they are and as they would be.

    Args:
        finish: draws the page again and says what was done.
    """
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    reviews = results(workspace, task_id)
    counts = Counter(review.state for review in reviews)
    ready = counts[READY]
    label = f"Carry {ready:,} over into the questions" if ready else "Nothing to carry over"
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(label, type="primary", icon=":material/publish:", disabled=not ready):
            finish(carry_over(workspace, task_id, person).words)
        st.caption(
            "Each becomes a new revision, signed by those who decided. Answers given before keep "
            "what they were shown; a discarded question leaves all other tasks."
        )
    if ready:
        st.caption(f":material/rule: Of people's answers: {foreseen(workspace, task_id).words}.")
    _flags(reviews)
    _listed(reviews, counts, palette)


def _flags(results: Sequence[ReviewResult]) -> None:
    reviews = [review for result in results for review in result.reviews if "flags" in review]
    if not reviews:
        return
    raised = " · ".join(
        f"{_words(flag)} **{count:,}**" for flag, count in flag_counts(reviews).items()
    )
    st.markdown(f"Raised in {_count(len(reviews), 'review')}: {raised}")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'s'[: number != 1]}"


def _words(flag: str) -> str:
    text = flag.replace("_", " ")
    return text[:1].upper() + text[1:]


def _listed(results: Sequence[ReviewResult], counts: Counter[str], palette: Palette) -> None:
    states = [state for state in STATES if counts[state]]
    if not states:
        st.caption("No question has been handed out here yet.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state = st.segmented_control(
            "State", states, default=states[0], required=True, label_visibility="collapsed",
            format_func=lambda state: f"{_words(state)} ({counts[state]:,})", key="reviewed-state",
        )  # fmt: skip
        asked = st.text_input(
            "Find a question", placeholder="part of a name or text", icon=":material/search:",
            label_visibility="collapsed", key="reviewed-find", width=280,
        )  # fmt: skip
    st.caption(_ABOUT[state or states[0]])
    fitting = [
        result
        for result in results
        if result.state == (state or states[0]) and _has(result, asked or "")
    ]
    if not fitting:
        st.caption("No question here has these words.")
        return
    st.html(_style(palette) + _table(fitting[:MOST]))
    if len(fitting) > MOST:
        st.caption(plain(f"The first {MOST} of {len(fitting):,} are listed. Find the others."))


def _has(result: ReviewResult, search: str) -> bool:
    texts = [result.name, *(part.text for part in (result.question, *result.after) if part)]
    return search.strip().casefold() in "\n".join(texts).casefold()


def _table(results: Sequence[ReviewResult]) -> str:
    rows = "".join(
        f"<tr><td><b>{escape(result.name)}</b><small>{escape(result.words)}</small>"
        f"<small>{escape(' and '.join(name for _, name in result.by))}</small></td>"
        f"<td>{_before(result)}</td><td>{_after(result)}</td></tr>"
        for result in results
    )
    shown = ("As it is now", "As reviewed") if results[0].state == CHANGED else ("Before", "After")
    heads = "".join(f"<th>{heading}</th>" for heading in ("Question", *shown))
    return f'<table class="rushes-reviewed"><thead><tr>{heads}</tr></thead>{rows}</table>'


def _before(result: ReviewResult) -> str:
    if result.question is None:
        return '<span class="none">a clip to write on</span>'
    kept = result.after[0] if result.after and not result.discarded else None
    stay = set(kept.options) if kept else set(result.question.options)
    return _question(result.question, struck=set(result.question.options) - stay)


def _after(result: ReviewResult) -> str:
    if result.discarded:
        return '<span class="out">discard</span>'
    if not result.after:
        return '<span class="none">–</span>'
    if result.question is not None and _same(result.question, result.after[0]):
        return '<span class="none">stays as it is</span>'
    question = result.question
    return "".join(
        _question(
            after,
            new=set(after.options) - set(question.options) if question else frozenset(),
            changed=question is not None and after.text != question.text,
            other_key=question is not None and _key(question) != _key(after),
        )
        for after in result.after
    )


def _same(question: Reviewed, reviewed: Reviewed) -> bool:
    return (question.text, question.options, question.key, question.tags) == (
        reviewed.text, reviewed.options, reviewed.key, reviewed.tags,
    )  # fmt: skip


def _key(question: Reviewed) -> str | None:
    return None if question.key is None else question.options[question.key]


def _question(
    question: Reviewed,
    *,
    struck: Set[str] = frozenset(),
    new: Set[str] = frozenset(),
    changed: bool = False,
    other_key: bool = False,
) -> str:
    """Text, options and flags, what differs marked; every text is escaped."""
    lines: list[str] = []
    for index, option in enumerate(question.options):
        html = escape(option)
        html = f"<del>{html}</del>" if option in struck else html
        html = f"<ins>{html}</ins>" if option in new else html
        key = index == question.key
        mark = f'<i class="key{" moved" if other_key else ""}">key</i>' if key else ""
        lines.append(f"<li{' class=right' if key else ''}>{html}{mark}</li>")
    text = f"<ins>{escape(question.text)}</ins>" if changed else escape(question.text)
    flags = "".join(
        f'<span class="flag">{escape(_words(str(flag)))}</span>'
        for flag in question.tags.get("flags", ())
    )
    return f'<p>{text}</p><ol type="A">{"".join(lines)}</ol>{flags}'


def _style(palette: Palette) -> str:
    return f"""<style>
.rushes-reviewed {{ width: 100%; border-collapse: collapse; table-layout: fixed; }}
.rushes-reviewed th {{ text-align: left; font-size: 0.85rem; font-weight: 600;
  color: {palette.muted}; padding: 0.35rem 0.75rem; }}
.rushes-reviewed th:first-child {{ width: 22%; }}
.rushes-reviewed td {{ vertical-align: top; padding: 0.6rem 0.75rem;
  border-top: 1px solid {palette.border}; overflow-wrap: anywhere; }}
.rushes-reviewed small {{ display: block; color: {palette.muted}; }}
.rushes-reviewed p {{ margin: 0 0 0.25rem; }}
.rushes-reviewed ol {{ margin: 0; padding-left: 1.4rem; }}
.rushes-reviewed li {{ margin: 0; }}
.rushes-reviewed .right {{ font-weight: 600; }}
.rushes-reviewed del {{ color: {palette.muted}; }}
.rushes-reviewed ins {{ text-decoration: none; border-bottom: 2px solid {palette.primary}; }}
.rushes-reviewed .key, .rushes-reviewed .flag, .rushes-reviewed .out {{ font-style: normal;
  font-size: 0.8rem; font-weight: 500; border: 1px solid {palette.border}; border-radius: 0.5rem;
  padding: 0 0.4rem; margin-left: 0.4rem; color: {palette.muted}; white-space: nowrap; }}
.rushes-reviewed .flag {{ margin: 0.3rem 0.3rem 0 0; display: inline-block; }}
.rushes-reviewed .moved, .rushes-reviewed .out {{ color: {palette.primary};
  border-color: {palette.primary}; }}
.rushes-reviewed .out {{ margin: 0; }}
.rushes-reviewed .none {{ color: {palette.muted}; }}
</style>"""
