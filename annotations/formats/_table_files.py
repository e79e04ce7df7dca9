"""Which files of a folder hold questions, how one is opened, and where its videos may lie."""

from pathlib import Path

from annotations.formats._answer_files import SUFFIXES, open_table, with_answers
from annotations.reading.mapping import guess
from annotations.reading.text_tables import Table
from annotations.video import video_folder
from annotations.video.sidecars import SUFFIX as SIDECAR
from core.refusal import Refusal

# Files of one table have the same columns for these.
_SAME_IN_PARTS = ("question", "answer", "video")


def video_folders(path: Path, file: Path) -> tuple[Path, ...]:
    """Where videos may lie; the file's own folder only if it was given or holds some at its top."""
    folder = file.parent
    likely = (folder / "videos", folder / "clips", folder.parent / "videos")
    at_top = any(entry.suffix.lower() in video_folder.SUFFIXES for entry in folder.iterdir())
    return (*likely, folder) if at_top or path.is_dir() else likely


def opened_tables(path: Path, encoding: str) -> list[Table]:
    """The tables of questions in a file or folder, with the answers that lie in files beside them.

    Raises:
        ValueError: if one cannot be read, or the folder holds none that belong together.
    """
    files = [path] if path.is_file() else files_of(path)
    folder = path.is_dir()
    return [
        with_answers(open_table(file, encoding), encoding, whole_folder=folder) for file in files
    ]


def question_files(folder: Path) -> list[Path]:
    """Files in a folder that have a question and its answers, judged by their columns."""
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
    return [file for file in files if not file.name.endswith(SIDECAR) and _has_questions(file)]


def _has_questions(file: Path) -> bool:
    try:
        mapping = guess(with_answers(open_table(file, ""), whole_folder=True).columns)
    except ValueError:
        return False
    has_options = bool(mapping.options) or "options" in mapping.columns
    has_answers = bool({"answer", "accepted", "points"} & mapping.columns.keys())
    return "question" in mapping.columns and (has_options or has_answers)


def files_of(folder: Path) -> list[Path]:
    """The files of questions in a folder, which are parts of one table."""
    files = question_files(folder)
    if not files:
        raise Refusal(
            f"{folder} holds no file of questions. Name a file, or the format: --format videos "
            "takes the videos only."
        )
    layouts = [guess(open_table(file, "").columns) for file in files]
    # A part may lack a column, such as the options of questions with free answers.
    asked = [{m.options or m.columns.get("options", ()) for m in layouts} - {()}]
    asked += [{m.columns.get(name, ()) for m in layouts} - {()} for name in _SAME_IN_PARTS]
    if any(len(names) > 1 for names in asked):
        names = ", ".join(file.name for file in files)
        raise Refusal(
            f"{folder} holds files of questions with other columns each: {names}. Import one file "
            "at a time, or name the format: --format videos takes the videos only."
        )
    return files
