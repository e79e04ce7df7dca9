"""Rows without options: answered with yes or no, in words of one's own, or by mistake without them.

Which of these it is cannot be told from one row: `WithoutOptions` is found from a whole table.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from annotations.reading.answer_key import NotANumber, is_hidden, letter_of
from annotations.reading.checks import read_text
from annotations.reading.records import Fault

YES_NO: tuple[str, ...] = ("yes", "no")
_NUMBER = re.compile(r"[+-]?\d{1,2}(?:\.0+)?")


@dataclass(frozen=True)
class WithoutOptions:
    """How the rows of a table that have no options are answered.

    Attributes:
        yes_no: categories in which every such answer is yes or no.
        free: whether the other ones are answered in words of one's own.
        mixed: whether the table's other rows have options: then a letter alone is no answer.
    """

    yes_no: frozenset[str] = frozenset()
    free: bool = False
    mixed: bool = False

    def asks_freely(self, answers: Sequence[str], points: Sequence[str]) -> bool:
        """Whether a row with these accepted answers or scoring points needs no options."""
        if points or len(answers) > 1:
            return True
        return self.free and not (self.mixed and any(map(_is_key, answers)))


NO_SUCH_ROWS = WithoutOptions()


@dataclass
class AnswersWithoutOptions:
    """What the answers of rows without options look like together; rows are added one by one."""

    by_category: dict[str, set[str]] = field(
        default_factory=lambda: defaultdict[str, set[str]](set)
    )
    keys: int = 0
    numbers: int = 0
    words: int = 0
    listed: int = 0
    others: int = 0  # rows that have options

    def add(self, category: str, answers: Sequence[str], *, listed: bool) -> None:
        """Take one row without options into account.

        Args:
            category: of the row.
            answers: that it accepts; none where it says none.
            listed: whether it says so in a list, which only a free answer has.
        """
        self.by_category[category].update(answer.strip(" .").lower() for answer in answers)
        self.listed += listed
        for answer in answers:
            if letter_of(answer) is not None:
                self.keys += 1
            elif _NUMBER.fullmatch(answer):
                self.numbers += 1
            else:
                self.words += 1

    def found(self) -> WithoutOptions:
        """How such rows are answered; as free answers only if most are neither letters nor numbers.

        Letters and positions without options are questions that lost them.
        """
        yes_no = {name for name, said in self.by_category.items() if said and said <= {*YES_NO}}
        words = self.words > self.keys and self.words * 4 > self.numbers
        return WithoutOptions(frozenset(yes_no), bool(self.listed) or words, bool(self.others))


def texts_of(value: object, column: str) -> list[str]:
    """The texts in a cell: one, or those of a list; without doubles, empty ones and hidden keys.

    A text may hold a list as JSON or Python write it; of an object such as SQuAD's
    {"text": [...], "answer_start": [...]} the texts count.

    Raises:
        Fault: if what it holds is no text.
    """
    if isinstance(value, str):
        value = _listed(value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        value = next((fields[name] for name in ("text", "answer", "answers") if name in fields), ())
    items = cast("Iterable[object]", value) if isinstance(value, list | tuple) else [value]
    texts: dict[str, None] = {}
    for item in items:
        if isinstance(item, Mapping):
            for text in texts_of(cast("object", item), column):
                texts[text] = None
            continue
        if item is None or isinstance(item, NotANumber):
            continue
        if isinstance(item, list | tuple):
            raise Fault("a list inside a list", column=column, allowed="texts")
        text = str(item).lower() if isinstance(item, bool) else read_text(item, column)
        if text and not is_hidden(text, ()):
            texts[text] = None
    return list(texts)


def _listed(text: str) -> object:
    if text.strip()[:1] not in ("[", "{") or text.strip()[-1:] not in ("]", "}"):
        return text
    for parse in (json.loads, ast.literal_eval):
        try:
            value: object = parse(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        return cast("object", value) if isinstance(value, list | dict) else text
    return text


def _is_key(answer: str) -> bool:
    return letter_of(answer) is not None or _NUMBER.fullmatch(answer) is not None
