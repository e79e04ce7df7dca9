"""What the README claims is there."""

import re
from pathlib import Path

from core import plugins
from ui.shell.app_pages import PAGES

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_it_shows_is_there():
    commands = {plugins.load("ui.commands", name).NAME for name in plugins.names("ui.commands")}
    assert set(re.findall(r"\brushes (\w+)", TEXT)) - {"reads"} <= commands
    assert commands == {name for name in commands if f"rushes {name}" in TEXT}


def test_every_benchmark_it_names_is_there():
    named = set(re.findall(r"`(\w+\.py)` \|", TEXT))
    assert named
    assert all((ROOT / "tests" / "benchmarks" / name).is_file() for name in named)


def test_its_pictures_and_contracts_are_there():
    for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXT):
        assert (ROOT / path).is_file(), path
    for path in re.findall(r"`((?:annotations|core|ui)/[a-z_/]+\.py)`", TEXT):
        assert (ROOT / path).is_file(), path


def test_the_pages_it_names_are_in_the_navigation():
    titles = {plugins.load("ui.pages", page).TITLE for page in PAGES}
    assert {"Metrics", "Tasks", "Disagreements", "Agreement", "People"} <= titles


def test_the_two_commands_install_from_the_checkout_alone():
    assert "pip install -e . && .venv/bin/rushes demo" in TEXT
    assert "pip install -e '.[dev]' && .venv/bin/pytest -n auto" in TEXT
