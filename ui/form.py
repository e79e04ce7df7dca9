"""What a task kind's form has to bring along; each is a file in ui/tasks/, named as the kind.

A form is a list of fields, declared here and drawn by the desk. The response holds each field's
value under its name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, cast

from annotations.workspace import Workspace
from core import plugins

PACKAGE = "ui.tasks"


@dataclass(frozen=True)
class When:
    """Shows a field only while another field of the same level has one of some values.

    None among them stands for a field that has no value yet.
    """

    field: str
    among: tuple[Any, ...]


@dataclass(frozen=True)
class Option:
    """One fixed option."""

    value: Any
    text: str
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class Field:
    """What all fields share.

    Attributes:
        name: the key of the value in the response.
        label: what is asked; `label_from` takes it from the item's values instead.
        help: a line below the label; `help_from` takes it from the item's values instead.
        required_when: the condition under which a field that is not `required` is so.
        when: the condition under which the field is shown and asked.
    """

    name: str
    label: str | None = None
    label_from: str | None = None
    help: str = ""
    help_from: str | None = None
    required: bool = True
    required_when: When | None = None
    when: When | None = None


@dataclass(frozen=True, kw_only=True)
class Choice(Field):
    """One option of several: its value. Keys are 'letters', 'digits' or one key per option.

    Attributes:
        options: the same for every item; `options_from` takes them from the item's values. One that
            is 'alone' there goes with no other.
        brief: in two columns, what an option means on request only.
        several_from: the item's value that says whether any number of options may be chosen: then
            the value is a list, as of `Choices`.
    """

    options: tuple[Option, ...] | None = None
    options_from: str | None = None
    several_from: str | None = None
    keys: str | tuple[str, ...] = "letters"
    brief: bool = False
    type: str = "choice"


@dataclass(frozen=True, kw_only=True)
class Choices(Choice):
    """Any number of several options: the list of their values."""

    type: str = "choices"


@dataclass(frozen=True, kw_only=True)
class Text(Field):
    """Free text; `key` puts the cursor into it, `prefill_from` fills it from the item's values."""

    placeholder: str = ""
    prefill_from: str | None = None
    lines: int = 1
    key: str = ""
    required: bool = False
    type: str = "text"


@dataclass(frozen=True, kw_only=True)
class Each(Field):
    """The same fields for each entry: {entry id: {field: value}}; follows the stage's clip.

    Attributes:
        of: the item value that lists the entries as [{"id", "label"}].
    """

    of: str
    fields: tuple[Field, ...]
    type: str = "each"


@dataclass(frozen=True, kw_only=True)
class Segments(Field):
    """Cards with a start and an end, marked on the player, and fields of their own.

    The value is a list of {"start", "end", field: value}; times in s are frames' time stamps.
    """

    fields: tuple[Field, ...] = ()
    least: int = 1
    most: int = 10
    type: str = "segments"


@dataclass(frozen=True, kw_only=True)
class Frame(Field):
    """One frame, picked on the stage: its index in the video."""

    type: str = "frame"


@dataclass(frozen=True, kw_only=True)
class Checklist(Field):
    """Entries to tick, and in a second step a class for each that is not ticked.

    The value is {"ticked": [ids], "classes": {id: class}}.
    """

    items_from: str
    second_label: str
    second_options: tuple[Option, ...]
    type: str = "checklist"


@dataclass(frozen=True, kw_only=True)
class OptionsEdit(Field):
    """Options to edit, keep and key: {"kept": [ids], "texts": {id: text}, "key": id}.

    Attributes:
        keep: how many wrong options may be kept, such as (3, 4).
    """

    options_from: str
    keep: tuple[int, ...] = (3, 4)
    type: str = "options_edit"


@dataclass(frozen=True, kw_only=True)
class Record(Field):
    """A question with its options marked and a reply, to look at; it gives no value.

    Attributes:
        of: the item value that holds {"options": [{"letter", "text", "key", "chosen"}], "by",
            "reply", "read", "note"}.
    """

    of: str
    required: bool = False
    type: str = "record"


@dataclass(frozen=True, kw_only=True)
class Words(Field):
    """A text of the item, to read; it gives no value.

    Attributes:
        of: the item value that holds it.
    """

    of: str
    required: bool = False
    type: str = "words"


@dataclass(frozen=True)
class SettingField:
    """How a setting of a task kind is asked for in the wizard.

    Attributes:
        choices: allowed values with their words; none where there are more than a few.
    """

    label: str
    help: str | None = None
    choices: Mapping[str, str] | None = None


class Form(Protocol):
    """The module of a task's form.

    It may also have ICON (a Material icon), ABOUT (one sentence for authors who choose a kind),
    SETTINGS (a `SettingField` for each setting), `settings_editor(workspace)`, which draws its
    settings in the wizard and gives them back, and `rows_hint(settings, rows)`, a sentence on what
    people do not see of a file's rows.
    """

    def fields(self, settings: dict[str, Any]) -> Sequence[Field]:
        """The fields from top to bottom, which the desk draws."""
        ...


def looks(kind: str) -> tuple[str, str]:
    """Icon and one sentence of a task kind, for authors who choose one."""
    module = plugins.load(PACKAGE, kind)
    icon = getattr(module, "ICON", ":material/edit_square:")
    return str(icon), str(getattr(module, "ABOUT", ""))


def setting_fields(kind: str) -> Mapping[str, SettingField]:
    """How the settings of a kind are asked for, by name, as far as its form says it."""
    return getattr(plugins.load(PACKAGE, kind), "SETTINGS", {})


def settings_editor(kind: str) -> Callable[[Workspace], dict[str, Any]] | None:
    """What draws a kind's settings in the wizard; None where plain fields do."""
    return getattr(plugins.load(PACKAGE, kind), "settings_editor", None)


def rows_hint(kind: str, settings: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    """What an author has to know about a file's rows before a task is made; '' for nothing."""
    hint = getattr(plugins.load(PACKAGE, kind), "rows_hint", None)
    return str(hint(settings, rows)) if hint else ""


def form(kind: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The form of a task kind as the desk takes it.

    Raises:
        LookupError: if the kind has no form.
    """
    module = cast("Form", plugins.load(PACKAGE, kind))
    return {"fields": [_json(asdict(field)) for field in module.fields(settings)]}


def _json(value: Any) -> Any:
    """The value without what is None, so that the desk sees only what is declared."""
    match value:
        case dict():
            named = cast("dict[str, Any]", value)
            return {name: _json(one) for name, one in named.items() if one is not None}
        case list() | tuple():
            return [_json(one) for one in cast("list[Any]", value)]
        case _:
            return value
