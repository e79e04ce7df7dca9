"""How a model is found by its name, and loaded by the plug-in that fits best.

A name is one of

- a local folder or a hub name, such as ``Qwen/Qwen2-VL-7B-Instruct``: its ``config.json`` decides
  which plug-in loads it;
- ``server:URL#MODEL``: a model behind an OpenAI-compatible server;
- ``package:NAME``: small real weights that come inside an installed package;
- ``words:counted``: texts as the words that they hold, without any model;
- ``stub:WHAT``: no model at all, for demos and tests.
"""

from pathlib import Path
from typing import Any

from core import plugins
from core.model import KINDS, Kind, LoadOptions, ModelError, Plugin, Source
from core.model_sources import folder_source, hub_source

PACKAGE = "core.models"
SCHEMES = ("server", "package", "words", "stub")


def load_model(kind: Kind, name: str, options: LoadOptions | None = None) -> Any:
    """The model of that name, as `ImageText`, `Chat` ("chat", "text"), `Embedding`, ...

    Raises:
        NotInstalled: if a package is lacking; the message says which and how to install it.
        ModelError: if there is no such model, or it cannot serve as that kind.
    """
    if kind not in KINDS:
        raise ModelError(f"No kind of model {kind!r}. Allowed: {', '.join(KINDS)}.")
    options = options or LoadOptions()
    source = find_source(name, options)
    return plugin_for(kind, source).load(kind, source, options)


def plugin_for(kind: Kind, source: Source) -> Plugin:
    """The plug-in that fits best.

    Raises:
        ModelError: if none can load it; the message says what there is.
    """
    installed = [plugin(n) for n in plugins.names(PACKAGE)]
    fits = [(p.likeness(kind, source), p) for p in installed if kind in p.KINDS]
    best = max(fits, key=lambda pair: pair[0], default=None)
    if best is None or best[0] == 0:
        what = ", ".join(source.architectures) or source.model_type or "nothing that is known"
        able = "; ".join(p.TITLE for p in installed if kind in p.KINDS)
        raise ModelError(
            f"{source.name!r} cannot serve as {kind!r}: its config.json names {what}. "
            f"These can: {able}."
        )
    return best[1]


def plugin(name: str) -> Plugin:
    """One plug-in of ``core/models``."""
    module: Any = plugins.load(PACKAGE, name)
    return module


def find_source(name: str, options: LoadOptions | None = None) -> Source:
    """What a name stands for; a hub name's config.json is fetched unless it lies in the cache.

    Raises:
        ModelError: if it stands for nothing that can be reached.
    """
    name = name.strip()
    scheme, _, rest = name.partition(":")
    if scheme in SCHEMES and rest:
        return Source(name, scheme, rest)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder_source(name, folder)
    if folder.is_absolute() or name.count("/") > 1 or name.startswith("."):
        raise ModelError(f"No folder {name!r}. Give a folder with a config.json, or a hub name.")
    return hub_source(name, options or LoadOptions())
