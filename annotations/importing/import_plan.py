"""Import in two steps: a plan that reads and checks and writes nothing, then carrying it out."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from annotations import format
from annotations.format import Choices, Reading
from annotations.importing.clip_spans import fitted
from annotations.importing.conflict import Conflict
from annotations.importing.identity import identified
from annotations.importing.import_reports import Problems, keep_report
from annotations.importing.question_import import (
    compare,
    effect_on_answers,
    stored_questions,
    write_questions,
)
from annotations.importing.video_plan import VideoPlan, plan_videos
from annotations.question.reasking import Effect
from annotations.reading.records import Problem, QuestionDraft
from annotations.video.library import Keeping, Progress, keep_all, no_progress
from annotations.video.stored_videos import VideoState, store_video
from annotations.workspace import Workspace
from core.batches import in_batches
from core.refusal import Refusal

BATCH = 500
SHOWN_FIRST = 3
ACCEPTED = ("new", "changed", "unchanged", "kept")
COUNTED = (*ACCEPTED, "merged", "refused", "unlabelled")

Stamp = tuple[tuple[Path, int, int], ...]


@dataclass
class ImportPlan:
    """The changes that an import would make.

    Attributes:
        path: what was given.
        reading: the file as its format understands it.
        videos: what becomes of each video.
        questions: counts of 'new', 'changed', 'unchanged', 'kept', 'refused' and 'unlabelled'
            questions; 'merged' are those of the changed that were edited here in other parts.
        changed_parts: in how many of the changed questions the file changed each part.
        effect: what the changes do to what people answered.
        conflicts: what is kept as it is here, because it was edited here and in the file.
        first_questions: the first few questions as read.
        problems: what a person should know.
        stamp: size and date of the files, so that a plan is not carried out on other content.
    """

    path: Path
    reading: Reading
    videos: VideoPlan
    questions: Counter[str] = field(default_factory=Counter[str])
    changed_parts: Counter[str] = field(default_factory=Counter[str])
    effect: Effect = field(default_factory=Effect)
    conflicts: list[Conflict] = field(default_factory=list[Conflict])
    first_questions: list[QuestionDraft] = field(default_factory=list[QuestionDraft])
    problems: Problems = field(default_factory=Problems)
    stamp: Stamp = ()

    @property
    def accepted(self) -> int:
        """How many questions are let in, also unchanged ones."""
        return sum(self.questions[name] for name in ACCEPTED)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to import: no question got through and no video is taken."""
        return self.accepted == 0 and not self.reading.takes_videos

    def report(self) -> dict[str, Any]:
        """The plan as JSON can hold it: counts, mapping, every problem with its place."""
        return {
            "format": self.reading.format,
            "path": str(self.path),
            "mapping": dict(self.reading.mapping),
            "questions": {name: self.questions[name] for name in COUNTED},
            "changed_parts": dict(self.changed_parts),
            "answers": asdict(self.effect),
            "conflicts": [conflict.report() for conflict in self.conflicts],
            "videos": self.videos.counts(),
            "missing_videos": self.videos.unusable("missing"),
            "broken_videos": self.videos.unusable("broken"),
            "errors": self.problems.errors,
            "warnings": self.problems.warnings,
            "problems": [asdict(problem) for problem in self.problems.worst_first],
            "problems_left_out": self.problems.left_out,
        }


def plan_import(
    workspace: Workspace,
    path: Path,
    *,
    format_name: str = "",
    videos: Path | None = None,
    choices: Choices | None = None,
    progress: Progress = no_progress,
) -> ImportPlan:
    """Plan the import of a file or folder; nothing is written.

    Args:
        workspace: where to.
        path: a file of questions, a folder of such files, or a folder of videos.
        format_name: a module of annotations/formats; '' to tell it from the content.
        videos: the folder of videos; None: the first likely one beside the questions.
        choices: what the person decided; None: everything is told from the file.
        progress: told what is done, how much of it, and of how much.

    Raises:
        ValueError: if nothing of the path can be read; says why and what to do.
    """
    path = path.expanduser().resolve()
    name = format_name or format.detect(path)
    if videos is not None and not videos.exists():
        raise Refusal(f"The folder of videos {videos} does not exist.")
    if not path.exists():
        raise Refusal(f"{path} does not exist. Give a file of questions or a folder.")
    reading = format.load(name).read(path, choices or Choices())
    plan = ImportPlan(
        path,
        reading,
        plan_videos(workspace, reading, videos, progress),
        stamp=_stamp(*reading.files),
    )
    for problem in reading.problems:
        plan.problems.add(problem)
    named = _judge(workspace, plan)
    if not reading.takes_videos:
        plan.videos.keep_only(named)
    for problem in plan.videos.problems():
        plan.problems.add(problem)
    return plan


def _judge(workspace: Workspace, plan: ImportPlan) -> set[str]:
    """Count what is new, changed and unchanged, and collect problems; names of the videos."""
    named: set[str] = set()
    with workspace.store.read() as database:
        for drafts in in_batches(_accepted(workspace, plan, plan.problems, plan.questions), BATCH):
            known = identified(database, drafts)
            for problem in known.problems:
                plan.problems.add(problem)
            stored = stored_questions(database, [draft.uid for draft in known.drafts])
            for draft in known.drafts:
                named.add(draft.video)
                plan.questions["unlabelled"] += draft.key is None
                if len(plan.first_questions) < SHOWN_FIRST:
                    plan.first_questions.append(draft)
                if draft.uid not in stored:
                    plan.questions["new"] += 1
                    continue
                state = plan.videos.states[draft.video]
                met, conflict = compare(draft, stored[draft.uid], state)
                if conflict is not None:
                    plan.questions["kept"] += 1
                    plan.conflicts.append(conflict)
                    continue
                plan.questions["changed" if met.parts else "unchanged"] += 1
                plan.questions["merged"] += met.verdict == "merged"
                plan.changed_parts.update(met.parts)
                plan.effect += effect_on_answers(database, draft, stored[draft.uid], state, met)
                if {"text", "video"} <= set(met.parts):
                    plan.problems.add(
                        Problem(
                            "warning",
                            f"the stored question {draft.uid} has another text and another video",
                            draft.file,
                            draft.row,
                            todo="If it is another question, give it another id.",
                        )
                    )
    return named


def _accepted(
    workspace: Workspace, plan: ImportPlan, problems: Problems | None, counts: Counter[str]
) -> Iterator[QuestionDraft]:
    """Yield the questions whose clips fit into their videos; add the other ones to the problems."""
    for entry in plan.reading.rows():
        results = [entry]
        if isinstance(entry, QuestionDraft):
            results = fitted(entry, workspace.media, plan.videos)
        for result in results:
            if isinstance(result, QuestionDraft):
                yield result
                continue
            if result.level == "error":
                counts["refused"] += result.rows
            if problems is not None:
                problems.add(result)


def carry_out(
    workspace: Workspace,
    plan: ImportPlan,
    *,
    take_file: Collection[str] = (),
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """Carry out a plan, and return its report with the counts of what was stored.

    First the videos are kept, then rows are written in transactions of some hundred questions. A
    run that is killed leaves whole questions; the same import again does the rest.

    Args:
        take_file: uids of the plan's conflicts in which the file's is taken; one that was edited
            again after the plan was made is kept.

    Raises:
        ValueError: if something is left to decide, or the files are no longer those of the plan.
    """
    if plan.reading.undecided:
        raise Refusal(plan.reading.undecided)
    if plan.reading.files and _stamp(*plan.reading.files) != plan.stamp:
        raise Refusal(f"{plan.path} changed after it was checked. Import it again.")
    _keep_videos(workspace, plan, progress)
    for states in in_batches(plan.videos.states.values(), BATCH):
        with workspace.store.write() as database:
            for state in states:
                state.row = store_video(database.conn, state)
                state.rows.add(state.row)
    take = {
        conflict.uid: conflict.revision for conflict in plan.conflicts if conflict.uid in take_file
    }
    counts: Counter[str] = Counter()
    plan.conflicts = []
    for drafts in in_batches(_accepted(workspace, plan, None, Counter()), BATCH):
        with workspace.store.write() as database:
            written = write_questions(
                database,
                identified(database, drafts).drafts,
                plan.videos.states,
                plan.reading.format,
                take,
            )
        counts.update(written.counts)
        plan.conflicts += written.conflicts
        progress("Writing questions", sum(counts[name] for name in ACCEPTED), plan.accepted)
    for name in (*ACCEPTED, "merged"):
        plan.questions[name] = counts[name]
    return _store_report(workspace, plan)


def _keep_videos(workspace: Workspace, plan: ImportPlan, progress: Progress) -> None:
    """Put usable videos into the workspace; one that cannot be kept is missing, with its reason."""
    by_content: dict[str, list[VideoState]] = {}
    for state in plan.videos.states.values():
        if state.sha256 in plan.videos.contents and state.status == "usable":
            by_content.setdefault(state.sha256, []).append(state)
    jobs = [
        Keeping(plan.videos.contents[sha256], workspace.media, plan.videos.needs_copy(sha256))
        for sha256 in by_content
    ]
    for job, reason in keep_all(jobs, progress):
        if not reason:
            continue
        sha256 = job.content.sha256
        original = workspace.media.find_original(sha256)
        if original is not None and workspace.media.table(sha256).exists():
            note = f"no copy for the player could be made: {reason}"
            plan.problems.add(Problem("warning", note, job.content.path.name))
            continue
        note = f"could not be kept: {reason}"
        plan.problems.add(Problem("error", note, job.content.path.name))
        for state in by_content[sha256]:
            state.status, state.reason = "missing", note
    for sha256, states in by_content.items():
        original = workspace.media.find_original(sha256)
        for state in states:
            if original is not None:
                state.path = original.relative_to(workspace.root).as_posix()


def _store_report(workspace: Workspace, plan: ImportPlan) -> dict[str, Any]:
    report = plan.report()
    lines = [f"{entry.level}: {entry.text}" for entry in plan.problems.worst_first]
    lines += [f"kept: {entry.text}" for entry in plan.conflicts]
    if plan.problems.listed:
        missing = plan.videos.unusable("missing")
        lines += [f"missing: {name}: {why}" for name, why in missing.items()]
    target = keep_report(workspace, plan.reading.format, str(plan.path), report, lines)
    if target is not None:
        report["problems_file"] = str(target)
    return report


def _stamp(*paths: Path) -> Stamp:
    return tuple((p, p.stat().st_size, p.stat().st_mtime_ns) for p in paths)
