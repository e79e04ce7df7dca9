"""The form of the object check: tick what is seen, then say what is wrong with the rest."""

from typing import Any

from annotations.tasks.object_check import CLASSES
from ui.form import Checklist, Field, Option, SettingField, Text

ICON = ":material/visibility:"
ABOUT = "Which of the objects that a model listed are seen in a frame?"
SETTINGS = {"most_objects": SettingField("Objects of a frame, at most")}

WORDS = {
    "attribute_error": ("Attribute error", "The thing is there, but not as described."),
    "misclassification": ("Misclassification", "Something else was taken for it."),
    "hallucination": ("Hallucination", "Nothing in the picture looks like it."),
    "visible": ("Visible after all", "On second look it is there."),
    "other": ("Other", "None of these; a remark helps."),
}


def fields(settings: dict[str, Any]) -> list[Field]:
    """The checklist with its second step."""
    del settings
    return [
        Checklist(
            name="objects",
            label="Which of these can you see?",
            items_from="objects",
            second_label="What is wrong with this one?",
            second_options=tuple(Option(entry, *WORDS[entry]) for entry in CLASSES),
        ),
        Text(name="note", label="Anything to add?"),
    ]
