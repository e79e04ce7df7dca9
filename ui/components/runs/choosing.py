"""Which questions the tables of runs are about, and what their intervals draw again."""

from typing import cast

import streamlit as st

from annotations.scoring import human_accuracy
from annotations.scoring.human_accuracy import Resampled
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import NO_TAG, Which, groups, question_ids, solved_table
from annotations.shortcut.splits import all_splits
from ui.components.words import plain

NO_SPLIT = "Every question"
_MOST_VALUES = 30
_RESAMPLED: dict[Resampled, str] = {"video": "Videos", "question": "Questions"}


def choose_resample(key: str) -> Resampled:
    """Draw the choice of what the intervals resample."""
    chosen = st.segmented_control(
        "95 % intervals resample",
        list(_RESAMPLED),
        format_func=_RESAMPLED.__getitem__,
        default="video",
        required=True,
        key=key,
        help="Questions about one video are not independent, so whole videos are drawn again. "
        "Some papers draw single questions, which makes intervals narrower.",
    )
    return cast("Resampled", chosen)


def choose_questions(snapshot: Snapshot, key: str, *, splits: bool = True) -> Which:
    """Draw a button that opens the filters by category, tag and split; what they come to.

    Args:
        key: begins the keys of the widgets.
        splits: whether a split can be chosen.
    """
    names = tags_to_choose(snapshot)
    stored = all_splits(snapshot) if splits else []
    value, split = "", 0
    with st.popover("Questions", icon=":material/filter_alt:"):
        categories = st.multiselect(
            "Categories", groups(snapshot, "category")[0], key=f"{key} categories",
            placeholder="All categories",
        )  # fmt: skip
        tag = st.selectbox(
            "Tag", ["", *names], key=f"{key} tag", disabled=not names,
            format_func=lambda name: in_words(name) or "Any tag",
        )  # fmt: skip
        if tag:
            value = st.selectbox("Its value", names[tag], key=f"{key} value {tag}")
        if stored:
            by_id = {stored_split.id: stored_split for stored_split in stored}
            split = st.selectbox(
                "Split", [0, *by_id], key=f"{key} split",
                format_func=lambda number: f"{by_id[number].name}, kept" if number else NO_SPLIT,
            )  # fmt: skip
        common = st.toggle(
            "Only questions that every model answered", key=f"{key} common",
            help="Models that were asked different questions cannot be compared by their shares.",
        )  # fmt: skip
    return Which(tuple(sorted(categories)), tag, str(value), split or None, common)


def said(snapshot: Snapshot, which: Which) -> None:
    """Say in words which questions a page is about, where it is not about all."""
    parts = [", ".join(which.categories)] if which.categories else []
    parts += [f"{in_words(which.tag)} {which.value}"] if which.tag else []
    parts += [f"kept by {split.name}" for split in all_splits(snapshot) if split.id == which.split]
    parts += ["answered by every model"] if which.common else []
    if parts:
        number = len(question_ids(snapshot, which))
        st.caption(f":material/filter_alt: Only {number:,} questions: {plain('; '.join(parts))}.")


def tags_to_choose(snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """Tags with two values or more, if not too many; what lacks one is a value too."""
    tags_of: dict[str, tuple[str, ...]] = {}
    questions = solved_table(snapshot).questions
    for name, values in human_accuracy.tags(snapshot).items():
        missing = any(name not in question.tags for question in questions)
        every = (*values, *((NO_TAG,) if missing else ()))
        if 2 <= len(every) <= _MOST_VALUES:
            tags_of[name] = every
    return tags_of


def in_words(name: str) -> str:
    """The name of a tag as a heading shows it."""
    return name.replace("_", " ").capitalize()
