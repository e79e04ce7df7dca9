"""Languages of the annotator's side: texts, instructions, and which language a person wants.

English stands in the code and is the key of every other language. A language is one file,
`assets/languages/CODE.json`: {"name": its own name, "texts": {English: translation}, "sentences"
and "parts": {pattern: translation}}. What a file lacks is shown in English. Instructions in a
language are files beside the English ones, `assets/instructions/KIND.CODE.md`.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from annotations import task as tasks
from annotations.condition import Condition

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "languages"
ENGLISH = "en"


@cache
def languages() -> dict[str, str]:
    """Own name of each language by its code; English first, the others by code."""
    others = {path.stem: str(_file(path)["name"]) for path in sorted(FOLDER.glob("*.json"))}
    return {ENGLISH: "English", **others}


@cache
def texts(code: str) -> Mapping[str, str]:
    """Translations of a language by the English text; {} for English and unknown codes."""
    path = FOLDER / f"{code}.json"
    if code == ENGLISH or code not in languages():
        return {}
    return cast("dict[str, str]", _file(path)["texts"])


@cache
def language_patterns(code: str, section: str) -> Mapping[str, str]:
    """Translations of "sentences" that are put together below, or of "parts" of such, by English.

    See ui/sentences.py; {} for English and unknown codes.
    """
    if code == ENGLISH or code not in languages():
        return {}
    return cast("dict[str, str]", _file(FOLDER / f"{code}.json").get(section, {}))


def decimal_sign(code: str) -> str:
    """What stands between whole and part of a number."""
    return texts(code).get(".", ".")


def say(code: str, words: str, **values: object) -> str:
    """The text in a language, with {name} replaced by the value of that name."""
    text = texts(code).get(words, words)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def chosen_language(asked: Iterable[str | None]) -> str:
    """Code of the first wish that is a language here, such as 'de' for 'de-AT'; else English."""
    for wish in asked:
        code = (wish or "").strip().lower().split("-")[0]
        if code in languages():
            return code
    return ENGLISH


def instructions(kind: str, settings: Mapping[str, Any], code: str) -> str:
    """Markdown that a kind's annotators read first, for what they are shown and how they answer.

    The most particular file there is: `KIND.VIEW.CODE.md`, `KIND.VIEW.md`, `KIND.CODE.md`,
    `KIND.md`. A fitting text in English comes before one in the language that does not fit.

    Raises:
        OSError: if the kind has no file at all.
    """
    view = view_of(settings)
    names = [f"{kind}.{view}.{code}", f"{kind}.{view}", f"{kind}.{code}", kind]
    paths = [tasks.INSTRUCTIONS / f"{name}.md" for name in names]
    return next((path for path in paths if path.is_file()), paths[-1]).read_text(encoding="utf-8")


def view_of(settings: Mapping[str, Any]) -> str:
    """How a condition is looked at: 'video', 'grid', 'frame', 'shuffled', 'text'; or 'free'.

    'free' stands for answers in the person's own words, under whatever condition.
    """
    if settings.get("free_text"):
        return "free"
    condition = str(settings.get("condition") or "full video")
    parsed = Condition.parse(condition)
    if parsed.is_text or parsed.is_objects:
        return "text"
    if parsed.is_video:
        return "video"
    if parsed.hides_times:
        return "shuffled"
    return "frame" if condition.startswith("1 ") else "grid"


def _file(path: Path) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
