import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from annotations.workspace import Workspace


@pytest.fixture
def add_video(workspace: Workspace, add_question: Callable[..., int]) -> Callable[[str], Path]:
    """Puts a usable video with a file of its own into the workspace; the file's path comes back.

    Its question is called as the video is.
    """

    def add(name: str) -> Path:
        content = f"not a film, but bytes of {name}".encode() * 1000
        sha256 = hashlib.sha256(content).hexdigest()
        add_question(f"count/{name}", video=name)
        with workspace.store.write() as database:
            [(old,)] = database.conn.execute("SELECT sha256 FROM video WHERE name = ?", [name])
            table = workspace.media.table(old).read_text(encoding="utf-8")
            database.conn.execute("UPDATE video SET sha256 = ? WHERE name = ?", [sha256, name])
        folder = workspace.media.folder(sha256)
        folder.mkdir(parents=True)
        workspace.media.table(sha256).write_text(table, encoding="utf-8")
        path = workspace.media.original(sha256, ".mp4")
        path.write_bytes(content)
        return path

    return add


def everything(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables of a database file, as they are stored."""
    with closing(sqlite3.connect(database)) as connection:
        tables = [row[0] for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]  # fmt: skip
        return {
            table: sorted(connection.execute(f'SELECT * FROM "{table}"'), key=repr)
            for table in tables
        }


@pytest.fixture
def all_rows() -> Callable[[Path], dict[str, list[tuple[object, ...]]]]:
    return everything
