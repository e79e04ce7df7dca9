"""The form of human evaluation: a choice among the question's options, or words of one's own."""

from typing import Any

from annotations.tasks._question_shown import CANNOT_TELL, EXTRA
from annotations.tasks.human_evaluation import DEFAULTS
from annotations.workspace import Workspace
from ui.form import Choice, Field, Option, Text

ICON = ":material/quiz:"
ABOUT = "People answer the benchmark’s questions from the video or from some of its frames."


def fields(settings: dict[str, Any]) -> list[Field]:
    """One required choice, of one option or of several where several may be right.

    For free text the answer's words, and a way out where it is allowed.
    """
    complete = {**DEFAULTS, **settings}
    if not complete["free_text"]:
        return [
            Choice(
                name="choice",
                label_from="question",
                options_from="options",
                several_from="several",
            )
        ]
    written = Text(name="text", label_from="question", lines=2, required=not complete[CANNOT_TELL])
    if not complete[CANNOT_TELL]:
        return [written]
    way_out = Choice(
        name="choice",
        label="Or",
        options=(Option(CANNOT_TELL, EXTRA[CANNOT_TELL]),),
        required=False,
    )
    return [written, way_out]


def settings_editor(workspace: Workspace) -> dict[str, Any]:
    """Conditions as pictures, and which questions are asked."""
    from ui.components.task.evaluation_editor import evaluation_editor

    return evaluation_editor(workspace)
