"""The contract of a reader of people's answers: a module in annotations/answer_formats.

A reader turns the export of another tool into drafts: who answered which question, under which
condition, in what time. What was chosen is read by the same rules as what models reply.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from annotations.detection import Finder
from annotations.prediction_format import PredictionChoices, PredictionDraft
from annotations.reading.records import Problem

FOLDER = "annotations.answer_formats"

# In the order of preference; names are compared after `plain_name`.
FIELD_NAMES: dict[str, tuple[str, ...]] = {
    "person": (
        "annotator", "annotator_id", "worker", "worker_id", "workerid", "participant",
        "participant_id", "prolific_pid", "prolific_id", "user", "user_id", "username",
        "completed_by", "rater", "rater_id", "labeler", "coder", "subject", "subject_id",
        "person", "email",
    ),
    "response": (
        "response", "choice", "chosen", "selected", "selection", "answer", "label", "vote",
        "annotation", "rating", "human_answer", "worker_answer", "prediction",
    ),
    "condition": ("condition", "setting", "n_frames", "num_frames", "frames"),
    "time": (
        "active_s", "work_time_in_seconds", "lead_time", "time_s", "duration_s", "seconds",
        "time_spent", "response_time", "rt_s", "time_ms", "rt_ms",
    ),
    "answered_at": (
        "submit_time", "answered_at", "created_at", "submitted_at", "completed_at", "timestamp",
        "updated_at", "date",
    ),
    "comment": (
        "comment", "comments", "feedback", "note", "notes", "remark", "remarks", "explanation",
    ),
    "assignment": ("assignment_id", "assignmentid", "submission_id", "annotation_id", "hitid"),
    "left_out": ("left_out", "rejected"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """One person's answer to one question, as a file holds it.

    Attributes:
        answer: the question, what was chosen, and the condition; its model is the person, by the
            name that the other tool has for them.
        active_s: time spent on it, s; 0 where the file does not say.
        answered_at: Unix time, s; None where the file does not say.
        comment: what the person wrote beside the answer.
        assignment: what the other tool calls the piece of work; '' where it has no name.
        left_out: why it does not count, such as 'rejected'; '' if it does.
        several: the texts of all options chosen, where the file lists them; else ().
    """

    answer: PredictionDraft
    active_s: float = 0.0
    answered_at: float | None = None
    comment: str = ""
    assignment: str = ""
    left_out: str = ""
    several: tuple[str, ...] = ()

    @property
    def person(self) -> str:
        """The person, by the name that the other tool has for them."""
        return self.answer.model


@dataclass(frozen=True)
class AnswerFile:
    """Files of people's answers as a reader understands them.

    Attributes:
        format: name of the reader.
        source: the tool that they come from, such as 'Mechanical Turk'.
        files: what was read.
        mapping: what becomes what, in words: (field, where it comes from).
        rows: reads again from the start: drafts, and problems in their place among them.
        problems: of the files as a whole.
    """

    format: str
    source: str
    files: tuple[Path, ...]
    mapping: tuple[tuple[str, str], ...]
    rows: Callable[[], Iterator[AnswerDraft | Problem]]
    problems: tuple[Problem, ...] = ()


class AnswerReader(Protocol):
    """What a module in annotations/answer_formats has."""

    TITLE: str

    def likeness(self, path: Path) -> int:
        """How surely the path is of this format: 0 no; 1 to 3, the more particular the higher."""
        ...

    def read(self, path: Path, choices: PredictionChoices) -> AnswerFile:
        """Survey the path.

        Args:
            path: a file or folder.
            choices: what the person who imports decided; a model is of no use here.

        Raises:
            ValueError: if nothing of it can be read; says why and what to do.
        """
        ...


_READERS: Finder[AnswerReader] = Finder(
    FOLDER, " of people's answers", "a file or folder of people's answers"
)

load = _READERS.load
likeness = _READERS.likeness
detect = _READERS.detect


def holds_answers(path: Path) -> bool:
    """Whether a file or folder is the export of a tool in which people answered."""
    return path.exists() and max(likeness(path).values()) >= 2
