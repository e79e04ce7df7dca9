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


def entries(value: object, setting: str, extra: str, limit: int) -> list[dict[str, str]]:
    """A list of {"id", "label", `extra`}, from such objects or from labels alone.

    Raises:
        ValueError: for an empty or too long list, an entry without a label, or two of the same id.
    """
    values = cast("list[object]", value) if isinstance(value, list) else []
    if not 1 <= len(values) <= limit:
        raise Refusal(
            f"Setting {setting} is {value!r}; it has to be a list of 1 to {limit} labels, or of "
            f'{{"id", "label", "{extra}"}}.'
        )
    listed: list[dict[str, str]] = []
    for entry in values:
        parts = cast("dict[str, object]", entry) if isinstance(entry, dict) else {"label": entry}
        label = parts.get("label")
        if not isinstance(label, str) or not label.strip():
            raise Refusal(f"Setting {setting} holds {entry!r}; an entry needs a label.")
        label = label.strip()
        made_id = re.sub(r"[\W_]+", "_", label.casefold()).strip("_") or label
        listed.append(
            {
                "id": str(parts.get("id") or made_id),
                "label": label,
                extra: str(parts.get(extra, "")),
            }
        )
    twice = [
        entry["id"]
        for i, entry in enumerate(listed)
        if entry["id"] in {o["id"] for o in listed[:i]}
    ]
    if twice:
        raise Refusal(f"Setting {setting} has {twice[0]!r} twice; ids have to differ.")
    return listed
