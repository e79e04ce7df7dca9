"""Rows of Parquet files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from annotations.reading.json_rows import Record
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

BATCH = 2000


def open_parquet(path: Path) -> Table:
    """The table in a Parquet file; lists and structures stay such, numbers become text as written.

    Raises:
        ValueError: if it is no Parquet file.
    """
    import pyarrow as arrow  # pyright: ignore[reportMissingTypeStubs]
    import pyarrow.parquet as parquet  # pyright: ignore[reportMissingTypeStubs]

    pa, pq = cast("Any", arrow), cast("Any", parquet)  # their types are not published
    try:
        names: list[str] = pq.ParquetFile(path).schema_arrow.names
    except (pa.ArrowException, OSError) as error:
        raise Refusal(f"{path.name} is no Parquet file ({error}). Write it again.") from error

    def rows() -> Iterator[Row | Problem]:
        number = 0
        for batch in pq.ParquetFile(path).iter_batches(batch_size=BATCH):
            for record in cast("list[dict[str, Any]]", batch.to_pylist()):
                number += 1
                yield Row(f"row {number}", {name: _plain(value) for name, value in record.items()})

    return Table(path, tuple(names), rows)


def _plain(value: Any) -> object:
    if isinstance(value, float):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return Record([(name, _plain(part)) for name, part in fields.items() if part is not None])
    if isinstance(value, list):
        return [_plain(part) for part in cast("list[Any]", value)]
    return value
