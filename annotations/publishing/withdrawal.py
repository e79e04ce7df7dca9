"""Videos that are taken out of what is published, now and later."""

import json
from collections.abc import Iterable
from pathlib import Path

from sqlite_utils import Database

from annotations.workspace import Workspace
from core.half_made import whole
from core.refusal import Refusal

WITHDRAWN_FILE = "withdrawn.json"


def withdrawn_videos(workspace: Workspace) -> set[str]:
    """Names and content hashes of the videos that are withdrawn."""
    file = _file(workspace)
    return set(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else set()


def withdraw_videos(workspace: Workspace, database: Database, videos: Iterable[str]) -> set[str]:
    """Withdraw further videos by name or content hash, and return all that are withdrawn.

    Raises:
        Refusal: for one that there is not; nothing is withdrawn then.
    """
    known, more = withdrawn_videos(workspace), set(videos)
    for video in more:
        row = database.conn.execute(
            "SELECT 1 FROM video WHERE name = ? OR (sha256 = ? AND sha256 <> '')", [video, video]
        ).fetchone()
        if row is None:
            raise Refusal(
                f"There is no video {video!r} to withdraw. Name it as on the page Videos."
            )
    if more - known:
        keep_withdrawn(workspace, known | more)
    return known | more


def keep_withdrawn(workspace: Workspace, videos: Iterable[str]) -> None:
    """Let exactly these videos be withdrawn."""
    text = json.dumps(sorted(set(videos)), ensure_ascii=False, indent=1)
    with whole(_file(workspace)) as part:
        part.write_text(f"{text}\n", encoding="utf-8")


def _file(workspace: Workspace) -> Path:
    return workspace.root / WITHDRAWN_FILE
