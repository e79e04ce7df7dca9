"""The browser's side: the desk in which annotators work, the viewer, the room of failures."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from core.refusal import Refusal

_HERE = Path(__file__).parent
_IMPORTED = re.compile(r'^import [^;]* from "(\.{1,2}/[a-z_./]+\.js)"', re.MULTILINE)
DESK, VIEWER, FAILURES = "desk/main.js", "shared/viewer.js", "failures/main.js"
UNSENT = "desk/unsent.js"
RESOLVING = "desk/resolving/resolving.js"
FORM = "desk/form_preview.js"


def assets_folder() -> Path:
    """Folder of the desk's JavaScript modules and style sheets, to be served under one address."""
    return _HERE / "assets"


@cache
def assets_hash() -> str:
    """Sixteen hexadecimal digits that change when any file of the desk changes.

    They belong into the address of the assets, which may then be cached for ever.
    Read once per process.
    """
    digest = hashlib.sha256()
    folder = assets_folder()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def mount_desk(data: Mapping[str, object], key: str) -> None:
    """Put the desk on the page, where it keeps itself up to date without a rerun.

    Args:
        data: `base` (address of the server's desk routes), `task`, `person`, and `assets`
            (address of the assets, ending with a slash). Only a change of base, task or person
            opens another desk.
        key: fixed per place on the page. Without one, a change of data would tear the desk down.

    Raises:
        ValueError: a part of `data` is absent.
    """
    absent = [name for name in ("base", "task", "person", "assets") if name not in data]
    if absent:
        raise Refusal(f"The desk needs {', '.join(absent)} in its data; got {sorted(data)}.")
    _mount("rushes_desk", DESK, data, key)


def mount_viewer(
    stage: Mapping[str, object], item: str, assets: str, key: str, height: str = "30rem"
) -> None:
    """Show a stage to look at: the desk's grid and player without a form.

    Args:
        stage: as `ui/routes/stages.py` makes it.
        item: what it belongs to; another one begins anew.
        assets: address of the assets, ending with a slash.
        key: fixed per place on the page.
        height: of the stage, as CSS.
    """
    data = {"assets": assets, "stage": dict(stage), "item": item, "height": height}
    _mount("rushes_viewer", VIEWER, data, key)


def mount_resolving(
    stage: Mapping[str, object],
    item: str,
    assets: str,
    key: str,
    height: str,
    extras: Mapping[str, object],
) -> None:
    """Show the stage of a disagreement, whose answers stand on it and can be given anew.

    Args:
        stage: as `ui/routes/stages.py` makes it.
        item: what it belongs to; another one begins anew.
        assets: address of the assets, ending with a slash.
        key: fixed per place on the page; `written_answer` asks by it.
        height: of the stage, as CSS.
        extras: `lanes` ([{"label", "spans": [{"start", "end"}]}], s), `picks` ([{"frame",
            "label"}]), `keys` ([{"key", "words", "at", "nth"}]: the nth button or option within
            the CSS class that a key presses) and `answering`, the task's form with its values or
            None.
    """
    data = {"assets": assets, "stage": dict(stage), "item": item, "height": height, **extras}
    show = component("rushes_resolving", js=_loader())
    show(
        data={**data, "module": RESOLVING, "preload": list(modules(RESOLVING))},
        key=key,
        on_written_change=lambda: None,
    )


def written_answer(key: str, item: str) -> dict[str, Any] | None:
    """The response that an author gave to an item in the form of `mount_resolving`, or None."""
    state: Any = st.session_state.get(key)
    written: dict[str, Any] | None = state.get("written") if state else None
    return written["response"] if written and written["item"] == item else None


def mount_unsent(data: Mapping[str, object], key: str) -> None:
    """Say how many answers this browser still keeps, and send them; nothing where it keeps none.

    Args:
        data: `base` (address of the desk's routes), `assets`, `person`, `workspace`, `texts`.
        key: fixed per place on the page.
    """
    _mount("rushes_unsent", UNSENT, data, key)


def mount_form(
    fields: Sequence[Mapping[str, object]], values: Mapping[str, object], assets: str, key: str
) -> None:
    """Show a form to look at and try: the desk's fields without a stage; nothing is stored.

    Args:
        fields: as `ui.form.form` gives them.
        values: what the fields ask for of an item.
        assets: address of the assets, ending with a slash.
        key: fixed per place on the page.
    """
    data = {"assets": assets, "fields": list(fields), "values": dict(values)}
    _mount("rushes_form", FORM, data, key)


def mount_failures(data: Mapping[str, object], key: str) -> None:
    """Put the room of failures on the page.

    Args:
        data: `base` (address of its routes), `person`, `workspace`, `assets` (ending with a
            slash), and `filter` to begin with, {} for what the person had last.
        key: fixed per place on the page.
    """
    _mount("rushes_failures", FAILURES, data, key)


def _mount(name: str, module: str, data: Mapping[str, object], key: str) -> None:
    show = component(name, js=_loader())
    show(data={**data, "module": module, "preload": list(modules(module))}, key=key)


@cache
def modules(entry: str) -> tuple[str, ...]:
    """A module and all that it imports, directly or not, as paths below the folder of assets."""
    paths = [entry]
    for path in paths:
        text = (assets_folder() / path).read_text(encoding="utf-8")
        imported = (_joined(path, name) for name in _IMPORTED.findall(text))
        paths += [name for name in dict.fromkeys(imported) if name not in paths]
    return tuple(paths)


def _joined(module: str, name: str) -> str:
    """The path of a module that another one names relative to itself."""
    parts: list[str] = list(PurePosixPath(module).parent.parts)
    for part in PurePosixPath(name).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


@cache
def _loader() -> str:
    # Streamlit takes a text of one line for a path.
    return (_HERE / "loader.js").read_text(encoding="utf-8")
