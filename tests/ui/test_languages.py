"""The annotator's side in other languages: complete, and only what people read is translated."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from annotations import author_lists
from annotations import task as tasks
from annotations.task import INSTRUCTIONS
from ui import languages, sentences
from ui.components.desk.desk import assets_folder
from ui.components.language import language_links
from ui.form import form
from ui.routes.desk import SKIP_REASONS

STRING = r'"((?:[^"\\]|\\.)*)"'
OTHERS = [code for code in languages.languages() if code != languages.ENGLISH]
PLACE = re.compile(r"\{\w+\}")


def browser_texts() -> set[str]:
    """Every English text of the desk that a person reads: what `tr` and `plural` are given."""
    texts: set[str] = set()
    for folder in ("desk", "shared"):
        for path in (assets_folder() / folder).rglob("*.js"):
            code = path.read_text(encoding="utf-8")
            texts |= {match[1] for match in re.finditer(r"\btr\(\s*" + STRING, code)}
            calls = re.finditer(r"\bplural\(\s*[^,]+,\s*" + STRING + r",\s*" + STRING, code)
            texts |= {text for call in calls for text in call.groups()}
            if "bind(" in code:  # keys with their words
                texts |= {m[1] for m in re.finditer(r'\bbind\("[^"]+", ' + STRING, code)}
    return texts


# Settings beside the usual ones under which a form asks for something else.
MORE: dict[str, list[dict[str, Any]]] = {
    "human_evaluation": [{"free_text": True, "cannot_tell": True}],
    "question_review": [{"mode": "write"}],
    "screening": [{"pass": "exploratory"}],
}
FORMS = [(kind, more) for kind in tasks.kinds() for more in ({}, *MORE.get(kind, []))]
# Templates are words of a question, which is written in the benchmark's language.
TEMPLATES = {
    entry["template"] for entry in author_lists.load("templates", "temporal")["categories"]
}


def form_texts(value: Any) -> set[str]:
    """What people read of a declared form."""
    if isinstance(value, dict):
        return {
            part
            for name, child in value.items()
            for part in (
                {child} if name in sentences.SHOWN and isinstance(child, str) else form_texts(child)
            )
            if part
        }
    if isinstance(value, list):
        return {part for child in value for part in form_texts(child)}
    return set()


def test_german_is_there_and_names_itself():
    assert languages.languages() == {"en": "English", "de": "Deutsch"}


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_text_of_the_desk(code: str):
    known = languages.texts(code)
    wanted = browser_texts()
    assert len(wanted) > 150
    assert sorted(wanted - known.keys()) == []


def test_the_desk_sets_no_quotation_marks_around_values_but_those_of_its_language():
    scripts = [
        path for part in ("desk", "shared") for path in (assets_folder() / part).rglob("*.js")
    ]
    assert scripts
    assert [path.name for path in scripts if "“${" in path.read_text(encoding="utf-8")] == []
    assert languages.texts("de")["“{text}”"] == "„{text}“"


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(("kind", "settings"), FORMS)
def test_a_language_has_every_text_of_every_form(code: str, kind: str, settings: dict[str, Any]):
    wanted = form_texts(form(kind, tasks.kind(kind).check_settings(settings)))
    wanted = {text for text in wanted - TEMPLATES if not text.isdecimal()}  # the steps of a scale
    same = {text for text in wanted if sentences.translated({"label": text}, code)["label"] == text}
    assert sorted(same - languages.texts(code).keys()) == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_the_pages_around_the_desk_and_the_reasons_to_skip(code: str):
    pages = [Path("ui/pages/start.py"), Path("ui/pages/annotate.py")]
    said = re.compile(r"say\(\s*language,\s*" + STRING)
    root = Path(__file__).resolve().parents[2]
    wanted = {text for page in pages for text in said.findall((root / page).read_text("utf-8"))}
    wanted |= {*SKIP_REASONS, "Closed", "Paused", "Begin", "Continue", "Look back"}
    assert sorted(wanted - languages.texts(code).keys()) == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_keeps_the_places_for_values(code: str):
    for english, text in languages.texts(code).items():
        assert sorted(PLACE.findall(english)) == sorted(PLACE.findall(text)), english


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("english", [p for p in INSTRUCTIONS.glob("*.md") if p.stem[-3:-2] != "."],
                         ids=lambda path: path.stem)  # fmt: skip
def test_a_language_has_all_instructions_with_an_example(code: str, english: Path):
    text = english.with_name(f"{english.stem}.{code}.md").read_text(encoding="utf-8")
    assert re.search(r"^## .*(Beispiel|example)", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("settings", "view"),
    [
        ({}, "video"),
        ({"condition": "full video"}, "video"),
        ({"condition": "16 frames"}, "grid"),
        ({"condition": "1 random frame"}, "frame"),
        ({"condition": "1 handpicked frame"}, "frame"),
        ({"condition": "16 shuffled frames"}, "shuffled"),
        ({"condition": "text only"}, "text"),
        ({"condition": "16 shuffled frames", "free_text": True}, "free"),
    ],
)
def test_instructions_speak_of_what_is_shown(settings: dict[str, Any], view: str):
    assert languages.view_of(settings) == view
    text = languages.instructions("human_evaluation", settings, "en")
    assert ("mixed order" in text) == (view == "shuffled")
    assert ("on purpose**" in text) == (view == "text")
    assert ("**without options**" in text) == (view == "free")
    assert ("left to right and from top to bottom" in text) == (view in ("grid",)) or view == "free"


def test_a_wish_for_a_language_is_met_by_its_first_letters_else_english():
    assert languages.chosen_language([None, "de-AT"]) == "de"
    assert languages.chosen_language(["", "DE"]) == "de"
    assert languages.chosen_language(["xx", None, "../../secret"]) == "en"


def test_a_third_language_is_one_file_that_somebody_puts_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It can be chosen at once, and what it lacks is said in English."""
    for path in languages.FOLDER.glob("*.json"):
        shutil.copy(path, tmp_path)
    french = {"name": "Français", "texts": {"Start": "Accueil", ".": ","}}
    (tmp_path / "fr.json").write_text(json.dumps(french), encoding="utf-8")
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    caches = (languages.languages, languages.texts, languages.language_patterns)
    for cached in caches:
        cached.cache_clear()
    try:
        assert languages.languages() == {"en": "English", "de": "Deutsch", "fr": "Français"}
        assert ">Français</a>" in language_links("en")
        assert languages.chosen_language(["fr-CA"]) == "fr"
        assert languages.say("fr", "Start") == "Accueil"
        assert languages.say("fr", "{n} of {total} done", n=1, total=2) == "1 of 2 done"
        assert languages.decimal_sign("fr") == ","
        assert languages.instructions("screening", {}, "fr").startswith(
            languages.instructions("screening", {}, "en")
        )
        declared = form("localization", tasks.kind("localization").check_settings({}))
        assert sentences.translated(declared, "fr") == declared
    finally:
        for cached in caches:
            cached.cache_clear()


def test_values_and_names_of_a_form_are_never_translated():
    declared = form("localization", tasks.kind("localization").check_settings({}))
    german = sentences.translated(declared, "de")

    def data(value: Any) -> Any:
        if isinstance(value, dict):
            return {n: data(v) for n, v in value.items() if n not in sentences.SHOWN}
        return [data(v) for v in value] if isinstance(value, list) else value

    assert data(german) == data(declared)
    assert german["fields"][0]["options"][0]["text"] == "Sie geschieht"
