"""Planning a run: which model annotates which task, how, and under what name."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from annotations.annotator import Annotator, Setup, annotator, number_words
from annotations.prompts import Prompt, prompt
from annotations.record.task import Task, task_in
from annotations.run.runs import ensure_run
from annotations.workspace import Workspace
from core import model_loading
from core.model import Kind, LoadOptions, ModelError
from core.refusal import Refusal

OPTIONS = tuple(field.name for field in fields(LoadOptions))


def plan_run(
    workspace: Workspace,
    name: str,
    model: str,
    *,
    task_id: int | None = None,
    settings: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    kind: Kind | None = None,
    files: bool = False,
) -> int:
    """The id of the run of a model on a task, made if there is none; it is not started.

    The same model with other settings, or with a prompt whose words have changed, is another run:
    nothing overwrites what an earlier one answered.

    Args:
        name: of the annotator.
        model: as `core.model_loading.load_model` takes it.
        task_id: the task; None for the annotator's usual one.
        settings: the annotator's.
        options: of `core.model.LoadOptions`; but for the revision no part of what the run is.
        kind: what the model serves as; None to find out.
        files: whether a prompt may be the path of any file, as on the command line.

    Raises:
        LookupError: if there is no such annotator or task.
        ValueError: for a task or a setting that is not allowed, or if a task has to be named.
        ModelError: if no plug-in can load the model.
    """
    module = annotator(name)
    task = _task(workspace, module, task_id)
    kind = kind or fitting_kind(module, model)
    checked = module.check_settings(dict(settings or {}), task, kind)
    setup = Setup(name, model, kind, checked, _prompts(workspace, module, checked, files=files),
                  _checked_options(options or {}))  # fmt: skip
    called = _name(workspace, module, setup, task.id)
    return ensure_run(workspace, called, task.id, name, facts_of(setup))


def fitting_kind(module: Annotator, model: str) -> Kind:
    """What a model serves as for an annotator: of what it can, the likeliest.

    Raises:
        ModelError: if it can serve as none of them.
    """
    source = model_loading.find_source(model)
    best: tuple[int, Kind] | None = None
    refusal: ModelError | None = None
    for kind in module.MODEL_KINDS:
        try:
            likeness = model_loading.plugin_for(kind, source).likeness(kind, source)
        except ModelError as error:
            refusal = refusal or error
            continue
        if best is None or likeness > best[0]:
            best = (likeness, kind)
    if best is None:
        raise refusal or ModelError(f"{model!r} cannot be used here.")
    return best[1]


def facts_of(setup: Setup) -> dict[str, Any]:
    """What a run keeps of how it annotates; `setup_of` reads it back."""
    return {
        "model": setup.model,
        "serves_as": setup.kind,
        "settings": setup.settings,
        "prompts": {
            purpose: {**asdict(template), "version": template.version}
            for purpose, template in setup.prompts.items()
        },
        "options": setup.options,
        "identity": identity(setup),
    }


def setup_of(method: str, facts: Mapping[str, Any]) -> Setup:
    """How a run annotates, as it was planned.

    Raises:
        ValueError: if the run was imported, so that there is nothing to go on with.
    """
    if "identity" not in facts:
        raise Refusal("This run was imported; only runs that were planned here can be started.")
    prompts = {
        purpose: Prompt(template["name"], template["text"])
        for purpose, template in facts["prompts"].items()
    }
    return Setup(
        method, facts["model"], facts["serves_as"], facts["settings"], prompts, facts["options"]
    )


def identity(setup: Setup) -> str:
    """12 hex digits that differ where answers might: model, revision, settings, prompts' words."""
    parts: dict[str, Any] = {
        "annotator": setup.annotator,
        "model": setup.model,
        "kind": setup.kind,
        "settings": setup.settings,
        "prompts": {purpose: template.version for purpose, template in setup.prompts.items()},
    }
    if revision := setup.options.get("revision"):
        parts["revision"] = revision
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


def _task(workspace: Workspace, module: Annotator, task_id: int | None) -> Task:
    number = module.usual_task(workspace) if task_id is None else task_id
    if number is None:
        fits = workspace.store.rows(
            f"SELECT name FROM task WHERE kind IN ({', '.join('?' * len(module.TASK_KINDS))})",
            list(module.TASK_KINDS),
        )
        existing = ", ".join(repr(row["name"]) for row in fits) or "none yet"
        raise Refusal(f"Which task? Name one. There are: {existing}.")
    with workspace.store.read() as database:
        task = task_in(database, number)
    if task.kind not in module.TASK_KINDS:
        raise Refusal(
            f"The task {task.name!r} is of the kind {task.kind}. {module.TITLE}: allowed are "
            f"tasks of {number_words(len(module.TASK_KINDS), 'kind')}: "
            f"{', '.join(module.TASK_KINDS)}."
        )
    return task


def _prompts(
    workspace: Workspace, module: Annotator, settings: Mapping[str, Any], *, files: bool
) -> dict[str, Prompt]:
    return {
        purpose: prompt(
            str(settings.get(purpose) or usual), module.FIELDS, workspace.root, files=files
        )
        for purpose, usual in module.PROMPTS.items()
    }


def _checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise Refusal(f"No option {unknown[0]!r} of models. Allowed: {', '.join(OPTIONS)}.")
    return {name: value for name, value in options.items() if value is not None}


def _name(workspace: Workspace, module: Annotator, setup: Setup, task_id: int) -> str:
    """The model and what tells this run from its others; a number of digits where that is taken."""
    short = setup.model
    if Path(short).expanduser().is_dir():
        short = Path(short).expanduser().resolve().name
    plain = f"{short} · {module.label(setup.settings)}"
    taken = workspace.store.rows(
        "SELECT r.method, r.facts FROM run r JOIN annotator p ON p.id = r.annotator_id"
        " WHERE p.name = ? AND r.task_id = ?",
        [plain, task_id],
    )
    digest_of = identity(setup)
    if not taken or json.loads(taken[0]["facts"]).get("identity") == digest_of:
        return plain
    return f"{plain} · {digest_of[:6]}"
