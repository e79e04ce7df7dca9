"""Known answers of practice and attention items: what nobody could answer is refused beforehand."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from annotations import task as tasks
from annotations.answering.attention import judged
from annotations.task import ItemDraft
from annotations.task_parts import DeclaresKnown
from annotations.workspace import Workspace
from core.refusal import Refusal

REMARKS = frozenset({"why", "note"})
_OPTIONS = """
  SELECT question_id, options FROM current_question
  WHERE question_id IN (SELECT value FROM json_each(?))
"""


def check_known_answers(
    workspace: Workspace,
    kind: str,
    settings: dict[str, Any],
    known: Sequence[tuple[int, ItemDraft, dict[str, Any]]],
) -> None:
    """Refuse a known answer with a field or a value that no response of the kind can have.

    Args:
        known: number of the row in its file, from 1; its item; its known answer.

    Raises:
        Refusal: names row and field, what was got and what is allowed.
    """
    module: object = tasks.kind(kind)
    asked = json.dumps([draft.question_id for _, draft, _ in known])
    options = {
        row["question_id"]: json.loads(row["options"])
        for row in (workspace.store.rows(_OPTIONS, [asked]) if known else ())
    }
    for number, draft, answer in known:
        at = f"row {number}: expected"
        if isinstance(module, DeclaresKnown):
            payload = dict(draft.payload)
            if draft.question_id in options:
                payload["options"] = options[draft.question_id]
            if not answer.keys() - REMARKS:
                raise Refusal(f"{at}: got {answer!r}, which holds no answer.")
            _check(answer, module.known_answer(settings, payload), at)
        try:
            judged(kind, answer, answer, settings)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"it lacks {error}" if isinstance(error, KeyError) else error
            raise Refusal(
                f"{at}: got {answer!r}, which is no answer of this kind: {why}."
            ) from error


def _check(answer: object, allowed: object, at: str) -> None:
    """Compare an answer, or a part of one, with what is allowed; a list by each of its entries."""
    if allowed is None:
        return
    if isinstance(answer, list):
        for entry in cast("list[object]", answer):
            _check(entry, allowed, at)
    elif not isinstance(allowed, Mapping):
        values = list(cast("Sequence[object]", allowed))
        if answer not in values:
            raise Refusal(f"{at}: got {answer!r}. Allowed: {', '.join(map(str, values))}.")
    elif not isinstance(answer, dict):
        raise Refusal(f"{at}: got {answer!r}. Allowed: an object such as the form gives.")
    else:
        fields = cast("Mapping[str, object]", allowed)
        for name, part in cast("dict[str, object]", answer).items():
            if name not in fields:
                raise Refusal(f"{at}: got a field {name!r}. Allowed: {', '.join(fields)}.")
            _check(part, fields[name], f"{at}: {name}")
