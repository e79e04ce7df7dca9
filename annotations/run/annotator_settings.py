"""The settings of an annotator as people choose them: on the page, on the command line."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from annotations.annotator import Annotator
from annotations.prompts import fitting

OPEN = "left open"


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        name: as it is stored and typed.
        label: as people call it; `help` says what it does.
        choices: what its values are called, by value; empty if it may have any value.
        bounds: lowest and highest value of a number.
        when: another setting, and the values of it for which this one counts; None: always.
        of_task: the task's list that its values are ids of; '' for none.
        is_prompt: whether it names a template.
        example: what may stand there.
    """

    name: str
    label: str
    help: str
    default: Any
    choices: Mapping[str, str]
    bounds: tuple[float, float] | None
    when: tuple[str, tuple[str, ...]] | None
    of_task: str
    is_prompt: bool
    example: str

    def counts(self, settings: Mapping[str, Any]) -> bool:
        """Whether the setting makes a difference beside others that were given."""
        return self.when is None or settings.get(self.when[0], self.when[1][0]) in self.when[1]

    def said(self, value: object) -> str:
        """A value in words."""
        if value is None or value == "" or value == {}:
            return OPEN
        if isinstance(value, bool):
            return "yes" if value else "no"
        return self.choices.get(
            str(value), f"{value:g}" if isinstance(value, float) else str(value)
        )

    @property
    def allowed(self) -> str:
        """What may be given, in words; '' for any text."""
        if self.is_prompt:
            return ", ".join([*self.choices, "or on the command line a file"])
        if self.of_task:
            return f"the id of one of the task's {self.of_task}"
        if self.choices:
            return ", ".join(self.choices)
        if self.bounds:
            low, high = self.bounds
            whole = "whole numbers, " if isinstance(self.default, int) else ""
            return f"{whole}{low:g} to {high:g}"
        if isinstance(self.default, bool):
            return "true, false"
        return "JSON" if isinstance(self.default, dict) else ""


def settings_of(
    module: Annotator, task: Mapping[str, Any] | None = None, root: Path | None = None
) -> list[Setting]:
    """The settings of an annotator in the order in which people are asked.

    Args:
        module: the annotator.
        task: settings of the task, where one is known: values may be chosen from its lists.
        root: the workspace's folder, which may hold templates of its own.
    """
    return [_setting(module, name, task or {}, root) for name in module.SETTINGS]


def _setting(module: Annotator, name: str, task: Mapping[str, Any], root: Path | None) -> Setting:
    texts = module.WORDS[name]
    values = module.CHOICES.get(name, ())
    choices = dict(zip(values, texts.choices or values, strict=True))
    if texts.of_task:
        choices = _of_task(task.get(texts.of_task))
    is_prompt = name in module.PROMPTS
    if is_prompt:
        choices = {template: template for template in fitting(module.FIELDS, root)}
    bounds = module.RANGES.get(name)
    return Setting(name, texts.label, texts.help, module.SETTINGS[name], choices, bounds,
                   texts.when, texts.of_task, is_prompt, texts.example)  # fmt: skip


def _of_task(entries: object) -> dict[str, str]:
    """Labels by id of a list in a task's settings; {} where there is none."""
    listed = cast("list[dict[str, str]]", entries) if isinstance(entries, list) else []
    labels = {entry["id"]: entry["label"] for entry in listed}
    return {"": OPEN.capitalize(), **labels} if labels else {}
