"""Prints what the pages about runs cost, cold, at 100,000 predictions, beside plain loops.

Goals: a view within 2 s; 10,000 resamples of 30 runs x 5,000 questions by video within 2 s.

Run: python tests/benchmarks/runs.py
"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from annotations.run.runs import ensure_run
from annotations.scoring import leaderboard
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import solved_table
from annotations.shortcut import shortcut_audit, shortcut_metrics, split_comparison, splits
from annotations.workspace import Workspace

CONDITIONS = (
    "text only",
    "1 random frame",
    "1 handpicked frame",
    "16 shuffled frames",
    "16 frames",
)
CATEGORIES = ("rotation", "direction", "velocity", "shape", "visual cues", "count")


def fill(workspace: Workspace, questions: int, videos: int, models: int, conditions: int) -> None:
    """So many questions, each answered by every model under every condition."""
    random = np.random.default_rng(1)
    numbers = range(1, questions + 1)
    options = json.dumps([f"option {place}" for place in range(5)])
    with workspace.store.write() as database:
        many = database.conn.executemany
        many(
            "INSERT INTO video (id, name, sha256, status, created_at, facts)"
            " VALUES (?1, 'v' || ?1, 's' || ?1, 'usable', 'now', json_object('duration_s', ?2))",
            [[video, 3 + video % 40] for video in range(1, videos + 1)],
        )
        many("INSERT INTO clip (id, video_id) VALUES (?1, ?1)", [[v] for v in range(1, videos + 1)])
        many(
            "INSERT INTO question (id, uid, source, created_at) VALUES (?1, 'q' || ?1, 'x', 'now')",
            [[number] for number in numbers],
        )
        many(
            "INSERT INTO question_revision (id, question_id, revision, clip_id, text, options, key,"
            " category, created_at) VALUES (?1, ?1, 1, ?2, 'What?', ?3, ?4, ?5, 'now')",
            [[n, (n - 1) % videos + 1, options, n % 5, CATEGORIES[n % 6]] for n in numbers],
        )
        for task, condition in enumerate(CONDITIONS[-conditions:], 1):
            many(
                "INSERT INTO task (id, name, kind, settings, overlap, status, created_at)"
                " VALUES (?, ?, 'human_evaluation', ?, 1, 'closed', 'now')",
                [[task, condition, json.dumps({"condition": condition})]],
            )
            many(
                "INSERT INTO item (id, task_id, uid, question_id, position) VALUES (?, ?, ?, ?, ?)",
                [[task * questions + n, task, f"question:q{n}", n, n] for n in numbers],
            )
    for task, condition in enumerate(CONDITIONS[-conditions:], 1):
        shown = json.dumps({"condition": condition, "option_order": [0, 1, 2, 3, 4]})
        for model in range(models):
            run = ensure_run(workspace, f"model {model}", task)
            right = random.random(questions) < 0.25 + 0.08 * task
            add_run(workspace, run, task * questions, right, shown)


def add_run(workspace: Workspace, run: int, first: int, right: np.ndarray, shown: str) -> None:
    """The predictions of one run, straight into the database."""
    with workspace.store.write() as database:
        annotator = database.conn.execute(
            "SELECT annotator_id FROM run WHERE id = ?", [run]
        ).fetchone()[0]
        begin = database.conn.execute("SELECT coalesce(max(id), 0) FROM annotation").fetchone()[0]
        numbers = range(1, len(right) + 1)
        database.conn.executemany(
            "INSERT INTO annotation (id, uid, item_id, annotator_id, revision,"
            " question_revision_id, task_kind, schema_version, response, shown, counted, active_s,"
            " answered_at, stored_at) VALUES (?, ?, ?, ?, 1, ?, 'human_evaluation', 1, ?, ?, 0, 1,"
            " 0, 0)",
            [
                [
                    begin + n, f"{run} {n}", first + n, annotator, n,
                    json.dumps({"choice": (n + int(not right[n - 1])) % 5}), shown,
                ]
                for n in numbers
            ],
        )  # fmt: skip
        database.conn.executemany(
            "INSERT INTO prediction (annotation_id, run_id, reply, state, rule) VALUES (?, ?, 'B',"
            " ?, 'letter')",
            [[begin + n, run, "refused" if n % 30 == 0 else "read"] for n in numbers],
        )


def timed(name: str, work: Callable[[], object]) -> float:
    """Run once and print the time."""
    begun, cpu = time.perf_counter(), time.process_time()
    work()
    wall, used = time.perf_counter() - begun, time.process_time() - cpu
    print(f"{name:<46}{1000 * wall:8.0f} ms wall{1000 * used:8.0f} ms CPU")
    return wall


def plain_loop(workspace: Workspace, resamples: int) -> None:
    """The leaderboard's intervals as one would write them first: dictionaries and draws."""
    table = take(workspace).predictions
    by_run: dict[int, dict[int, list[bool]]] = {}
    for run, video, right in zip(table.run, table.video, table.right, strict=True):
        by_run.setdefault(int(run), {}).setdefault(int(video), []).append(bool(right))
    random = np.random.default_rng(0)
    for videos in by_run.values():
        answers = list(videos.values())
        for _ in range(resamples):
            drawn = [answers[i] for i in random.integers(0, len(answers), len(answers))]
            flat = [one for part in drawn for one in part]
            _ = sum(flat) / len(flat)


def views(workspace: Workspace) -> None:
    """Every view once, cold."""
    timed("read predictions", lambda: take(workspace).predictions)
    timed("sheet", lambda: solved_table(take(workspace)))
    ours = timed("leaderboard", lambda: leaderboard.leaderboard(take(workspace)))
    loop = timed("  plain loop, 20 of 10,000 resamples", lambda: plain_loop(workspace, 20)) * 500
    print(f"  plain loop, all resamples, is {loop / ours:.0f} times as long")
    timed("leaderboard, asked again", lambda: leaderboard.leaderboard(take(workspace)))
    for by in ("category", "duration"):
        timed(f"by {by}", lambda by=by: leaderboard.by_group(take(workspace), by))
    for metric in shortcut_metrics.METRICS:
        timed(
            metric,
            lambda metric=metric: shortcut_metrics.gains(take(workspace), metric, "16 frames"),
        )
    timed(
        "frame order sensitivity by category",
        lambda: shortcut_metrics.gains(
            take(workspace), "frame order sensitivity", "16 frames", by="category"
        ),
    )
    keys = [entry.key for entry in solved_table(take(workspace)).entries]
    timed(
        "two runs, and by category", lambda: leaderboard.compare(take(workspace), keys[0], keys[-1])
    )
    timed("audit with flags", lambda: shortcut_audit.flagged(shortcut_audit.audit(take(workspace))))
    plan = splits.plan_split(take(workspace), keys[:3], 2)
    timed("plan of a split", lambda: splits.plan_split(take(workspace), keys[:3], 2))
    number = splits.store_split(workspace, "one", plan)
    timed("runs on a split", lambda: split_comparison.side_by_side(take(workspace), number))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("12 models x 5 conditions x 1,667 questions about 1,397 videos")
        workspace = Workspace.create(Path(folder) / "tomato")
        fill(workspace, 1_667, 1_397, 12, 5)
        views(workspace)
        workspace.close()
        print("30 models x 1 condition x 5,000 questions about 3,000 videos")
        workspace = Workspace.create(Path(folder) / "large")
        fill(workspace, 5_000, 3_000, 30, 1)
        solved_table(take(workspace))
        timed("leaderboard", lambda: leaderboard.leaderboard(take(workspace)))
        workspace.close()
