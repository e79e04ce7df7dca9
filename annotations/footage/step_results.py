"""What each step of a pipeline decided about each video or clip, and how long it took."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotations.footage.pipeline_file import Pipeline
from core.lot import drawn_by_lot
from db.connection import Store

AT_ONCE = 500


@dataclass(frozen=True)
class StepResult:
    """What a step decided about one unit.

    Attributes:
        unit: a video's id in the metadata, or a clip: 'id|action|start-end'.
        kept: whether it goes on.
        score: of a model; None without one.
        why: in words.
        label: what a person calls it.
    """

    unit: str
    kept: bool
    score: float | None = None
    why: str = ""
    label: str = ""


def store_results(store: Store, pipeline: str, step: str, results: Iterable[StepResult]) -> int:
    """How many units were new to a step; what is stored is brought up to date, never doubled."""
    new = 0
    rows = [
        [pipeline, step, r.unit, int(r.kept), r.score, r.why[:500], r.label[:300], time.time()]
        for r in results
    ]
    for begin in range(0, len(rows), AT_ONCE):
        with store.write() as database:
            count = "SELECT count(*) FROM step_result WHERE pipeline = ? AND step = ?"
            earlier = database.conn.execute(count, [pipeline, step]).fetchone()[0]
            database.conn.executemany(
                "INSERT INTO step_result (pipeline, step, unit, kept, score, why, label, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (pipeline, step, unit) DO UPDATE"
                " SET kept = excluded.kept, score = excluded.score, why = excluded.why,"
                " label = excluded.label",
                rows[begin : begin + AT_ONCE],
            )
            new += database.conn.execute(count, [pipeline, step]).fetchone()[0] - earlier
    return new


def results_of(store: Store, pipeline: str, step: str, kept: bool | None = None
               ) -> list[StepResult]:  # fmt: skip
    """What a step decided, by unit; of those kept or thrown away only, where that is named."""
    condition = "" if kept is None else f" AND kept = {int(kept)}"
    return [
        StepResult(row["unit"], bool(row["kept"]), row["score"], row["why"], row["label"])
        for row in store.rows(
            "SELECT * FROM step_result WHERE pipeline = ? AND step = ?" + condition,
            [pipeline, step],
        )
    ]


def thrown_sample(store: Store, pipeline: str, step: str, limit: int = 20) -> list[StepResult]:
    """Units that a step threw away, drawn by their names alone: the same ones each time."""
    with store.read() as database:
        # The names alone stand in an index: of the rest only what is drawn is read.
        thrown = database.conn.execute(
            "SELECT unit FROM step_result WHERE pipeline = ? AND step = ? AND kept = 0",
            [pipeline, step],
        )
        drawn = drawn_by_lot([str(row[0]) for row in thrown], limit, "", lambda unit: unit)
    named = {result.unit: result for result in results_about(store, pipeline, step, drawn)}
    return [named[unit] for unit in drawn if unit in named]


def results_about(store: Store, pipeline: str, step: str, units: Sequence[str]) -> list[StepResult]:
    """What a step decided about some units, by unit; those that it has not judged are left out."""
    return [
        StepResult(row["unit"], bool(row["kept"]), row["score"], row["why"], row["label"])
        for row in store.rows(
            "SELECT * FROM step_result WHERE pipeline = ? AND step = ?"
            " AND unit IN (SELECT value FROM json_each(?)) ORDER BY unit",
            [pipeline, step, json.dumps(list(units))],
        )
    ]


def sizes_and_scores(store: Store, pipeline: str, step: str) -> tuple[dict[bool, int], list[float]]:
    """How many units a step kept and threw away, and the scores that it gave, ascending."""
    with store.read() as database:
        counts = dict(
            database.conn.execute(
                "SELECT kept, count(*) FROM step_result WHERE pipeline = ? AND step = ?"
                " GROUP BY kept",
                [pipeline, step],
            )
        )
        scores = database.conn.execute(
            "SELECT score FROM step_result WHERE pipeline = ? AND step = ? AND score IS NOT NULL",
            [pipeline, step],
        )
        return {True: counts.get(1, 0), False: counts.get(0, 0)}, sorted(row[0] for row in scores)


def add_time(store: Store, pipeline: str, step: str, seconds: float) -> None:
    """Note that a step took so long, s."""
    with store.write() as database:
        database.conn.execute(
            "INSERT INTO step_time (pipeline, step, seconds, at) VALUES (?, ?, ?, ?)",
            [pipeline, step, seconds, time.time()],
        )


@dataclass(frozen=True)
class StepCount:
    """A step of the funnel.

    Attributes:
        units: that it has decided about, `kept` and `thrown` of them.
        seconds: that it took, of all sessions.
        cost: of these at the pipeline's rate; None where no rate is declared.
    """

    key: str
    do: str
    units: int
    kept: int
    thrown: int
    seconds: float
    cost: float | None


@dataclass(frozen=True)
class Funnel:
    """The steps of a pipeline with their counts.

    Attributes:
        clips: that the last step kept.
        seconds: of all steps; `cost` likewise.
        seconds_a_clip: s for each kept clip; None while there is none. `cost_a_clip` likewise.
    """

    steps: tuple[StepCount, ...]
    clips: int
    seconds: float
    cost: float | None
    seconds_a_clip: float | None
    cost_a_clip: float | None


def funnel(store: Store, pipeline: Pipeline) -> Funnel:
    """The counts of each step, counted in one read."""
    with store.read() as database:
        counts = {
            row["step"]: (int(row["n"]), int(row["kept"]))
            for row in database.conn.execute(
                "SELECT step, count(*) AS n, sum(kept) AS kept FROM step_result"
                " WHERE pipeline = ? GROUP BY step", [pipeline.name],
            )
        }  # fmt: skip
        times = {
            row["step"]: float(row["s"])
            for row in database.conn.execute(
                "SELECT step, sum(seconds) AS s FROM step_time WHERE pipeline = ? GROUP BY step",
                [pipeline.name],
            )
        }
    steps: list[StepCount] = []
    for step in pipeline.steps:
        units, kept = counts.get(step.key, (0, 0))
        seconds = times.get(step.key, 0.0)
        steps.append(
            StepCount(step.key, step.do, units, kept, units - kept, seconds,
                      _cost(pipeline, seconds))
        )  # fmt: skip
    filters = [step for step in steps if step.do != "people"]
    clips = filters[-1].kept if filters and filters[-1].do not in ("search", "find") else 0
    total = sum(step.seconds for step in steps)
    cost = _cost(pipeline, total)
    return Funnel(
        tuple(steps), clips, total, cost, total / clips if clips else None,
        None if cost is None or not clips else cost / clips,
    )  # fmt: skip


def _cost(pipeline: Pipeline, seconds: float) -> float | None:
    return seconds / 3600 * pipeline.per_hour if pipeline.per_hour else None


def declare(store: Store, pipeline: Pipeline) -> None:
    """Keep a pipeline as it is declared now; results of steps that changed are forgotten.

    So are those of the steps after them. What models answered stays with their runs: a step that
    is declared as before is filled from there without asking a model again.
    """
    new = {step.key: step.fingerprint for step in pipeline.steps}
    with store.write() as database:
        row = database.conn.execute(
            "SELECT facts FROM pipeline WHERE name = ?", [pipeline.name]
        ).fetchone()
        facts: dict[str, Any] = json.loads(row["facts"]) if row else {}
        old: dict[str, str] = facts.get("fingerprints", {})
        changed = [key for key in new if old.get(key) != new[key]]
        if old and changed:
            initial = list(new).index(changed[0])
            for key in {*list(new)[initial:], *(key for key in old if key not in new)}:
                database.conn.execute(
                    "DELETE FROM step_result WHERE pipeline = ? AND step = ?", [pipeline.name, key]
                )
        facts = {**facts, "fingerprints": new}
        database.conn.execute(
            "INSERT INTO pipeline (name, declared, state, facts, at) VALUES (?, ?, 'waiting', ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET declared = excluded.declared,"
            " facts = excluded.facts, at = excluded.at",
            [pipeline.name, pipeline.text, json.dumps(facts), time.time()],
        )


def declared_pipelines(store: Store) -> list[str]:
    """The name of every pipeline that was ever started, the newest first."""
    return [row["name"] for row in store.rows("SELECT name FROM pipeline ORDER BY at DESC")]


def units_as_ids(results: Sequence[StepResult]) -> list[int]:
    """Ids of the videos of some results, ascending."""
    return sorted({int(result.unit.partition("|")[0]) for result in results})
