"""What a way in which models annotate has to bring along; each is a file in annotators/.

The part that reads the workspace (`usual_task`, `check_settings`, `ask`) runs where the database
is. The part that runs the model (`prepare`, `annotate`) sees only what it is given, so it can run
in another process or on another machine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from annotations.prompts import Prompt
from annotations.record.item import Item
from annotations.record.task import Task
from annotations.task import Shown
from annotations.workspace import Workspace
from core import plugins
from core.model import ItemError, Kind
from core.reply.result import Reading

PACKAGE = "annotations.annotators"

Frames: TypeAlias = NDArray[np.uint8]
Sound: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class Need:
    """What of a video has to be at hand before the model is asked.

    Attributes:
        path: of the video's file.
        table: of its frame table, JSON.
        frames: indices of the frames, in the order in which the model sees them.
        longest_side: larger frames are scaled down to it, in px; None keeps their size.
        sound: whether its sound is wanted, mono at 16 kHz.
        start_s: where the sound begins, in s from the first frame.
        end_s: where it ends; None for the end of the video.
    """

    path: str
    table: str
    frames: tuple[int, ...] = ()
    longest_side: int | None = None
    sound: bool = False
    start_s: float = 0.0
    end_s: float | None = None


@dataclass(frozen=True)
class Ask:
    """One item as it goes to a model.

    Attributes:
        item_id: the item.
        shown: what the model gets to see, as it is stored with the answer.
        about: words and numbers that the annotator's own `annotate` understands.
        need: what of its video is wanted; None for nothing.
    """

    item_id: int
    shown: Shown
    about: dict[str, Any] = field(default_factory=dict[str, Any])
    need: Need | None = None

    @property
    def size(self) -> int:
        """How much it is: frames and, in hundreds of letters, words; the like are batched."""
        frames = len(self.need.frames) if self.need else 0
        return frames * 100 + sum(
            len(value) for value in self.about.values() if isinstance(value, str)
        )


@dataclass(frozen=True)
class ModelInput:
    """An item with what was fetched for it.

    Attributes:
        ask: the item.
        frames: uint8 (T, H, W, 3) RGB in the order asked for, without those that are missing.
        times: seconds of those frames.
        sound: float32 (S,), 16 kHz, -1..1; None where none was wanted or the video has none.
        seen: what is to be stored beside what was shown: missing and damaged frames.
    """

    ask: Ask
    frames: Frames | None = None
    times: tuple[float, ...] = ()
    sound: Sound | None = None
    seen: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class TextLine:
    """A line of what is said or written in a video, or a stretch of it with the reason why.

    Attributes:
        start_s: s from the first frame; `end_s` likewise.
        text: the words.
        confidence: 0 to 1; None where not known.
    """

    start_s: float
    end_s: float
    text: str
    confidence: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of one item.

    Attributes:
        reading: how the reply was read.
        response: in the schema of the task's kind; None where the result is `lines`.
        lines: text of the video; None where the result is a response.
        reply: raw; None where the model wrote none.
        confidence: probability of each answer by its name.
        score: a number such as a similarity or a probability.
        shown: added to what is stored as shown.
        text_kind: what the lines are; '' for the annotator's `TEXT_KIND`.
    """

    reading: Reading
    response: dict[str, Any] | None = None
    lines: tuple[TextLine, ...] | None = None
    reply: str | None = None
    confidence: dict[str, float] | None = None
    score: float | None = None
    shown: dict[str, Any] = field(default_factory=dict[str, Any])
    text_kind: str = ""


@dataclass(frozen=True)
class Setup:
    """How one run annotates; kept with it, so that going on later does the same.

    Attributes:
        annotator: name of the plug-in.
        model: name of the model.
        kind: what the model serves as.
        settings: the annotator's, completed.
        prompts: templates by the purpose for which the annotator asks for them.
        options: of `core.model.LoadOptions`, by name; what is not there has its default.
    """

    annotator: str
    model: str
    kind: Kind
    settings: dict[str, Any]
    prompts: dict[str, Prompt] = field(default_factory=dict[str, Prompt])
    options: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class SettingTexts:
    """What people are told of a setting.

    Attributes:
        label: what it is called, such as 'Frames a second'.
        help: what it does, in a sentence or two.
        choices: what its `CHOICES` are called, in their order.
        when: another setting, and the values of it for which this one counts; None: always.
        of_task: list of {"id", "label"} in the task's settings that its values are the ids of.
        example: what may stand there, of a text that has to be written.
    """

    label: str
    help: str
    choices: tuple[str, ...] = ()
    when: tuple[str, tuple[str, ...]] | None = None
    of_task: str = ""
    example: str = ""


class Annotator(Protocol):
    """The module of an annotator.

    Attributes:
        TITLE: its name for people.
        TASK_KINDS: kinds of tasks whose items it answers.
        MODEL_KINDS: what a model may serve as for it, the one to try first, first.
        SETTINGS: its settings with their defaults, in the order in which people are asked.
        CHOICES: the values of those settings that have only a few.
        RANGES: lowest and highest value of those that are numbers.
        WORDS: what people are told of each.
        PROMPTS: name of the template for each purpose; a setting of that name chooses another one.
        FIELDS: fields that its templates may have.
        BATCH: items that go to the model at once; `FRAMES`, how many frames they may have in all.
        RESULT: 'answers' of the task's kind, or 'texts' of the videos.
        TEXT_KIND: what such texts are: 'speech', 'screen' or 'segments'; '' for answers.
    """

    TITLE: str
    TASK_KINDS: tuple[str, ...]
    MODEL_KINDS: tuple[Kind, ...]
    SETTINGS: dict[str, Any]
    CHOICES: dict[str, tuple[str, ...]]
    RANGES: dict[str, tuple[float, float]]
    WORDS: dict[str, SettingTexts]
    PROMPTS: dict[str, str]
    FIELDS: tuple[str, ...]
    BATCH: int
    FRAMES: int
    RESULT: str
    TEXT_KIND: str

    def usual_task(self, workspace: Workspace) -> int | None:
        """The id of the task that is meant when none is named; None if one has to be named."""
        ...

    def refuses(self, task: Task) -> str:
        """Why it cannot annotate a task of one of its kinds, its settings parsed; '' if it can."""
        ...

    def check_settings(self, settings: dict[str, Any], task: Task, kind: Kind) -> dict[str, Any]:
        """The settings, completed, for a task (a row, its settings parsed) and a kind of model.

        Raises ValueError for one that is not allowed, or a task that it cannot annotate.
        """
        ...

    def label(self, settings: dict[str, Any]) -> str:
        """What tells this run from others of the same model, in a few words."""
        ...

    def ask(
        self,
        workspace: Workspace,
        task: Task,
        item: Item,
        seed: str,
        setup: Setup,
    ) -> Ask:
        """What the model is asked about an item. Raises ValueError if it cannot be asked."""
        ...

    def prepare(self, model: Any, setup: Setup) -> Any:
        """What `annotate` wants, made once: the model, and what can be computed beforehand.

        Raises ModelError if this model cannot do it.
        """
        ...

    def annotate(self, ready: Any, inputs: Sequence[ModelInput]) -> Sequence[Outcome | ItemError]:
        """An outcome for each item, or why there is none, in the same order."""
        ...


def annotator(name: str) -> Annotator:
    """The annotator of this name.

    Raises:
        LookupError: if there is none.
    """
    return cast("Annotator", plugins.load(PACKAGE, name))


def annotators() -> tuple[str, ...]:
    """Names of all annotators."""
    return plugins.names(PACKAGE)


def number_words(count: int, noun: str, more: str = "") -> str:
    """A count with its noun: '1 frame', '16 frames'."""
    return f"{count:,} {noun if count == 1 else more or noun + 's'}"


def probabilities(names: Sequence[object], values: Sequence[float]) -> dict[str, float]:
    """Probabilities by the names of answers, rounded to 6 digits, as they are stored."""
    return {str(name): round(float(value), 6) for name, value in zip(names, values, strict=True)}


def facts_with(shown: Shown, more: Mapping[str, Any]) -> Shown:
    """What was shown, with more facts."""
    return Shown({**shown.facts, **more}, shown.question_revision_id)
