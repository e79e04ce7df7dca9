"""Every plug-in is held to its contract by being there."""

import argparse
import inspect
import re
from typing import Any

import pytest

from annotations import task as tasks
from annotations.annotator import annotator, annotators
from annotations.record.task import unstored_task
from annotations.run.annotator_settings import settings_of
from core import plugins
from core.model import Kind
from ui import form
from ui.cli import parser
from ui.shell.app_pages import PAGES

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


@pytest.mark.parametrize("name", annotators())
def test_every_setting_of_an_annotator_has_words_and_its_choices_hold_its_default(name: str):
    module: Any = annotator(name)
    assert set(module.WORDS) == set(module.SETTINGS)
    assert {*module.CHOICES, *module.RANGES, *module.PROMPTS} <= set(module.SETTINGS)
    for setting, words in module.WORDS.items():
        default = module.SETTINGS[setting]
        assert words.label[0].isupper()
        assert words.help.endswith((".", "!"))
        assert "_" not in words.label
        if setting in module.CHOICES:
            assert default in module.CHOICES[setting]
            assert len(words.choices) == len(module.CHOICES[setting])
        if isinstance(default, int | float) and not isinstance(default, bool):
            low, high = module.RANGES[setting]
            assert low <= default <= high
        if words.when:
            other, values = words.when
            assert set(values) <= set(module.CHOICES[other])
    assert len({one.label for one in settings_of(module)}) == len(module.SETTINGS)


@pytest.mark.parametrize("name", annotators())
def test_a_value_that_is_not_among_the_choices_or_out_of_range_is_refused(name: str):
    module: Any = annotator(name)
    task = unstored_task(module.TASK_KINDS[0], {"condition": "text only", "reasons": []})
    kind: Kind = module.MODEL_KINDS[0]
    for setting, choices in module.CHOICES.items():
        with pytest.raises(ValueError, match=f"{setting} is 'sometimes'; allowed: {choices[0]}"):
            module.check_settings({setting: "sometimes"}, task, kind)
    for setting, (low, high) in module.RANGES.items():
        for value in (low - 1, high + 1):
            with pytest.raises(
                ValueError, match=rf"{setting} is {value}(\.0)?; allowed: {low:g} to"
            ):
                module.check_settings({setting: value}, task, kind)


@pytest.mark.parametrize("name", annotators())
def test_a_task_that_an_annotator_refuses_is_refused_by_its_settings_too(name: str):
    module: Any = annotator(name)
    kind: Kind = module.MODEL_KINDS[0]
    needed = {one: "a dog" for one in ("text", "action") if one in module.SETTINGS}
    refused = 0
    dark = {"id": "dark", "label": "Dark", "description": ""}
    conditions = ({"condition": "text only"}, {"condition": "8 frames"})
    for settings in (*conditions, {"reasons": []}, {"reasons": [dark]}):
        task = unstored_task(module.TASK_KINDS[0], settings)
        why = module.refuses(task)
        if not why:
            module.check_settings(needed, task, kind)
            continue
        refused += 1
        with pytest.raises(ValueError, match=re.escape(why)):
            module.check_settings(needed, task, kind)
    assert refused < 4


@pytest.mark.parametrize("name", annotators())
def test_the_command_line_lists_the_settings_of_an_annotator(name: str, capsys):
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["run", name, "--settings"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    for one in settings_of(annotator(name)):
        assert f"\n  {one.name}\n    default: " in said
        assert one.label in said
        assert all(value in said for value in one.choices)


def test_settings_are_listed_only_of_an_annotator_that_was_named(capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["run", "--settings"])
    assert "name the annotator before --settings" in capsys.readouterr().err


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
