"""Splits without the videos that objects alone solve, and imported models on them."""

import json
from typing import cast

import streamlit as st

from annotations.bias.instructions import Job
from annotations.bias.result import Result
from annotations.bias.scores import on_splits, rules_of
from annotations.bias.splits import (
    WORDS,
    Rule,
    make_split,
    published_lists,
    removed,
    split_names,
    the_split,
)  # fmt: skip
from annotations.people import Person
from annotations.record.video import video_names
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.downloads import json_button, take_table
from ui.components.runs.words import count, percent
from ui.components.tables import show_table
from ui.components.words import plain

_DONE = "bias split stored"


def split_panel(workspace: Workspace, person: Person, result: Result, job: Job) -> None:
    """Draw what the rules keep, the button that stores a split, stored splits, and models."""
    st.subheader("Split without them")
    if done := st.session_state.pop(_DONE, ""):
        st.success(done, icon=":material/check:")
    rules = rules_of(job)
    rule_at, name_at, button_at = st.columns([3, 3, 1], vertical_alignment="bottom")
    rule = cast(
        "Rule",
        rule_at.segmented_control(
            "Rule", rules, default=rules[0], required=True, key=f"bias rule {job}"
        ),
    )
    _, gone, _ = removed(result, job, rule)
    name = name_at.text_input("Name", f"{rule} by objects", max_chars=80, key=f"bias name {rule}")
    st.caption(f"{WORDS[rule]} {count(int((~gone).sum()), 'video')} of {len(gone):,} stay.")
    if button_at.button("Store", type="primary", width="stretch", key="bias split store"):
        try:
            split = make_split(workspace, name, result, rule, job, person.id)
        except Refusal as error:
            st.error(plain(str(error)))
            return
        kept = count(len(split.kept), "video")
        st.session_state[_DONE] = f"Stored “{plain(split.name)}”: {kept} stay."
        st.rerun()
    _stored(workspace, result, job)
    _models(workspace, result, job)


def _stored(workspace: Workspace, result: Result, job: Job) -> None:
    with workspace.store.single() as database:
        names = video_names(database)
    with st.container(horizontal=True, vertical_alignment="center"):
        for name in split_names(workspace):
            json_button(
                f"split_{name}",
                lambda name=name: json.dumps(the_split(workspace, name).as_json()).encode(),
                f"Ids of {name}",
            )
        json_button(
            f"splits_{result.figures['descriptions']}",
            lambda: json.dumps(published_lists(result, names, job), indent=1).encode(),
            "All lists, as UTD publishes them",
        )


def _models(workspace: Workspace, result: Result, job: Job) -> None:
    models = on_splits(workspace, result, job)
    st.subheader("Models on all videos and on what is left")
    if not models:
        st.caption(
            "No scores of models yet. A table with video_id and acc_top1 (or R1) of each model: "
            "`rushes import-bias FILE --as scores --name MODEL`."
        )
        return
    columns: dict[str, list[object]] = {
        "Model": [model.model for model in models],
        "All %": [percent(model.full.value) for model in models],
        "Debiased %": [percent(model.debiased.value) for model in models],
        "Difference": [percent(model.debiased_difference.value) for model in models],
        "Low": [percent(model.debiased_difference.bounds[0]) for model in models],
        "High": [percent(model.debiased_difference.bounds[1]) for model in models],
    }
    if job == "classification":
        fair = [(model.balanced, model.balanced_difference) for model in models]
        columns |= {
            "Balanced %": [percent(value.value if value else None) for value, _ in fair],
            "Difference, balanced": [percent(gap.value if gap else None) for _, gap in fair],
        }
    columns["Scored"] = [f"{model.asked:,} of {model.videos:,}" for model in models]
    show_table(columns, formats={name: "%.1f" for name in columns if name not in _WORDS})
    take_table("models on splits", columns)
    st.caption("Differences are paired, over the same videos, with 95 % intervals by video.")


_WORDS = ("Model", "Scored")
