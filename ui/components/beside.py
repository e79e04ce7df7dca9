"""Scripts and style sheets that lie beside the module of a component."""

from functools import cache
from pathlib import Path


@cache
def beside(module: str, name: str) -> str:
    """The text of a file beside a module, which is given by its `__file__`; read once."""
    return Path(module).with_name(name).read_text(encoding="utf-8")
