"""The desk: the one client component in which annotators work."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from streamlit.components.v2 import component

_HERE = Path(__file__).parent
_IMPORTED = re.compile(r'^import [^;]* from "\./([a-z_]+\.js)"', re.MULTILINE)


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
    for path in sorted(assets_folder().iterdir()):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def mount_desk(data: Mapping[str, object], key: str) -> None:
    """Nothing; puts the desk on the page, where it keeps itself up to date without a rerun.

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
        raise ValueError(f"The desk needs {', '.join(absent)} in its data; got {sorted(data)}.")
    desk = component("rushes_desk", js=_loader())
    desk(data=dict(data), key=key)


def mount_viewer(
    stage: Mapping[str, object], item: str, assets: str, key: str, height: str = "30rem"
) -> None:
    """Nothing; shows a stage to look at: the desk's grid and player without a form.

    Args:
        stage: as `ui/routes/stages.py` makes it.
        item: what it belongs to; another one begins anew.
        assets: address of the assets, ending with a slash.
        key: fixed per place on the page.
        height: of the stage, as CSS.
    """
    viewer = component("rushes_viewer", js=_loader())
    viewer(
        data={
            "module": "viewer.js",
            "assets": assets,
            "stage": dict(stage),
            "item": item,
            "height": height,
        },
        key=key,
    )


def mount_failures(data: Mapping[str, object], key: str) -> None:
    """Nothing; puts the room of failures on the page.

    Args:
        data: `base` (address of its routes), `person`, `workspace`, `assets` (ending with a
            slash), and `filter` to begin with, {} for what the person had last.
        key: fixed per place on the page.
    """
    room = component("rushes_failures", js=_loader())
    room(data={"module": "failures.js", "preload": list(modules("failures.js")), **data}, key=key)


@cache
def modules(entry: str) -> tuple[str, ...]:
    """The names of a module and of all that it imports, directly or not."""
    found = [entry]
    for name in found:
        text = (assets_folder() / name).read_text(encoding="utf-8")
        found += [one for one in _IMPORTED.findall(text) if one not in found]
    return tuple(found)


@cache
def _loader() -> str:
    # Streamlit takes a text of one line for a path.
    return (_HERE / "loader.js").read_text(encoding="utf-8")
