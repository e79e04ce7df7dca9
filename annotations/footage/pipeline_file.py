"""Read a declared pipeline: from titles to clips that people verify, one step after the other."""

import hashlib
import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from core.known_names import refuse_unknown
from core.refusal import Refusal

# What each step may be told beside the settings of its annotator, with the defaults.
STEPS: dict[str, dict[str, Any]] = {
    "search": {"results": 50, "source": "ytsearch", "pause_s": 1.0, "an_hour": 1000},
    "find": {"min_views": 0, "limit": 100},
    "title_filter": {"model": ""},
    "download": {"max_mb": 500, "max_minutes": 15, "budget_gb": 200, "pause_s": 5.0,
                 "duplicates": False},
    "transcript": {"model": ""},
    "segment_finder": {"model": "", "whole_below_s": 30.0},
    "clip_similarity": {"model": ""},
    "vlm_screening": {"model": ""},
    "people": {"overlap": 3, "clips": 5},
}  # fmt: skip
NEED_MODEL = ("title_filter", "segment_finder", "clip_similarity", "vlm_screening")
OF_CLIPS = ("clip_similarity", "vlm_screening", "people")
_TOP = ("name", "domain", "actions", "list", "criteria", "cost", "where", "step")
_COST = ("per_hour", "currency")


@dataclass(frozen=True)
class DeclaredStep:
    """A step of a pipeline.

    Attributes:
        key: its place and what it does, such as '3 download'; results are stored under it.
        do: one of `STEPS`.
        own: what the step is told, completed.
        settings: of the annotator of that name.
    """

    key: str
    do: str
    own: dict[str, Any]
    settings: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """12 hex digits that differ where results might."""
        parts = [self.do, self.own, self.settings]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Pipeline:
    """A declared pipeline.

    Attributes:
        actions: each with its description, '' where there is none.
        listed: name of a list of actions, whose approved ones are taken as well.
        criteria: what the screening model is to accept.
        per_hour: what an hour of this machine costs; `currency` of it.
        where: of `annotations.engine.engine.Where`, by name.
        text: the file.
    """

    name: str
    domain: str
    actions: dict[str, str]
    listed: str
    criteria: tuple[str, ...]
    per_hour: float
    currency: str
    steps: tuple[DeclaredStep, ...]
    text: str = field(repr=False)
    where: dict[str, Any] = field(default_factory=dict[str, Any])


def read_pipeline(text: str) -> Pipeline:
    """The pipeline that a TOML text declares.

    Raises:
        Refusal: names what is wrong, what is allowed, and where.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refusal(f"The pipeline is no valid TOML: {error}") from error
    refuse_unknown(table, _TOP, "The pipeline")
    name = " ".join(str(table.get("name", "")).split())
    if not 1 <= len(name) <= 80:
        raise Refusal("name: give the pipeline a name of 1 to 80 characters.")
    per_hour, currency = _cost(table.get("cost", {}))
    criteria = table.get("criteria", [])
    if not isinstance(criteria, list):
        raise Refusal(f"criteria: got {criteria!r}. Allowed: a list of texts.")
    return Pipeline(
        name, str(table.get("domain", "")).strip(), _actions(table.get("actions", [])),
        str(table.get("list", "")), tuple(map(str, cast("list[object]", criteria))),
        per_hour, currency,
        _steps(table.get("step", [])), text, dict(table.get("where", {})),
    )  # fmt: skip


def _cost(value: object) -> tuple[float, str]:
    """What an hour of this machine costs, and in which currency."""
    if not isinstance(value, dict):
        raise Refusal(f"cost: got {value!r}. Allowed: a table with {' and '.join(_COST)}.")
    cost = cast("dict[str, Any]", value)
    refuse_unknown(cost, _COST, "cost")
    per_hour = cost.get("per_hour", 0.0)
    number = isinstance(per_hour, int | float) and not isinstance(per_hour, bool)
    if not number or not 0 <= per_hour < math.inf:
        raise Refusal(f"cost: per_hour: got {per_hour!r}. Allowed: a number, 0 or more.")
    return float(per_hour), str(cost.get("currency", "USD"))


def _actions(value: object) -> dict[str, str]:
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return {str(name).strip(): str(text) for name, text in pairs if str(name).strip()}
    if isinstance(value, list):
        names = (" ".join(str(name).split()) for name in cast("list[object]", value))
        return {name: "" for name in names if name}
    raise Refusal("actions: allowed are a list of names, or a table of names and descriptions.")


def _steps(value: object) -> tuple[DeclaredStep, ...]:
    tables = cast("list[dict[str, Any]]", value) if isinstance(value, list) else []
    if not tables:
        raise Refusal(f"There is no [[step]]. Each has a 'do': {', '.join(STEPS)}.")
    steps: list[DeclaredStep] = []
    for number, table in enumerate(tables, start=1):
        steps.append(_step(number, table))
    order = list(STEPS)
    positions = [order.index(step.do) for step in steps]
    if positions != sorted(set(positions)):
        raise Refusal(f"The steps have to stand in this order, each once: {', '.join(order)}.")
    seen_steps = {step.do for step in steps}
    if "find" not in seen_steps:
        raise Refusal("A step 'find' is needed: it takes videos from the index of titles.")
    if seen_steps & set(OF_CLIPS) and not {"download", "segment_finder"} <= seen_steps:
        raise Refusal(f"{', '.join(OF_CLIPS)} need the steps 'download' and 'segment_finder'.")
    return tuple(steps)


def _step(number: int, table: Mapping[str, Any]) -> DeclaredStep:
    do = str(table.get("do", ""))
    if do not in STEPS:
        raise Refusal(f"step {number}: do = {do!r}. Allowed: {', '.join(STEPS)}.")
    step_settings = {name: table.get(name, default) for name, default in STEPS[do].items()}
    for name, default in STEPS[do].items():
        counted = isinstance(default, int | float) and not isinstance(default, bool)
        fits = (
            isinstance(step_settings[name], int | float)
            if counted
            else type(step_settings[name]) is type(default)
        )
        if not fits:
            raise Refusal(
                f"step {number}, {name}: got {step_settings[name]!r}, such as {default!r} allowed."
            )
    settings = {name: value for name, value in table.items() if name not in (*step_settings, "do")}
    if settings and do in ("search", "find", "download", "people"):
        allowed = ", ".join(STEPS[do])
        raise Refusal(f"step {number}: {next(iter(settings))!r} is not known. Allowed: {allowed}.")
    if do in NEED_MODEL and not step_settings["model"]:
        raise Refusal(f"step {number}: {do} needs a model, such as model = 'package:minilm'.")
    return DeclaredStep(f"{number} {do}", do, step_settings, settings)
