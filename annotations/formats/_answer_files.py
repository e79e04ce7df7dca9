"""Answers in a file of their own: questions in one file, their keys by id in another beside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from annotations.formats._exported_table import of_an_export
from annotations.reading import table_files
from annotations.reading.mapping import Mapping, guess
from annotations.reading.records import Problem
from annotations.reading.text_tables import Row, Table
from core.refusal import Refusal

SUFFIXES = table_files.SUFFIXES
# Words of file names that tell questions from their answers: 'test_q' and 'test_a' belong together.
_WORDS = frozenset({"q", "a", "qa", "question", "questions", "answer", "answers", "gt", "key",
                    "keys", "label", "labels", "subset", "truth", "groundtruth"})  # fmt: skip
_ANSWER = "answer"


@dataclass(frozen=True)
class _Answers:
    """A file of answers: the cells beside the id, by id."""

    file: Path
    columns: tuple[str, ...]
    by_id: dict[str, dict[str, object]]
    problems: tuple[Problem, ...]


def open_table(file: Path, encoding: str, pairs: str = "") -> Table:
    """The table in a file of one of the suffixes; the questions of an export as they are imported.

    Args:
        file: the file.
        encoding: of text files; '' to detect.
        pairs: as in `annotations.reading.table_files`.

    Raises:
        ValueError: if it cannot be read.
    """
    return of_an_export(table_files.open_table(file, encoding, pairs))


def with_answers(table: Table, encoding: str = "", *, whole_folder: bool = False) -> Table:
    """A table of questions with the answers of a file beside it, where its own rows have none.

    Args:
        table: of questions.
        encoding: of text files; '' to detect.
        whole_folder: whether the folder was named as a whole: then any file of answers counts, not
            only one whose name belongs to that of the questions.
    """
    mapping = guess(table.columns)
    needed = {"question", "id"} <= mapping.columns.keys() and len(mapping.columns["id"]) == 1
    if not needed or {_ANSWER, "accepted"} & mapping.columns.keys():
        return table
    column = mapping.columns["id"][0]
    ids = {_id(row.cells.get(column)) for row in table.rows() if isinstance(row, Row)}
    for file in sorted(table.file.parent.iterdir()):
        if file == table.file or not file.is_file() or file.suffix.lower() not in SUFFIXES:
            continue
        if not (whole_folder or _bare(file.stem) == _bare(table.file.stem)):
            continue
        answers = _answers(file, encoding)
        # Only a part may have answers, such as the subset that EgoSchema gives out.
        if answers and answers.by_id and len(answers.by_id.keys() & ids) * 2 > len(answers.by_id):
            return _joined(table, column, answers)
    return table


def _bare(stem: str) -> str:
    """A file's name without the words that tell questions from answers."""
    words = re.split(r"[\W_]+", stem.casefold())
    return "_".join(word for word in words if word not in _WORDS)


def _answers(file: Path, encoding: str) -> _Answers | None:
    """The answers in a file; None if it is no file of answers alone."""
    try:
        table = open_table(file, encoding, _ANSWER)
        mapping: Mapping = guess(table.columns)
    except Refusal:
        return None
    named = mapping.columns
    if "question" in named or "id" not in named or not {_ANSWER, "accepted"} & named.keys():
        return None
    by_id: dict[str, dict[str, object]] = {}
    for row in table.rows():
        if isinstance(row, Row):
            cells = {name: cell for name, cell in row.cells.items() if name not in named["id"]}
            by_id.setdefault(_id(row.cells.get(named["id"][0])), cells)
    columns = tuple(name for name in table.columns if name not in named["id"])
    return _Answers(file, columns, by_id, table.problems)


def _joined(table: Table, column: str, answers: _Answers) -> Table:
    def rows() -> Iterator[Row | Problem]:
        for row in table.rows():
            if isinstance(row, Problem):
                yield row
            else:
                more = answers.by_id.get(_id(row.cells.get(column)), {})
                yield Row(row.where, {**more, **row.cells})

    columns = tuple(dict.fromkeys((*table.columns, *answers.columns)))
    problems = (*table.problems, *answers.problems)
    others = (*table.others, answers.file)
    return replace(table, columns=columns, rows=rows, problems=problems, others=others)


def _id(value: object) -> str:
    return str(value).strip()
