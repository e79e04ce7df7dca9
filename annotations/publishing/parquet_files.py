"""Parquet files with an explicit schema, so that a column of nulls keeps its type."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast


def write_parquet(path: Path, columns: Mapping[str, str], rows: Sequence[dict[str, Any]]) -> None:
    """Write rows; kinds of columns are text, integer, number, boolean and texts (a list)."""
    import pyarrow as arrow  # pyright: ignore[reportMissingTypeStubs]
    import pyarrow.parquet as parquet  # pyright: ignore[reportMissingTypeStubs]

    pa, pq = cast("Any", arrow), cast("Any", parquet)  # their types are not published
    types = {
        "text": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(),
        "texts": pa.list_(pa.string()),
    }  # fmt: skip
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    cells = {name: [row.get(name) for row in rows] for name in columns}
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(cells, schema=schema), path, compression="zstd")


def sha256_of(path: Path) -> str:
    """The content hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
