"""Cells of a row about an answer: texts, what was shown, and which question was asked."""

from annotations.condition import Condition
from annotations.prediction_format import QuestionReference
from annotations.reading.answer_key import NotANumber
from annotations.reading.displayed_options import key_of, split_list, split_prompt
from annotations.reading.mapping import Mapping
from annotations.reading.text_tables import Row


def cell(row: Row, column: str | None) -> object:
    """What stands in a column; None without the column, or where the file says NaN."""
    value = row.cells.get(column) if column else None
    return None if isinstance(value, NotANumber) else value


def text_of(row: Row, column: str | None) -> str:
    """The text in a column without blanks around it; '' for none, a list or an object."""
    value = cell(row, column)
    return "" if value is None or isinstance(value, list | dict) else str(value).strip()


def condition_of(text: str) -> str:
    """A condition in our words where the text is one, a number of frames included; else as is."""
    number = text.removesuffix(".0")
    if number.isdigit():
        text = f"{number} frame{'s' if number != '1' else ''}" if int(number) else "text only"
    try:
        return Condition.parse(text).name
    except ValueError:
        return text


def question_of(row: Row, mapping: Mapping) -> QuestionReference:
    """Which question a row is about, by all that its columns say of it."""

    def joined(field: str) -> str:
        parts = [text_of(row, column) for column in mapping.columns.get(field, ())]
        return "/".join(part for part in parts if part)

    text, options, labels = split_prompt(joined("question"))
    if mapping.options:
        cells = [text_of(row, column) for column in mapping.options]
        options, labels = split_list([option for option in cells if option])
    elif "options" in mapping.columns:
        options, labels = split_list(cell(row, mapping.columns["options"][0]))
    identity, video = joined("id"), joined("video")
    category = joined("category")
    uids = [identity, f"{category}/{identity}", f"{video}/{identity}"] if identity else []
    return QuestionReference(
        uids=tuple(uid for uid in dict.fromkeys(uids) if not uid.startswith("/")),
        video=video,
        text=text,
        options=options,
        labels=labels,
        key=key_of(joined("answer"), options, labels),
        category=category,
    )
