"""A form put together by clicking: stage, text and fields, beside the form as it will be."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotations.form import declaration as declared
from annotations.form import stage as stages
from annotations.form.declaration import RULES_OF, TYPES
from annotations.tasks import own_form
from core.refusal import Refusal
from ui.components.desk.desk import mount_form
from ui.components.words import plain
from ui.form import form
from ui.routes.assets import assets_url

FIELDS = "form-builder-fields"
STAGE_WORDS = {
    stages.PLAYER: "A clip",
    stages.GRID: "Frames",
    stages.CLIPS: "Several clips",
    stages.NO_STAGE: "Text only",
}
TYPE_WORDS = {
    declared.CHOICE: "One of several",
    declared.CHOICES: "Any of several",
    declared.SCALE: "A scale",
    declared.TEXT: "Words",
    declared.SEGMENTS: "Segments in time",
    declared.FRAME: "One frame",
    declared.CLIP: "One of the clips",
}
RULE_WORDS = {
    declared.MAJORITY: "what most say",
    declared.MEDIAN: "the median",
    declared.MEAN: "the mean",
    declared.NONE: "nothing; answers stay beside each other",
}
TEXT_HELP = (
    "What people read beside the stage. {caption} stands for the column 'caption' of your file; "
    "without a file there are {name}, {title} and {description} of the video."
)
SAMPLE_TEXT = "(the text of the item)"


def form_builder() -> dict[str, Any]:
    """The settings that are put together so far, and the form as annotators will see it."""
    fields: list[dict[str, Any]] = st.session_state.setdefault(
        FIELDS, [{**field, "id": number} for number, field in enumerate(own_form.EXAMPLE)]
    )
    edit_at, preview_at = st.columns([5, 4], gap="large")
    with edit_at:
        settings = _stage()
        for place, field in enumerate(fields):
            _field(fields, place, field)
        if st.button("Add a field", icon=":material/add:", key="form-add"):
            number = 1 + max((field["id"] for field in fields), default=0)
            fields.append({"id": number, "label": "", "type": declared.CHOICE})
            st.rerun()
    settings["fields"] = [_as_setting(field) for field in fields]
    with preview_at:
        settings["accept"] = _accept(settings)
        _preview(settings)
    return settings


def _stage() -> dict[str, Any]:
    stage = st.segmented_control(
        "What people look at", list(STAGE_WORDS), default=stages.PLAYER, required=True,
        format_func=STAGE_WORDS.__getitem__, key="form-stage",
    )  # fmt: skip
    settings: dict[str, Any] = {"stage": stage}
    if stage == stages.GRID:
        settings["frames"] = int(st.number_input("Frames", 1, 100, 16, key="form-frames"))
    settings["text"] = st.text_area(
        "Text beside it", placeholder="Caption: {caption}", height=68, key="form-text",
        help=TEXT_HELP,
    )  # fmt: skip
    return settings


def _field(fields: list[dict[str, Any]], place: int, field: dict[str, Any]) -> None:
    key = f"form-{field['id']}"
    with st.container(border=True):
        label_at, type_at = st.columns([1, 1], vertical_alignment="bottom")
        field["label"] = label_at.text_input(
            f"Question {place + 1}", field["label"], key=f"{key}-label",
            placeholder="Is anything misleading?", max_chars=200,
        )  # fmt: skip
        field["type"] = type_at.selectbox(
            "Answer", TYPES, TYPES.index(field["type"]), format_func=TYPE_WORDS.__getitem__,
            key=f"{key}-type",
        )  # fmt: skip
        _details(field, key)
        _rule_and_place(fields, place, field, key)


def _details(field: dict[str, Any], key: str) -> None:
    if field["type"] in (declared.CHOICE, declared.CHOICES):
        lines = st.text_area(
            "Options, one a line", "\n".join(field.get("options", [])), key=f"{key}-options",
            placeholder="yes\nno", height=90,
        )  # fmt: skip
        field["options"] = [line.strip() for line in lines.splitlines() if line.strip()]
    if field["type"] == declared.SCALE:
        low_at, low_words_at, high_at, high_words_at = st.columns([2, 3, 2, 3])
        field["low"] = _step(low_at, "From", field.get("low", 1), f"{key}-low")
        field["low_label"] = low_words_at.text_input(
            "which means", field.get("low_label", ""), key=f"{key}-low-label"
        )
        field["high"] = _step(high_at, "To", field.get("high", 5), f"{key}-high")
        field["high_label"] = high_words_at.text_input(
            "which means ", field.get("high_label", ""), key=f"{key}-high-label"
        )


def _step(column: DeltaGenerator, label: str, step: int, key: str) -> int:
    return int(column.number_input(label, -10, 100, step, key=key))


def _rule_and_place(
    fields: list[dict[str, Any]], place: int, field: dict[str, Any], key: str
) -> None:
    rules = RULES_OF[field["type"]]
    rule_at, needed_at, up_at, remove_at = st.columns([5, 4, 2, 2], vertical_alignment="bottom")
    field["rule"] = rule_at.selectbox(
        "Decided by", rules, format_func=RULE_WORDS.__getitem__,
        key=f"{key}-rule-{field['type']}",
    )  # fmt: skip
    field["required"] = needed_at.toggle(
        "Needed", field.get("required", field["type"] != declared.TEXT), key=f"{key}-required"
    )
    if up_at.button(
        "", icon=":material/arrow_upward:", key=f"{key}-up", disabled=place == 0,
        help="Move this question up",
    ):  # fmt: skip
        fields[place - 1], fields[place] = fields[place], fields[place - 1]
        st.rerun()
    if remove_at.button(
        "", icon=":material/delete:", key=f"{key}-remove", help="Take this question out"
    ):
        fields.pop(place)
        st.rerun()


def _as_setting(field: dict[str, Any]) -> dict[str, Any]:
    """A field as the task's settings hold it: only what belongs to its type."""
    kept = ["label", "type", "rule", "required", "name"]
    if field["type"] in (declared.CHOICE, declared.CHOICES):
        kept.append("options")
    if field["type"] == declared.SCALE:
        kept += ["low", "high", "low_label", "high_label"]
    return {name: field[name] for name in kept if name in field}


def _accept(settings: dict[str, Any]) -> dict[str, Any]:
    """Which answer accepts an item, so that a model's answers can be audited as a filter."""
    try:
        choices = [
            field for field in declared.read_fields(settings["fields"])
            if field.type == declared.CHOICE
        ]  # fmt: skip
    except Refusal:
        return {}
    if not choices:
        return {}
    names = [field.name for field in choices]
    labels = {field.name: field.label for field in choices}
    with st.expander("Use it as a filter"):
        name = st.selectbox(
            "An item is accepted by the answer to", names, None, key="form-accept",
            format_func=lambda name: labels[name], placeholder="no question: it is no filter",
        )  # fmt: skip
        if name is None:
            return {}
        options = next(field.options for field in choices if field.name == name)
        values = st.multiselect("when it is", options, key=f"form-accept-{name}")
    return {"field": name, "values": values} if values else {}


def _preview(settings: dict[str, Any]) -> None:
    st.caption("The form as annotators will see it")
    try:
        checked = own_form.check_settings(settings)
    except Refusal as error:
        st.info(plain(str(error)))
        return
    clips = [{"value": str(n), "text": f"Clip {n}"} for n in (1, 2)]
    values = {"text": settings["text"] or SAMPLE_TEXT, "clips": clips}
    mount_form(form("own_form", checked)["fields"], values, assets_url(), key="form-preview")
