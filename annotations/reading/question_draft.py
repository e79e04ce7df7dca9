"""From the cells of one row to a checked question, the same way for every format."""

import hashlib
from dataclasses import dataclass, field

from annotations.reading import checks
from annotations.reading.answer_key import NotANumber, read_key, several_keys
from annotations.reading.options import check_options
from annotations.reading.records import About, Fault, QuestionDraft, Reference, Tags
from core import spreadsheet


@dataclass(slots=True)
class RawQuestion:
    """A question with everything read but its key, which needs the style of the whole file.

    Attributes:
        uid: identity.
        text: what is asked.
        options: the options.
        answer: the cell of the answer, unread.
        video: the video's name.
        start_s: s.
        end_s: s, None to the end.
        category: '' if none.
        tags: by name.
        note: free text.
        about: what is told of the video.
        file: name of the file.
        row: place in it, in words.
        warnings: what was met on the way that does not keep the question out.
        free: whether it is answered in words of one's own.
        accepted: answers that count as right.
        points: what a good answer says.
        frames: first and last frame of the clip, instead of times.
        several: whether several options may be right, however many the answer names.
    """

    uid: str
    text: str
    options: list[str]
    answer: object
    video: str
    start_s: float = 0.0
    end_s: float | None = None
    category: str = ""
    tags: Tags = field(default_factory=dict[str, str | bool])
    note: str = ""
    about: About = field(default_factory=About)
    file: str = ""
    row: str = ""
    warnings: list[Fault] = field(default_factory=list[Fault])
    free: bool = False
    accepted: list[str] = field(default_factory=list[str])
    points: list[str] = field(default_factory=list[str])
    frames: tuple[int, int | None] | None = None
    several: bool = False

    def fingerprint(self) -> int:
        """Equal for rows that say the same; holds within this process only."""
        return hash(
            (self.video, self.text, *self.options, repr(self.answer), self.start_s, self.end_s,
             self.frames, self.several, *self.accepted, *self.points, self.category,
             *sorted(map(str, self.tags.items())))
        )  # fmt: skip


def draft(raw: RawQuestion, style: str, answer_column: str) -> QuestionDraft:
    """The checked question; what does not keep it out is added to its warnings.

    Raises:
        Fault: if its options or its key are wrong.
    """
    _refuse_spreadsheet_errors(raw)
    if raw.free:
        reference = {"answers": raw.accepted, "points": raw.points}
        return _drafted(raw, None, {name: texts for name, texts in reference.items() if texts})
    raw.warnings += [Fault(note, column="options") for note in check_options(raw.options)]
    if isinstance(raw.answer, NotANumber):
        raw.warnings.append(
            Fault(
                f"{raw.answer.text} is not JSON; taken as no answer",
                column=answer_column,
                todo="Write null for a question without a key.",
            )
        )
    try:
        right = several_keys(raw.answer, raw.options, style)
        key = None if right else read_key(raw.answer, raw.options, style)
        if raw.several and key is not None:
            right, key = [key], None
    except Fault as fault:
        fault.column = fault.column or answer_column
        raise
    return _drafted(raw, key, {"answers": [raw.options[index] for index in right]} if right else {})


def _refuse_spreadsheet_errors(raw: RawQuestion) -> None:
    """Refuse a text that a formula left behind: people would be shown '#REF!'."""
    options = [(f"option {position}", text) for position, text in enumerate(raw.options, 1)]
    for name, text in (("the question", raw.text), ("the video", raw.video), *options):
        if text.strip() in spreadsheet.ERRORS:
            raise Fault(
                f"{name} is an error of a spreadsheet",
                value=text,
                allowed="a text",
                todo="Mend the formula, or format the cell as text and type it again.",
            )


def _drafted(raw: RawQuestion, key: int | None, reference: Reference) -> QuestionDraft:
    return QuestionDraft(
        raw.uid,
        raw.text,
        tuple(raw.options),
        key,
        raw.video,
        raw.start_s,
        raw.end_s,
        raw.category,
        raw.tags,
        raw.note,
        raw.file,
        raw.row,
        reference,
        raw.frames,
    )


def uid_without_id(video: str, start_s: float, end_s: float | None, text: str) -> str:
    """Identity of a question that was given none: its video, clip and text, as a short hash."""
    content = "\0".join((video, repr(start_s), repr(end_s), text))
    return f"{video}#{hashlib.sha256(content.encode()).hexdigest()[:10]}"


def read_question_text(value: object, column: str, warnings: list[Fault]) -> str:
    """The text of a question, without blanks around it.

    Raises:
        Fault: if it is empty or no text.
    """
    text = checks.read_text(value, column)
    if not text:
        raise Fault(
            "the question has no text", column=column, allowed="a text", todo="Write the question."
        )
    if checks.has_blanks_around(value):
        warnings.append(Fault("blanks around the text were taken off", column=column, value=value))
    return text
