"""The floors of the house: ui stands on annotations, annotations on core and db."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BELOW = {
    "ui": {"annotations", "core"},
    "annotations": {"core", "db"},
    "core": set[str](),
    "db": set[str](),
}
FILES = [path for floor in BELOW for path in sorted((ROOT / floor).rglob("*.py"))]


def imports_of(path: Path) -> set[str]:
    """Top-level names of everything a file imports, at any depth."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down_only(path: Path):
    floor = path.relative_to(ROOT).parts[0]
    reached = imports_of(path) & BELOW.keys()
    assert reached <= BELOW[floor] | {floor}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_streamlit_stays_in_ui(path: Path):
    if path.relative_to(ROOT).parts[0] != "ui":
        assert "streamlit" not in imports_of(path)


def test_core_metrics_and_video_know_no_database():
    assert not any(
        {"sqlite3", "sqlite_utils"} & imports_of(p) for p in (ROOT / "core").rglob("*.py")
    )


def test_no_file_in_ui_hides_another_module():
    # Streamlit may put the folder of the script it runs first on the path.
    names = {p.stem for p in (ROOT / "ui").iterdir() if p.suffix == ".py" or p.is_dir()}
    assert not names & (BELOW.keys() - {"ui"})
    assert not names & set(sys.stdlib_module_names)


def test_tests_are_no_package():
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_the_top_level_holds_only_what_was_agreed():
    agreed = {"pyproject.toml", "README.md", "ui", "core", "annotations", "tests", "assets", "db"}
    there = {p.name for p in ROOT.iterdir() if not p.name.startswith(".")}
    assert there - agreed - {"uv.lock", "pylock.toml"} == set()
