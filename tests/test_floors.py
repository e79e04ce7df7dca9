"""The floors of the house, and the rooms of each: imports point down only."""

import ast
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BELOW = {
    "ui": {"annotations", "core"},
    "annotations": {"core", "db"},
    "core": set[str](),
    "db": set[str](),
}
# The rooms of each floor from the ground up: a room imports from those before it. A room that is
# not named here fails the test; "" is the floor's own folder.
ROOMS = {
    "db": ("",),
    "core": (
        "",
        "process",
        "video",
        "edits",
        "editing",
        "question",
        "checks",
        "reply",
        "statistics",
        "agreements",
        "metrics",
        "bias",
        "decoding",
        "models",
        "footage",
    ),
    "annotations": (
        "reading",
        "record",
        "",
        "backup",
        "organisation",
        "video",
        "form",
        "answering",
        "question",
        "planning",
        "recruiting",
        "edit",
        "generation",
        "generators",
        "run",
        "scoring",
        "shortcut",
        "free_answers",
        "agreement",
        "adjudication",
        "review",
        "importing",
        "failure",
        "material",
        "tasks",
        "filter",
        "description",
        "bias",
        "engine",
        "annotators",
        "footage",
        "formats",
        "prediction_formats",
        "answer_formats",
        "exporting",
        "publishing",
        "funnel",
        "demo/drawing",
        "demo",
    ),
    "ui": (
        "",
        "components/desk",
        "routes",
        "components",
        "components/agreement",
        "components/resolution",
        "components/filters",
        "components/task",
        "components/material",
        "components/pipeline",
        "components/footage",
        "components/studio",
        "components/importing",
        "components/recruiting",
        "components/runs",
        "components/shortcuts",
        "components/bias",
        "tasks",
        "pages",
        "shell",
        "commands",
    ),
}
# Plug-in folders may hold as many modules as there are plug-ins; a subject's room stays small.
# ui/commands is one: `rushes NAME` appears by the file's being there (test_plugins_appear.py).
PLUGINS = {
    "core/agreements", "core/metrics", "core/models", "annotations/annotators",
    "annotations/formats", "annotations/prediction_formats", "annotations/answer_formats",
    "annotations/tasks", "ui/commands", "ui/pages", "ui/tasks",
}  # fmt: skip
MOST_MODULES = 20
MOST_LINES = 300
FILES = [path for floor in BELOW for path in sorted((ROOT / floor).rglob("*.py"))]


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file's syntax tree that imports something."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def imports_of(path: Path) -> set[str]:
    """Top-level names of everything a file imports, at any depth."""
    found: set[str] = set()
    for node in nodes_of(path):
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


def rooms_of(path: Path) -> set[tuple[str, str]]:
    """The (floor, room) of every module of ours that a file imports, at any depth."""
    modules: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
            modules |= {f"{node.module}.{name.name}" for name in node.names}
    files = [ROOT / (module.replace(".", "/") + ".py") for module in modules]
    return {room_of(file) for file in files if file.is_file()}


def room_of(path: Path) -> tuple[str, str]:
    floor, *folders = path.relative_to(ROOT).parts[:-1]
    return floor, "/".join(folders)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_from_rooms_below_it(path: Path):
    floor, room = room_of(path)
    order = ROOMS[floor]
    allowed = order[: order.index(room) + 1]
    assert {other for at, other in rooms_of(path) if at == floor} <= set(allowed)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_can_be_held_in_the_head(path: Path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_a_room_holds_what_a_newcomer_can_overlook():
    counts = Counter(path.parent for path in FILES if path.name != "__init__.py")
    crowded = {
        str(room.relative_to(ROOT)) for room, count in counts.items() if count > MOST_MODULES
    }
    assert crowded <= PLUGINS


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
