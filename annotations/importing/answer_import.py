"""Writing of people's answers from another tool: annotations like any other, with their source.

They lie in tasks of their own, a closed one for each tool and condition. Their time is paid
elsewhere.
"""

import hashlib
import hmac
import re
from collections import Counter, defaultdict
from typing import Any
from uuid import uuid4

from sqlite_utils import Database

from annotations import task as tasks
from annotations.condition import Condition
from annotations.importing.answer_plan import AnswerPlan, PlannedAnswer
from annotations.importing.file_stamp import stamp_of
from annotations.importing.import_reports import keep_report
from annotations.people import person_elsewhere
from annotations.planning.task_plan import ROWS, PlannedItem, TaskPlan
from annotations.planning.task_store import add_items, make_task, set_status, task_named
from annotations.record.annotation import (
    Annotation,
    add_annotation,
    count_answers,
    current_annotation,
)
from annotations.record.item import ask_as_answered, items_of_task
from annotations.record.shown import Shown
from annotations.run.run_answers import Stored
from annotations.task import ItemDraft
from annotations.video.library import Progress, no_progress
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal

KIND = "human_evaluation"
UNKNOWN_FRAMES = "the file does not say which frames were shown"
# Names that lead to a person: mail addresses, workers of Mechanical Turk, participants of Prolific.
_IDENTIFYING = re.compile(r".+@.+|A[0-9A-Z]{9,20}|[0-9a-f]{24}")


def write_answers(
    workspace: Workspace, plan: AnswerPlan, *, progress: Progress = no_progress
) -> Stored:
    """Store the answers of a plan; the same again changes nothing.

    Raises:
        Refusal: if something is left to decide, or the files are no longer those of the plan.
    """
    if plan.undecided:
        raise Refusal(plan.undecided)
    if stamp_of(path for path, _ in plan.stamp) != plan.stamp:
        raise Refusal("The files changed after they were checked. Import them again.")
    groups: dict[tuple[str, str, bool], list[PlannedAnswer]] = defaultdict(list)
    for (_, _, condition), answer in plan.answers.items():
        free = not answer.match.question.options
        groups[answer.source, Condition.parse(condition).name, free].append(answer)
    counts: Counter[str] = Counter()
    for number, ((source, condition, free), answers) in enumerate(groups.items()):
        progress("Writing answers", number, len(groups))
        counts += _write_group(workspace, source, condition, answers, free=free)
    progress("Writing answers", len(groups), len(groups))
    report = plan.report()
    lines = [problem.text for problem in plan.problems.worst_first]
    keep_report(
        workspace, f"answers: {report['format']}", ", ".join(report["files"]), report, lines
    )
    return Stored(counts["new"], counts["changed"], counts["same"])


def pseudonym(workspace: Workspace, source: str, person: str) -> str:
    """What a person of another tool is called here; the same each time.

    A name that leads to somebody is replaced by one made with the workspace's secret, so that
    nobody can tell it from a list of names.
    """
    tool = source.removeprefix("a ").capitalize() if source.startswith("a ") else source
    identifying = source == "Mechanical Turk" or _IDENTIFYING.fullmatch(person)
    if not identifying:
        return f"{' '.join(person.split())[:40]} ({tool})"
    text = f"{source}\0{person}".encode()
    digest = hmac.new(workspace.secret.encode(), text, hashlib.sha256).hexdigest()
    return f"{tool} {digest[:8]}"


def _write_group(
    workspace: Workspace, source: str, condition: str, answers: list[PlannedAnswer], *, free: bool
) -> Counter[str]:
    """Store the answers of one tool under one condition: counts of new, changed and same."""
    name = f"{source[0].upper()}{source[1:]}: {condition}{', free answers' if free else ''}"
    settings = {"condition": condition, "shuffle_options": False, "free_text": free}
    task_id = _task(workspace, name, settings, answers)
    counts: Counter[str] = Counter()
    with workspace.store.write() as database:
        items = {item.question_id: item.id for item in items_of_task(database, task_id)}
        for answer in answers:
            person = pseudonym(workspace, source, answer.draft.person)
            annotator_id = person_elsewhere(database.conn, person, source)
            item_id = items[answer.match.question.question_id]
            counts[_store(database, item_id, annotator_id, answer, condition)] += 1
        ask_as_answered(database, task_id)
    return counts


def _task(
    workspace: Workspace, name: str, wanted: dict[str, Any], answers: list[PlannedAnswer]
) -> int:
    """The id of the closed task that holds one tool's answers under a condition."""
    questions = {a.match.question.question_id: a.match.question for a in answers}
    items = [
        PlannedItem(ItemDraft(f"question:{question.uid}", number, question.video_id))
        for number, question in questions.items()
    ]
    try:
        task_id = task_named(workspace, name)
    except Missing:
        settings = tasks.kind(KIND).check_settings(wanted)
        planned = TaskPlan(name, KIND, settings, 1, ROWS, (), rate=0.0)
        task_id = make_task(workspace, planned)
        set_status(workspace, name, "closed")
    add_items(workspace, task_id, items)
    return task_id


def _store(
    database: Database, item_id: int, annotator_id: int, answer: PlannedAnswer, condition: str
) -> str:
    """Store one answer: 'new', 'changed' or 'same'."""
    draft, question = answer.draft, answer.match.question
    free = not question.options
    written = (draft.answer.response or "").strip()
    choice = list(answer.chosen) if question.right else answer.choice
    response: dict[str, Any] = {"text": written} if free else {"choice": choice}
    if draft.comment:
        response["note"] = draft.comment
    earlier = current_annotation(database, item_id, annotator_id)
    if earlier is not None and earlier.response == response:
        return "same"
    facts = {
        "condition": condition, "frames": [],
        **({"free_text": True} if free else {"option_order": list(answer.match.order)}),
        **({"several": True} if question.right else {}),
        "times": [], "frames_unknown": UNKNOWN_FRAMES, "source": answer.source,
        "file": draft.answer.file, "row": draft.answer.row,
    }  # fmt: skip
    add_annotation(
        database,
        Annotation(
            uid=uuid4().hex,
            item_id=item_id,
            annotator_id=annotator_id,
            revision=1 if earlier is None else earlier.revision + 1,
            task_kind=KIND,
            schema_version=tasks.kind(KIND).SCHEMA_VERSION,
            response=response,
            shown=Shown(facts, question.revision_id),
            counted=True,
            active_s=draft.active_s,
            answered_at=draft.answered_at,
        ),
    )
    if earlier is None:
        count_answers(database, [(item_id, 1)])
    return "new" if earlier is None else "changed"
