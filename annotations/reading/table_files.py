"""A file of any kind that holds a table: CSV, TSV, JSON, JSON Lines, xlsx or Parquet."""

from pathlib import Path

from annotations.reading.json_rows import open_json, open_pairs
from annotations.reading.parquet_rows import open_parquet
from annotations.reading.parts import unnested
from annotations.reading.text_tables import Table, open_csv
from annotations.reading.xlsx_sheets import open_xlsx

SUFFIXES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".xlsx", ".parquet")


def open_table(path: Path, encoding: str, pairs: str = "") -> Table:
    """The table in a file of one of `SUFFIXES`.

    Args:
        path: of the file.
        encoding: of text files; '' to detect.
        pairs: what the values are called where a JSON file holds one object of an id and a value
            each, such as 'response'; '' where such an object is no table.

    Raises:
        ValueError: if it cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        return open_xlsx(path)
    if suffix == ".parquet":
        return unnested(open_parquet(path))
    if suffix == ".json" and pairs:
        table = open_pairs(path, encoding, pairs)
        if table is not None:
            return table
    if suffix in (".json", ".jsonl", ".ndjson"):
        return unnested(open_json(path, encoding))
    return open_csv(path, encoding)
