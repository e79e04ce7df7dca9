"""Every annotator is held to its contract by being there, and every prompt to its fields."""

import inspect
from pathlib import Path
from typing import Any

import pytest

from annotations import task as tasks
from annotations.annotator import Annotator, annotator, annotators
from annotations.free_answers import score_words
from annotations.generation.generator import generator, generators
from annotations.prompts import Prompt, prompt, shipped
from annotations.run import second_reading
from core.model import KINDS

CONTRACT = [
    name for name, value in vars(Annotator).items() if inspect.isfunction(value) and name[0] != "_"
]


@pytest.mark.parametrize("name", annotators())
def test_an_annotator_has_all_that_the_contract_asks(name: str):
    module: Any = annotator(name)
    assert module.TITLE
    assert set(module.TASK_KINDS) <= set(tasks.kinds())
    assert set(module.MODEL_KINDS) <= set(KINDS)
    assert module.RESULT in ("answers", "texts")
    assert (module.RESULT == "texts") == bool(module.TEXT_KIND)
    assert min(module.BATCH, module.FRAMES) >= 1
    assert set(module.PROMPTS) <= set(module.SETTINGS)
    for function in CONTRACT:
        wanted = list(inspect.signature(getattr(Annotator, function)).parameters)[1:]
        assert len(inspect.signature(getattr(module, function)).parameters) == len(wanted)


@pytest.mark.parametrize("name", annotators())
def test_the_templates_of_an_annotator_ship_and_their_fields_can_be_filled(name: str):
    module: Any = annotator(name)
    for purpose, usual in module.PROMPTS.items():
        assert module.SETTINGS[purpose] == usual
        assert prompt(usual, module.FIELDS).fields or not module.FIELDS


def test_every_template_that_ships_belongs_to_an_annotator_or_a_generator():
    used = {one for name in annotators() for one in annotator(name).PROMPTS.values()}
    used |= {step.prompt for name in generators() for step in generator(name).STEPS}
    others = {"chain_of_thought", "with_descriptions", "free_text"}
    assert set(shipped()) - used - {second_reading.PROMPT, score_words.PROMPT} == others
    assert prompt(second_reading.PROMPT, second_reading.FIELDS).text
    assert prompt(score_words.PROMPT, score_words.FIELDS).text
    for name in others:
        assert prompt(name, annotator("multiple_choice").FIELDS).text


def test_a_template_has_a_system_part_fields_and_braces_that_are_none():
    made = Prompt("x", 'Be {how}.\n---\nSay {"verdict": "{word}"} and {word}\n')
    assert made.fill({"word": "{how}", "how": "brief"}) == (
        "Be brief.", 'Say {"verdict": "{how}"} and {how}',
    )  # fmt: skip
    assert made.fields == {"how", "word"}
    assert Prompt("y", "No system {word}").fill({"word": "a"}) == ("", "No system a")


def test_a_template_of_the_workspace_goes_before_the_one_that_ships(tmp_path: Path):
    (tmp_path / "prompts").mkdir()
    own = tmp_path / "prompts" / "plain.txt"
    own.write_text("{question}\r\n{options}", encoding="utf-8")
    found = prompt("plain", ("question", "options"), tmp_path)
    assert found.text == "{question}\n{options}"
    assert found.version != prompt("plain", annotator("multiple_choice").FIELDS).version
    assert prompt(str(own), ("question", "options"), files=True).version == found.version


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("system only\n---\n", "is empty"),
        ("{questoin}", r"the field \{questoin\}, which nothing fills. Allowed: \{question\}"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused_with_what_to_do(
    tmp_path: Path, text: str, words: str
):
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        prompt(str(path), ("question",), files=True)


def test_a_template_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(ValueError, match=r"no prompt 'plian'. Allowed: .*plain.*, or a file"):
        prompt("plian", (), files=True)
    with pytest.raises(ValueError, match=r"no prompt 'plian'. Allowed: .*plain.*[^e]\.$"):
        prompt("plian", ())
