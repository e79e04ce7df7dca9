"""One row of a table as a question, by the table's mapping."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from annotations.reading import checks
from annotations.reading.answer_key import NotANumber, answers_in, is_hidden
from annotations.reading.free_answers import NO_SUCH_ROWS, YES_NO, WithoutOptions, texts_of
from annotations.reading.mapping import Mapping
from annotations.reading.options import options_of_columns, read_options, split_question
from annotations.reading.question_draft import RawQuestion, read_question_text, uid_without_id
from annotations.reading.records import About, Fault, Tags
from annotations.reading.text_tables import Row, Table


@dataclass(frozen=True)
class RowReader:
    """Reads rows of one table.

    Attributes:
        file: name of the file.
        mapping: which column is what.
        id_columns: columns that are the identity together; () if video and text have to be.
        whole: columns whose numbers a spreadsheet wrote as 17.0.
        ambiguous: identities made of video and text that rows with other options share.
        without: how questions without options are answered.
        stored_tags: columns of tags as a workspace has them, where yes and no are no texts.
    """

    file: str
    mapping: Mapping
    id_columns: tuple[str, ...]
    whole: set[str]
    ambiguous: frozenset[str] = frozenset()
    without: WithoutOptions = NO_SUCH_ROWS
    stored_tags: tuple[str, ...] = ()

    def readable(self, table: Table) -> Iterator[tuple[Row, RawQuestion]]:
        """The rows of a table that can be read; the others are told of when they are imported."""
        for row in table.rows():
            if isinstance(row, Row):
                try:
                    raw = self.read(row)
                except Fault:
                    continue
                yield row, raw

    def read(self, row: Row) -> RawQuestion:
        """A row with everything read but its key.

        Raises:
            Fault: if a needed cell is empty or cannot be read.
        """
        warnings: list[Fault] = []
        text_column = self.mapping.columns["question"][0]
        text = read_question_text(row.cells.get(text_column), text_column, warnings)
        options, text = self._options(row, text)
        video = self.video(row, warnings)
        start_s, end_s = self._span(row, warnings)
        frames = self._frames(row)
        uid = self._name(row, self.id_columns, video=False, warnings=warnings)
        answer = self.mapping.columns.get("answer")
        told = text if frames is None else f"{text}\0{frames}"
        uid = uid or uid_without_id(video, start_s, end_s, told)
        if uid in self.ambiguous:
            uid = uid_without_id(video, start_s, end_s, "\0".join([told, *options]))
        category = self._loose(row, "category", warnings)
        key = row.cells.get(answer[0]) if answer else None
        accepted, points = ([], []) if options else self.accepted(row)
        if not options and category in self.without.yes_no:
            options = list(YES_NO)
        free = not options and self.without.asks_freely(accepted, points)
        if len(answers_in(key, options)) == 1:
            [key] = answers_in(key, options)
        several = self.mapping.columns.get("several", ())
        if len(options) > 1 and is_hidden(key, options):
            note = "taken as a key that is kept back: the question is unlabelled"
            warnings.append(Fault(note, column=answer[0] if answer else "", value=key))
            key = None
        return RawQuestion(
            uid,
            text,
            options,
            key,
            video,
            start_s,
            end_s,
            category,
            self._tags(row, warnings),
            self._loose(row, "note", warnings),
            self.about(row, warnings),
            self.file,
            row.where,
            warnings,
            free,
            accepted if free else [],
            points if free else [],
            frames,
            any(checks.read_yes(row.cells.get(name), name) for name in several),
        )

    def accepted(self, row: Row) -> tuple[list[str], list[str]]:
        """The answers that a row without options accepts, and the points of a good answer.

        Raises:
            Fault: if what stands there is no text.
        """
        columns = self.mapping.columns
        texts = {
            field: [text for name in columns.get(field, ()) for text in
                    texts_of(row.cells.get(name), name)]
            for field in ("answer", "accepted", "points")
        }  # fmt: skip
        return list(dict.fromkeys(texts["answer"] + texts["accepted"])), texts["points"]

    def about(self, row: Row, warnings: list[Fault]) -> About:
        """Return what a row says of its video: title, description, source link and licence."""
        title, description, link, licence = (
            self._loose(row, name, warnings)
            for name in ("title", "description", "source_url", "licence")
        )
        return About(title, description, source_url=link, licence=licence)

    def video(self, row: Row, warnings: list[Fault]) -> str:
        """Name of the row's video.

        Raises:
            Fault: if it is none.
        """
        return self._name(row, self.mapping.columns["video"], video=True, warnings=warnings)

    def _name(
        self, row: Row, columns: tuple[str, ...], *, video: bool, warnings: list[Fault]
    ) -> str:
        read = checks.read_video_name if video else checks.read_id
        parts = [read(row.cells.get(c), c, whole=c in self.whole) for c in columns]
        for column, part in zip(columns, parts, strict=True):
            if checks.looks_like_date(part):
                note = "a spreadsheet may have made a date of it"
                warnings.append(Fault(note, column=column, value=part))
        return "/".join(parts)

    def _span(self, row: Row, warnings: list[Fault]) -> tuple[float, float | None]:
        columns = {self.mapping.column(field) for field in ("start", "end")}
        if len(columns) == 1 and {"start", "end"} <= self.mapping.columns.keys():
            return _span_of(_filled(row, columns.pop(), warnings), "start, end")
        times: list[float | None] = []
        for field in ("start", "end"):
            column = self.mapping.column(field)
            value = _filled(row, column, warnings) if field in self.mapping.columns else None
            times.append(checks.read_seconds(value, column, self.mapping.unit(field)))
        start_s, end_s = times[0] or 0.0, times[1]
        if end_s is not None:
            columns = f"{self.mapping.column('start')}, {self.mapping.column('end')}"
            checks.check_span(start_s, end_s, columns)
        return start_s, end_s

    def _frames(self, row: Row) -> tuple[int, int | None] | None:
        """First and last frame of the clip, where no column says its times; None for all."""
        columns = self.mapping.columns
        if {"start", "end"} & columns.keys() or not {"start_frame", "end_frame"} & columns.keys():
            return None
        first, last = (
            checks.read_frame(row.cells.get(self.mapping.column(field)), self.mapping.column(field))
            if field in columns
            else None
            for field in ("start_frame", "end_frame")
        )
        return None if first is None and last is None else (first or 0, last)

    def _tags(self, row: Row, warnings: list[Fault]) -> Tags:
        tags: Tags = {}
        for name in self.mapping.tags:
            value = _filled(row, name, warnings)
            if name in self.stored_tags and isinstance(value, bool):
                tags[name] = value
            elif text := _loose_text(value, name):
                tags[name] = text
        return tags

    def _loose(self, row: Row, field: str, warnings: list[Fault]) -> str:
        columns = self.mapping.columns.get(field, ())
        return "/".join(_loose_text(_filled(row, name, warnings), name) for name in columns)

    def _options(self, row: Row, text: str) -> tuple[list[str], str]:
        if self.mapping.options:
            cells = [(name, row.cells.get(name)) for name in self.mapping.options]
            return options_of_columns(cells), text
        if "options" in self.mapping.columns:
            value = row.cells.get(self.mapping.columns["options"][0])
            empty = value is None or value == "" or isinstance(value, NotANumber)
            return ([] if empty else read_options(value)), text
        stem, options = split_question(text)
        return options, stem if options else text


def _span_of(value: object, columns: str) -> tuple[float, float | None]:
    """Start and end (s) in one cell: a text, a list of both, that alone in a list, or an object.

    Raises:
        Fault: if it is no span of time.
    """
    while isinstance(value, list) and len(value) == 1:  # pyright: ignore[reportUnknownArgumentType]
        value = cast("list[object]", value)[0]
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    items = cast("list[object]", value) if isinstance(value, list) else []
    if {"start", "end"} & fields.keys():
        items = [fields.get("start"), fields.get("end")]
    if len(items) != 2:
        return checks.read_span(cast("object", value) or None, columns)
    start_s, end_s = (checks.read_seconds(item, columns) for item in items)
    checks.check_span(start_s or 0.0, end_s, columns)
    return start_s or 0.0, end_s


def _filled(row: Row, column: str, warnings: list[Fault]) -> object:
    """A cell that may be empty; NaN is empty, with a warning."""
    value = row.cells.get(column)
    if isinstance(value, NotANumber):
        note = f"{value.text} is not JSON; taken as empty"
        warnings.append(Fault(note, column=column, value=value.text))
        return None
    return value


def _loose_text(value: object, column: str) -> str:
    """A cell that is only kept for people: lists and objects become their JSON text."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return checks.read_text(value, column)
