"""Which column of a table is which field of a question or a video: guessed, or given."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Mapped
from dataclasses import dataclass
from typing import cast

from annotations.reading.checks import unit_of
from core.refusal import Refusal

FIELDS = (
    "id", "question", "options", "answer", "video", "start", "end",
    "category", "tag", "note", "title", "description", "source_url", "licence",
    "accepted", "points", "start_frame", "end_frame", "several",
)  # fmt: skip

# In the order of preference; names are compared after `plain_name`.
NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "question_id", "qid", "uid", "q_id", "questionid", "item_id", "uuid", "index",
           "idx", "no", "number", "q_uid"),
    "video": ("video", "video_id", "video_path", "video_name", "video_file", "videoid", "vid",
              "video_filename", "videopath", "video_url", "clip", "clip_id", "filename",
              "file_name", "file", "path", "youtube_id", "visual", "media", "vid_name", "gif_name",
              "vid_path", "clip_name"),
    "question": ("question", "question_text", "query", "prompt", "text", "q", "instruction"),
    "options": ("options", "choices", "candidates", "option", "choices_str", "option_list",
                "answer_choices", "all_choices", "answers"),
    "answer": ("answer", "key", "correct_answer", "answer_key", "gt", "ground_truth", "gt_answer",
               "correct", "label", "correct_option", "correct_choice", "answer_idx", "answer_index",
               "answer_id", "correct_idx", "correct_index", "solution", "gold", "target",
               "correct_answer_label", "correct_answer_index", "correct_answer_idx",
               "correct_answer_id", "correct_letter", "answer_letter", "answer_label",
               "gold_label", "gt_index", "gt_idx"),
    "start": ("start", "start_s", "start_time", "start_timestamp", "begin", "start_sec",
              "start_seconds", "clip_start", "start_ms", "start_us", "from", "starttime"),
    "end": ("end", "end_s", "end_time", "end_timestamp", "stop", "end_sec", "end_seconds",
            "clip_end", "end_ms", "end_us", "to", "endtime"),
    "accepted": ("accepted_answers", "accepted", "acceptable_answers", "reference_answers",
                 "references", "gold_answers", "ground_truths", "answer_list", "answer_aliases",
                 "additional_ref_answer", "additional_answers"),
    "several": ("several", "several_right", "multiple_answers", "multiple_correct", "multi_select",
                "multiselect", "multi_answer", "is_multiple", "select_all"),
    "points": ("scoring_points", "scoring_point", "rubric", "rubrics", "key_points"),
    "start_frame": ("start_frame", "frame_start", "begin_frame", "first_frame"),
    "end_frame": ("end_frame", "stop_frame", "frame_end", "last_frame"),
    "category": ("category", "question_category", "reasoning_type", "reason_type", "question_type",
                 "task_type", "motion_type", "type", "task", "dim", "skill"),
    "note": ("note", "notes", "comment", "comments", "remark"),
    "title": ("title", "video_title", "clip_title"),
    "description": ("video_description", "description", "desc"),
    "source_url": ("video_source_url", "source_url", "webpage_url", "source_link", "original_url",
                   "url", "link"),
    "licence": ("video_licence", "video_license", "licence", "license"),
}  # fmt: skip

TAG_NAMES = (
    "demonstration_type", "task_type", "question_type", "type", "dim", "domain", "sub_category",
    "subcategory", "difficulty", "split", "duration", "source", "dataset", "level", "aspect",
    "reasoning_type", "motion_type", "tags", "part", "pair", "action", "area", "reasoning",
    "topic_category",
)  # fmt: skip

# Families of option columns: what stands before the label, and the first label.
_FAMILY = re.compile(
    r"(?P<stem>|(?:option|choice|opt|answer)_?)(?P<label>[a-z]|\d{1,2})|(?P<short>[aoc])_?(?P<n>\d{1,2})"
)


@dataclass(frozen=True)
class Mapping:
    """Fields and the columns they come from.

    Attributes:
        columns: field to its columns; several for 'id' and 'category' are joined with '/'.
        options: columns with one option each, in order; () if 'options' is one column or none.
        tags: columns that become tags under their own names.
        unused: columns that nothing is taken from.
    """

    columns: dict[str, tuple[str, ...]]
    options: tuple[str, ...]
    tags: tuple[str, ...]
    unused: tuple[str, ...]

    def column(self, field: str) -> str:
        """Name of a field's column for messages; the field's own name if it has none."""
        if field == "options" and self.options:
            return f"{self.options[0]} to {self.options[-1]}"
        return "+".join(self.columns.get(field, ())) or field

    def unit(self, field: str) -> str:
        """Unit of plain numbers in the column of a time: 's', 'ms' or 'us'."""
        return unit_of(self.column(field))

    def described(self) -> tuple[tuple[str, str], ...]:
        """Return pairs (field, columns) to show before anything is written."""
        lines = [(name, " + ".join(columns)) for name, columns in self.columns.items()]
        if self.options:
            lines.append(("options", ", ".join(self.options)))
        elif "options" not in self.columns and "question" in self.columns:
            lines.append(("options", "labels in the question text"))
        lines += [(f"tag {name}", name) for name in self.tags]
        if self.unused:
            lines.append(("not used", ", ".join(self.unused)))
        order = {name: position for position, name in enumerate((*FIELDS, "not used"))}
        return tuple(sorted(lines, key=lambda line: order.get(line[0], order["tag"])))


def plain_name(name: str) -> str:
    """A column's name for comparing: 'Option A ' and 'option_a' are the same."""
    name = unicodedata.normalize("NFKC", name).replace("\ufeff", "").replace("\u200b", "")
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s\-_.]+", "_", name.casefold()).strip("_")


def guess(columns: Sequence[str], assigned: Iterable[tuple[str, str]] = ()) -> Mapping:
    """Map a table's columns: those that a person assigned, and the rest by their names.

    Raises:
        ValueError: if what was given names a field or a column that there is not, or the option
            columns have a gap.
    """
    assigned_pairs = tuple(assigned)
    chosen, options, tags = _assigned_columns(columns, assigned_pairs)
    # A column that an identity is joined of says something of its own too: a video, a category.
    alone = (names for names in chosen.values() if len(names) == 1)
    taken = {name for names in alone for name in names} | {*options, *tags}
    plain = {plain_name(name): name for name in reversed(columns) if name not in taken}
    for field, names in NAMES.items():
        if field in chosen:
            continue
        column = next((plain[name] for name in names if name in plain), None)
        if column is not None and not (field == "options" and options):
            chosen[field] = (column,)
            del plain[plain_name(column)]
    by_names = {field for field, _ in assigned_pairs}
    if "answer" not in chosen and "options" not in by_names:
        answers = chosen.get("options", ("",))[0]
        if plain_name(answers) == "answers":
            del chosen["options"]  # beside no key these are the accepted answers of open questions
            chosen.setdefault("accepted", (answers,))
        elif "answers" in plain and ("options" in chosen or options):
            chosen["answer"] = (plain.pop("answers"),)  # one or several of the options
    if "video" not in chosen and "key" in plain and chosen.get("answer") != (plain["key"],):
        chosen["video"] = (plain.pop("key"),)
    if "video" not in chosen and plain_name(chosen.get("id", ("",))[0]) == "q_uid":
        chosen["video"] = chosen["id"]  # EgoSchema: one question a clip, which bears its name
    if not options and "options" not in chosen:
        options = _option_columns(list(plain.values()))
    if options and "options" in chosen:
        del chosen["options"]
    chosen = {field: names for field, names in chosen.items() if names}
    used = {name for names in chosen.values() for name in names} | {*options, *tags}
    tags += tuple(n for n in columns if n not in used and plain_name(n) in TAG_NAMES)
    unused = tuple(n for n in columns if n not in used and n not in tags)
    return Mapping(chosen, options, tags, unused)


def _assigned_columns(
    columns: Sequence[str], assigned: Iterable[tuple[str, str]]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...], tuple[str, ...]]:
    chosen: dict[str, tuple[str, ...]] = {}
    options: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    for field, text in assigned:
        if field not in FIELDS:
            raise Refusal(f"There is no field {field!r}. Allowed: {', '.join(FIELDS)}.")
        if field == "tag":
            tags += (_column(text, columns),)
        elif field == "options" and "," in text and text not in columns:
            options = tuple(_column(part, columns) for part in text.split(","))
        elif "+" in text and text not in columns:
            chosen[field] = tuple(_column(part, columns) for part in text.split("+"))
        else:
            chosen[field] = (_column(text, columns),) if text.strip() else ()
    return chosen, options, tags


def _column(text: str, columns: Sequence[str]) -> str:
    wanted = text.strip()
    if wanted in columns:
        return wanted
    same = [name for name in columns if plain_name(name) == plain_name(wanted)]
    if len(same) == 1:
        return same[0]
    near = difflib.get_close_matches(wanted, columns, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise Refusal(f"There is no column {wanted!r}.{hint} There are: {', '.join(columns)}.")


def _option_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """The columns with one option each, in order, of the largest family; () if there is none.

    Raises:
        ValueError: if a label is lacking among them.
    """
    families: dict[tuple[str, bool], dict[int, str]] = {}
    for name in columns:
        match = _FAMILY.fullmatch(plain_name(name))
        if match is None:
            continue
        label = match["label"] or match["n"]
        stem = (match["short"] or match["stem"]).rstrip("_")
        number = int(label) if label.isdigit() else ord(label) - ord("a")
        if stem or not label.isdigit():
            families.setdefault((stem, label.isdigit()), {}).setdefault(number, name)
    families = {
        key: family
        for key, family in families.items()
        if len(family) > 1 and min(family) <= (1 if key[1] else 0)
    }
    if not families:
        return ()
    key = max(families, key=lambda key: len(families[key]))
    # A single letter far from the others, such as a column w, is no option.
    numbers = [number for number in sorted(families[key]) if number <= len(families[key]) + 1]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        names = ", ".join(families[key][number] for number in numbers)
        raise Refusal(
            f"The option columns have a gap: {names}. Add the column that is lacking, or name them "
            "in order: --map options=..."
        )
    return tuple(families[key][number] for number in numbers)


def by_columns(value: Mapped[str, object]) -> list[list[tuple[str, object]]] | None:
    """The records of an object that holds a table column by column, as pandas writes it.

    Such as {"id": {"0": "q1", ...}, ...}, {"id": ["q1", ...], ...} or {"columns": [...], "data":
    [...]}; None if it is no such table. Lists of objects are tables of their own.
    """
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        names = [str(name) for name in cast("list[object]", value["columns"])]
        data = cast("list[object]", value["data"])
        lines = [cast("list[object]", row) if isinstance(row, list) else [] for row in data]
        if not names or any(len(row) != len(names) for row in lines):
            return None
        return [list(zip(names, row, strict=True)) for row in lines]
    columns = [_cells(column) for column in value.values()]
    rows = list(columns[0]) if columns else []
    known = {name for names in NAMES.values() for name in names}
    if (
        len(columns) < 2
        or not rows
        or any(list(column) != rows for column in columns)
        or not any(plain_name(name) in known for name in value)
        or any(plain_name(str(row)) in known for row in rows)
    ):
        return None
    return [
        [(name, cells[row]) for name, cells in zip(value, columns, strict=True)] for row in rows
    ]


def _cells(column: object) -> dict[object, object]:
    """The cells of a column by row; {} if it is none, or holds objects."""
    if isinstance(column, dict):
        return cast("dict[object, object]", column)
    cells = cast("list[object]", column) if isinstance(column, list) else []
    return {} if any(isinstance(cell, dict) for cell in cells) else dict(enumerate(cells))
