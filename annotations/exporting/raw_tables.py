"""The rows of the database as files, exactly: what an export is read back from.

The files beside them are for people and their tools. These hold every column of every table that
figures stand on, so that an import into an empty workspace gives the same figures to the digit.
Invites, sessions, drafts, leases and reports of imports never leave.
"""

import csv
import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from sqlite_utils import Database

from annotations.exporting.export_files import WRITERS, Columns

KINDS = {"INTEGER": "integer", "REAL": "number", "TEXT": "text"}
_KEPT_HERE = re.compile(
    r"^(?:lease|draft|import|tally|_sqlite_migrations|sqlite_.*|.*_fts.*|fts_.*)$"
    r"|session|login|token|invite|recruit|payment|secret|password|outbox|log$",
    re.IGNORECASE,
)
_SECRET = re.compile(r"invite|token|secret|password|e_?mail|platform_id", re.IGNORECASE)
NULL = "\\N"  # an empty cell of a CSV file is an empty text
BATCH = 2000


def table_names(database: Database) -> list[str]:
    """Names of the tables that an export holds, those before that others refer to."""
    names = [
        str(row[0])
        for row in database.conn.execute(
            # An index of words keeps tables of its own, which it fills itself.
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN"
            " (SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow'))"
            " ORDER BY rowid"
        )
        if not _KEPT_HERE.search(str(row[0]))
    ]
    ordered: list[str] = []
    while names:
        ready = [n for n in names if not (_referred(database, n) - {n}) & set(names)] or names[:1]
        ordered += ready
        names = [name for name in names if name not in ready]
    return ordered


def _referred(database: Database, table: str) -> set[str]:
    return {str(row[2]) for row in database.conn.execute(f"PRAGMA foreign_key_list([{table}])")}


def annotator_columns(database: Database, table: str) -> set[str]:
    """Columns of a table that refer to annotators."""
    rows = database.conn.execute(f"PRAGMA foreign_key_list([{table}])")
    return {str(row[3]) for row in rows if row[2] == "annotator"}


def columns_of(database: Database, table: str) -> Columns:
    """Headings and kinds of a table's columns, without those that are secret."""
    rows = database.conn.execute(f"PRAGMA table_info([{table}])").fetchall()
    return {
        str(row[1]): KINDS.get(str(row[2]).upper(), "text")
        for row in rows
        if not _SECRET.search(str(row[1]))
    }


def write_table(
    database: Database, table: str, path: Path, form: str, pseudonyms: dict[int, str]
) -> int:
    """Write a table's rows to a file, and return how many; people bear their pseudonyms."""
    columns = columns_of(database, table)

    def rows() -> Iterator[dict[str, Any]]:
        names = ", ".join(f"[{name}]" for name in columns)
        for row in database.conn.execute(f"SELECT {names} FROM [{table}] ORDER BY 1"):
            values = dict(row)
            if table == "annotator" and values["id"] in pseudonyms:
                values["name"] = pseudonyms[values["id"]]
            if table == "annotation":
                values["lease_id"] = None
            yield values

    if form == "csv":
        return _write_csv(path, columns, rows())
    return WRITERS[form](path, columns, rows())


def _write_csv(path: Path, columns: Columns, rows: Iterator[dict[str, Any]]) -> int:
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as target:
        writer = csv.writer(target, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(list(columns))
        for row in rows:
            writer.writerow([_cell(row[name]) for name in columns])
            count += 1
    return count


def _cell(value: object) -> object:
    """A value that can be read back: texts that would run, or look quoted, get an apostrophe."""
    if value is None:
        return NULL
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r", "'", "\\")):
        return "'" + value
    return value


def read_rows(path: Path, columns: Columns) -> Iterator[dict[str, Any]]:
    """The rows of a file of `write_table`, with the columns that both it and the table have.

    Raises:
        ValueError: if the file is no such file.
    """
    match path.suffix:
        case ".jsonl":
            with path.open(encoding="utf-8", newline="\n") as file:
                for line in file:
                    yield json.loads(line)
        case ".csv":
            csv.field_size_limit(1 << 30)
            with path.open(encoding="utf-8-sig", newline="") as file:
                for row in csv.DictReader(file, strict=True):
                    yield {
                        name: _value(text, columns[name])
                        for name, text in row.items()
                        if name in columns
                    }
        case _:
            import pyarrow.parquet as parquet  # pyright: ignore[reportMissingTypeStubs]

            file = cast("Any", parquet).ParquetFile(path)
            for batch in file.iter_batches(batch_size=BATCH):
                yield from batch.to_pylist()


def _value(text: str, kind: str) -> Any:
    if text == NULL:
        return None
    if kind == "text":
        return text.removeprefix("'") if text.startswith("'") else text
    return int(text) if kind == "integer" else float(text)


def load_table(
    database: Database, table: str, path: Path, annotators: dict[int, int], names: dict[int, str]
) -> int:
    """Insert a file's rows into a table of an open transaction, and return how many.

    Args:
        annotators: new id of each annotator; filled by the table of annotators, which comes first.
        names: real name of people, by their id in the export; {} where it is not known.
    """
    columns = columns_of(database, table)
    references = annotator_columns(database, table)
    count = 0
    for row in read_rows(path, columns):
        values = {name: value for name, value in row.items() if name in columns}
        if table == "annotator":
            _add_annotator(database, values, annotators, names)
        else:
            for name in references & values.keys():
                if values[name] is not None:
                    values[name] = annotators[values[name]]
            _insert(database, table, values)
        count += 1
    return count


def _add_annotator(
    database: Database, values: dict[str, Any], annotators: dict[int, int], names: dict[int, str]
) -> None:
    number = int(values["id"])
    values["name"] = names.get(number, values["name"])
    known = database.conn.execute(
        "SELECT id FROM annotator WHERE name = ? COLLATE NOCASE AND kind = ?",
        [values["name"], values["kind"]],
    ).fetchone()
    if known:
        annotators[number] = int(known[0])
        return
    if database.conn.execute("SELECT 1 FROM annotator WHERE id = ?", [number]).fetchone():
        del values["id"]
    row_id = _insert(database, "annotator", {**values, "invite": secrets.token_urlsafe(24)})
    annotators[number] = row_id


def _insert(database: Database, table: str, values: dict[str, Any]) -> int:
    names = ", ".join(f"[{name}]" for name in values)
    marks = ", ".join("?" * len(values))
    cursor = database.conn.execute(
        f"INSERT INTO [{table}] ({names}) VALUES ({marks})", list(values.values())
    )
    return int(cursor.lastrowid or 0)
