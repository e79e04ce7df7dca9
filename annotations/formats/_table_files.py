"""Which files of a folder hold questions, how one is opened, and where its videos may lie."""

from pathlib import Path

from annotations.reading.json_rows import open_json
from annotations.reading.mapping import guess
from annotations.reading.parquet_rows import open_parquet
from annotations.reading.parts import unnested
from annotations.reading.text_tables import Table, open_csv
from annotations.video import video_folder
from annotations.video.sidecars import SUFFIX as SIDECAR
from core.refusal import Refusal

SUFFIXES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet")
# Files of one table have the same columns for these.
_SAME_IN_PARTS = ("question", "options", "answer", "video")


def video_folders(path: Path, file: Path) -> tuple[Path, ...]:
    """Where videos may lie; the file's own folder only if it was given or holds some at its top."""
    folder = file.parent
    likely = (folder / "videos", folder / "clips", folder.parent / "videos")
    at_top = any(entry.suffix.lower() in video_folder.SUFFIXES for entry in folder.iterdir())
    return (*likely, folder) if at_top or path.is_dir() else likely


def open_table(file: Path, encoding: str) -> Table:
    """The table in a file of one of the suffixes.

    Raises:
        ValueError: if it cannot be read.
    """
    if file.suffix.lower() in (".json", ".jsonl", ".ndjson"):
        return unnested(open_json(file, encoding))
    if file.suffix.lower() == ".parquet":
        return unnested(open_parquet(file))
    return open_csv(file, encoding)


def question_files(folder: Path) -> list[Path]:
    """Files in a folder that have a question and its answers, judged by their columns."""
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
    return [file for file in files if not file.name.endswith(SIDECAR) and _has_questions(file)]


def _has_questions(file: Path) -> bool:
    try:
        mapping = guess(open_table(file, "").columns)
    except ValueError:
        return False
    has_options = bool(mapping.options) or "options" in mapping.columns
    return "question" in mapping.columns and (has_options or "answer" in mapping.columns)


def files_of(folder: Path) -> list[Path]:
    """The files of questions in a folder, which are parts of one table."""
    files = question_files(folder)
    if not files:
        raise Refusal(
            f"{folder} holds no file of questions. Name a file, or the format: --format videos "
            "takes the videos only."
        )
    layouts = [guess(open_table(file, "").columns) for file in files]
    asked = {(m.options, *(m.columns.get(name) for name in _SAME_IN_PARTS)) for m in layouts}
    if len(asked) > 1:
        names = ", ".join(file.name for file in files)
        raise Refusal(
            f"{folder} holds files of questions with other columns each: {names}. Import one file "
            "at a time, or name the format: --format videos takes the videos only."
        )
    return files
