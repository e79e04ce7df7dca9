"""What a server finds when the one before it was killed: said on the console and in the log."""

import json
import os
import sqlite3
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from annotations.backup.snapshot_file import read_only
from annotations.backup.workspace_files import MARK
from annotations.workspace import DATABASE_FILE

COUNTS = {
    "answers": "SELECT count(*) FROM annotation",
    "leases": "SELECT count(*) FROM lease WHERE ended_at IS NULL AND expires_at > :now",
    "drafts": "SELECT count(*) FROM draft",
    "runs": "SELECT count(*) FROM run WHERE status = 'running'",
}


def found_at_start(root: Path, port: int) -> list[str]:
    """Return what a person should know before this process serves, and note that it does.

    Nothing for a clean start. The note is taken away by `stopped_cleanly`.

    Raises:
        OSError: if the folder cannot be written.
    """
    earlier = _earlier(root / MARK)
    lines: list[str] = []
    if earlier and _is_alive(earlier):
        lines.append(
            f"Another server (process {earlier['pid']}) serves this workspace on port"
            f" {earlier['port']}. Answers are safe, but invite links name the port of the server"
            " that was started last."
        )
    elif earlier:
        lines = _after_unclean_stop(root, earlier)
    note = {"pid": os.getpid(), "port": port, "since": time.time(), "boot": _boot()}
    (root / MARK).write_text(json.dumps(note), encoding="utf-8")
    return lines


def stopped_cleanly(root: Path) -> None:
    """Take the note away that this process serves; another server's stays."""
    earlier = _earlier(root / MARK)
    if earlier and earlier["pid"] == os.getpid():
        (root / MARK).unlink(missing_ok=True)


def _earlier(mark: Path) -> dict[str, Any]:
    try:
        note: object = json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(note, dict):
        return {}
    facts = cast("dict[str, Any]", note)
    return facts if {"pid", "port", "since", "boot"} <= facts.keys() else {}


def _is_alive(earlier: dict[str, Any]) -> bool:
    """Whether the process that wrote a note still runs on this machine, since it was started."""
    if earlier["boot"] != _boot() or earlier["pid"] == os.getpid():
        return False
    try:
        os.kill(earlier["pid"], 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _boot() -> str:
    """What names this start of this machine; '' where the system does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _after_unclean_stop(root: Path, earlier: dict[str, Any]) -> list[str]:
    since = datetime.fromtimestamp(earlier["since"]).strftime("%Y-%m-%d %H:%M")
    lines = [f"The server that was started {since} was not stopped: it was killed or lost power."]
    try:
        with closing(read_only(root / DATABASE_FILE)) as connection:
            faults = [str(row[0]) for row in connection.execute("PRAGMA quick_check(3)")]
            now = {"now": time.time()}
            counts = {
                name: int(connection.execute(sql, now).fetchone()[0])
                for name, sql in COUNTS.items()
            }
    except sqlite3.Error as error:
        faults, counts = [str(error)], {}
    if faults != ["ok"]:
        lines.append(f"The database is damaged ({faults[0]}). Stop, and look: rushes check {root}")
        return lines
    lines.append(
        f"The database is whole: {counts['answers']:,} answers, {counts['drafts']:,} drafts. "
        f"{counts['leases']:,} items are still in the hands of people, who go on with them."
    )
    if counts["runs"]:
        lines.append(
            f"{counts['runs']:,} runs of models were under way. Start them again to go on: "
            "what they have answered is kept."
        )
    return lines
