"""The form of failure tagging: the model's answer to look at, classes, and a remark."""

from typing import Any

from ui.form import Choices, Field, Option, Record, Text

ICON = ":material/troubleshoot:"
ABOUT = "What went wrong in a model's answer, by classes that you choose."


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
