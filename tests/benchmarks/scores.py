"""Prints what reading and scoring 100,000 stored answers costs (goal: well under a second each).

Run: python tests/benchmarks/scores.py
"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from annotations.scoring import human_accuracy
from annotations.scoring.snapshot import data_version, take
from annotations.workspace import Workspace

ANSWERS, QUESTIONS, VIDEOS, PEOPLE = 100_000, 1_484, 1_397, 34
CATEGORIES = ("rotation", "direction", "velocity", "shape", "visual cues", "count")
CONDITIONS = ("full video", "16 frames")


def fill(workspace: Workspace) -> None:
    """A benchmark of TOMATO's size that 34 people have answered under two conditions."""
    random = np.random.default_rng(1)
    with workspace.store.write() as database:
        many = database.conn.executemany
        many(
            "INSERT INTO video (id, name, sha256, status, created_at)"
            " VALUES (?1, 'v' || ?1, 's' || ?1, 'usable', 'now')",
            [[video] for video in range(1, VIDEOS + 1)],
        )
        many("INSERT INTO clip (id, video_id) VALUES (?1, ?1)", [[v] for v in range(1, VIDEOS + 1)])
        numbers = range(1, QUESTIONS + 1)
        many(
            "INSERT INTO question (id, uid, source, created_at) VALUES (?1, 'q' || ?1, 'x', 'now')",
            [[number] for number in numbers],
        )
        options = json.dumps([f"option {place}" for place in range(5)])
        many(
            "INSERT INTO question_revision (id, question_id, revision, clip_id, text, options, key,"
            " category, created_at) VALUES (?1, ?1, 1, ?2, 'What?', ?3, ?4, ?5, 'now')",
            [[n, (n - 1) % VIDEOS + 1, options, n % 5, CATEGORIES[n % 6]] for n in numbers],
        )
        for task, condition in enumerate(CONDITIONS, 1):
            many(
                "INSERT INTO task (id, name, kind, settings, overlap, created_at)"
                " VALUES (?, ?, 'human_evaluation', ?, 40, 'now')",
                [[task, condition, json.dumps({"condition": condition})]],
            )
            many(
                "INSERT INTO item (task_id, uid, question_id, position) VALUES (?, ?, ?, ?)",
                [[task, f"q{number}", number, number] for number in numbers],
            )
        many(
            "INSERT INTO annotator (id, name, kind, invite, created_at)"
            " VALUES (?1, 'person ' || ?1, 'person', 'x', 'now')",
            [[person] for person in range(1, PEOPLE + 1)],
        )
        right = random.random(ANSWERS) < 0.8
        times = [round(0.4 * frame, 6) for frame in range(16)]
        shown = [
            json.dumps({"condition": c, "frames": list(range(16)), "times": times,
                        "option_order": [3, 1, 0, 2, 4], "video": "a" * 64})
            for c in CONDITIONS
        ]  # fmt: skip
        many(
            "INSERT INTO annotation (uid, item_id, annotator_id, revision, question_revision_id,"
            " task_kind, schema_version, response, shown, counted, active_s, answered_at,"
            " stored_at) VALUES (?, ?, ?, 1, ?, 'human_evaluation', 1, ?, ?, 1, 12, 0, 0)",
            [
                [
                    f"answer {number}", item + 1, number // (2 * QUESTIONS) + 1, question,
                    json.dumps({"choice": (question + int(not right[number])) % 5}),
                    shown[item // QUESTIONS],
                ]
                for number in range(ANSWERS)
                for item in [number % (2 * QUESTIONS)]
                for question in [item % QUESTIONS + 1]
            ],
        )  # fmt: skip


def timed(name: str, work: Callable[[], object]) -> None:
    """Run once and print the time."""
    begun = time.perf_counter()
    work()
    print(f"{name:<28}{1000 * (time.perf_counter() - begun):8.0f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.create(Path(folder) / "workspace")
        fill(workspace)
        timed("has anything changed?", lambda: data_version(workspace))
        timed("read 100,000 answers", lambda: take(workspace).people)
        for by in ("condition", "category", "person"):
            timed(
                f"accuracy by {by}",
                lambda by=by: human_accuracy.accuracy_table(take(workspace), by=by),
            )
        timed("paired difference", lambda: human_accuracy.differences(take(workspace)))
        timed(
            "by person, asked again",
            lambda: human_accuracy.accuracy_table(take(workspace), by="person"),
        )
        workspace.close()
