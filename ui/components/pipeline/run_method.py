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
COMPILES: dict[str, bool | None] = {
    "Where it saves time": None, "Always": True, "Never": False
}  # fmt: skip
OPTIONS: dict[str, str] = {
    "device": DEVICE, "dtype": NUMBERS, "batch": BATCH, "api_key_env": KEY, "timeout_s": TIMEOUT,
    "revision": REVISION, "compile": COMPILE, "offline": OFFLINE,
}  # fmt: skip
SERVES_AS: dict[str, str] = {
    "image_text": "a model of pictures and texts", "chat": "a model that sees and writes",
    "text": "a language model", "embedding": "a model of texts", "speech": "a model of speech",
    "ocr": "a reader of text in pictures",
}  # fmt: skip


def draw_method(run: Run) -> None:
    """Draw the model, the settings that count and the prompts of a run."""
    facts, module = run.facts, annotator(run.method)
    serves_as = str(facts["serves_as"])
    served = SERVES_AS.get(serves_as, serves_as)
    st.markdown(
        f"**{plain(str(facts['model']))}**, {plain(served)} · {plain(module.TITLE)} · "
        f"on the task {plain(run.task)}"
    )
    settings_at, prompts_at = st.columns([2, 3], gap="medium")
    with settings_at:
        settings = _counting_settings(run)
        show_table({"Setting": list(settings), "Value": list(settings.values())})
    with prompts_at:
        labels = {template.name: template.label for template in settings_of(module)}
        for purpose, template in facts.get("prompts", {}).items():
            label = labels.get(purpose, purpose)
            st.caption(
                plain(f"{label}: template {template['name']}, version {template['version']}")
            )
            st.code(template["text"], language=None, wrap_lines=True)


def _counting_settings(run: Run) -> dict[str, str]:
    """Settings and options that count, by their names on screen."""
    values: dict[str, Any] = run.facts.get("settings", {})
    options: dict[str, Any] = run.facts.get("options", {})
    known = {setting.name: setting for setting in settings_of(annotator(run.method))}
    settings: dict[str, str] = {}
    for name, value in values.items():
        setting = known.get(name)
        if setting is None:
            settings[name] = str(value)
        elif setting.counts(values) and not setting.is_prompt:
            settings[setting.label] = setting.said(value)
    for name, value in options.items():
        if value and (name, value) not in (("device", "auto"), ("dtype", "auto")):
            settings[OPTIONS.get(name, name)] = "yes" if value is True else str(value)
    return settings
