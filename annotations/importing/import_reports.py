"""Reports of imports: JSON in the database, and the problems as a text file."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from annotations.people import now_text
from annotations.reading.records import OTHERS, Problem
from annotations.workspace import Workspace

MOST_PROBLEMS = 10_000


@dataclass
class Problems:
    """Problems in the order in which they were met; beyond 10,000 they are only counted."""

    listed: list[Problem] = field(default_factory=list[Problem])
    left_out: int = 0
    errors: int = 0
    warnings: int = 0

    def add(self, problem: Problem) -> None:
        """Add a problem."""
        if problem.level == "error":
            self.errors += 1
        else:
            self.warnings += 1
        if len(self.listed) < MOST_PROBLEMS:
            self.listed.append(problem)
        else:
            self.left_out += 1

    @property
    def grouped(self) -> list[Problem]:
        """Errors, then warnings; one that was met in many rows is one line with its count."""
        groups: dict[tuple[str, ...], Problem] = {}
        for problem in self.worst_first:
            what = re.sub(r"'[^']*'|\d+", "#", problem.what)
            # What is of no row is of a file as a whole, such as a video.
            file = problem.file if problem.row else ""
            key = (problem.level, what, file, problem.column, problem.todo)
            first = groups.get(key)
            rows = problem.rows + (first.rows if first else 0)
            groups[key] = replace(first or problem, rows=rows)
            if first and not problem.row and problem.file != first.file:
                name = first.file.removesuffix(OTHERS)
                groups[key] = replace(groups[key], file=f"{name}{OTHERS}")
        return [
            replace(problem, row=f"first in {problem.row}")
            if problem.rows > 1 and problem.row and not problem.row.startswith("first in ")
            else problem
            for problem in groups.values()
        ]

    @property
    def worst_first(self) -> list[Problem]:
        """Errors, then warnings."""
        return sorted(self.listed, key=lambda problem: problem.level != "error")


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


@dataclass(frozen=True)
class ImportReport:
    """What an import reported: `counts` is JSON, `created_at` ISO 8601 in UTC."""

    format: str
    path: str
    created_at: str
    counts: dict[str, Any]


def newest_reports(workspace: Workspace, limit: int = 20) -> list[ImportReport]:
    """What the newest imports reported, the newest first."""
    return [
        ImportReport(row["format"], row["path"], row["created_at"], json.loads(row["report"]))
        for row in workspace.store.rows("SELECT * FROM import ORDER BY id DESC LIMIT ?", [limit])
    ]
