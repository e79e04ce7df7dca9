"""What a task kind's form has to bring along; each is a file in ui/tasks/, named as the kind."""

from dataclasses import asdict, dataclass
from typing import Any, Protocol, cast

from core import plugins

PACKAGE = "ui.tasks"


@dataclass(frozen=True)
class Choice:
    """One option of several, by letter or number key; the response holds its value."""

    name: str
    label_from: str
    options_from: str
    required: bool = True
    keys: str = "letters"
    type: str = "choice"


@dataclass(frozen=True)
class Text:
    """Free text."""

    name: str
    label: str
    placeholder: str = ""
    required: bool = False
    key: str = ""
    type: str = "text"


Field = Choice | Text


class Form(Protocol):
    """The module of a task's form."""

    def fields(self, settings: dict[str, Any]) -> list[Field]:
        """The fields from top to bottom, which the desk draws."""
        ...


def form(kind: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The form of a task kind as the desk takes it.

    Raises:
        LookupError: if the kind has no form.
    """
    module = cast("Form", plugins.load(PACKAGE, kind))
    return {"fields": [asdict(field) for field in module.fields(settings)]}
