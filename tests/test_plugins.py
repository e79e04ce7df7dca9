"""Every plug-in is held to its contract by being there."""

import argparse
import inspect
import re
from typing import Any

import pytest

from annotations import task as tasks
from core import plugins
from ui import form
from ui.app_pages import PAGES
from ui.cli import parser

KINDS = tasks.kinds()
CONTRACT = [name for name in vars(tasks.TaskKind) if not name.startswith("_")]
COMMANDS = plugins.names("ui.commands")


@pytest.mark.parametrize("name", KINDS)
def test_a_task_kind_has_all_that_the_contract_asks(name: str):
    module: Any = tasks.kind(name)
    assert isinstance(module.LABEL, str)
    assert module.LABEL
    assert module.SCHEMA_VERSION >= 1
    assert "worked example" in tasks.instructions(name)
    assert module.OVERLAP >= 1
    assert set(module.SOURCES) <= {"questions", "videos", "rows", "tasks", "predictions"}
    for function in CONTRACT:
        wanted = list(inspect.signature(getattr(tasks.TaskKind, function)).parameters)[1:]
        assert list(inspect.signature(getattr(module, function)).parameters) == wanted, function


@pytest.mark.parametrize("name", KINDS)
def test_every_picture_in_the_instructions_is_there(name: str):
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", tasks.instructions(name))
    assert all((tasks.INSTRUCTIONS / picture).is_file() for picture in pictures)


@pytest.mark.parametrize("name", KINDS)
def test_a_task_kind_has_a_form_whose_keys_do_not_collide(name: str):
    settings = tasks.kind(name).check_settings({})
    fields = form.form(name, settings)["fields"]
    assert fields
    assert len({field["name"] for field in fields}) == len(fields)


def test_no_form_is_without_its_task_kind():
    assert set(plugins.names(form.PACKAGE)) == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_nobody_outside_its_two_files_asks_which_task_it_is(name: str, pytestconfig):
    root = pytestconfig.rootpath
    allowed = {f"annotations/tasks/{name}.py", f"ui/tasks/{name}.py"}
    naming = {
        str(path.relative_to(root))
        for floor in ("ui", "annotations", "core", "db")
        for path in (root / floor).rglob("*.py")
        if f'== "{name}"' in path.read_text(encoding="utf-8")
    }
    assert naming <= allowed


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_a_title_an_icon_roles_and_something_to_draw(name: str):
    page: Any = plugins.load("ui.pages", name)
    assert page.TITLE
    assert page.ICON.startswith(":material/")
    assert {"annotator", "author", "admin"} >= page.ROLES
    assert list(inspect.signature(page.render).parameters) == ["workspace", "person"]


def test_every_page_that_is_there_is_in_the_navigation():
    assert set(plugins.names("ui.pages")) == set(PAGES)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_name_help_and_runs(name: str):
    command: Any = plugins.load("ui.commands", name)
    assert command.NAME
    assert command.HELP
    command.add_arguments(argparse.ArgumentParser())
    assert callable(command.run)


def test_every_command_is_in_the_help():
    text = parser().format_help()
    for name in COMMANDS:
        assert plugins.load("ui.commands", name).NAME in text


def test_an_unknown_plugin_is_named_together_with_those_there_are():
    with pytest.raises(LookupError, match="human_evaluation"):
        plugins.load("annotations.tasks", "nothing")
