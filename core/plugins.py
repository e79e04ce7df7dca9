"""Plug-ins are found by being there: one file in a folder is one plug-in."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from core.refusal import Missing


@cache
def names(package: str) -> tuple[str, ...]:
    """Names of the modules of a plug-in folder, sorted.

    Args:
        package: dotted name of the folder, such as ``annotations.tasks``.
    """
    path = import_module(package).__path__
    return tuple(sorted(m.name for m in iter_modules(path) if not m.name.startswith("_")))


@cache
def load(package: str, name: str) -> ModuleType:
    """One plug-in's module.

    Raises:
        LookupError: if the folder has no such plug-in; the message lists those it has.
    """
    if name not in names(package):
        raise Missing(f"No {name!r} in {package}. There are: {', '.join(names(package))}.")
    return import_module(f"{package}.{name}")
