"""Settings of task kinds: completed from the kind's defaults, wrong ones named."""

from collections.abc import Mapping
from typing import Any


def completed(settings: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults with the settings over them.

    A setting has the type of its default; whole numbers do for fractions, and None allows anything.

    Raises:
        ValueError: for a setting that the kind does not have or whose type is another.
    """
    for name, value in settings.items():
        if name not in defaults:
            raise ValueError(f"There is no setting {name!r}. Allowed: {', '.join(defaults)}.")
        like: object = defaults[name]
        fits = type(value) is type(like) or (isinstance(like, float) and type(value) is int)
        if not fits and like is not None:
            raise ValueError(f"Setting {name} is {value!r}; it has to look like {like!r}.")
    given = {
        name: float(value) if isinstance(defaults[name], float) else value
        for name, value in settings.items()
    }
    return {**defaults, **given}


def in_range(settings: Mapping[str, Any], name: str, low: float, high: float) -> None:
    """Nothing, if a setting lies in a range.

    Raises:
        ValueError: if it does not.
    """
    if not low <= settings[name] <= high:
        raise ValueError(f"Setting {name} is {settings[name]}; allowed: {low:g} to {high:g}.")
