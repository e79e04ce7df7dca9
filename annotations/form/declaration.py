"""The fields of a form that an author declares: read from settings, checked, completed."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from core.refusal import Refusal

CHOICE, CHOICES, SCALE, TEXT, SEGMENTS, FRAME, CLIP = TYPES = (
    "choice", "choices", "scale", "text", "segments", "frame", "clip",
)  # fmt: skip
MAJORITY, MEDIAN, MEAN, NONE = RULES = ("majority", "median", "mean", "none")
RULES_OF = {
    CHOICE: (MAJORITY, NONE),
    CHOICES: (MAJORITY, NONE),
    SCALE: (MEDIAN, MEAN, MAJORITY, NONE),
    TEXT: (NONE, MAJORITY),
    SEGMENTS: (MEDIAN, NONE),
    FRAME: (MEDIAN, MAJORITY, NONE),
    CLIP: (MAJORITY, NONE),
}
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
MOST_FIELDS, MOST_OPTIONS, LONGEST_SCALE = 20, 26, 11


@dataclass(frozen=True)
class FormField:
    """One field of a form of one's own.

    Attributes:
        name: the key of its value in a response, such as 'quality'.
        label: what is asked.
        type: one of `TYPES`.
        help: a line below the label.
        required: whether an answer is needed.
        options: labels of a choice or of choices; their values are the labels.
        low: the lowest step of a scale; its steps are whole numbers.
        high: the highest.
        low_label: what the lowest step means.
        high_label: what the highest step means.
        rule: how a group's answers become one, a name of `RULES`.
    """

    name: str
    label: str
    type: str
    help: str = ""
    required: bool = True
    options: tuple[str, ...] = ()
    low: int = 1
    high: int = 5
    low_label: str = ""
    high_label: str = ""
    rule: str = ""

    @property
    def steps(self) -> range:
        """The steps of a scale, from low to high."""
        return range(self.low, self.high + 1)

    def as_setting(self) -> dict[str, Any]:
        """The field as it stands in a task's settings: plain values, what says nothing left out."""
        usual = asdict(FormField(self.name, self.label, self.type, required=self.type != TEXT))
        scale = self.type == SCALE
        return {
            key: list(self.options) if key == "options" else value
            for key, value in asdict(self).items()
            if key in ("name", "label", "type") or value != usual[key] or (scale and key in _BOUNDS)
        }


_BOUNDS = ("low", "high")
_TEXTS = ("help", "low_label", "high_label")
_KEYS = frozenset(FormField.__dataclass_fields__)


def read_fields(setting: object) -> tuple[FormField, ...]:
    """Fields out of a setting: a list of tables with at least 'label' and 'type'.

    A field without a name is called after its label.

    Raises:
        Refusal: for no field, too many, two of one name, or a field that is not allowed: which,
            what, and what is allowed.
    """
    if not isinstance(setting, list) or not setting:
        raise Refusal(
            "A form needs fields: [[settings.fields]] with a label and a type "
            f"({', '.join(TYPES)})."
        )
    tables = cast("list[object]", setting)
    if len(tables) > MOST_FIELDS:
        raise Refusal(f"A form has at most {MOST_FIELDS} fields; got {len(tables)}.")
    fields = tuple(_read_field(number, table) for number, table in enumerate(tables, start=1))
    names = [field.name for field in fields]
    for name in names:
        if names.count(name) > 1:
            raise Refusal(f"Two fields are called {name!r}. Give one of them another 'name'.")
    return fields


def _read_field(number: int, setting: object) -> FormField:
    if not isinstance(setting, dict):
        raise Refusal(f"Field {number} is {setting!r}; it has to be a table with label and type.")
    table = cast("dict[str, Any]", setting)
    label = str(table.get("label", "")).strip()
    where = f"Field {number}" + (f" ({label})" if label else "")
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        raise Refusal(f"{where}: there is no {unknown[0]!r}. Allowed: {', '.join(sorted(_KEYS))}.")
    if not label:
        raise Refusal(f"{where}: a label is needed: what is asked.")
    kind = table.get("type")
    if kind not in TYPES:
        raise Refusal(f"{where}: type is {kind!r}; allowed: {', '.join(TYPES)}.")
    name = str(table.get("name") or _name_of(label, number))
    if not NAME.fullmatch(name):
        raise Refusal(
            f"{where}: the name {name!r} is not allowed: a small letter, then letters, digits or _."
        )
    rule = str(table.get("rule") or RULES_OF[kind][0])
    if rule not in RULES_OF[kind]:
        raise Refusal(
            f"{where}: rule is {rule!r}; for {kind} allowed: {', '.join(RULES_OF[kind])}."
        )
    required = table.get("required", kind != TEXT)
    if not isinstance(required, bool):
        raise Refusal(f"{where}: required is {required!r}; it has to be true or false.")
    texts = {key: str(table.get(key, "")).strip() for key in _TEXTS}
    low, high = _bounds(where, table) if kind == SCALE else (1, 5)
    return FormField(
        name, label, str(kind), required=required, options=_options(where, str(kind), table),
        low=low, high=high, rule=rule, **texts,
    )  # fmt: skip


def _options(where: str, kind: str, table: Mapping[str, Any]) -> tuple[str, ...]:
    sent = table.get("options", [])
    if kind not in (CHOICE, CHOICES):
        if sent:
            raise Refusal(f"{where}: options are for a choice or choices, not for {kind}.")
        return ()
    options = cast("list[object]", sent) if isinstance(sent, list | tuple) else []
    labels = tuple(str(option).strip() for option in options)
    least = 2 if kind == CHOICE else 1
    if not least <= len(labels) <= MOST_OPTIONS or not all(labels):
        raise Refusal(
            f"{where}: a {kind} needs {least} to {MOST_OPTIONS} options, each with a text."
        )
    if len({label.casefold() for label in labels}) < len(labels):
        raise Refusal(f"{where}: two options are alike.")
    return labels


def _bounds(where: str, table: Mapping[str, Any]) -> tuple[int, int]:
    low, high = table.get("low", 1), table.get("high", 5)
    if any(isinstance(step, bool) or not isinstance(step, int) for step in (low, high)):
        raise Refusal(f"{where}: low and high are {low!r} and {high!r}; whole numbers are needed.")
    if not 1 < high - low + 1 <= LONGEST_SCALE:
        raise Refusal(
            f"{where}: a scale has 2 to {LONGEST_SCALE} steps; from {low} to {high} are "
            f"{high - low + 1}."
        )
    return int(low), int(high)


def _name_of(label: str, number: int) -> str:
    name = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")[:40].strip("_")
    return name if NAME.fullmatch(name) else f"field_{number}"
