"""What reviews make of a task's questions, old beside new, and the button that carries it over."""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from html import escape

import streamlit as st

from annotations.people import Person
from annotations.review.apply_review import carry_over, results
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
    found = results(workspace, task_id)
    counts = Counter(one.state for one in found)
    ready = counts[READY]
    words = f"Carry {ready:,} over into the questions" if ready else "Nothing to carry over"
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(words, type="primary", icon=":material/publish:", disabled=not ready):
            finish(carry_over(workspace, task_id, person).words)
        st.caption(
            "Each becomes a new revision, signed by those who decided. Answers given before keep "
            "what they were shown; a discarded question leaves all other tasks."
        )
    _flags(found)
    _listed(found, counts, palette)


def _flags(found: Sequence[ReviewResult]) -> None:
    reviews = [review for one in found for review in one.reviews if "flags" in review]
    if not reviews:
        return
    raised = " · ".join(
        f"{_words(flag)} **{count:,}**" for flag, count in flag_counts(reviews).items()
    )
    st.markdown(f"Raised in {_count(len(reviews), 'review')}: {raised}")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'s'[: number != 1]}"


def _words(flag: str) -> str:
    words = flag.replace("_", " ")
    return words[:1].upper() + words[1:]


def _listed(found: Sequence[ReviewResult], counts: Counter[str], palette: Palette) -> None:
    states = [state for state in STATES if counts[state]]
    if not states:
        st.caption("No question has been handed out here yet.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state = st.segmented_control(
            "State", states, default=states[0], required=True, label_visibility="collapsed",
            format_func=lambda one: f"{_words(one)} ({counts[one]:,})", key="reviewed-state",
        )  # fmt: skip
        asked = st.text_input(
            "Find a question", placeholder="part of a name or text", icon=":material/search:",
            label_visibility="collapsed", key="reviewed-find", width=280,
        )  # fmt: skip
    st.caption(_ABOUT[state or states[0]])
    fitting = [one for one in found if one.state == (state or states[0]) and _has(one, asked or "")]
    if not fitting:
        st.caption("No question here has these words.")
        return
    st.html(_style(palette) + _table(fitting[:MOST]))
    if len(fitting) > MOST:
        st.caption(plain(f"The first {MOST} of {len(fitting):,} are listed. Find the others."))


def _has(one: ReviewResult, words: str) -> bool:
    texts = [one.name, *(part.text for part in (one.before, *one.after) if part)]
    return words.strip().casefold() in "\n".join(texts).casefold()


def _table(found: Sequence[ReviewResult]) -> str:
    rows = "".join(
        f"<tr><td><b>{escape(one.name)}</b><small>{escape(one.words)}</small>"
        f"<small>{escape(' and '.join(name for _, name in one.by))}</small></td>"
        f"<td>{_before(one)}</td><td>{_after(one)}</td></tr>"
        for one in found
    )
    shown = ("As it is now", "As reviewed") if found[0].state == CHANGED else ("Before", "After")
    heads = "".join(f"<th>{words}</th>" for words in ("Question", *shown))
    return f'<table class="rushes-reviewed"><thead><tr>{heads}</tr></thead>{rows}</table>'


def _before(one: ReviewResult) -> str:
    if one.before is None:
        return '<span class="none">a clip to write on</span>'
    kept = one.after[0] if one.after and not one.discarded else None
    stay = set(kept.options) if kept else set(one.before.options)
    return _question(one.before, struck=set(one.before.options) - stay)


def _after(one: ReviewResult) -> str:
    if one.discarded:
        return '<span class="out">discard</span>'
    if not one.after:
        return '<span class="none">–</span>'
    if one.before is not None and _same(one.before, one.after[0]):
        return '<span class="none">stays as it is</span>'
    before = one.before
    return "".join(
        _question(made, new=set(made.options) - set(before.options) if before else frozenset(),
                  changed=before is not None and made.text != before.text,
                  other_key=before is not None and _key(before) != _key(made))
        for made in one.after
    )  # fmt: skip


def _same(before: Reviewed, after: Reviewed) -> bool:
    return (before.text, before.options, before.key, before.tags) == (
        after.text, after.options, after.key, after.tags,
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
    for place, option in enumerate(question.options):
        words = escape(option)
        words = f"<del>{words}</del>" if option in struck else words
        words = f"<ins>{words}</ins>" if option in new else words
        key = place == question.key
        mark = f'<i class="key{" moved" if other_key else ""}">key</i>' if key else ""
        lines.append(f"<li{' class=right' if key else ''}>{words}{mark}</li>")
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
