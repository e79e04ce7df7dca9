"""The form of frame picking: one frame."""

from typing import Any

from ui.form import Field, Frame

ICON = ":material/center_focus_strong:"
ABOUT = "The single frame that tells most about a question."


def fields(settings: dict[str, Any]) -> list[Field]:
    """The frame that tells most about the question."""
    del settings
    return [Frame(name="frame", label_from="question", help_from="options")]
