"""Rows of JSON and JSON Lines files; a fault costs its own row where that is possible."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from annotations.reading.answer_key import NotANumber
from annotations.reading.encoding import Encoding, find_encoding
from annotations.reading.mapping import NAMES, by_columns, plain_name
from annotations.reading.records import Problem, shown
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

PARTS = "questions"
COLUMNS_FROM = 1000  # rows whose fields make the list of columns

_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.DOTALL)


class Record(dict[str, object]):
    """A JSON object that remembers names which stood in it more than once, with all values."""

    def __init__(self, pairs: list[tuple[str, object]]):
        """Keep the last value of each name, as JSON readers do, and all pairs if one is double."""
        super().__init__(pairs)
        self.pairs = pairs if len(self) < len(pairs) else None

    @property
    def doubled(self) -> list[str]:
        """Names that stood in the object more than once."""
        if self.pairs is None:
            return []
        names = [name for name, _ in self.pairs]
        return sorted({name for name in names if names.count(name) > 1})


# Made once: a file of a hundred thousand lines is as many texts.
_decode: Callable[[str], object] = json.JSONDecoder(
    object_pairs_hook=Record, parse_float=str, parse_constant=NotANumber
).decode


def parse(text: str) -> tuple[object, bool]:
    """The value of a JSON text, and whether commas after the last element had to be taken out.

    Objects are `Record`; numbers with a fraction stay text as written; NaN is a `NotANumber`.

    Raises:
        ValueError: if it is no JSON; says where.
    """
    try:
        return _decode(text), False
    except json.JSONDecodeError as error:
        mended = _STRING_OR_COMMA.sub(_without_comma, text).rstrip().rstrip(",")
        if mended == text:
            raise Refusal(_place(error)) from error
        try:
            return _decode(mended), True
        except (json.JSONDecodeError, RecursionError):
            raise Refusal(_place(error)) from error
    except RecursionError as error:
        raise Refusal("objects are nested too deeply") from error


def _without_comma(match: re.Match[str]) -> str:
    return "" if match[0] == "," else match[0]


def _place(error: json.JSONDecodeError) -> str:
    near = shown(error.doc[max(0, error.pos - 20) : error.pos + 20].strip(), 60)
    line = f"line {error.lineno}, " if "\n" in error.doc.strip() else ""
    return f"{error.msg} at {line}character {error.colno}, near {near}"


def read_json(path: Path, encoding: str = "") -> tuple[object, list[Problem]]:
    """The value of a JSON file, and what a person should know about how it was read.

    Raises:
        ValueError: if it is no JSON; says where.
    """
    codec = find_encoding(path, encoding)
    with codec.open(path) as file:
        text = file.read().removeprefix("\ufeff")
    try:
        value, mended = parse(text)
    except ValueError as error:
        raise Refusal(f"{path.name} is not valid JSON: {error}. Mend it there.") from error
    problems = [codec.problem] if codec.problem else []
    if mended:
        problems.append(
            Problem("warning", "commas after the last element of a list were ignored", path.name)
        )
    return value, problems


def open_json(path: Path, encoding: str = "") -> Table:
    """The table in a JSON or JSON Lines file, whatever its suffix.

    A JSON file holds a list of objects, an object of objects by id, or one of these in a field.

    Raises:
        ValueError: if it is neither.
    """
    codec = find_encoding(path, encoding)
    if _is_lines(path, codec):
        whole = _one_value(path, codec)
        if whole is None:
            return _open_lines(path, codec)
        return Table(path, _columns(path.name, whole), lambda: iter(whole))
    value, problems = read_json(path, encoding)
    rows = list(_rows_of(path.name, value))
    return Table(path, _columns(path.name, rows), lambda: iter(rows), tuple(problems))


def open_pairs(path: Path, encoding: str, name: str) -> Table | None:
    """A JSON object of one value for each question, such as {"q1": "B"}; None if it is none.

    Args:
        name: of the column that holds the values; that of the questions is 'id'.
    """
    try:
        value, problems = read_json(path, encoding)
    except ValueError:
        return None
    if not isinstance(value, Record) or not value:
        return None
    replies = {key: _only(reply) for key, reply in value.items()}
    if not all(isinstance(reply, str | int | None) for reply in replies.values()):
        return None
    rows = [Row(f"id {key}", {"id": key, name: reply}) for key, reply in replies.items()]
    return Table(path, ("id", name), lambda: iter(rows), tuple(problems))


def _only(value: object) -> object:
    """The value in a list of one; any other value as it is."""
    if not isinstance(value, list):
        return value
    items = cast("list[object]", value)
    return items[0] if len(items) == 1 else items


def _one_value(path: Path, encoding: Encoding) -> list[Row | Problem] | None:
    """The rows of a file that is one valid JSON list, with a record a line; None if it is none."""
    with encoding.open(path) as file:
        if file.read(64).removeprefix("\ufeff").lstrip()[:1] != "[":
            return None
        file.seek(0)
        text = file.read().removeprefix("\ufeff")
    try:
        value, mended = parse(text)
    except ValueError:
        return None
    if mended or not isinstance(value, list):
        return None
    return list(_rows_of(path.name, cast("list[object]", value)))


def _is_lines(path: Path, encoding: Encoding) -> bool:
    """Whether the first lines are objects of their own: by content, since suffixes lie."""
    with encoding.open(path) as file:
        lines = (line.strip().removeprefix("\ufeff") for line in file)
        beginning = list(itertools.islice((line for line in lines if line), 3))
    whole = [_parses(line) for line in beginning]
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return not beginning or beginning[0][:1] != "[" or (len(beginning) > 1 and whole[0])
    return sum(whole) >= 2 or (len(beginning) > 1 and whole[0])


def _parses(line: str) -> bool:
    try:
        return isinstance(parse(line)[0], Record)
    except ValueError:
        return False


def _open_lines(path: Path, encoding: Encoding) -> Table:
    def rows() -> Iterator[Row | Problem]:
        with encoding.open(path) as file:
            for number, line in enumerate(file, start=1):
                text = line.strip().removeprefix("\ufeff")
                if text:
                    yield from _line(path.name, f"line {number}", text)

    problems = (encoding.problem,) if encoding.problem else ()
    return Table(path, _columns(path.name, rows()), rows, problems)


def _line(file: str, where: str, text: str) -> Iterator[Row | Problem]:
    try:
        value, mended = parse(text)
    except ValueError as error:
        yield Problem(
            "error",
            f"not valid JSON: {error}",
            file,
            where,
            allowed="one object on each line",
            todo="Mend the line; the other lines are read.",
        )
        return
    if mended:
        yield Problem("warning", "a comma too many was ignored", file, where)
    yield _row(file, where, value)


def _rows_of(file: str, value: object) -> Iterator[Row | Problem]:
    if isinstance(value, Record):
        columns = by_columns(value)
        if columns is not None:
            for number, cells in enumerate(columns, start=1):
                yield _row(file, f"entry {number}", Record(cells))
            return
        inner: list[object] = [v for v in value.values() if isinstance(v, list)]
        if len(inner) == 1 and not all(isinstance(v, Record) for v in value.values()):
            yield from _rows_of(file, inner[0])
            return
        if len(inner) == len(value) > 1 and all(map(_is_records, inner)):
            for name, records in value.items():
                yield Row(f"id {name}", Record([(_owner(records), name), (PARTS, records)]))
            return
        if not value or not all(isinstance(v, Record) for v in value.values()):
            raise Refusal(
                f"{file} holds one object that is no list of questions. Allowed: a list of objects,"
                " or an object of objects by id."
            )
        for number, (name, record) in enumerate(value.pairs or value.items(), start=1):
            fields = cast("Record", record)
            fields.setdefault("id", name)
            yield _row(file, f"id {name}, entry {number}" if value.pairs else f"id {name}", fields)
        return
    if not isinstance(value, list):
        raise Refusal(f"{file} holds no list of questions but {shown(value)}.")
    for number, record in enumerate(cast("list[object]", value), start=1):
        yield _row(file, f"entry {number}", record)


def _is_records(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return bool(items) and all(isinstance(item, Record) for item in items)


def _owner(records: object) -> str:
    """What the name of a list of records is: a video, or a part where they name their own."""
    first = cast("list[Record]", records)[0]
    return "part" if any(plain_name(name) in NAMES["video"] for name in first) else "video"


def _row(file: str, where: str, record: object) -> Row | Problem:
    if not isinstance(record, Record):
        return Problem(
            "error", "not an object", file, where, value=shown(record), allowed="an object"
        )
    if record.doubled:
        return Problem(
            "error",
            f"the field {record.doubled[0]} stands there twice",
            file,
            where,
            record.doubled[0],
            allowed="each field once",
            todo="Take out the one that is wrong.",
        )
    return Row(where, record)


def _columns(file: str, rows: Iterator[Row | Problem] | list[Row | Problem]) -> tuple[str, ...]:
    """The fields of the first records, in the order of their first places.

    Raises:
        ValueError: if none of these can be read, or there are none.
    """
    names: dict[str, None] = {}
    problem: Problem | None = None
    for row in itertools.islice(rows, COLUMNS_FROM):
        if isinstance(row, Row):
            names.update(dict.fromkeys(row.cells))
        else:
            problem = problem or row
    if not names:
        raise Refusal(problem.text if problem else f"{file} holds no records.")
    return tuple(names)
