"""Writers of rows: JSON lines, CSV for spreadsheets, Parquet."""

import json
import math
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, cast

from core.spreadsheet import inert, write_rows
from core.stored_json import whole_text

Columns = dict[str, str]  # heading to 'text', 'integer', 'number', 'boolean' or 'json'
BATCH = 10_000


def write_jsonl(path: Path, columns: Columns, rows: Iterator[dict[str, Any]]) -> int:
    """Write one JSON object a line, UTF-8, for strict parsers; return the count of rows."""
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as target:
        for row in rows:
            line = {name: finite(row.get(name)) for name in columns}
            target.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")
            count += 1
    return count


def write_csv(path: Path, columns: Columns, rows: Iterator[dict[str, Any]]) -> int:
    """Write UTF-8 with a byte order mark, as spreadsheets want it; return the count of rows.

    Lists and objects are JSON in their cell; a text that a spreadsheet would run as a formula gets
    an apostrophe in front; None is an empty cell.
    """
    with path.open("w", encoding="utf-8-sig", newline="") as target:
        write_rows(target, [[inert(name) for name in columns]])
        return write_rows(
            target,
            ([inert(_flat(row.get(name), columns[name])) for name in columns] for row in rows),
        )


def write_parquet(path: Path, columns: Columns, rows: Iterator[dict[str, Any]]) -> int:
    """Write Parquet with lists and objects as JSON texts; return the count of rows."""
    import pyarrow as arrow  # pyright: ignore[reportMissingTypeStubs]
    import pyarrow.parquet as parquet  # pyright: ignore[reportMissingTypeStubs]

    pa, pq = cast("Any", arrow), cast("Any", parquet)  # their types are not published
    types = {
        "text": pa.string(), "json": pa.string(), "integer": pa.int64(),
        "number": pa.float64(), "boolean": pa.bool_(),
    }  # fmt: skip
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(rows, BATCH)):
            cells = {
                name: [_flat(row.get(name), kind) for row in batch]
                for name, kind in columns.items()
            }
            writer.write_table(pa.table(cells, schema=schema))
            count += len(batch)
    return count


WRITERS: dict[str, Callable[[Path, Columns, Iterator[dict[str, Any]]], int]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}


def _flat(value: Any, kind: str) -> Any:
    """A value as one cell."""
    value = finite(value)
    if value is None or kind != "json":
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def finite(value: Any) -> Any:
    """Return the value for strict UTF-8 JSON.

    NaN and infinite numbers become None, and half a surrogate pair U+FFFD: new answers hold none,
    but what was stored once has to be exported all the same.
    """
    match value:
        case str():
            return whole_text(value)
        case float():
            return value if math.isfinite(value) else None
        case dict():
            named = cast("dict[str, Any]", value)
            return {name: finite(part) for name, part in named.items()}
        case list() | tuple():
            return [finite(part) for part in cast("list[Any]", value)]
        case _:
            return value
