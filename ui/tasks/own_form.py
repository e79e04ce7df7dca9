"""The form that an author declared in the task's settings."""

from collections.abc import Sequence
from typing import Any

from annotations.form import declaration as declared
from annotations.form.declaration import FormField, read_fields
from annotations.form.items import columns_not_shown
from annotations.form.values import MOST_SEGMENTS
from annotations.workspace import Workspace
from ui.form import Choice, Choices, Field, Frame, Option, Segments, Text, Words

ICON = ":material/dynamic_form:"
ABOUT = "Fields of your own beside a clip, frames, several clips or a text: no programming."


def fields(settings: dict[str, Any]) -> list[Field]:
    """The declared fields; the item's text stands above the first of them."""
    drawn = [_field(field) for field in read_fields(settings["fields"])]
    if settings.get("text"):
        drawn.insert(0, Words(name="words", of="text"))
    return drawn


def settings_editor(workspace: Workspace) -> dict[str, Any]:
    """The builder in which an author puts the form together."""
    del workspace
    from ui.components.task.form_builder import form_builder

    return form_builder()


def rows_hint(settings: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    """That nothing of the file's texts is shown, and how it would be; '' where something is."""
    names = columns_not_shown(settings, rows)
    if not names:
        return ""
    return (
        f"Annotators read nothing of the columns {', '.join(names)}. To show them one, go back and "
        f"write it in braces under “Text beside it”, such as {names[0].capitalize()}: "
        f"{{{names[0]}}}."
    )


def _field(field: FormField) -> Field:
    common: dict[str, Any] = {
        "name": field.name, "label": field.label, "help": field.help, "required": field.required,
    }  # fmt: skip
    match field.type:
        case declared.CHOICE:
            return Choice(**common, options=_options(field.options))
        case declared.CHOICES:
            return Choices(**common, options=_options(field.options))
        case declared.SCALE:
            return Choice(**common, options=_steps(field), keys="digits")
        case declared.CLIP:
            return Choice(**common, options_from="clips")
        case declared.SEGMENTS:
            least = 1 if field.required else 0
            return Segments(**common, least=least, most=MOST_SEGMENTS)
        case declared.FRAME:
            return Frame(**common)
        case _:
            return Text(**common, lines=2)


def _options(labels: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(Option(label, label) for label in labels)


def _steps(field: FormField) -> tuple[Option, ...]:
    ends = {field.low: field.low_label, field.high: field.high_label}
    return tuple(
        Option(step, f"{step}: {ends[step]}" if ends.get(step) else str(step))
        for step in field.steps
    )
