"""How free-form answers score: by similarity with the options, and by judge models (K9-Bench).

found = similarity_scores(snapshot, run_id)             # None if the run has no similarities
found = similarity_scores(snapshot, run_id, threshold=0.6)  # scored anew from stored values
lines = judge_scores(snapshot, run_id)                  # one for each judge and score
"""

import json
from dataclasses import dataclass
from typing import cast

import numpy as np

from annotations.run.judge_scores import judgements
from annotations.scoring.people_columns import Ints
from annotations.scoring.prediction_columns import Predictions
from annotations.scoring.snapshot import Snapshot
from core.metrics import accuracy, judge_score
from core.refusal import Missing
from core.reply.similarity import RULE, THRESHOLD, right_at
from core.statistics import bootstrap
from core.statistics.metric import OF_JUDGES, Estimate, Floats, Statistic, statistics_of

STEPS = tuple(round(0.05 * step, 2) for step in range(21))


@dataclass(frozen=True)
class SimilarityScores:
    """Accuracy of a run whose answers are scored by similarity, over questions with a key.

    Attributes:
        accuracy: at the threshold, with an interval resampled by video.
        below: answers of which no option's similarity is above the threshold.
        curve: (threshold, accuracy) from 0 to 1, for a plot.
    """

    threshold: float
    accuracy: Estimate
    n: int
    below: int
    curve: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class JudgeScore:
    """The mean of one score of one judge over a run's answers.

    Attributes:
        score: name, such as 'factuality'; with the statistic's name unless it is the mean.
        mean: 0 to 10, with an interval resampled by video; `n` says over how many answers.
        missing: answers of the run that this judge did not score.
    """

    judge: str
    score: str
    mean: Estimate
    missing: int


def runs_scored_freely(snapshot: Snapshot) -> set[int]:
    """Ids of the runs whose answers have similarities with options, or scores of a judge.

    Answers to questions without options are in `free_answers`.
    """
    rows = snapshot.rows(
        "SELECT run_id FROM prediction WHERE rule = ? AND confidence IS NOT NULL"
        " AND annotation_id NOT IN (SELECT id FROM annotation WHERE"
        " json_type(response, '$.text') = 'text')"
        " UNION SELECT p.run_id FROM judgement j"
        " JOIN prediction p ON p.annotation_id = j.annotation_id"
        " JOIN annotation a ON a.id = p.annotation_id"
        " WHERE json_type(a.response, '$.text') IS NULL",
        [RULE],
    )
    return {row["run_id"] for row in rows}


def similarity_scores(
    snapshot: Snapshot, run_id: int, threshold: float = THRESHOLD, *, resamples: int = 10_000
) -> SimilarityScores | None:
    """A run's accuracy from its stored similarities; None if it has none.

    Args:
        threshold: the key's similarity has to be above it, and the highest.
        resamples: of the interval.
    """
    table = snapshot.predictions
    stored = _similarities(snapshot, run_id)
    chosen = _rows(table, run_id)
    chosen = chosen[[table.annotation_id[row] in stored for row in chosen.tolist()]]
    chosen = chosen[table.scored[chosen]]
    if not stored or not len(chosen):
        return None
    asked = [table.questions[int(index)] for index in table.question[chosen].tolist()]
    keys = np.array([question.key for question in asked], dtype=np.int64)
    width = max(question.options for question in asked)
    values = np.full((len(chosen), width), np.nan)
    for line, row in enumerate(chosen.tolist()):
        for index, similarity in stored[int(table.annotation_id[row])].items():
            values[line, int(index)] = similarity
    right = right_at(values, keys, threshold)
    score = bootstrap.estimate(
        accuracy, accuracy.rows(right), table.video[chosen], resamples=resamples
    )
    return SimilarityScores(
        threshold=threshold,
        accuracy=accuracy.with_bound(score),
        n=len(chosen),
        below=int((np.nanmax(values, axis=1) <= threshold).sum()),
        curve=tuple((step, float(right_at(values, keys, step).mean())) for step in STEPS),
    )


def judge_scores(snapshot: Snapshot, run_id: int, *, resamples: int = 10_000) -> list[JudgeScore]:
    """Each score of each judge over a run's current answers; empty if no judge scored any."""
    table = snapshot.predictions
    chosen = _rows(table, run_id)
    video = dict(
        zip(table.annotation_id[chosen].tolist(), table.video[chosen].tolist(), strict=True)
    )
    scores_of: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for annotation, found_scores in judgements(snapshot.database, run_id).items():
        for judgement in found_scores:
            for name, score in judgement.scores.items():
                scores_of.setdefault((judgement.judge, name), []).append((score, video[annotation]))
    lines: list[JudgeScore] = []
    for statistic in statistics_of(OF_JUDGES).values():
        for (judge, name), pairs in scores_of.items():
            rows: Floats = statistic.rows([score for score, _ in pairs])
            estimate = bootstrap.estimate(
                cast("Statistic", statistic), rows, [video for _, video in pairs],
                resamples=resamples,
            )  # fmt: skip
            shown = name if statistic is judge_score else f"{name}, {statistic.NAME.lower()}"
            lines.append(JudgeScore(judge, shown, estimate, len(chosen) - len(pairs)))
    return lines


def _rows(table: Predictions, run_id: int) -> Ints:
    index = next((i for i, run in enumerate(table.runs) if run.id == run_id), None)
    if index is None:
        raise Missing(f"There is no run {run_id}.")
    return np.flatnonzero(table.run == index)


def _similarities(snapshot: Snapshot, run_id: int) -> dict[int, dict[str, float]]:
    """By annotation id, similarities by index of the option."""
    rows = snapshot.rows(
        "SELECT annotation_id, confidence FROM prediction"
        " WHERE run_id = ? AND rule = ? AND confidence IS NOT NULL",
        [run_id, RULE],
    )
    return {row["annotation_id"]: json.loads(row["confidence"]) for row in rows}
