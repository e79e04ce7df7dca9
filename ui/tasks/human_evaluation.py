"""The form of human evaluation: one choice among the question's options."""

from typing import Any

from ui.form import Choice, Field


def fields(settings: dict[str, Any]) -> list[Field]:
    """One required choice."""
    del settings
    return [Choice(name="choice", label_from="question", options_from="options")]
