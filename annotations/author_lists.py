"""Lists that authors edit in a task's settings, and the ready-made ones that ship as JSON files."""

import json
import re
from pathlib import Path
from typing import Any, cast

from core.refusal import Refusal

ASSETS = Path(__file__).resolve().parents[1] / "assets"


def shipped(folder: str) -> tuple[str, ...]:
    """Names of the ready-made lists in a folder of assets/."""
    return tuple(sorted(path.stem for path in (ASSETS / folder).glob("*.json")))


def load(folder: str, name: str) -> dict[str, Any]:
    """A ready-made list, as its file has it.

    Raises:
        ValueError: if there is none of this name; names those there are.
    """
    if name not in shipped(folder):
        raise Refusal(
            f"There is no list {name!r}. Allowed: {', '.join(shipped(folder))}, or a list."
        )
    return json.loads((ASSETS / folder / f"{name}.json").read_text(encoding="utf-8"))


def entries(value: object, setting: str, extra: str, most: int) -> list[dict[str, str]]:
    """A list of {"id", "label", `extra`}, from such objects or from labels alone.

    Raises:
        ValueError: for an empty or too long list, an entry without a label, or two of the same id.
    """
    given = cast("list[object]", value) if isinstance(value, list) else []
    if not 1 <= len(given) <= most:
        raise Refusal(
            f"Setting {setting} is {value!r}; it has to be a list of 1 to {most} labels, or of "
            f'{{"id", "label", "{extra}"}}.'
        )
    found: list[dict[str, str]] = []
    for one in given:
        parts = cast("dict[str, object]", one) if isinstance(one, dict) else {"label": one}
        label = parts.get("label")
        if not isinstance(label, str) or not label.strip():
            raise Refusal(f"Setting {setting} holds {one!r}; an entry needs a label.")
        label = label.strip()
        made = re.sub(r"[\W_]+", "_", label.casefold()).strip("_") or label
        found.append(
            {"id": str(parts.get("id") or made), "label": label, extra: str(parts.get(extra, ""))}
        )
    twice = [one["id"] for i, one in enumerate(found) if one["id"] in {o["id"] for o in found[:i]}]
    if twice:
        raise Refusal(f"Setting {setting} has {twice[0]!r} twice; ids have to differ.")
    return found
