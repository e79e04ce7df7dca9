from pathlib import Path

import pytest

from annotations.reading.answer_key import NotANumber
from annotations.reading.json_rows import open_json, read_json
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row


def rows_of(tmp_path: Path, content: str | bytes, name: str = "t.json"):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    table = open_json(path)
    entries = list(table.rows())
    rows = [entry.cells for entry in entries if isinstance(entry, Row)]
    problems = [entry for entry in (*table.problems, *entries) if isinstance(entry, Problem)]
    return rows, [problem.text for problem in problems]


TWO = [{"id": "a", "n": 1}, {"id": "b", "n": 2}]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('[{"id": "a", "n": 1}, {"id": "b", "n": 2}]', "t.json"),
        ('{"a": {"n": 1}, "b": {"n": 2}}', "t.json"),
        ('{"version": 3, "questions": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}', "t.json"),
        ('{"id": "a", "n": 1}\n{"id": "b", "n": 2}\n', "t.jsonl"),
        ('{"id": "a", "n": 1}\r\n\r\n{"id": "b", "n": 2}', "t.jsonl"),
        ('{"id": "a", "n": 1}\n{"id": "b", "n": 2}\n', "t.json"),
        ('[{"id": "a", "n": 1},\n {"id": "b", "n": 2}]', "t.jsonl"),
        ('\ufeff[{"id": "a", "n": 1}, {"id": "b", "n": 2}]', "t.json"),
        ('\ufeff{"id": "a", "n": 1}\n{"id": "b", "n": 2}\n', "t.jsonl"),
    ],
)
def test_rows_are_the_same_in_every_layout(tmp_path: Path, content: str, name: str) -> None:
    rows, problems = rows_of(tmp_path, content, name)
    assert rows == TWO
    assert problems == []


def test_utf_16_is_read(tmp_path: Path) -> None:
    content = '[{"id": "a", "n": 1}, {"id": "b", "n": 2}]'.encode("utf-16")
    assert rows_of(tmp_path, content)[0] == TWO


def test_a_broken_line_costs_that_line(tmp_path: Path) -> None:
    content = '{"id": "a", "n": 1}\n{"id": "x", "n": \n[1]\n{"id": "b", "n": 2}\n'
    rows, problems = rows_of(tmp_path, content, "t.jsonl")
    assert rows == TWO
    assert "t.jsonl, line 2: not valid JSON" in problems[0]
    assert "line 3: not an object" in problems[1]


def test_commas_too_many_are_ignored_and_told_of(tmp_path: Path) -> None:
    rows, problems = rows_of(tmp_path, '[{"id": "a", "n": 1,}, {"id": "b", "n": 2},]')
    assert rows == TWO
    assert "commas after the last element" in problems[0]
    rows, problems = rows_of(tmp_path, '{"id": "a", "n": 1},\n{"id": "b", "n": 2}', "t.jsonl")
    assert rows == TWO
    assert "line 1" in problems[0]


def test_a_comma_inside_a_text_is_left_alone(tmp_path: Path) -> None:
    rows, _ = rows_of(tmp_path, '[{"id": "a, ]", "n": "x\\", }"},]')
    assert rows == [{"id": "a, ]", "n": 'x", }'}]


def test_json_that_cannot_be_read_says_where(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"t\.json is not valid JSON: .* line 2"):
        rows_of(tmp_path, '[{"id": "a"},\n {"id" "b"}]')
    with pytest.raises(ValueError, match="no list of questions"):
        rows_of(tmp_path, '"text"')
    with pytest.raises(ValueError, match="nested too deeply"):
        rows_of(tmp_path, "[" * 200_000)


def test_nan_is_kept_apart_from_text_and_null(tmp_path: Path) -> None:
    rows, _ = rows_of(tmp_path, '[{"id": "a", "n": NaN, "m": null, "t": "NaN"}]')
    assert isinstance(rows[0]["n"], NotANumber)
    assert rows[0]["m"] is None
    assert rows[0]["t"] == "NaN"


def test_numbers_with_a_fraction_stay_as_written(tmp_path: Path) -> None:
    assert rows_of(tmp_path, '[{"n": 1.10, "i": 7}]')[0] == [{"n": "1.10", "i": 7}]


def test_an_id_that_stands_there_twice_is_not_lost(tmp_path: Path) -> None:
    rows, _ = rows_of(tmp_path, '{"a": {"n": 1}, "a": {"n": 2}}')
    assert rows == [{"id": "a", "n": 1}, {"id": "a", "n": 2}]


def test_a_field_that_stands_twice_in_a_record_costs_the_record(tmp_path: Path) -> None:
    rows, problems = rows_of(tmp_path, '[{"id": "a", "n": 1, "n": 2}, {"id": "b", "n": 2}]')
    assert rows == [TWO[1]]
    assert "the field n stands there twice" in problems[0]


def test_windows_1252_json_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes('[{"q": "café"}]'.encode("cp1252"))
    value, problems = read_json(path)
    assert value == [{"q": "café"}]
    assert "Windows-1252" in problems[0].text
