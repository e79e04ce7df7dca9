"""Settings of task kinds: completed from the kind's defaults, wrong ones named."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.refusal import Refusal


def completed(
    settings: Mapping[str, Any],
    defaults: Mapping[str, Any],
    choices: Mapping[str, Sequence[str]] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Any]:
    """The defaults with the settings over them.

    A setting has the type of its default; whole numbers do for fractions, and None allows anything
    unless there is a range: then a number.

    Args:
        settings: what was given.
        defaults: every setting that there is.
        choices: the values of a setting that has only a few.
        ranges: lowest and highest value of a number.

    Raises:
        ValueError: for a setting that the kind does not have, whose type is another, or whose value
            is not allowed; says what is.
    """
    for name, value in settings.items():
        if name not in defaults:
            raise Refusal(f"There is no setting {name!r}. Allowed: {', '.join(defaults)}.")
        like: object = defaults[name]
        fits = type(value) is type(like) or (isinstance(like, float) and type(value) is int)
        if not fits and like is not None:
            raise Refusal(f"Setting {name} is {value!r}; it has to look like {like!r}.")
    settings_without_empty = {
        name: float(value) if isinstance(defaults[name], float) else value
        for name, value in settings.items()
    }
    complete = {**defaults, **settings_without_empty}
    for name, allowed in (choices or {}).items():
        if complete[name] not in allowed:
            raise Refusal(f"Setting {name} is {complete[name]!r}; allowed: {', '.join(allowed)}.")
    for name, (low, high) in (ranges or {}).items():
        value = complete[name]
        if value is None and defaults[name] is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Refusal(f"Setting {name} is {value!r}; it has to be a number.")
        in_range(complete, name, low, high)
    return complete


def in_range(settings: Mapping[str, Any], name: str, low: float, high: float) -> None:
    """Refuse a setting that lies outside a range.

    Raises:
        Refusal: with the range that is allowed.
    """
    if not low <= settings[name] <= high:
        raise Refusal(f"Setting {name} is {settings[name]}; allowed: {low:g} to {high:g}.")
