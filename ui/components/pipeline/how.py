"""How a run annotates: model, settings in words, and the templates that it used."""

from typing import Any

import streamlit as st

from annotations.annotator import annotator
from annotations.run.annotator_settings import settings_of
from annotations.run.runs import Run
from ui.components.tables import show_table
from ui.components.words import plain

DEVICE, NUMBERS, BATCH = "Device", "Numbers", "Items at once"
KEY, TIMEOUT, OFFLINE = (
    "Variable with a server's key", "Time-out of a request, s", "Download nothing",
)  # fmt: skip
REVISION, COMPILE = "Revision of a hub name", "Compile for this GPU"
OPTIONS: dict[str, str] = {
    "device": DEVICE, "dtype": NUMBERS, "batch": BATCH, "api_key_env": KEY, "timeout_s": TIMEOUT,
    "revision": REVISION, "compile": COMPILE, "offline": OFFLINE,
}  # fmt: skip
SERVES_AS: dict[str, str] = {
    "image_text": "a model of pictures and texts", "chat": "a model that sees and writes",
    "text": "a language model", "embedding": "a model of texts", "speech": "a model of speech",
    "ocr": "a reader of text in pictures",
}  # fmt: skip


def how(run: Run) -> None:
    """Draw it."""
    facts, module = run.facts, annotator(run.method)
    serves_as = str(facts["serves_as"])
    served = SERVES_AS.get(serves_as, serves_as)
    st.markdown(
        f"**{plain(str(facts['model']))}**, {plain(served)} · {plain(module.TITLE)} · "
        f"on the task {plain(run.task)}"
    )
    settings_at, prompts_at = st.columns([2, 3], gap="medium")
    with settings_at:
        found = _set(run)
        show_table({"Setting": list(found), "Value": list(found.values())})
    with prompts_at:
        labels = {one.name: one.label for one in settings_of(module)}
        for purpose, one in facts.get("prompts", {}).items():
            label = labels.get(purpose, purpose)
            st.caption(plain(f"{label}: template {one['name']}, version {one['version']}"))
            st.code(one["text"], language=None, wrap_lines=True)


def _set(run: Run) -> dict[str, str]:
    """Every setting and option that counts, in words."""
    given: dict[str, Any] = run.facts.get("settings", {})
    options: dict[str, Any] = run.facts.get("options", {})
    known = {one.name: one for one in settings_of(annotator(run.method))}
    found: dict[str, str] = {}
    for name, value in given.items():
        one = known.get(name)
        if one is None:
            found[name] = str(value)
        elif one.counts(given) and not one.is_prompt:
            found[one.label] = one.said(value)
    for name, value in options.items():
        if value and (name, value) not in (("device", "auto"), ("dtype", "auto")):
            found[OPTIONS.get(name, name)] = "yes" if value is True else str(value)
    return found
