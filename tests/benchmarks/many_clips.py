"""A workspace with very many candidate clips and filter runs on them, for benchmarks."""

import hashlib
import json
import os
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from annotations.annotator import Setup
from annotations.people import add_annotator, now_text
from annotations.planning.task_store import create_task, grow, set_status
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.run_plan import facts_of
from annotations.run.runs import ensure_run
from annotations.workspace import Workspace
from core.reply.result import Reading
from core.video.encode import write_video
from core.video.table import read_table

CLIPS, JUDGED = 50_000, 2_500
PEOPLE = ("Ada", "Ben", "Cleo")
READ = Reading(None, "read", "threshold", "similarity 0.231 to “a sport”, not below 0.1")
REPLY = json.dumps(
    {"verdict": "reject", "reasons": ["off_topic"], "note": "a screen recording " * 6}
)
FILES = 8


def make_many_clips(root: Path, clips: int = CLIPS, judged: int = JUDGED) -> Workspace:
    """So many short videos and three filters that went over all of them.

    People have screened a random part. The videos are few files under many names and hashes.
    """
    workspace = Workspace.create(root)
    random = np.random.default_rng(0)
    good = random.random(clips) < 0.2
    _add_videos(workspace, clips)
    task = create_task(workspace, "Footage", "screening", {"duplicates": False}, 2)
    grow(workspace, task)
    set_status(workspace, "Footage", "closed")
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY position")]
    _screen(workspace, items, good, random.permutation(clips)[:judged].tolist())
    for name, setup, spread in (
        ("CLIP · a sport", Setup("clip_similarity", "stub:a", "image_text", {"text": "a sport"}),
         0.06),
        ("CLIP · people", Setup("clip_similarity", "stub:b", "image_text", {"text": "people"}),
         0.1),
        ("VLM · score", Setup("vlm_screening", "stub:c", "chat", {"answer": "score"}), 0.04),
    ):  # fmt: skip
        scores = np.clip(random.normal(np.where(good, 0.25, 0.12), spread), -1, 1)
        run = ensure_run(workspace, name, task, setup.annotator, facts_of(setup))
        store_answers(workspace, run, [
            ModelAnswer(item, None, said(score >= 0.1), _shown(item), READ, REPLY, score=score)
            for item, score in zip(items, scores.tolist(), strict=True)
        ])  # fmt: skip
        done = json.dumps(
            {"done": clips, "wanted": clips, "failed": 0, "note": "all items are done"}
        )
        with workspace.store.write() as database:
            database.conn.execute("UPDATE run SET progress = ? WHERE id = ?", [done, run])
    return workspace


def _add_videos(workspace: Workspace, clips: int) -> None:
    hashes = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(clips)]
    with tempfile.TemporaryDirectory(dir=workspace.root) as scratch:
        files: list[Path] = []
        for number in range(FILES):
            path = Path(scratch) / f"{number}.mp4"
            noise = np.random.default_rng(number).integers(0, 255, (50, 18, 32, 3), np.uint8)
            write_video(path, (np.kron(one, np.ones((10, 10, 1), np.uint8)) for one in noise),
                        Fraction(25))  # fmt: skip
            path.with_suffix(".json").write_text(read_table(path).to_json())
            files.append(path)
        for number, sha256 in enumerate(hashes):
            path = files[number % FILES]
            workspace.media.folder(sha256).mkdir(parents=True)
            os.link(path, workspace.media.original(sha256, ".mp4"))
            os.link(path.with_suffix(".json"), workspace.media.table(sha256))
    with workspace.store.write() as database:
        database.conn.executemany(
            "INSERT INTO video (name, sha256, status, created_at) VALUES (?, ?, 'usable', ?)",
            [[f"channel {n % 97}/candidate {n}.mp4", one, now_text()]
             for n, one in enumerate(hashes)],
        )  # fmt: skip


def _screen(workspace: Workspace, items: list[int], good: Any, chosen: list[int]) -> None:
    """One or two people on each; where there are two, one in ten times they do not agree."""
    with workspace.store.write() as database:
        people = [add_annotator(database.conn, name, "person") for name in PEOPLE]
        for count, place in enumerate(chosen):
            given = people[count % 3 :][:2] if count % 3 < 2 else people[:1]
            for who, person in enumerate(given):
                accept = bool(good[place]) != (who == 1 and count % 10 == 0)
                database.conn.execute(
                    "INSERT INTO annotation (uid, item_id, annotator_id, revision, task_kind,"
                    " schema_version, response, shown, counted, active_s, answered_at, stored_at)"
                    " VALUES (?, ?, ?, 1, 'screening', 1, ?, '{}', 1, 6, 0, 0)",
                    [f"a{place}/{who}", items[place], person, json.dumps(said(accept))],
                )
            database.conn.execute(
                "UPDATE item SET answers = ? WHERE id = ?", [len(given), items[place]]
            )


def said(accept: bool) -> dict[str, Any]:
    """A response."""
    return {"verdict": "accept" if accept else "reject", "note": READ.reason,
            "reasons": [] if accept else ["off_topic"]}  # fmt: skip


def _shown(item: int) -> dict[str, Any]:
    frames = list(range(0, 48, 3))
    return {"video": hashlib.sha256(str(item).encode()).hexdigest(), "start_s": 0.0, "end_s": None,
            "frames": frames, "times": [round(one / 25, 6) for one in frames]}  # fmt: skip
