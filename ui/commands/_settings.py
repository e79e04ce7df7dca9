"""`rushes run ANNOTATOR --settings`: what can be set, and what it does."""

import argparse
import textwrap
from collections.abc import Sequence
from typing import Any

WIDTH = 96


class ShowSettings(argparse.Action):
    """Prints the settings of the annotator that was named before it, and ends."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Print them."""
        if namespace.annotator is None:
            parser.error(f"name the annotator before {option_string}")
        print("\n".join(listed(namespace.annotator)))
        parser.exit()


def listed(name: str) -> list[str]:
    """The settings of an annotator, a few lines each: name, default, allowed values, words."""
    from annotations.annotator import annotator
    from annotations.run.annotator_settings import settings_of

    module = annotator(name)
    lines = [f"{name}: {module.TITLE}"]
    settings = settings_of(module)
    if not settings:
        return [*lines, "  It has no settings."]
    for setting in settings:
        default = "none" if setting.default in (None, "", {}) else setting.default
        allowed = f"; allowed: {setting.allowed}" if setting.allowed else ""
        lines += ["", f"  {setting.name}", f"    default: {_typed(default)}{allowed}"]
        texts = f"{setting.label}. {setting.help}"
        if setting.when:
            texts += f" Only with {setting.when[0]}={' or '.join(setting.when[1])}."
        lines += textwrap.wrap(texts, WIDTH, initial_indent="    ", subsequent_indent="    ")
        if not setting.is_prompt:
            lines += [
                f"    {value}: {texts}"
                for value, texts in setting.choices.items()
                if texts != value
            ]
    return [*lines, "", "Set one with --set NAME=VALUE; --text, --action and --prompt are shorter."]


def _typed(value: object) -> str:
    """A default as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)
