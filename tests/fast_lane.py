"""The fast lane: `pytest -m fast` starts no process, browser, page or model, and makes no video.

Nobody marks tests as fast. A file is fast by what it imports, and a test of it by the fixtures that
it uses; a simulation of many seconds is marked `slow` where it stands. Files of other lanes are not
even imported with `-m fast`, since importing them (torch) takes longer than the lane.
"""

import ast
from pathlib import Path

import pytest

# Whoever imports one of these, or something inside it, starts one of those or makes videos.
SLOW_MODULES = (
    "subprocess", "multiprocessing", "killing", "playwright", "streamlit", "torch",
    "transformers", "av",
    "core.decoding", "core.edit", "core.model", "core.model_loading", "core.models", "core.process",
    "core.video.encode", "annotations.annotators", "annotations.demo", "annotations.edit",
    "annotations.engine", "annotations.importing", "ui.components", "ui.pages", "ui.shell",
)  # fmt: skip
# Fixtures of conftest.py files that do so for a test that asks for them.
SLOW_FIXTURES = frozenset(
    {
        "page",
        "person",
        "demo",
        "standing_demo",
        "served",
        "shared",
        "clip",
        "make",
        "cut",
        "film",
        "demo_footage",
    }
)


def modules_of(path: Path) -> set[str]:
    """Every module that a file imports at any depth, or is skipped without."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.importorskip":
            modules |= {str(name.value) for name in node.args if isinstance(name, ast.Constant)}
    return modules


def is_fast_file(path: Path) -> bool:
    """Whether a file of tests imports nothing slow."""
    return not any(
        module == slow or module.startswith(f"{slow}.")
        for module in modules_of(path)
        for slow in SLOW_MODULES
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files of other lanes alone when only the fast lane runs."""
    wanted = config.getoption("markexpr") == "fast"
    if wanted and collection_path.suffix == ".py" and collection_path.name != "conftest.py":
        return None if is_fast_file(collection_path) else True
    return None


def mark(items: list[pytest.Item]) -> None:
    """Mark the tests of the fast lane."""
    fast: dict[Path, bool] = {}
    for item in items:
        if item.path not in fast:
            fast[item.path] = is_fast_file(item.path)
        used = SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ()))
        kept_out = any(item.get_closest_marker(name) for name in ("browser", "slow"))
        if fast[item.path] and not used and not kept_out:
            item.add_marker(pytest.mark.fast)
