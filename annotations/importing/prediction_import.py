"""Import of predictions in two steps: a plan that matches, reads and writes nothing; then writing.

A prediction becomes the answer of a model to a stored question. What it chose is read from the raw
reply by our own rules; what the harness made of it is kept beside that, for comparing.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotations import prediction_format
from annotations.condition import ALLOWED, Condition
from annotations.importing.file_stamp import stamp_of
from annotations.importing.import_reports import keep_report
from annotations.importing.model_items import question_items
from annotations.importing.prediction_matching import Match, Questions
from annotations.importing.prediction_plan import (
    PlannedAnswer,
    PlannedRun,
    PredictionPlan,
    StoredReply,
)
from annotations.importing.prediction_shown import as_shown
from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    PredictionFile,
    read_free,
    read_reply,
)
from annotations.question.stored_questions import StoredQuestion, stored_questions
from annotations.reading.records import Problem
from annotations.run.judge_scores import judgement_of, store_judgements
from annotations.run.run_answers import ModelAnswer, Stored, store_answers
from annotations.run.runs import IMPORTED, condition_task, ensure_run
from annotations.video.library import Progress, no_progress
from annotations.workspace import Workspace
from core.refusal import Refusal

NO_CONDITION = (
    "The files do not say what the model was shown. Name it: --condition '16 frames'. "
    f"Allowed: {ALLOWED}."
)


def plan_predictions(
    workspace: Workspace,
    paths: Sequence[Path],
    choices: PredictionChoices | None = None,
    *,
    format_name: str = "",
    progress: Progress = no_progress,
) -> PredictionPlan:
    """Plan the import of files or folders of predictions; nothing is written.

    Args:
        workspace: where the questions are.
        paths: files or folders, each of which may hold several runs.
        choices: what the person decided; None: everything is told from the files.
        format_name: a module of annotations/predictions; '' to tell it from the content.
        progress: told how many rows are read.

    Raises:
        ValueError: if a path cannot be read; says why and what to do.
    """
    chosen = choices or PredictionChoices()
    files = tuple(_open(path, chosen, format_name) for path in paths)
    stored = stored_questions(workspace)
    plan = PredictionPlan(files, questions=sum(item.newest for item in stored))
    plan.stamp = stamp_of(path for file in files for path in file.files)
    plan.undecided = next((item.undecided for item in files if item.undecided), "")
    for problem in (problem for item in files for problem in item.problems):
        plan.problems.add(problem)
    if not stored:
        raise Refusal("The workspace holds no questions. Import the questions first.")
    _fill(plan, Questions(stored), progress)
    for run in plan.runs:
        run.stored = _stored_replies(workspace, run)
        plan.undecided = plan.undecided or _undecided(workspace, run)
    return plan


def _open(path: Path, choices: PredictionChoices, format_name: str) -> PredictionFile:
    path = path.expanduser().resolve()
    named = any(field == "response" for field, _ in choices.columns)
    name = format_name or ("table" if named and path.is_file() else "")
    name = name or prediction_format.detect(path)
    if not path.exists():
        raise Refusal(f"{path} does not exist. Give a file or folder of predictions.")
    return prediction_format.load(name).read(path, choices)


def _fill(plan: PredictionPlan, questions: Questions, progress: Progress) -> None:
    runs: dict[tuple[str, str, bool], PlannedRun] = {}
    for entry in _entries(plan.files, progress):
        if isinstance(entry, Problem):
            plan.problems.add(entry)
            continue
        match = questions.match(entry)
        if isinstance(match, Problem):
            plan.unmatched += 1
            plan.problems.add(match)
            continue
        names = (" ".join(entry.model.split()), entry.condition)
        free = not match.question.options
        run = runs.setdefault((*names, free), PlannedRun(*names, free=free))
        _add(plan, run, entry, match)
    plan.runs = list(runs.values())


def _entries(
    files: Sequence[PredictionFile], progress: Progress
) -> Iterator[PredictionDraft | Problem]:
    for number, file in enumerate(files):
        progress("Reading replies", number, len(files))
        yield from file.rows()
    progress("Reading replies", len(files), len(files))


def _add(plan: PredictionPlan, run: PlannedRun, draft: PredictionDraft, match: Match) -> None:
    question = match.question
    asked = [question.options[index] for index in match.order]
    reading = read_reply(draft, asked) if asked else read_free(draft)
    choice = None if reading.choice is None else match.order[reading.choice]
    if question.question_id in run.answers:
        note = f"another reply of {run.model} to {question.uid}; the later one counts"
        plan.problems.add(Problem("warning", note, draft.file, draft.row))
    key = draft.question.key
    if key is not None and question.key is not None and match.order[key] != question.key:
        plan.other_keys += 1
        plan.problems.add(
            Problem(
                "warning",
                f"the file's right option of {question.uid} is another than the stored key, which "
                "counts",
                draft.file,
                draft.row,
                value=question.options[match.order[key]],
                allowed=question.options[question.key],
            )
        )
    plan.shortened += len(match.order) < len(question.options)
    run.answers[question.question_id] = PlannedAnswer(draft, match, reading, choice)


def _stored_replies(workspace: Workspace, run: PlannedRun) -> dict[int, StoredReply]:
    rows = workspace.store.rows(
        "SELECT i.question_id, p.reply, p.rule, a.question_revision_id, (SELECT"
        "  json_group_array(y.id) FROM question_revision x JOIN question_revision y"
        "  ON y.question_id = x.question_id AND y.options = x.options AND y.clip_id = x.clip_id"
        "  WHERE x.id = a.question_revision_id) AS alike"
        " FROM prediction p JOIN current_annotation a"
        " ON a.id = p.annotation_id JOIN item i ON i.id = a.item_id JOIN run r ON r.id = p.run_id"
        " JOIN annotator m ON m.id = r.annotator_id JOIN task t ON t.id = r.task_id"
        " WHERE m.name = ? AND t.kind = 'human_evaluation'"
        " AND json_extract(t.settings, '$.condition') = ?"
        " AND coalesce(json_extract(t.settings, '$.free_text'), 0) = ?",
        [run.model, run.condition, run.free],
    )
    return {
        row["question_id"]: StoredReply(
            row["reply"], row["rule"], row["question_revision_id"],
            frozenset(json.loads(row["alike"])),
        )
        for row in rows
    }  # fmt: skip


def _undecided(workspace: Workspace, run: PlannedRun) -> str:
    """Return what a person must say before the run is written; '' if nothing."""
    if not run.condition:
        return NO_CONDITION
    try:
        run.condition = Condition.parse(run.condition).name
    except Refusal as error:
        return f"{error} Name it: --condition '16 frames'."
    if not run.model:
        return "The files do not say which model it is. Name it: --model NAME."
    if workspace.store.rows(
        "SELECT 1 FROM annotator WHERE name = ? AND kind <> 'model'", [run.model]
    ):
        return f"{run.model!r} is the name of a person. Name the model otherwise: --model NAME."
    return ""


def write_predictions(
    workspace: Workspace, plan: PredictionPlan, *, progress: Progress = no_progress
) -> list[tuple[int, Stored]]:
    """Run id and what was stored, for each run of a plan; the same again changes nothing.

    Raises:
        ValueError: if something is left to decide, or the files are no longer those of the plan.
    """
    if plan.undecided:
        raise Refusal(plan.undecided)
    if stamp_of(path for path, _ in plan.stamp) != plan.stamp:
        raise Refusal("The files changed after they were checked. Import them again.")
    results: list[tuple[int, Stored]] = []
    shown = _Shown(workspace)
    tasks: dict[tuple[str, bool], int] = {}
    for number, run in enumerate(plan.runs):
        progress("Writing runs", number, len(plan.runs))
        asked = (run.condition, run.free)
        if asked not in tasks:
            tasks[asked] = condition_task(workspace, run.condition, free=run.free)
        task_id = tasks[asked]
        items = question_items(workspace, task_id, _questions(run))
        run_id = ensure_run(workspace, run.model, task_id, IMPORTED, _facts(plan))
        stored = store_answers(workspace, run_id, _answers(shown, run, items))
        store_judgements(
            workspace,
            run_id,
            [
                (items[number], judgement)
                for number, answer in run.answers.items()
                if (judgement := judgement_of(answer.draft)) is not None
            ],
        )
        results.append((run_id, stored))
    progress("Writing runs", len(plan.runs), len(plan.runs))
    _keep_report(workspace, plan)
    return results


def _questions(run: PlannedRun) -> list[StoredQuestion]:
    return [answer.match.question for answer in run.answers.values()]


def _facts(plan: PredictionPlan) -> dict[str, Any]:
    return {
        "files": {path.name: sha256 for path, sha256 in plan.stamp},
        "format": ", ".join(dict.fromkeys(file.format for file in plan.files)),
        "frames": "taken as this workspace samples the condition; the files do not say which",
    }


@dataclass
class _Shown:
    """What models were shown: of a question under a condition the same for each model."""

    workspace: Workspace
    known: dict[tuple[int, str], dict[str, Any]] = field(
        default_factory=dict[tuple[int, str], dict[str, Any]]
    )

    def to(self, question: StoredQuestion, condition: str, order: Sequence[int]) -> dict[str, Any]:
        """Facts for one answer, with the order in which its model saw the options."""
        key = (question.revision_id, condition)
        if key not in self.known:
            self.known[key] = as_shown(self.workspace, question, condition, order)
        asked = {"option_order": list(order)} if question.options else {"free_text": True}
        return self.known[key] | asked


def _answers(shown: "_Shown", run: PlannedRun, items: dict[int, int]) -> Iterator[ModelAnswer]:
    for question_id, answer in run.answers.items():
        if run.only_judges(question_id) or run.read_better(question_id):
            continue
        question, draft = answer.match.question, answer.draft
        confidence = None
        order = range(len(draft.similarities)) if run.free else answer.match.order
        if draft.similarities and len(draft.similarities) == len(order):
            pairs = sorted(zip(order, draft.similarities, strict=True))
            confidence = {str(index): similarity for index, similarity in pairs}
        yield ModelAnswer(
            item_id=items[question_id],
            question_revision_id=run.revision_id(question_id),
            response={"text": (draft.response or "").strip()}
            if run.free
            else {"choice": answer.choice},
            shown=shown.to(question, run.condition, answer.match.order),
            reading=answer.reading,
            reply=draft.response,
            confidence=confidence,
            theirs=draft.score,
            theirs_name=draft.score_name,
            theirs_read=draft.read_as,
        )


def _keep_report(workspace: Workspace, plan: PredictionPlan) -> None:
    report = plan.report()
    keep_report(
        workspace,
        f"predictions: {report['format']}",
        ", ".join(report["files"]),
        report,
        [problem.text for problem in plan.problems.worst_first],
    )
