"""Plans of a generator's work: which model, with which settings and prompts."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from annotations.generation.generator import Generator, generator
from annotations.people import now_text
from annotations.prompts import prompt
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row


def plan_generation(
    workspace: Workspace, name: str, model: str, settings: Mapping[str, Any] | None = None
) -> int:
    """The id of a model's work by a generator, stored if there is none such; nothing is asked.

    The same model with other settings, or with a prompt whose words have changed, is another one.

    Raises:
        Missing: if there is no such generator.
        Refusal: for a setting or a prompt that is not allowed.
    """
    try:
        module = generator(name)
    except LookupError as error:
        raise Missing(str(error)) from error
    checked = _checked(module, settings or {})
    prompts = {step.name: prompt(step.prompt, step.fields, workspace.root) for step in module.STEPS}
    versions = {step: template.version for step, template in prompts.items()}
    parts = json.dumps([name, model, checked, versions], sort_keys=True)
    identity = hashlib.sha256(parts.encode()).hexdigest()
    stored = {step: {"name": template.name, "text": template.text, "version": template.version}
              for step, template in prompts.items()}  # fmt: skip
    with workspace.store.write() as database:
        database.conn.execute(
            "INSERT INTO generation (identity, generator, model, settings, prompts, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [identity, name, model, json.dumps(checked), json.dumps(stored), now_text()],
        )
        row = first_row(database, "SELECT id FROM generation WHERE identity = ?", [identity])
    assert row is not None
    return int(row["id"])


def _checked(module: Generator, settings: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(settings.keys() - module.SETTINGS.keys())
    if unknown:
        raise Refusal(
            f"{unknown[0]!r} is no setting of {module.TITLE}. Allowed:"
            f" {', '.join(module.SETTINGS) or 'none'}."
        )
    return {**module.SETTINGS, **settings}
