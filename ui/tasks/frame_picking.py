"""The form of frame picking: one frame."""

from typing import Any

from ui.form import Field, Frame


def fields(settings: dict[str, Any]) -> list[Field]:
    """The frame that tells most about the question."""
    del settings
    return [Frame(name="frame", label_from="question", help_from="options")]
