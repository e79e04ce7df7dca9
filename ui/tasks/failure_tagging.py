"""The form of failure tagging: the model's answer to look at, classes, and a remark."""

from typing import Any

from annotations.failure.failure_items import STATES
from ui.form import Choices, Field, Option, Record, SettingField, Text

ICON = ":material/troubleshoot:"
ABOUT = "What went wrong in a model's answer, by classes that you choose."
SETTINGS = {
    "classes": SettingField("What can go wrong"),
    "runs": SettingField(
        "Only of these runs", "As the page Runs names them, “model · condition”. Empty: of all."
    ),
    "categories": SettingField("Only of these categories", "Empty: of all."),
    "states": SettingField(
        "Only replies that are", f"Of {', '.join(STATES)}, as their reading came out."
    ),
    "most_per_run": SettingField("Of each run, at most", "Drawn by chance; 0 takes all."),
    "seed": SettingField("Seed of the draw", "The same number draws the same replies again."),
}


def fields(settings: dict[str, Any]) -> list[Field]:
    """The answer with the key and the reply, the classes, and a remark."""
    classes = tuple(
        Option(entry["id"], entry["label"], entry["description"]) for entry in settings["classes"]
    )
    return [
        Record(name="record", label_from="question", of="answer"),
        Choices(
            name="classes", label="What went wrong?", options=classes, keys="digits", brief=True
        ),
        Text(name="note", label="Anything to add?"),
    ]
