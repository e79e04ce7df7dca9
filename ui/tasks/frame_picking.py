"""The form of frame picking: one frame."""

from typing import Any

from ui.form import Field, Frame, SettingField

ICON = ":material/center_focus_strong:"
ABOUT = "The single frame that tells most about a question."
SETTINGS = {
    "grid_frames": SettingField("Frames to begin from"),
    "near_s": SettingField(
        "Picks agree within (s)", "Two people who pick frames no further apart agree."
    ),
}


def fields(settings: dict[str, Any]) -> list[Field]:
    """The frame that tells most about the question."""
    del settings
    return [Frame(name="frame", label_from="question", help_from="options")]
