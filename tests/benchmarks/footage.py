"""Footage to screen in a workspace: a few files under many names, for the benchmarks beside it."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from annotations.people import now_text
from annotations.planning.task_store import create_task, grow
from annotations.workspace import Workspace
from core.video.table import read_table


def screening_task(workspace: Workspace, files: Sequence[Path], count: int) -> int:
    """The id of a task of so many videos, each of which is one of the files."""
    hashes: list[str] = []
    for path in files:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        workspace.media.folder(sha256).mkdir(parents=True)
        workspace.media.original(sha256, path.suffix).write_bytes(path.read_bytes())
        workspace.media.table(sha256).write_text(read_table(path).to_json())
        hashes.append(sha256)
    with workspace.store.write() as database:
        database.conn.executemany(
            "INSERT INTO video (name, sha256, status, created_at) VALUES (?, ?, 'usable', ?)",
            [[f"{n}.mp4", hashes[n % len(hashes)], now_text()] for n in range(count)],
        )
    task_id = create_task(workspace, "Footage", "screening", {"duplicates": False}, 1)
    grow(workspace, task_id)
    return task_id
