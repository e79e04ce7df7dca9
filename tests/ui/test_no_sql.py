"""No page and no command holds SQL: the nouns' modules in annotations/ do."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "ui").rglob("*.py"))
STATEMENT = re.compile(
    r"\s*(?:WITH\s.*\sAS\s*\(\s*SELECT|SELECT\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s"
    r"|DELETE\s+FROM\s|PRAGMA\s|(?:CREATE|DROP|ALTER)\s+(?:TABLE|VIEW|INDEX)\s)",
    re.DOTALL,
)
RUNS = {"execute", "executemany", "executescript", "rows", "tuples", "first_row"}


def sql_in(text: str) -> Iterator[str]:
    """What looks like SQL, or runs it, in a file's text."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if STATEMENT.match(node.value):
                yield f"line {node.lineno}: {node.value.strip()[:60]}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            if node.func.attr in RUNS and name in {"store", "conn", "database", "snapshot"}:
                yield f"line {node.lineno}: {name}.{node.func.attr}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_of_ui_holds_no_sql(path: Path):
    assert list(sql_in(path.read_text(encoding="utf-8"))) == []


def test_sql_is_seen_where_there_is_some():
    assert list(sql_in('workspace.store.rows(_VIDEOS)\nA = "SELECT 1"\n')) == [
        "line 1: store.rows",
        "line 2: SELECT 1",
    ]
    assert list(sql_in("B = f'''\n  UPDATE run SET {a} = 1'''\ndatabase.conn.execute(B)")) == [
        "line 3: conn.execute",
        "line 1: UPDATE run SET",
    ]
    assert list(sql_in('label = "Select a task"\nshow.rows(3)')) == []
