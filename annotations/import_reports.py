"""What is kept of an import: its report as JSON, and its problems as a text file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotations.people import now_text
from annotations.workspace import Workspace


def keep_report(
    workspace: Workspace, format_name: str, path: str, report: dict[str, Any], lines: Sequence[str]
) -> Path | None:
    """The file of the problems, one a line; None if there are none."""
    with workspace.store.write() as database:
        number = database.conn.execute(
            "INSERT INTO import (format, path, report, created_at) VALUES (?, ?, ?, ?)"
            " RETURNING id",
            [format_name, path, json.dumps(report, ensure_ascii=False), now_text()],
        ).fetchone()[0]
    if not lines:
        return None
    target = workspace.root / "imports" / f"{number}.txt"
    target.parent.mkdir(exist_ok=True)
    target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return target
