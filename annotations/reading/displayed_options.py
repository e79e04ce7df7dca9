"""The options of a question as a prompt displays them, with the labels that stand before them."""

import ast
import json
import re
from collections.abc import Sequence
from typing import cast

from annotations.reading.answer_key import matches

_LINE = re.compile(
    r"\s*(?:-\s+)?[\"']?(?:(?:Caption|Sentence|Option|Choice|Information|Statement|Description)\s+"
    r"(?P<named>[A-Z]|\d{1,2})\s*[:.)]|[(\[]?(?P<label>[A-Z]|\d{1,2})[)\].:])\s*(?P<text>.*)",
    re.DOTALL,
)
_PROMPT = re.compile(r"^\s*Question:[ \t]*(?=\S)")
YES_NO = (("yes", "no"), ("A", "B"))

_TEXT_NAMES = ("text", "option", "content", "value", "choice", "option_text")
_LABEL_NAMES = ("label", "key", "id", "letter", "index", "idx", "option_id")

Options = tuple[tuple[str, ...], tuple[str, ...]]


def split_prompt(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Split a prompt into what is asked, the options' texts, and their labels.

    Options are the last lines that are labelled from A or 1 on without a gap; none if there are
    not two. What follows the last option's line, such as 'Answer with a letter', is left out.
    """
    lines = _PROMPT.sub("", text, count=1).split("\n")
    labelled = [(i, match) for i, line in enumerate(lines) if (match := _LINE.fullmatch(line))]
    labels = [match["named"] or match["label"] for _, match in labelled]
    starts = [i for i, label in enumerate(labels) if label in ("A", "1")]
    for start in reversed(starts):
        run = _run(labels[start:])
        if run < 2:
            continue
        option_lines = labelled[start : start + run]
        ends = [*(line_number for line_number, _ in option_lines[1:]), option_lines[-1][0] + 1]
        options: list[str] = []
        for (line_number, match), end in zip(option_lines, ends, strict=True):
            options.append("\n".join([match["text"], *lines[line_number + 1 : end]]).strip())
        return (
            "\n".join(lines[: option_lines[0][0]]).strip(),
            tuple(options),
            tuple(labels[start:][:run]),
        )
    return _PROMPT.sub("", text, count=1).strip(), (), ()


def _run(labels: Sequence[str]) -> int:
    """How many labels follow each other from the first on."""
    for position, label in enumerate(labels):
        expected = chr(ord("A") + position) if labels[0] == "A" else str(position + 1)
        if label != expected:
            return position
    return len(labels)


def split_list(value: object) -> Options:
    """Words and labels of options in a list, an object by label, or a text that holds either."""
    if isinstance(value, str):
        value = _parsed(value)
    value = out_of_records(value)
    if isinstance(value, dict):
        fields = cast("dict[object, object]", value)
        return tuple(str(part) for part in fields.values()), tuple(str(part) for part in fields)
    if not isinstance(value, list | tuple):
        return (), ()
    items = [str(item) for item in cast("Sequence[object]", value)]
    labelled = [_LINE.fullmatch(item) for item in items]
    labels = [match["named"] or match["label"] for match in labelled if match]
    if len(labels) == len(items) and labels and _run(labels) == len(labels):
        return tuple(match["text"].strip() for match in labelled if match), tuple(labels)
    return tuple(items), ()


def out_of_records(value: object) -> object:
    """Options that stand in records, as an object by label, or a list where they have no labels.

    Such as {"text": ["a", "b"], "label": ["A", "B"]} or [{"label": "A", "text": "a"}, ...]; any
    other value as it is.
    """
    pairs = [_label_and_text(record) for record in _records(value)]
    labels = {label for label, _ in pairs}
    if not pairs or any(text is None for _, text in pairs):
        return value
    if labels == {None}:
        return [text for _, text in pairs]
    return dict(pairs) if None not in labels and len(labels) == len(pairs) else value


def _records(value: object) -> Sequence[object]:
    """The entries of a list, or the rows of an object of columns; () if it is neither."""
    if isinstance(value, list | tuple):
        return cast("Sequence[object]", value)
    columns = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    if not all(isinstance(column, list | tuple) for column in columns.values()):
        return ()
    cells = cast("list[Sequence[object]]", list(columns.values()))
    if len({len(column) for column in cells}) != 1:
        return ()
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


def _label_and_text(record: object) -> tuple[str | None, str | None]:
    """Label and text in a record of these two; (None, None) if it holds something else."""
    fields = cast("dict[str, object]", record) if isinstance(record, dict) else {}
    texts = [fields[name] for name in _TEXT_NAMES if name in fields]
    labels = [fields[name] for name in _LABEL_NAMES if name in fields]
    if len(texts) != 1 or len(labels) > 1 or len(texts) + len(labels) != len(fields):
        return None, None
    if isinstance(texts[0], list | dict) or texts[0] is None:
        return None, None
    return str(labels[0]).strip() if labels else None, str(texts[0])


def _parsed(text: str) -> object:
    """The list or object that a text is, written as JSON or by Python."""
    for parse in (json.loads, ast.literal_eval):
        try:
            return parse(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
    _, options, labels = split_prompt(text)
    return dict(zip(labels, options, strict=True)) if options else text


def key_of(answer: object, options: Sequence[str], labels: Sequence[str]) -> int | None:
    """Return the option that a harness's answer names by label, text or both; None if unclear.

    Numbers are not read where the labels are letters, since nothing says where they count from.
    """
    if not isinstance(answer, str) or not options:
        return None
    text = answer.strip()
    names = list(labels) or [chr(ord("A") + i) for i in range(len(options))]
    match = _LINE.fullmatch(text)
    if match:
        label = match["named"] or match["label"]
        index = names.index(label) if label in names else None
        if index is not None and index in matches(match["text"].strip(), options):
            return index
    matching = matches(text, options)
    if len(matching) == 1:
        return matching[0]
    bare = text.strip("()[].: ").upper()
    return names.index(bare) if bare in names and not matching else None
