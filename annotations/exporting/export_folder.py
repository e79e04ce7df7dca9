"""A folder that `rushes export` wrote: its tables, and making a workspace of them again."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from sqlite_utils import Database

from annotations.exporting.raw_tables import load_table, table_names, write_table
from annotations.workspace import Workspace
from core.half_made import whole
from core.refusal import Refusal

MANIFEST = "export.json"
NAMES = "people.private.json.gz"
FOLDER = "tables"
VERSION = 1


def write_tables(database: Database, folder: Path, form: str, people: dict[int, str]) -> None:
    """Write the raw tables, the names of people by themselves, and a manifest as the last file."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for old in (*(folder / FOLDER).iterdir(), folder / MANIFEST):
        old.unlink(missing_ok=True)  # of another format, or of an earlier export
    tables: dict[str, int] = {}
    for name in table_names(database):
        with whole(folder / FOLDER / f"{name}.{form}") as part:
            tables[name] = write_table(database, name, part, form, people)
    names = dict(database.conn.execute("SELECT id, name FROM annotator").fetchall())
    with whole(folder / NAMES) as part:
        private = {str(number): names[number] for number in people}
        part.write_bytes(gzip.compress(json.dumps(private).encode(), mtime=0))
        part.chmod(0o600)
    manifest = {
        "rushes_export": VERSION,
        "format": form,
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "migrations": _migrations(database),
        "tables": tables,
    }
    with whole(folder / MANIFEST) as part:
        part.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _migrations(database: Database) -> list[str]:
    rows = database.conn.execute("SELECT name FROM _sqlite_migrations ORDER BY id")
    return [str(row[0]) for row in rows]


def is_export(path: Path) -> bool:
    """Whether a folder was written by `rushes export`."""
    return read_manifest(path) is not None


def read_manifest(path: Path) -> dict[str, Any] | None:
    """What a folder says of itself; None if it is no export."""
    file = path / MANIFEST if path.is_dir() else path
    if file.name != MANIFEST or not file.is_file():
        return None
    try:
        value: Any = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return None
    known = isinstance(value, dict) and "rushes_export" in value
    return cast("dict[str, Any]", value) if known else None


def check_export(workspace: Workspace, path: Path) -> dict[str, int]:
    """How many rows each table of an export has; nothing is written.

    Raises:
        Refusal: if it is no export, is of a newer Rushes, lacks a file, or the workspace is not
            empty.
    """
    manifest = read_manifest(path)
    if manifest is None:
        raise Refusal(f"{path} is no folder that `rushes export` wrote: it has no {MANIFEST}.")
    folder = path if path.is_dir() else path.parent
    with workspace.store.read() as database:
        unknown = set(manifest["migrations"]) - set(_migrations(database))
        if manifest["rushes_export"] > VERSION or unknown:
            raise Refusal(f"{folder} was exported by a newer Rushes. Update this one, then import.")
        for table, words in (("question", "questions"), ("annotation", "answers"),
                             ("task", "tasks"), ("video", "videos")):  # fmt: skip
            if database.conn.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                raise Refusal(
                    f"The workspace holds {words} already. An export goes into an empty workspace: "
                    "make one with rushes init DIR."
                )
        known = set(table_names(database))
    counts = cast("dict[str, int]", manifest["tables"])
    lacking = [name for name in counts if not table_file(folder, name, manifest).is_file()]
    if lacking or not counts.keys() <= known:
        names = ", ".join([*lacking, *sorted(counts.keys() - known)])
        raise Refusal(f"{folder / FOLDER} does not fit: {names}. Export again.")
    return counts


def table_file(folder: Path, name: str, manifest: dict[str, Any]) -> Path:
    """The file of a table in an export."""
    return folder / FOLDER / f"{name}.{manifest['format']}"


def restore_export(workspace: Workspace, path: Path) -> dict[str, int]:
    """Bring an export into an empty workspace in one transaction; return the rows of each table.

    People get their names back where the file of names lies in the folder, else they keep their
    pseudonyms. The videos' files are not in an export: import their folder afterwards.

    Raises:
        Refusal: as `check_export`; or if a file does not hold as many rows as was written.
    """
    counts = check_export(workspace, path)
    manifest = read_manifest(path)
    assert manifest is not None
    folder = path if path.is_dir() else path.parent
    names: dict[int, str] = {}
    if (folder / NAMES).is_file():
        private = json.loads(gzip.decompress((folder / NAMES).read_bytes()))
        names = {int(number): str(name) for number, name in private.items()}
    with workspace.store.write() as database:
        annotators: dict[int, int] = {}
        ordered = [name for name in table_names(database) if name in counts]
        ordered.sort(key=lambda name: name != "annotator")
        database.conn.execute("PRAGMA defer_foreign_keys = ON")
        for name in ordered:
            rows = load_table(database, name, table_file(folder, name, manifest), annotators, names)
            if rows != counts[name]:
                raise Refusal(f"{name}: {rows} rows instead of {counts[name]}. Export again.")
    return counts
