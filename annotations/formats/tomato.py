"""TOMATO (Shangguan et al. 2024): six JSON files, one a reasoning type, and a folder of videos."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from annotations.format import Choices, Reading
from annotations.reading import checks
from annotations.reading.file_parts import each_file
from annotations.reading.json_rows import Record, read_json
from annotations.reading.options import read_options
from annotations.reading.question_draft import RawQuestion, draft, read_question_text
from annotations.reading.records import (
    About,
    Fault,
    Problem,
    QuestionDraft,
    Tags,
    VideoRequest,
    as_problem,
)
from core.refusal import Refusal

TITLE = "the six JSON files of TOMATO (rotation.json, direction.json, ...), or some of them"

REASONING_TYPES = (
    "count",
    "direction",
    "rotation",
    "shape&trend",
    "velocity&frequency",
    "visual_cues",
)
DEMONSTRATION_TYPES = ("human", "object", "simulated")
FIELDS = ("question", "options", "answer", "key", "demonstration_type")
FLAGS = ("counterfactual", "composite", "zoom", "first_person")


def likeness(path: Path) -> int:
    """3 for one of the six files or a folder with one, judged by name and fields; else 0."""
    return 3 if any(_has_fields(file) for file in _files(path)) else 0


def read(path: Path, choices: Choices) -> Reading:
    """The files, each parsed; identity is reasoning type and id, such as 'count/17'.

    Raises:
        ValueError: if none of the files is there or one given alone cannot be read.
    """
    if choices.columns:
        raise Refusal("The fields of TOMATO are fixed; --map is for --format table.")
    files = _files(path)
    if not files:
        raise Refusal(f"{path} holds none of {', '.join(t + '.json' for t in REASONING_TYPES)}.")
    problems: list[Problem] = []
    parts = each_file(files, lambda file: _records(file, choices.encoding, problems), problems)
    records = [record for _, part in parts for record in part]
    problems += _lacking(path, files)
    seen = _Doubles(records)
    folder = files[0].parent
    return Reading(
        format="tomato",
        files=tuple(files),
        mapping=(
            ("id", "file name and id, such as count/17"),
            ("question", "question"),
            ("options", "options"),
            ("answer", "answer, a position from 0"),
            ("video", "demonstration_type and key, such as human/0209-03"),
            ("category", "file name"),
            ("tag", "demonstration_type; counterfactual, composite, zoom, first_person where set"),
            ("note", "note"),
            ("source_url", "video_source_url"),
        ),
        rows=partial(_rows, records, seen),
        videos=_videos(records),
        problems=tuple(problems),
        video_folders=(folder / "videos", folder.parent / "videos"),
    )


def _reasoning_type(file: Path) -> str:
    """The reasoning type of a file name, '' if it is none; 'shape_trend' is 'shape&trend'."""
    stem = file.stem.casefold().replace("&", "_").replace(" ", "_")
    plain = {name.replace("&", "_"): name for name in REASONING_TYPES}
    return plain.get(stem, "")


def _files(path: Path) -> list[Path]:
    """The files of TOMATO at a path: itself, in it, or in its folder 'data'."""
    if path.is_file():
        return [path] if path.suffix.lower() == ".json" and _reasoning_type(path) else []
    for folder in (path, path / "data"):
        if folder.is_dir():
            files = [f for f in sorted(folder.glob("*.json")) if _reasoning_type(f)]
            if files:
                return files
    return []


def _has_fields(file: Path) -> bool:
    try:
        value, _ = read_json(file)
    except ValueError:
        return True  # by its name it is one; reading it says what is wrong
    if not isinstance(value, Record):
        return False
    record = next(iter(value.values()), None)
    return isinstance(record, Record) and "key" in record and "demonstration_type" in record


def _lacking(path: Path, files: list[Path]) -> list[Problem]:
    present = {_reasoning_type(file) for file in files}
    lacking = [f"{name}.json" for name in REASONING_TYPES if name not in present]
    if path.is_file() or not lacking:
        return []
    return [Problem("warning", f"not in the folder: {', '.join(lacking)}", path.name)]


def _records(
    file: Path, encoding: str, problems: list[Problem]
) -> list[tuple[Path, str, str, object]]:
    value, notes = read_json(file, encoding)
    problems += notes
    if not isinstance(value, Record):
        raise Refusal(f"{file.name} is no object of questions by id.")
    category = _reasoning_type(file)
    return [(file, category, name, record) for name, record in value.pairs or value.items()]


class _Doubles:
    """Which identities stand in the files more than once, and whether they then agree."""

    def __init__(self, records: list[tuple[Path, str, str, object]]):
        self.first: dict[str, object] = {}
        self.differ: set[str] = set()
        for _, category, name, record in records:
            uid = f"{category}/{name.strip()}"
            if uid in self.first and self.first[uid] != record:
                self.differ.add(uid)
            self.first.setdefault(uid, record)


def _rows(
    records: list[tuple[Path, str, str, object]], doubles: _Doubles
) -> Iterator[QuestionDraft | Problem]:
    seen: set[str] = set()
    for file, category, name, record in records:
        row = f"id {name}"
        try:
            raw = replace(_raw(category, name, record), file=file.name, row=row)
            if raw.uid in doubles.differ:
                raise Fault(
                    "this id stands in the file twice with different content",
                    column="id",
                    value=name,
                    allowed="each id once",
                    todo="Take out the one that is wrong.",
                )
            question = draft(raw, "0", "answer")
        except Fault as fault:
            yield as_problem(fault, file.name, row)
            continue
        if raw.uid in seen:
            yield Problem("warning", "the same record stands there before", file.name, row)
            continue
        seen.add(raw.uid)
        for warning in raw.warnings:
            yield as_problem(warning, file.name, row, "warning")
        yield question


def _raw(category: str, name: str, record: object) -> RawQuestion:
    if not isinstance(record, Record):
        raise Fault("not an object", value=repr(record), allowed="an object with the fields below")
    lacking = [field for field in FIELDS if field not in record]
    if lacking:
        raise Fault(
            f"{', '.join(lacking)} lacking", allowed=f"the fields {', '.join(FIELDS)}",
            todo="Add what is lacking; an answer that is not known is null.",
        )  # fmt: skip
    if record.doubled:
        raise Fault(f"the field {record.doubled[0]} stands there twice", column=record.doubled[0])
    warnings: list[Fault] = []
    text = read_question_text(record["question"], "question", warnings)
    demonstration = checks.read_text(record["demonstration_type"], "demonstration_type")
    motion = checks.read_text(record.get("motion_type"), "motion_type")
    if motion and motion.replace(" ", "_") != category:
        warnings.append(
            Fault("is not the file's reasoning type; the file's counts", column="motion_type",
                  value=motion, allowed=category)
        )  # fmt: skip
    if demonstration not in DEMONSTRATION_TYPES:
        warnings.append(
            Fault("not one of TOMATO's", column="demonstration_type", value=demonstration,
                  allowed=", ".join(DEMONSTRATION_TYPES))
        )  # fmt: skip
    return RawQuestion(
        f"{category}/{checks.read_id(name, 'id')}",
        text,
        read_options(record["options"]),
        record["answer"],
        _video(record),
        category=category,
        tags=_tags(demonstration, record.get("variation")),
        note=checks.read_text(record.get("note"), "note"),
        about=About(
            source_url=checks.read_text(record.get("video_source_url"), "video_source_url")
        ),
        warnings=warnings,
    )


def _tags(demonstration: str, variation: object) -> Tags:
    tags: Tags = {"demonstration_type": demonstration} if demonstration else {}
    if isinstance(variation, Record):
        tags.update({flag: True for flag in FLAGS if str(variation.get(flag, 0)) in ("1", "True")})
    return tags


def _video(record: Record) -> str:
    kind = checks.read_id(record["demonstration_type"], "demonstration_type")
    return checks.read_video_name(f"{kind}/{checks.read_id(record['key'], 'key')}", "key")


def _videos(records: list[tuple[Path, str, str, object]]) -> dict[str, VideoRequest]:
    videos: dict[str, VideoRequest] = {}
    for _, _, _, record in records:
        if not isinstance(record, Record):
            continue
        try:
            name = _video(record)
            url = checks.read_text(record.get("video_source_url"), "video_source_url")
        except (Fault, KeyError):
            continue
        if name not in videos or not videos[name].source_url:
            videos[name] = VideoRequest(name, name, url)
    return videos
