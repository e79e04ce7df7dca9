"""Long work whose state is a row: who does it, how far it is, stopped, ended, or its process died.

Such tables have the columns status, reason, stopped and progress.
"""

import json
import os
import socket
import time
from typing import Any

from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import rows

DEAD_S = 60.0
WAITING, RUNNING, MADE, FAILED = STATES = ("waiting", "running", "made", "failed")
TABLES = ("video_edit", "screen_text", "text_blurring")


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Somebody stopped this work while it was done."""


class Busy(Refusal):
    """Another process does this work now."""


def status_of(row: dict[str, Any]) -> str:
    """The state of a row; work whose process died waits."""
    if row["status"] == RUNNING and not is_alive(json.loads(row["progress"])):
        return WAITING
    return str(row["status"])


def take(workspace: Workspace, table: str, number: int) -> bool:
    """Whether this process may do a piece of work now: nobody else who is alive does.

    Raises:
        Stopped: if somebody has stopped it; `release` lets it go on.
    """
    with workspace.store.write() as database:
        [row] = rows(
            database, f"SELECT status, stopped, progress FROM {table} WHERE id = ?", [number]
        )
        if row["stopped"]:
            raise Stopped
        if row["status"] == MADE:
            return False
        if row["status"] == RUNNING and is_alive(json.loads(row["progress"])):
            return False
        database.conn.execute(
            f"UPDATE {table} SET status = 'running', reason = '', progress = ? WHERE id = ?",
            [json.dumps(_beat(0, 0, "")), number],
        )
    return True


def tell_progress(
    workspace: Workspace, table: str, number: int, finished: int, wanted: int, step: str = ""
) -> None:
    """Say how far a piece of work is, and that its process is alive.

    Raises:
        Stopped: if somebody has stopped it meanwhile.
    """
    with workspace.store.write() as database:
        [row] = database.conn.execute(
            f"UPDATE {table} SET progress = ? WHERE id = ? RETURNING stopped",
            [json.dumps(_beat(finished, wanted, step)), number],
        ).fetchall()
    if row[0]:
        raise Stopped


def end(workspace: Workspace, table: str, number: int, status: str, reason: str = "") -> None:
    """Say how a piece of work ended, where it did not end well."""
    with workspace.store.write() as database:
        database.conn.execute(
            f"UPDATE {table} SET status = ?, reason = ?, progress = '{{}}' WHERE id = ?",
            [status, reason, number],
        )


def stop(workspace: Workspace, table: str, numbers: list[int]) -> None:
    """Stop work that waits or is being done; what is done now ends at its next step."""
    _set_stopped(workspace, table, numbers, True)


def release(workspace: Workspace, table: str, numbers: list[int]) -> None:
    """Let stopped or failed work be done by whoever takes it next."""
    _set_stopped(workspace, table, numbers, False)


def _set_stopped(workspace: Workspace, table: str, numbers: list[int], stopped: bool) -> None:
    with workspace.store.write() as database:
        database.conn.executemany(
            f"UPDATE {table} SET stopped = ? WHERE id = ? AND status <> 'made'",
            [[int(stopped), number] for number in numbers],
        )
        if not stopped:
            database.conn.executemany(
                f"UPDATE {table} SET status = 'waiting', reason = ''"
                " WHERE id = ? AND status = 'failed'",
                [[number] for number in numbers],
            )


def _beat(finished: int, wanted: int, step: str) -> dict[str, Any]:
    return {
        "done": finished, "wanted": wanted, "step": step, "pid": os.getpid(),
        "host": socket.gethostname(), "beat": time.time(),
    }  # fmt: skip


def is_alive(progress: dict[str, Any]) -> bool:
    """Whether the process that does a piece of work still runs."""
    if time.time() - float(progress.get("beat", 0)) > DEAD_S:
        return False
    if progress.get("host") != socket.gethostname():
        return True
    try:
        os.kill(int(progress.get("pid", 0)) or -1, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OSError):
        return True
    return True
