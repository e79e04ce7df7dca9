"""What a filter over 50,000 clips costs, of which people judged a twentieth: read, audit, slider.

Run: python tests/benchmarks/filters.py
"""

import hashlib
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from annotations.filter.calibration import calibrate
from annotations.filter.filter_audit import audit
from annotations.filter.filter_table import filtered
from annotations.filter.send_to_people import Wish, select, send_as_task
from annotations.people import add_annotator, now_text
from annotations.planning.task_store import create_task, grow
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import ensure_run
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.result import Reading
from ui.components.filters.threshold import _counted

CLIPS, JUDGED = 50_000, 2_500
READ = Reading(None, "read", "threshold", "")


def study(root: Path) -> tuple[Workspace, int]:
    """A workspace with a scored run and people's verdicts on a random part."""
    workspace = Workspace.create(root)
    random = np.random.default_rng(0)
    good = random.random(CLIPS) < 0.2
    scores = np.clip(random.normal(np.where(good, 0.25, 0.12), 0.06), -1, 1)
    with workspace.store.write() as database:
        database.conn.executemany(
            "INSERT INTO video (name, sha256, status, created_at) VALUES (?, ?, 'usable', ?)",
            [[f"v{i}", hashlib.sha256(str(i).encode()).hexdigest(), now_text()]
             for i in range(CLIPS)],
        )  # fmt: skip
        person = add_annotator(database.conn, "Ada", "person")
    task = create_task(workspace, "Footage", "screening", {"duplicates": False}, 1)
    grow(workspace, task)
    rows = workspace.store.rows("SELECT id FROM item ORDER BY position")
    items = [row["id"] for row in rows]
    chosen = random.permutation(CLIPS)[:JUDGED].tolist()
    with workspace.store.write() as database:
        database.conn.executemany(
            "INSERT INTO annotation (uid, item_id, annotator_id, revision, task_kind,"
            " schema_version, response, shown, counted, active_s, answered_at, stored_at)"
            " VALUES (?, ?, ?, 1, 'screening', 1, ?, '{}', 1, 1, 0, 0)",
            [[f"a{place}", items[place], person, json.dumps(said(bool(good[place])))]
             for place in chosen],
        )  # fmt: skip
        database.conn.executemany(
            "UPDATE item SET answers = 1 WHERE id = ?", [[items[place]] for place in chosen]
        )
    run = ensure_run(workspace, "CLIP", task, "clip_similarity")
    store_answers(
        workspace, run,
        (ModelAnswer(item, None, said(bool(score >= 0.1)), {}, READ, score=float(score))
         for item, score in zip(items, scores, strict=True)),
    )  # fmt: skip
    return workspace, run


def said(accept: bool) -> dict[str, Any]:
    """A response."""
    return {"verdict": "accept" if accept else "reject", "note": "",
            "reasons": [] if accept else ["off_topic"]}  # fmt: skip


def timed(words: str, what: Callable[[], Any]) -> Any:
    """What it gives, its time printed."""
    begun = time.perf_counter()
    found = what()
    print(f"{words:<46} {1000 * (time.perf_counter() - begun):8.0f} ms")
    return found


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        workspace, run = study(Path(folder) / "workspace")
        table = timed(
            "read 50,000 items and people's verdicts, cold", lambda: filtered(take(workspace), run)
        )
        timed("the same, kept", lambda: filtered(take(workspace), run))
        timed("audit by the filter's own verdicts", lambda: audit(table, resamples=4_000))
        timed("audit by a threshold", lambda: audit(table, 0.15, resamples=4_000))
        data = timed("count every threshold, with intervals", lambda: _counted(table, (0.1,)))
        print(f"{'sent to the browser once':<46} {len(json.dumps(data)) / 1024:8.0f} KiB")
        timed("find a threshold that keeps 95 %", lambda: calibrate(table, 0.95))
        found = timed("select what to send", lambda: select(table, Wish(low=0.2, limit=2_500)))
        timed("make a task of 2,500", lambda: send_as_task(workspace, table, found.rows, "R"))
        timed("read again after it", lambda: filtered(take(workspace), run))
        workspace.close()


if __name__ == "__main__":
    main()
