"""Prints what agreement over a million answers costs (goals: 2 s, 20 x the libraries, 1.5 GB).

200,000 items, each answered by the same 5 people: every coefficient, Dawid-Skene, matched temporal
IoU, and the list of disagreements from a workspace. The libraries (krippendorff, scikit-learn,
statsmodels) are called item by item, once for each of some items, and the time is scaled up;
beside it stands what one call over the whole table takes, and both values.

Run: python tests/benchmarks/agreement.py
"""

import json
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from annotations.agreement.coefficients import agreement_table
from annotations.agreement.disagreements import disagreements
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.statistics import matching
from core.statistics.agreement import estimate
from core.statistics.dawid_skene import dawid_skene
from core.statistics.ratings import Ratings

ITEMS, PEOPLE, OPTIONS, SAMPLE = 200_000, 5, 5, 200
PAIRS = list(combinations(range(PEOPLE), 2))
Given = np.ndarray[Any, np.dtype[np.int64]]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that something took, and what it gave."""
    begun = time.perf_counter()
    found = work()
    return time.perf_counter() - begun, found


def best(work: Callable[[], Any]) -> tuple[float, Any]:
    """The fastest of three."""
    return min((timed(work) for _ in range(3)), key=lambda one: one[0])


def answers() -> Given:
    """(people, items) options; people are right in 50 to 95 % of the cases."""
    random = np.random.default_rng(0)
    truth = random.integers(0, OPTIONS, ITEMS)
    right = random.random((PEOPLE, ITEMS)) < np.linspace(0.5, 0.95, PEOPLE)[:, None]
    return np.where(right, truth, random.integers(0, OPTIONS, (PEOPLE, ITEMS)))


def table_of(given: Given) -> Ratings:
    """The table, from arrays ordered by item."""
    return Ratings.from_arrays(
        np.repeat(np.arange(ITEMS), PEOPLE),
        np.tile(np.arange(PEOPLE), ITEMS),
        given.T.ravel(),
        "abcde",
        np.arange(float(OPTIONS)),
    )


def coefficients(given: Given, resamples: int = 0) -> dict[str, list[float | None]]:
    """Every coefficient, from bare arrays; Cohen for all ten pairs."""
    table = table_of(given)
    found: dict[str, list[float | None]] = {}
    for name, scales in {
        "percent": ["nominal"],
        "fleiss": ["nominal"],
        "krippendorff": ["nominal", "ordinal", "interval", "ratio"],
    }.items():
        for scale in scales:
            value = estimate(name, table, scale, resamples=resamples).value
            found[f"{name} {scale}"] = [value]
    pairs = [table.of_pair(first, second) for first, second in PAIRS]
    for scale in ("nominal", "linear", "interval"):
        found[f"cohen {scale}"] = [
            estimate("cohen", pair, scale, resamples=resamples).value for pair in pairs
        ]
    return found


def libraries(given: Given) -> dict[str, tuple[Callable[[Given], Any], Callable[[], Any]]]:
    """What is called for one item's answers, and over the whole table."""
    found: dict[str, tuple[Callable[[Given], Any], Callable[[], Any]]] = {}
    domain, labels = list(range(OPTIONS)), np.arange(OPTIONS)

    def alpha(part: Given, scale: Any) -> Any:
        return krippendorff.alpha(
            reliability_data=part.astype(float), level_of_measurement=scale, value_domain=domain
        )

    def fleiss(part: Given) -> Any:
        return fleiss_kappa(aggregate_raters(part.T, n_cat=OPTIONS)[0])

    def kappas(part: Given, weights: str | None) -> Any:
        return [
            cohen_kappa_score(part[a], part[b], labels=labels, weights=weights) for a, b in PAIRS
        ]

    for scale in ("nominal", "ordinal", "interval", "ratio"):
        found[f"krippendorff {scale}"] = (
            lambda part, scale=scale: alpha(part, scale),
            lambda scale=scale: [alpha(given, scale)],
        )
    found["fleiss nominal"] = (fleiss, lambda: [fleiss(given)])
    for scale, weights in (("nominal", None), ("linear", "linear"), ("interval", "quadratic")):
        found[f"cohen {scale}"] = (
            lambda part, weights=weights: kappas(part, weights),
            lambda weights=weights: kappas(given, weights),
        )
    return found


def fill(workspace: Workspace, given: Given) -> None:
    """One task with a million stored answers."""
    texts = [json.dumps({"choice": option}) for option in range(OPTIONS)]
    shown = json.dumps(
        {"condition": "16 frames", "frames": list(range(16)), "option_order": [0, 2, 1, 4, 3]}
    )
    with workspace.store.write() as database:
        many = database.conn.executemany
        many(
            "INSERT INTO task (id, name, kind, overlap, created_at)"
            " VALUES (?, 'benchmark', 'human_evaluation', 5, 'now')",
            [[1]],
        )
        many(
            "INSERT INTO item (id, task_id, uid, position) VALUES (?1, 1, 'item ' || ?1, ?1)",
            ([item] for item in range(1, ITEMS + 1)),
        )
        many(
            "INSERT INTO annotator (id, name, kind, invite, created_at)"
            " VALUES (?1, 'person ' || ?1, 'person', 'x', 'now')",
            ([person] for person in range(1, PEOPLE + 1)),
        )
        many(
            "INSERT INTO annotation (uid, item_id, annotator_id, revision, task_kind,"
            " schema_version, response, shown, counted, active_s, answered_at, stored_at)"
            " VALUES (?, ?, ?, 1, 'human_evaluation', 1, ?, ?, 1, 1, 0, 0)",
            (
                [f"{item}/{person}", item + 1, person + 1, texts[given[person, item]], shown]
                for item in range(ITEMS)
                for person in range(PEOPLE)
            ),
        )


def row(what: str, seconds: float, note: str = "") -> None:
    """Print one line."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{what:<58}{seconds:8.2f} s {memory:6.2f} GB  {note}", flush=True)


def against_libraries(given: Given, ours: dict[str, list[float | None]], seconds: float) -> None:
    """Print what the libraries take, item by item and at once, and how far the values differ."""
    total = together = 0.0
    for name, (by_item, at_once) in libraries(given).items():
        with np.errstate(all="ignore"):
            took = sum(timed(partial(_quiet, by_item, given[:, [i, i]]))[0] for i in range(SAMPLE))
        total += took * ITEMS / SAMPLE
        whole, theirs = timed(at_once)
        together += whole
        apart = max(abs(a - b) for a, b in zip(theirs, ours[name], strict=True) if b is not None)
        row(f"  {name}: library, one call", whole, f"differs by {apart:.0e}")
    row("libraries, one call each", together, f"{together / seconds:.1f} x ours")
    row("libraries item by item, scaled up", total, f"{total / seconds:,.0f} x ours")


def _quiet(work: Callable[[Given], Any], part: Given) -> Any:
    try:
        return work(part)
    except ValueError:  # a library refuses an item without variation
        return None


if __name__ == "__main__":
    given = answers()
    row("before", 0.0)
    seconds, ours = best(lambda: coefficients(given))
    row("all coefficients (Cohen for 10 pairs)", seconds)
    row("the same with 10,000 resamples each", timed(lambda: coefficients(given, 10_000))[0])
    table = table_of(given)
    took, truth = best(lambda: dawid_skene(table))
    row("Dawid-Skene", took, f"{truth.rounds} rounds")

    random = np.random.default_rng(1)
    starts = np.repeat(random.uniform(0, 60, ITEMS), PEOPLE) + random.normal(0, 1, ITEMS * PEOPLE)
    one_card = np.ones(ITEMS * PEOPLE, dtype=np.int64)
    cards = matching.Cards(starts[:, None], starts[:, None] + 8, one_card)
    segments = Ratings.from_arrays(
        table.item, table.rater, np.arange(ITEMS * PEOPLE), range(ITEMS * PEOPLE)
    )
    apart = matching.distance(cards)
    took, found = timed(lambda: estimate("percent", segments, apart, resamples=0))
    row("mean matched temporal IoU, a segment each", took, f"{found.value:.4f}")

    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.create(Path(folder) / "workspace")
        fill(workspace, given)
        begun = time.perf_counter()
        took, listed = timed(lambda: disagreements(take(workspace), [1]))
        row("disagreements, cold: all read from the database", took, f"{listed.total:,} items")
        for by in ("task", "pair"):
            took, _ = timed(lambda by=by: agreement_table(take(workspace), 1, by, resamples=0))
            row(f"coefficients by {by}", took)
        row("these three together", time.perf_counter() - begun)
        row("disagreements, warm", best(lambda: disagreements(take(workspace), [1]))[0])
        for by in ("annotator", "category"):
            took, _ = timed(lambda by=by: agreement_table(take(workspace), 1, by, resamples=0))
            row(f"coefficients by {by}", took)
        workspace.close()
    against_libraries(given, ours, seconds)
