"""Writing of imported verdicts: a filter's as a run, people's as annotations, on closed tasks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from annotations import task as tasks
from annotations.importing.answer_import import pseudonym
from annotations.importing.file_stamp import stamp_of
from annotations.importing.import_reports import keep_report
from annotations.importing.verdict_plan import REJECT, VerdictDraft, VerdictPlan
from annotations.people import person_elsewhere
from annotations.planning.task_plan import ROWS, TaskPlan, planned_items
from annotations.planning.task_store import add_items, all_tasks, make_task, set_status
from annotations.record.annotation import (
    Annotation,
    add_annotation,
    count_answers,
    current_annotation,
)
from annotations.record.item import Item, ask_as_answered, items_of_task
from annotations.record.shown import Shown
from annotations.run.run_answers import ModelAnswer, Stored, store_answers
from annotations.run.runs import IMPORTED, ensure_run
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.reply.result import Reading

KIND = "screening"
NAME = "Imported verdicts"
SOURCE = "a table"
OTHER = "other"
_FILE_SAYS = Reading(None, "read", "imported", "as the file says")


@dataclass(frozen=True)
class _Screening:
    """The task that verdicts are stored in.

    Attributes:
        items: by video id.
        reasons: id of each reason by its folded label and by its id.
    """

    task_id: int
    settings: dict[str, Any]
    items: dict[int, Item]
    reasons: dict[str, str]


def write_verdicts(workspace: Workspace, plan: VerdictPlan) -> Stored:
    """Store the verdicts of a plan; the same again changes nothing.

    They are compared with those of every task that has the same reasons.

    Raises:
        Refusal: if something is left to decide, or the files are no longer those of the plan.
    """
    if plan.undecided:
        raise Refusal(plan.undecided)
    if stamp_of(plan.files) != plan.stamp:
        raise Refusal("The files changed after they were checked. Import them again.")
    drafts = list(plan.drafts.values())
    screening = _screening(workspace, drafts)
    if plan.of_models:
        stored = _store_runs(workspace, screening, drafts)
    else:
        stored = _store_people(workspace, screening, drafts)
    report = plan.report()
    lines = [problem.text for problem in plan.problems.worst_first]
    keep_report(workspace, "verdicts", ", ".join(report["files"]), report, lines)
    return stored


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def _screening(workspace: Workspace, drafts: Sequence[VerdictDraft]) -> _Screening:
    """The task of imported verdicts with an item for each video; made like one that is there.

    Where no task screens videos yet, the file's own reasons are the list.
    """
    screens = [task for task in all_tasks(workspace) if task.kind == KIND]
    own = next((task for task in screens if task.name == NAME), None)
    if own is None:
        given = {_folded(reason): reason for draft in drafts for reason in draft.reasons}
        listed = list({OTHER: "Other", **given}.values())
        wanted = screens[0].settings if screens else {"reasons": listed} if given else {}
        settings = tasks.kind(KIND).check_settings(wanted)
        task_id = make_task(workspace, TaskPlan(NAME, KIND, settings, 1, ROWS, (), rate=0.0))
        set_status(workspace, NAME, "closed")
    else:
        task_id, settings = own.id, own.settings
    names = {draft.video: {"video": draft.video} for draft in drafts}
    add_items(
        workspace, task_id, planned_items(workspace, KIND, settings, ROWS, list(names.values()))
    )
    with workspace.store.read() as database:
        items = {item.video_id: item for item in items_of_task(database, task_id)}
    reasons = {
        _folded(reason[name]): reason["id"] for reason in settings["reasons"] for name in
        ("label", "id")
    }  # fmt: skip
    task_rows = {number: item for number, item in items.items() if number is not None}
    return _Screening(task_id, settings, task_rows, reasons)


def _response(screening: _Screening, draft: VerdictDraft) -> dict[str, Any]:
    """The verdict in the task's schema; reasons that its list lacks stand in the note."""
    named = [screening.reasons.get(_folded(reason), "") for reason in draft.reasons]
    unknown = [r for r, known in zip(draft.reasons, named, strict=True) if not known]
    reasons = list(dict.fromkeys(known for known in named if known))
    if draft.verdict == REJECT and not reasons and OTHER in screening.reasons.values():
        reasons = [OTHER]
    note = "; ".join(part for part in (*unknown, draft.note) if part)
    return {"verdict": draft.verdict, "reasons": reasons, "note": note}


def _shown(workspace: Workspace, screening: _Screening, draft: VerdictDraft) -> dict[str, Any]:
    item = screening.items[draft.video_id]
    shown = tasks.kind(KIND).show(workspace, item, screening.settings, "")
    return shown.facts | {"source": SOURCE, "file": draft.file, "row": draft.row}


def _store_runs(
    workspace: Workspace, screening: _Screening, drafts: Sequence[VerdictDraft]
) -> Stored:
    counts = {"new": 0, "changed": 0, "same": 0}
    for model in dict.fromkeys(draft.by for draft in drafts):
        run_id = ensure_run(workspace, model, screening.task_id, IMPORTED)
        stored = store_answers(workspace, run_id, [
            ModelAnswer(
                screening.items[draft.video_id].id, None, _response(screening, draft),
                _shown(workspace, screening, draft), _FILE_SAYS, score=draft.score,
            )
            for draft in drafts if draft.by == model
        ])  # fmt: skip
        for name in counts:
            counts[name] += getattr(stored, name)
    return Stored(**counts)


def _store_people(
    workspace: Workspace, screening: _Screening, drafts: Sequence[VerdictDraft]
) -> Stored:
    counts = {"new": 0, "changed": 0, "same": 0}
    version = tasks.kind(KIND).SCHEMA_VERSION
    ready = [(d, _response(screening, d), _shown(workspace, screening, d)) for d in drafts]
    with workspace.store.write() as database:
        for draft, response, facts in ready:
            name = pseudonym(workspace, SOURCE, draft.by)
            annotator_id = person_elsewhere(database.conn, name, SOURCE)
            item_id = screening.items[draft.video_id].id
            earlier = current_annotation(database, item_id, annotator_id)
            if earlier is not None and earlier.response == response:
                counts["same"] += 1
                continue
            counts["new" if earlier is None else "changed"] += 1
            add_annotation(database, Annotation(
                uid=uuid4().hex, item_id=item_id, annotator_id=annotator_id,
                revision=1 if earlier is None else earlier.revision + 1, task_kind=KIND,
                schema_version=version, response=response, shown=Shown(facts), counted=True,
            ))  # fmt: skip
            if earlier is None:
                count_answers(database, [(item_id, 1)])
        ask_as_answered(database, screening.task_id)
    return Stored(**counts)
