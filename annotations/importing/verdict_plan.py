"""Import of verdicts on videos, planned: what people or a filter accepted and rejected."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from annotations.importing.cells import cell, text_of
from annotations.importing.file_stamp import stamp_of
from annotations.importing.import_reports import Problems
from annotations.prediction_format import PredictionChoices, to_score
from annotations.reading.displayed_options import split_list
from annotations.reading.mapping import plain_name
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table
from annotations.video.video_folder import SUFFIXES
from annotations.workspace import Workspace
from core.refusal import Refusal

ACCEPT, REJECT = "accept", "reject"
# In the order of preference; names are compared after `plain_name`.
NAMES: dict[str, tuple[str, ...]] = {
    "video": ("video", "video_id", "video_name", "video_path", "file", "file_name", "filename",
              "clip", "clip_id", "youtube_id", "id", "name"),
    "verdict": ("verdict", "decision", "accept", "accepted", "keep", "kept", "label", "status",
                "response", "answer", "screening", "pass", "passed"),
    "reasons": ("reasons", "reason", "reject_reasons", "reject_reason", "rejection_reason",
                "rejection_reasons", "why", "tags"),
    "person": ("annotator", "annotator_id", "worker_id", "worker", "rater", "user", "user_id",
               "participant", "screener", "reviewer"),
    "model": ("model", "model_name", "filter", "system"),
    "score": ("score", "similarity", "probability", "confidence"),
    "note": ("note", "notes", "comment", "comments", "remarks", "feedback"),
}  # fmt: skip
_ACCEPTS = frozenset({"accept", "accepted", "keep", "kept", "yes", "y", "true", "1", "1.0", "pass",
                      "passed", "ok", "good", "include", "included"})  # fmt: skip
_REJECTS = frozenset({"reject", "rejected", "discard", "discarded", "no", "n", "false", "0", "0.0",
                      "fail", "failed", "bad", "exclude", "excluded", "remove"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerdictDraft:
    """One verdict on one video.

    Attributes:
        video_id: the stored video.
        by: the model, or the person by the name that the file has for them.
        reasons: of a rejection, as the file writes them.
        score: that a filter gave; None without one.
    """

    video_id: int
    video: str
    by: str
    verdict: str
    reasons: tuple[str, ...] = ()
    score: float | None = None
    note: str = ""
    file: str = ""
    row: str = ""


@dataclass
class VerdictPlan:
    """What an import of verdicts would do.

    Attributes:
        of_models: whether a filter gave them, else people.
        drafts: by who gave it and the video; of several the last.
        unmatched: rows about no stored video, or one that is not here.
    """

    files: tuple[Path, ...]
    mapping: tuple[tuple[str, str], ...]
    of_models: bool
    drafts: dict[tuple[str, int], VerdictDraft] = field(
        default_factory=dict[tuple[str, int], VerdictDraft]
    )
    unmatched: int = 0
    problems: Problems = field(default_factory=Problems)
    undecided: str = ""
    stamp: tuple[tuple[Path, str], ...] = ()

    @property
    def counts(self) -> Counter[str]:
        """How many videos are accepted and rejected, over all who gave a verdict."""
        return Counter(draft.verdict for draft in self.drafts.values())

    @property
    def reasons(self) -> Counter[str]:
        """How often each reason is given."""
        return Counter(reason for draft in self.drafts.values() for reason in draft.reasons)

    def report(self) -> dict[str, Any]:
        """The plan as JSON can hold it."""
        return {
            "files": [str(path) for path in self.files],
            "mapping": dict(self.mapping),
            "of": "models" if self.of_models else "people",
            "verdicts": dict(self.counts),
            "reasons": dict(self.reasons),
            "unmatched": self.unmatched,
            "undecided": self.undecided,
            "errors": self.problems.errors,
            "warnings": self.problems.warnings,
            "problems": [asdict(problem) for problem in self.problems.worst_first],
            "problems_left_out": self.problems.left_out,
        }


def columns_of(columns: Sequence[str], assigned: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Which column is which field of `NAMES`: those assigned, the rest by their names.

    Raises:
        Refusal: for a field or a column that there is not.
    """
    fields: dict[str, str] = {}
    for name, column in assigned:
        if name not in NAMES or column not in columns:
            raise Refusal(
                f"--map {name}={column}: fields are {', '.join(NAMES)}; columns are "
                f"{', '.join(columns)}."
            )
        fields[name] = column
    plain = {plain_name(name): name for name in reversed(columns)}
    for name, names in NAMES.items():
        free = (plain[n] for n in names if n in plain and plain[n] not in fields.values())
        column = fields.get(name) or next(free, None)
        if column is not None:
            fields[name] = column
    return fields


def plan_verdicts(
    workspace: Workspace, tables: Sequence[Table], choices: PredictionChoices
) -> VerdictPlan:
    """Plan the import of tables with one verdict a row; nothing is written.

    Args:
        workspace: where the videos are.
        tables: as they were opened.
        choices: what the person who imports decided; a model makes them a filter's verdicts.

    Raises:
        Refusal: if a column is lacking.
    """
    fields = columns_of(tables[0].columns, choices.columns)
    for name in ("video", "verdict"):
        if name not in fields:
            raise Refusal(
                f"{tables[0].file.name}: no column says the {name}. Name it: --map {name}=COLUMN. "
                f"There are: {', '.join(tables[0].columns)}."
            )
    of_models = bool(choices.model) or ("model" in fields and "person" not in fields)
    plan = VerdictPlan(
        tuple(table.file for table in tables), tuple(fields.items()), of_models,
        stamp=stamp_of(table.file for table in tables),
    )  # fmt: skip
    if not choices.model and not {"model", "person"} & fields.keys():
        plan.undecided = (
            "The file does not say whose verdicts these are. Name the filter: --model NAME, or the "
            "column of people: --map person=COLUMN."
        )
    videos = _videos(workspace)
    for table in tables:
        for problem in table.problems:
            plan.problems.add(problem)
        for row in table.rows():
            draft = row
            if isinstance(row, Row):
                draft = _draft(table.file.name, row, fields, choices.model, videos)
            if isinstance(draft, VerdictDraft):
                earlier = plan.drafts.get((draft.by, draft.video_id))
                if earlier is not None and earlier.verdict != draft.verdict:
                    plan.problems.add(_doubled(draft))
                plan.drafts[draft.by, draft.video_id] = draft
            elif isinstance(draft, Problem):
                plan.unmatched += "video" in draft.what
                plan.problems.add(draft)
    return plan


def _doubled(draft: VerdictDraft) -> Problem:
    return Problem(
        "warning",
        "the same video stands there before with another verdict; this counts",
        draft.file,
        draft.row,
        value=draft.video,
    )


def _videos(workspace: Workspace) -> dict[str, list[tuple[int, str, str]]]:
    """Id, name and state of videos by the last part of their names, without suffix."""
    videos: dict[str, list[tuple[int, str, str]]] = {}
    for row in workspace.store.rows("SELECT id, name, status FROM video ORDER BY id"):
        video = (int(row["id"]), str(row["name"]), str(row["status"]))
        videos.setdefault(_stem(row["name"]), []).append(video)
    return videos


def _stem(name: str) -> str:
    part = name.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold()
    for suffix in SUFFIXES:
        part = part.removesuffix(suffix)
    return part


def _draft(
    file: str, row: Row, fields: dict[str, str], model: str,
    videos: dict[str, list[tuple[int, str, str]]],
) -> VerdictDraft | Problem:  # fmt: skip
    def text(name: str) -> str:
        return text_of(row, fields.get(name))

    wanted = text("video")
    same = videos.get(_stem(wanted), [])
    fitting = [video for video in same if video[1] == wanted] or same
    if len(fitting) != 1:
        what = "several stored videos are" if fitting else "no stored video is"
        return Problem("error", f"{what} {wanted!r}", file, row.where, fields["video"])
    video_id, name, status = fitting[0]
    if status != "usable":
        return Problem("error", f"the video {name!r} is not here", file, row.where)
    said = text("verdict").casefold()
    if said not in _ACCEPTS | _REJECTS:
        return Problem(
            "error", "neither accepts nor rejects", file, row.where, fields["verdict"], said,
            "accept or reject, yes or no, 1 or 0",
        )  # fmt: skip
    verdict = ACCEPT if said in _ACCEPTS else REJECT
    by = model or text("model") or text("person")
    if not by:
        return Problem("error", "the row does not say whose verdict it is", file, row.where)
    reasons = _reasons(cell(row, fields.get("reasons"))) if verdict == REJECT else ()
    score = to_score(cell(row, fields.get("score")))
    return VerdictDraft(video_id, name, by, verdict, reasons, score, text("note"), file, row.where)


def _reasons(value: object) -> tuple[str, ...]:
    """Reasons in a list, or in a text between ; or | or line breaks."""
    listed = split_list(value)[0]
    parts = listed or re.split(r"[;|\n]", "" if value is None else str(value))
    return tuple(dict.fromkeys(" ".join(part.split()) for part in parts if part.strip()))
