"""TempCompass (Liu et al. 2024): a JSON file for each of four tasks, by video and aspect."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from annotations.format import Choices, Reading
from annotations.reading import checks
from annotations.reading.answer_key import letter_of, plain
from annotations.reading.displayed_options import YES_NO, key_of, split_prompt
from annotations.reading.file_parts import each_file
from annotations.reading.json_rows import Record, read_json
from annotations.reading.question_draft import RawQuestion, draft, read_question_text
from annotations.reading.records import Fault, Problem, QuestionDraft, VideoRequest, as_problem
from core.refusal import Refusal

TITLE = "the questions of TempCompass (multi-choice.json, yes_no.json, ...), one file or the folder"

TASKS = ("multi-choice", "yes_no", "caption_matching", "captioning")
FIELDS = ("question", "answer")

_INFORMATION = re.compile(r"^Information [A-Z]:\s*(?P<facts>.*)$", re.MULTILINE)
_ANSWER = re.compile(r"(?P<letter>[A-Z])[.:)]\s*(?P<words>.*)", re.DOTALL)

Entry = tuple[Path, str, str, int, object]


def likeness(path: Path) -> int:
    """3 for a tree of video, aspect and questions without replies, or a folder with one; else 0."""
    files = _files(path)
    return 3 if files and _has_tree(files[0]) else 0


def read(path: Path, choices: Choices) -> Reading:
    """The files of some tasks; identity is task, video, aspect and place: 'yes_no/12/speed/1'.

    Raises:
        ValueError: if none of the files is there or one given alone cannot be read.
    """
    if choices.columns:
        raise Refusal("The fields of TempCompass are fixed; --map is for --format table.")
    files = _files(path)
    if not files:
        raise Refusal(f"{path} holds none of {', '.join(task + '.json' for task in TASKS)}.")
    problems: list[Problem] = []

    def content(file: Path) -> object:
        value, notes = read_json(file, choices.encoding)
        problems.extend(notes)
        return value

    entries: list[Entry] = [
        (file, *entry)
        for file, value in each_file(files, content, problems)
        for entry in _tree(value)
    ]
    folder = files[0].parent
    return Reading(
        format="tempcompass",
        files=tuple(files),
        mapping=(
            ("id", "file name, video, aspect and place in the list, such as yes_no/12/speed/1"),
            ("question", "question, without its options"),
            ("options", "the labelled lines of question; yes and no where there are none"),
            ("answer", "answer"),
            ("video", "the name above the aspects"),
            ("category", "the aspect"),
            ("tag task", "file name"),
        ),
        rows=partial(_rows, entries),
        videos={video: VideoRequest(video, video) for video in _videos(entries)},
        problems=tuple(problems),
        video_folders=(folder / "videos", folder.parent / "videos"),
    )


def uid(task: str, video: str, aspect: str, position: int) -> str:
    """Identity of a question: its task, video, aspect, and place in the list from 0."""
    return f"{task}/{video}/{aspect}/{position + 1}"


def _files(path: Path) -> list[Path]:
    """The files of tasks at a path: itself, in it, or in its folder 'questions'."""
    if path.is_file():
        return [path] if path.suffix.lower() == ".json" and path.stem in TASKS else []
    for folder in (path, path / "questions"):
        files = [file for task in TASKS if (file := folder / f"{task}.json").is_file()]
        if files:
            return files
    return []


def _has_tree(file: Path) -> bool:
    try:
        value, _ = read_json(file)
    except ValueError:
        return False
    for _, _, _, record in _tree(value):
        return isinstance(record, Record) and set(record) == set(FIELDS)
    return False


def _tree(value: object) -> Iterator[tuple[str, str, int, object]]:
    """Video, aspect, place in the list, record; nothing where the tree is another."""
    for video, aspects in value.items() if isinstance(value, Record) else ():
        for aspect, records in aspects.items() if isinstance(aspects, Record) else ():
            if isinstance(records, list):
                for position, record in enumerate(cast("list[object]", records)):
                    yield video, aspect, position, record


def _videos(entries: Sequence[Entry]) -> list[str]:
    names: dict[str, None] = {}
    for _, video, _, _, _ in entries:
        try:
            names[checks.read_video_name(video, "video")] = None
        except Fault:
            continue
    return list(names)


def _rows(entries: Sequence[Entry]) -> Iterator[QuestionDraft | Problem]:
    for file, video, aspect, position, record in entries:
        row = f"{video}, {aspect}, entry {position + 1}"
        try:
            raw = _raw(file.stem, video, aspect, position, record)
            question = draft(replace(raw, file=file.name, row=row), "letters", "answer")
        except Fault as fault:
            yield as_problem(fault, file.name, row)
            continue
        for warning in raw.warnings:
            yield as_problem(warning, file.name, row, "warning")
        yield question


def _raw(task: str, video: str, aspect: str, position: int, record: object) -> RawQuestion:
    if not isinstance(record, Record) or any(field not in record for field in FIELDS):
        raise Fault("not a question", value=repr(record), allowed="question and answer")
    warnings: list[Fault] = []
    prompt = read_question_text(record["question"], "question", warnings)
    answer = record["answer"]
    if task == "captioning":
        text, options = _split_captioning(prompt)
        answer = _captioning_key(str(answer), options, warnings)
    else:
        text, labelled, labels = split_prompt(prompt)
        options = list(labelled or (YES_NO[0] if task == "yes_no" else ()))
        key = key_of(answer, options, labels)
        answer = answer if key is None else chr(ord("A") + key)
    name = checks.read_video_name(video, "video")
    return RawQuestion(
        uid(task, name, aspect, position), text, options, answer, name,
        category=aspect, tags={"task": task}, warnings=warnings,
    )  # fmt: skip


def _split_captioning(prompt: str) -> tuple[str, list[str]]:
    """What is asked, and the pieces of information to caption by, each on one line."""
    matches = list(_INFORMATION.finditer(prompt))
    text = prompt[: matches[0].start()].strip() if matches else prompt
    return text, [_described(match["facts"].strip()) for match in matches]


def _described(facts: str) -> str:
    """'subject: man; action: dunking' for what is written as a Python dict; else as it is."""
    try:
        value = ast.literal_eval(facts)
    except (ValueError, SyntaxError):
        return facts
    if not isinstance(value, dict):
        return facts
    pairs = cast("dict[object, object]", value)
    return "; ".join(f"{name}: {what}" for name, what in pairs.items())


def _captioning_key(answer: str, options: Sequence[str], warnings: list[Fault]) -> str | None:
    """The letter of the information that the answer quotes; None if that is not clear.

    The answer is the option of the multiple-choice question behind the item, letter included, and
    a few name another letter or cut words off. Words count before letters.
    """
    match = _ANSWER.fullmatch(answer.strip())
    wanted, letter = (plain(match["words"]), match["letter"]) if match else (plain(answer), "")
    values = [[plain(part.partition(": ")[2]) for part in text.split("; ")] for text in options]
    equal = [i for i, parts in enumerate(values) if wanted in parts]
    begins = [i for i, parts in enumerate(values) if any(_begins(text, wanted) for text in parts)]
    named = letter_of(letter) if letter else None
    for candidates in (equal, begins):
        if named in candidates:
            return letter
        if len(candidates) == 1:
            return chr(ord("A") + candidates[0])
    warnings.append(
        Fault(
            "the answer quotes none of the pieces of information, or several; taken as no key",
            column="answer", value=answer,
        )
    )  # fmt: skip
    return None


def _begins(text: str, wanted: str) -> bool:
    return bool(text and wanted) and (text.startswith(wanted) or wanted.startswith(text))
