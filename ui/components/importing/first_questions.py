"""The first questions of a plan as they were read, for a person to look at."""

from collections.abc import Sequence

import streamlit as st

from annotations.reading.records import QuestionDraft, Reference
from ui.components.words import plain


def draw_first_questions(drafts: Sequence[QuestionDraft]) -> None:
    """Text, options with the key marked, video and clip of each."""
    if not drafts:
        return
    st.markdown("**First questions as read**")
    for column, draft in zip(st.columns(len(drafts)), drafts, strict=True):
        with column.container(border=True):
            st.caption(" · ".join(part for part in (
                plain(draft.uid), plain(draft.category), f"{plain(draft.video)}{_span(draft)}",
            ) if part))  # fmt: skip
            st.markdown(plain(draft.text))
            lines = [
                f"- **{chr(65 + index)}. {plain(option)}** :green-badge[key]"
                if index == draft.key
                else f"- {chr(65 + index)}. {plain(option)}"
                for index, option in enumerate(draft.options)
            ]
            st.markdown("\n".join(lines))
            if draft.options and draft.reference:
                right = "; ".join(draft.reference.get("answers", []))
                st.caption(plain(f"Any number may be chosen; right by the whole set: {right}."))
            elif draft.reference:
                st.caption(plain(accepted_words(draft.reference)))
            elif draft.key is None:
                st.caption("No key.")


def accepted_words(reference: Reference) -> str:
    """What answers are held against, in one line."""
    heads = {"answers": "Accepted", "points": "Scoring points"}
    return ". ".join(f"{heads[name]}: {'; '.join(texts)}" for name, texts in reference.items())


def _span(draft: QuestionDraft) -> str:
    if not draft.start_s and draft.end_s is None:
        return ""
    end = "the end" if draft.end_s is None else f"{draft.end_s:g} s"
    return f", {draft.start_s:g} s to {end}"
