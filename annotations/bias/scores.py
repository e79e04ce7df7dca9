"""Scores of imported models on all test videos, on the debiased and on the balanced split."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from annotations.bias.instructions import JOBS, Job
from annotations.bias.result import Result
from annotations.bias.splits import Rule, removed
from annotations.description.named_videos import NamedVideos
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, open_csv
from annotations.workspace import Workspace
from core.bias.representation import Bools, Ints
from core.metrics import accuracy
from core.refusal import Refusal
from core.statistics import bootstrap
from core.statistics.metric import Estimate, Floats

_COLUMNS: dict[Job, tuple[str, ...]] = {
    "classification": ("acc_top1", "top1", "correct", "right"),
    "retrieval": ("R1", "r1", "recall_at_1", "rank"),
}


@dataclass
class ImportedScores:
    """What an import of a model's scores did.

    Attributes:
        model: its name.
        videos: how many it has a score for, `unknown` of them not in the workspace.
        problems: rows that could not be used.
    """

    model: str
    job: Job
    videos: int = 0
    unknown: int = 0
    problems: list[Problem] = field(default_factory=list[Problem])


def looks_like_scores(path: Path) -> bool:
    """Whether a table has a column with a model's result for each video."""
    if path.suffix.lower() not in (".csv", ".tsv"):
        return False
    columns = set(open_csv(path).columns)
    return "video_id" in columns and any(columns & set(names) for names in _COLUMNS.values())


def import_scores(workspace: Workspace, path: Path, model: str = "") -> ImportedScores:
    """Store a model's results in the layout of UTD's prediction files; they replace older ones.

    Args:
        model: its name; the file's name where it is ''.

    Raises:
        Refusal: if no column says whether the model was right.
    """
    table = open_csv(path)
    job, column = _result_column(table.columns)
    if job is None or "video_id" not in table.columns:
        raise Refusal(
            f"{path.name} has the columns {', '.join(table.columns)}. Wanted: video_id and one of "
            "acc_top1 (classification), R1 or rank (retrieval)."
        )
    report = ImportedScores(" ".join(model.split()) or path.stem, job)
    videos = NamedVideos(workspace)
    results: dict[int, float] = {}
    for name, right in _results(table.rows(), column, path.name, report.problems):
        video = videos.find(name)
        if video is None:
            report.unknown += 1
        else:
            results[video] = right
    with workspace.store.write() as database:
        database.conn.executemany(
            "INSERT INTO video_score (model, job, video_id, right) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (model, job, video_id) DO UPDATE SET right = excluded.right",
            [[report.model, job, video, right] for video, right in results.items()],
        )
    report.videos = len(results)
    return report


def _result_column(columns: Sequence[str]) -> tuple[Job | None, str]:
    """For which job a table has results, and in which column."""
    for job in JOBS:
        for name in _COLUMNS[job]:
            if name in columns:
                return job, name
    return None, ""


def _results(
    rows: Iterator[Row | Problem], column: str, file: str, problems: list[Problem]
) -> Iterator[tuple[str, float]]:
    for row in rows:
        if isinstance(row, Problem):
            problems.append(row)
            continue
        text = str(row.cells.get(column) or "").strip().lower()
        value = {"true": "1", "false": "0"}.get(text, text)
        try:
            number = float(value)
        except ValueError:
            problems.append(
                Problem("error", "no number", file, row.where, column, text, "0 or 1, or a rank")
            )
            continue
        # A published share is in percent where it is over 1; a rank counts from 0.
        right = float(number == 0) if column == "rank" else float(number > 0.5)
        yield str(row.cells.get("video_id") or "").strip(), right


@dataclass(frozen=True)
class OnSplits:
    """A model on all test videos and on what the two rules keep.

    Attributes:
        asked: test videos that it has a score for, of `videos`.
        debiased: on the debiased split, `difference` from all videos with its paired interval.
        balanced: on the balanced split; None where that is not defined.
    """

    model: str
    asked: int
    videos: int
    full: Estimate
    debiased: Estimate
    debiased_difference: Estimate
    balanced: Estimate | None = None
    balanced_difference: Estimate | None = None


def on_splits(workspace: Workspace, result: Result, job: Job) -> list[OnSplits]:
    """Every imported model on the full, the debiased and the balanced split, in order of name.

    Raises:
        Refusal: if no split is defined for these data.
    """
    position, gone, _ = removed(result, job, "debiased")
    fair = removed(result, job, "balanced")[1] if job == "classification" else None
    ids = np.asarray(result.arrays["video_id"], np.int64)[position]
    families = np.asarray(result.arrays["family"], np.int64)[position]
    place = {video: number for number, video in enumerate(ids.tolist())}
    scores: dict[str, tuple[Bools, Bools]] = {}
    for row in workspace.store.rows(
        "SELECT model, video_id, right FROM video_score WHERE job = ? ORDER BY model", [job]
    ):
        zeros = np.zeros(len(ids), np.bool_)
        right, asked = scores.setdefault(row["model"], (zeros, zeros.copy()))
        if row["video_id"] in place:
            right[place[row["video_id"]]] = row["right"] > 0.5
            asked[place[row["video_id"]]] = True
    return [
        _on_splits(model, right, asked, gone, fair, families)
        for model, (right, asked) in scores.items()
    ]


def _on_splits(
    model: str, right: Bools, asked: Bools, gone: Bools, fair: Bools | None, families: Ints
) -> OnSplits:
    table, drawn = accuracy.rows(right)[asked], families[asked]
    full = accuracy.with_bound(bootstrap.estimate(accuracy, table, drawn))
    debiased, difference = _part(table, ~gone[asked], drawn)
    balanced, other = (None, None) if fair is None else _part(table, ~fair[asked], drawn)
    return OnSplits(
        model, int(asked.sum()), len(right), full, debiased, difference, balanced, other
    )


def _part(table: Floats, kept: Bools, families: Ints) -> tuple[Estimate, Estimate]:
    part = accuracy.with_bound(bootstrap.estimate(accuracy, table[kept], families[kept]))
    return part, bootstrap.difference(accuracy, table * kept[:, None], table, families)


def rules_of(job: Job) -> tuple[Rule, ...]:
    """Rules that are defined for a job."""
    return ("debiased", "balanced") if job == "classification" else ("debiased",)
