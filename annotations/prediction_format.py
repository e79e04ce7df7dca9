"""The contract of a reader of model answers: a module in annotations/predictions.

A reader turns one harness's files into drafts: which question, what the model replied, under which
condition, what the harness made of it. What the reply chooses is read again by our own rules.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from annotations import format
from annotations.detection import Finder
from annotations.reading.answer_key import NotANumber
from annotations.reading.checks import decimal_point
from annotations.reading.records import Problem
from annotations.reading.table_files import SUFFIXES, open_table
from core.refusal import Refusal
from core.reply.reading import read
from core.reply.refusals import BLOCKED, refusal
from core.reply.result import FREE_TEXT, Reading
from core.reply.similarity import RULE as SIMILARITY
from core.reply.similarity import by_similarity

FOLDER = "annotations.prediction_formats"


@dataclass(frozen=True, slots=True)
class QuestionReference:
    """Which question a prediction is about, by whatever the file says of it.

    Attributes:
        uids: identities that the question may have in the workspace, the likeliest first.
        video: name of the video; '' if the file does not say.
        text: what was asked, without the options; '' if the file does not say.
        options: words of the options in the order shown to the model; () if not said.
        labels: what stood before each option, such as ('A', 'B') or ('1', '2'); () if not said.
        key: right option by the file, from 0 in the order shown; None if not said or not clear.
        category: such as the aspect or reasoning type; '' if not said.
        number: the row number in the data set, as the harness counts; None if not said.
        free_text: whether a free text is asked for, such as a caption, which no rule may read.
    """

    uids: tuple[str, ...] = ()
    video: str = ""
    text: str = ""
    options: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    key: int | None = None
    category: str = ""
    number: int | None = None
    free_text: bool = False

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells the question from the others of its file."""
        return (self.number, self.uids, self.video, self.text, self.category, self.options)


@dataclass(frozen=True, slots=True)
class PredictionDraft:
    """One reply of one model to one question, as a file holds it.

    Attributes:
        question: which question.
        response: the raw reply, thinking included; None where none came.
        model: its name.
        condition: what was shown, such as '16 frames'; '' if the file does not say.
        choice: the option that the file names by position and not in words; else None.
        score: what the harness gave, as stored; None if it gave nothing. Shown beside ours only.
        score_name: what the harness calls the score.
        read_as: what the harness read out of the reply; '' if not said.
        failure: why no reply came, such as an error of the API; '' if one came or it is not said.
        finished: False where the file says that the reply ended at a limit of tokens.
        similarities: cosine of the reply's embedding with each option, in the order shown.
        judged: scores that a judge model gave the reply, by name.
        judge: name of that model.
        file: file name.
        row: where in it, in words.
    """

    question: QuestionReference
    response: str | None
    model: str
    condition: str = ""
    choice: int | None = None
    score: float | None = None
    score_name: str = ""
    read_as: str = ""
    failure: str = ""
    finished: bool = True
    similarities: tuple[float, ...] = ()
    judged: tuple[tuple[str, float], ...] = ()
    judge: str = ""
    file: str = ""
    row: str = ""


@dataclass(frozen=True)
class PredictionChoices:
    """What the person who imports decided; everything else is read from the file.

    Attributes:
        model: name of the model, '' to take it from the file or its name.
        condition: what was shown, '' to take it from the file.
        columns: pairs of field and column, such as ('response', 'output').
        encoding: of text files, '' to detect.
        keys: '0' or '1' if replies are positions of options counted from there, 'text' if they are
            texts though they look like numbers; '' to read them as they are.
    """

    model: str = ""
    condition: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    encoding: str = ""
    keys: str = ""


@dataclass(frozen=True)
class PredictionFile:
    """Files of predictions as a reader understands them.

    Attributes:
        format: name of the reader.
        files: what was read.
        mapping: what becomes what, in words: (field, where it comes from).
        rows: reads again from the start: drafts, and problems in their place among them.
        problems: of the files as a whole.
        undecided: what a person has to say before anything is stored; '' if nothing.
    """

    format: str
    files: tuple[Path, ...]
    mapping: tuple[tuple[str, str], ...]
    rows: Callable[[], Iterator[PredictionDraft | Problem]]
    problems: tuple[Problem, ...] = ()
    undecided: str = ""


class Reader(Protocol):
    """What a module in annotations/predictions has."""

    TITLE: str

    def likeness(self, path: Path) -> int:
        """How surely the path is of this format: 0 no; 1 to 3, the more particular the higher."""
        ...

    def read(self, path: Path, choices: PredictionChoices) -> PredictionFile:
        """Survey the path.

        Raises:
            ValueError: if nothing of it can be read; says why and what to do.
        """
        ...


def _name_the_replies(path: Path) -> str:
    """What to say of a table whose columns of replies are not known by their names."""
    try:
        columns = open_table(path, "").columns if path.suffix.lower() in SUFFIXES else ()
    except (Refusal, ImportError):
        return ""
    if len(columns) < 2:
        return ""
    return (
        f"It is a table with the columns {', '.join(columns)}: name the one that holds a model's "
        f"replies, such as --map response={columns[-1]}, and the model: --model NAME. "
        "Where each model has a column, import the table once for each. "
    )


_READERS: Finder[Reader] = Finder(
    FOLDER, " of predictions", "a file or folder of predictions", _name_the_replies
)

load = _READERS.load
likeness = _READERS.likeness
detect = _READERS.detect


def holds_predictions(path: Path) -> bool:
    """Whether a file or folder is read as model answers rather than as questions or videos.

    A table with a column of replies is; one that both could read otherwise is taken as questions.
    """
    theirs, ours = format.likeness(path).values(), likeness(path).values()
    return max(ours) > 0 and max(theirs) < 3


def read_reply(
    draft: PredictionDraft, options: Sequence[str] = (), labels: Sequence[str] | None = None
) -> Reading:
    """Read which option a draft's reply chooses, in the order shown to the model.

    Args:
        draft: the draft; its own options count where it has some.
        options: the options of the stored question, for files that do not hold them.
        labels: what stood before them; None: A, B, C...

    Returns:
        A reading; where the file holds a position it is that, where it holds similarities it is
        the option that they choose, and where the call failed it is 'empty', or 'refused' if it
        was blocked for safety.

    Raises:
        ValueError: if there are no options to choose from.
    """
    if draft.failure:
        if refusal(draft.failure) == BLOCKED:
            return Reading(None, "refused", BLOCKED, f"no reply came: {draft.failure}")
        return Reading(None, "empty", "failed call", f"no reply came: {draft.failure}")
    if draft.question.free_text:
        return Reading(None, "unread", FREE_TEXT, "a caption is free text: rules do not read it")
    shown = draft.question.options or tuple(options)
    if draft.similarities and len(draft.similarities) == len(shown):
        return by_similarity(draft.similarities, labels=draft.question.labels or labels)
    if draft.choice is not None:
        if shown and not 0 <= draft.choice < len(shown):
            explanation = f"the file names option {draft.choice + 1} of {len(shown)}"
            return Reading(None, "unread", "position without option", explanation)
        return Reading(
            draft.choice, "read", "position", f"the file names option {draft.choice + 1}"
        )
    labels = draft.question.labels or labels
    return read(draft.response, shown, labels, finished=draft.finished)


def read_free(draft: PredictionDraft) -> Reading:
    """What a reply to a question without options is: kept as written, if there is one.

    Where the file holds its similarity with each accepted answer, the highest one says why.
    """
    if draft.failure:
        return Reading(None, "empty", "failed call", f"no reply came: {draft.failure}")
    if not (draft.response or "").strip():
        return Reading(None, "empty", "no reply", "there is no reply")
    if draft.similarities:
        reason = f"similarity {max(draft.similarities):.3f} with the nearest accepted answer"
        return Reading(None, "read", SIMILARITY, reason)
    return Reading(None, "read", FREE_TEXT, "as written")


def to_score(value: object) -> float | None:
    """A harness's score as a number; None if it gave none or one that is no number."""
    if value is None or isinstance(value, NotANumber | list | dict):
        return None
    text = str(value).strip().lower()
    if text in ("true", "false"):
        return float(text == "true")
    try:
        number = float(decimal_point(text))
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None
