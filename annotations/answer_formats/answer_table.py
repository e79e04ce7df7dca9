"""People's answers in CSV, TSV, JSON, JSON Lines, xlsx or Parquet, one a row."""

from pathlib import Path

from annotations.answer_format import AnswerFile
from annotations.answer_formats._rows import answer_file, columns_of
from annotations.prediction_format import PredictionChoices
from annotations.prediction_formats.table import SUFFIXES, open_table

TITLE = "CSV, TSV, JSON, JSON Lines, xlsx or Parquet: annotator, item, answer, condition"
SOURCE = "a table"
OF_MODELS = frozenset({"model", "model_name", "model_id", "system"})


def likeness(path: Path) -> int:
    """2 for a table that says who answered which question with what, and names no model.

    One that holds whole questions may as well name who wrote them: it is 1, less than questions.
    """
    if not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return 0
    try:
        table = open_table(path, "")
        columns = columns_of(table.columns)
    except (ValueError, ImportError):
        return 0
    about = columns.question
    asks = {"id", "question"} & about.columns.keys()
    if not asks or not {"person", "response"} <= columns.fields.keys():
        return 0
    if OF_MODELS & {name.lower() for name in table.columns}:
        return 0
    whole = "question" in about.columns and ("options" in about.columns or about.options)
    return 1 if whole else 2


def read(path: Path, choices: PredictionChoices) -> AnswerFile:
    """One table.

    Raises:
        Refusal: if it cannot be read, or a column is lacking.
    """
    return answer_file("answer_table", SOURCE, path, open_table(path, choices.encoding), choices)
