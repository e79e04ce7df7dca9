"""Further columns of answers beside the one that is read: whether both name the same option."""

from collections import Counter
from dataclasses import dataclass

from annotations.reading.answer_key import answer_text, read_key
from annotations.reading.mapping import NAMES, Mapping, plain_name
from annotations.reading.question_draft import RawQuestion
from annotations.reading.records import Fault, Problem
from annotations.reading.table_rows import RowReader
from annotations.reading.text_tables import Row, Table

_STYLES = ("letters", "text", "0", "1")


@dataclass(frozen=True)
class FurtherKeys:
    """Columns that mostly say the same as the column of answers.

    Attributes:
        answer: the column of answers.
        style: how it is read.
        styles: how each of the others is read.
        notes: about columns that seldom say the same.
    """

    answer: str = ""
    style: str = ""
    styles: tuple[tuple[str, str], ...] = ()
    notes: tuple[Problem, ...] = ()

    def check(self, row: Row, raw: RawQuestion) -> None:
        """Refuse a row whose answers name two options; warn where only another column names one.

        Raises:
            Fault: with both answers.
        """
        for column, style in self.styles if not raw.free else ():
            answer, other = _index(raw.answer, raw, self.style), row.cells.get(column)
            index = _index(other, raw, style)
            if index is None or answer == index:
                continue
            if raw.answer in (None, ""):
                note = f"{self.answer} is empty, so the question has no key; {column} names one"
                raw.warnings.append(Fault(note, column=column, value=answer_text(other)))
            elif answer is not None:
                raise Fault(
                    f"{self.answer} and {column} name different options",
                    column="answer",
                    value=f"{answer_text(raw.answer)!r} and {answer_text(other)!r}",
                    allowed="the same option in both",
                    todo=f"Correct the wrong one, or say which counts: --map answer={self.answer}.",
                )


def further_keys(table: Table, mapping: Mapping, reader: RowReader, style: str) -> FurtherKeys:
    """What further columns of answers say, from all rows: read in the way that agrees most."""
    answer = mapping.column("answer")
    columns = [name for name in mapping.unused if plain_name(name) in NAMES["answer"]]
    if not columns or "answer" not in mapping.columns or style not in (*_STYLES, "none"):
        return FurtherKeys()
    same, different = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    filled = Counter[str]()
    for row, raw in reader.readable(table):
        index = _index(raw.answer, raw, style) if not raw.free else None
        for column in columns if index is not None else ():
            filled[column] += row.cells.get(column) not in (None, "")
            for way in _STYLES:
                other = _index(row.cells.get(column), raw, way)
                same[column, way] += other == index
                different[column, way] += other is not None and other != index
    styles: list[tuple[str, str]] = []
    notes: list[Problem] = []
    for column in columns:
        alike_most = max(same[column, way] for way in _STYLES)
        ways = [way for way in _STYLES if same[column, way] == alike_most]
        sign = -1 if alike_most else 1
        way = max(ways, key=lambda way: sign * different[column, way])
        alike, apart = same[column, way], different[column, way]
        if alike and 2 * alike >= filled[column]:
            styles.append((column, way))
        elif 2 * apart > filled[column]:
            notes.append(
                Problem(
                    "warning", f"{answer} and {column} seldom name the same option; "
                    f"{answer} is taken as the key",
                    table.file.name, column=column, rows=apart,
                    todo=f"If {column} holds the key, say so: --map answer={column}.",
                )
            )  # fmt: skip
    return FurtherKeys(answer, style, tuple(styles), tuple(notes))


def _index(value: object, raw: RawQuestion, style: str) -> int | None:
    """The option that an answer names; None for none, several, or what cannot be read."""
    try:
        return read_key(value, raw.options, style)
    except Fault:
        return None
