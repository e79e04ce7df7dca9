"""Models that pages may use: those that rushes.toml lists, with the variables of their keys."""

import re
from dataclasses import dataclass
from typing import cast

from core.refusal import Refusal

FIELDS = ("model", "key")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class ListedModel:
    """A model that whoever runs the server allows on pages.

    Attributes:
        model: as `rushes run --model` takes it: a hub name, a folder, or server:URL#MODEL.
        key: name of the environment variable that holds the server's key; '' sends none.
    """

    model: str
    key: str = ""


def listed_models(table: object, where: str) -> tuple[ListedModel, ...]:
    """Return the models of the tables [[models]] in rushes.toml.

    Raises:
        Refusal: if one has no model, an unknown field, or a key that names no variable.
    """
    if not isinstance(table, list):
        raise Refusal(f"{where}: models has to be tables that begin with [[models]].")
    return tuple(
        _listed(entry, f"{where}: models, number {number}")
        for number, entry in enumerate(cast("list[object]", table), 1)
    )


def _listed(entry: object, where: str) -> ListedModel:
    fields = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    unknown = [name for name in fields if name not in FIELDS]
    if unknown:
        raise Refusal(f"{where} has a field {unknown[0]!r}. Allowed: {', '.join(FIELDS)}.")
    model, key = fields.get("model", ""), fields.get("key", "")
    if not isinstance(model, str) or not model.strip():
        raise Refusal(f"{where} names no model, such as server:https://HOST/v1#NAME.")
    if not isinstance(key, str) or (key and not _VARIABLE.fullmatch(key)):
        raise Refusal(
            f"{where}: key is {key!r}. It names the environment variable that holds the key; the "
            "key itself does not belong into this file."
        )
    return ListedModel(model.strip(), key)
