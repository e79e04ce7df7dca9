"""Tasks written down in files: a TOML file, beside it the items and the instructions."""

import csv
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from annotations.planning.task_plan import TaskPlan, plan_task
from annotations.reading.encoding import find_encoding
from annotations.reading.records import Problem
from annotations.reading.table_files import open_table
from annotations.workspace import Workspace
from core.refusal import Refusal

FIELDS: dict[str, tuple[tuple[type, ...], str]] = {
    "name": ((str,), "a text"),
    "kind": ((str,), "a text"),
    "overlap": ((int,), "a whole number"),
    "adaptive": ((bool,), "true or false"),
    "skip_limit": ((int,), "a whole number"),
    "signatures": ((int,), "a whole number"),
    "rate": ((int, float), "a number"),
    "instructions": ((str,), "the name of a Markdown file"),
    "items": ((str,), "the name of a JSONL, CSV or xlsx file"),
    "source": ((str,), "a text"),
    "order": ((str,), "a text"),
    "seed": ((str, int), "a text or a whole number"),
    "people": ((list,), "a list of names"),
    "settings": ((dict,), "a table"),
}
REQUIRED = ("name", "kind")


def read_task(workspace: Workspace, path: Path) -> TaskPlan:
    """The task that a TOML file describes, checked; files named in it lie beside it.

    Raises:
        ValueError: names the file and the field or row, what was got and what is allowed.
        OSError: if the file cannot be read.
    """
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path.name} is not valid TOML: {error}") from error
    for field, value in fields.items():
        _check_field(path.name, field, value)
    missing = [field for field in REQUIRED if field not in fields]
    if missing:
        raise Refusal(f"{path.name}: {missing[0]}: got nothing. Needed: {FIELDS[missing[0]][1]}.")
    arguments: dict[str, Any] = {
        field: value for field, value in fields.items() if field not in ("items", "instructions")
    }
    if "items" in fields:
        arguments["rows"] = read_rows(_beside(path, "items", fields["items"]))
    if "instructions" in fields:
        arguments["instructions"] = _text(
            path.name, _beside(path, "instructions", fields["instructions"])
        )
    try:
        return plan_task(workspace, **arguments)
    except Refusal as error:
        at_row = "items" in fields and str(error).startswith("row ")
        raise Refusal(f"{fields['items'] if at_row else path.name}: {error}") from error


def _check_field(file: str, field: str, value: object) -> None:
    if field not in FIELDS:
        raise Refusal(f"{file}: got a field {field!r}. Allowed: {', '.join(FIELDS)}.")
    types, allowed = FIELDS[field]
    number_as_flag = isinstance(value, bool) and bool not in types
    if not isinstance(value, types) or number_as_flag:
        raise Refusal(f"{file}: {field}: got {value!r}. Allowed: {allowed}.")
    if field == "people" and not all(isinstance(name, str) for name in cast("list[object]", value)):
        raise Refusal(f"{file}: people: got {value!r}. Allowed: {allowed}.")


def _beside(path: Path, field: str, name: str) -> Path:
    file = path.parent / name
    if not file.resolve().is_relative_to(path.parent.resolve()):
        raise Refusal(
            f"{path.name}: {field}: got {name!r}, which leads out of the folder of {path.name}. "
            "Put the file there."
        )
    if not file.is_file():
        raise Refusal(
            f"{path.name}: {field}: got {name!r}, but there is no such file beside {path.name} "
            f"(looked for {file})."
        )
    return file


def _text(file: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal(f"{file}: instructions: {path.name} is not UTF-8 text.") from error


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of an items file: one JSON object a line, or a table (CSV, TSV, xlsx).

    In a table, cells that hold a JSON list or object are read as such, and empty cells are left
    out; everything else is text.

    Raises:
        ValueError: names the file and the row, what was got and what is allowed.
    """
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        rows = list(_json_lines(path))
    elif suffix in (".csv", ".tsv", ".xlsx"):
        rows = list(_table_rows(path))
    else:
        raise Refusal(
            f"{path.name}: got a {suffix or 'nameless'} file. Allowed: .jsonl, .csv, .tsv, .xlsx."
        )
    if not rows:
        raise Refusal(f"{path.name} holds no rows. It needs one for each item.")
    return rows


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with find_encoding(path).open(path) as file:
        for number, line in enumerate(file, 1):
            text = line.strip().removeprefix("\ufeff")
            if not text:
                continue
            try:
                row = json.loads(text, parse_constant=_no_number)
            except (ValueError, RecursionError) as error:
                raise Refusal(
                    f"{path.name}: line {number} is not valid JSON: {error}. "
                    "Allowed: one object on each line."
                ) from error
            if not isinstance(row, dict):
                raise Refusal(f"{path.name}: line {number}: got {text[:80]}. Allowed: an object.")
            yield cast("dict[str, Any]", row)


def _no_number(name: str) -> Any:
    raise Refusal(f"{name} is no number")


def _table_rows(path: Path) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(1 << 24)
    for row in open_table(path, "").rows():
        if isinstance(row, Problem):
            if row.level == "error":
                raise Refusal(row.text)
            continue
        cells = {name: str(cell or "").strip() for name, cell in row.cells.items()}
        yield {name: _cell(path, row.where, name, cell) for name, cell in cells.items() if cell}


def _cell(path: Path, where: str, name: str, cell: str) -> Any:
    if cell[0] not in "[{":
        return cell
    try:
        return json.loads(cell, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        if name == "expected":
            raise Refusal(
                f"{path.name}: {where}: expected: got {cell[:80]}, which is not valid JSON: "
                f"{error}."
            ) from error
        return cell
