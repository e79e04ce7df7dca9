"""What a kind of annotation task has to bring along; each is a file in annotations/tasks/."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from annotations.decision import Decision
from annotations.workspace import Workspace
from core import plugins

PACKAGE = "annotations.tasks"
INSTRUCTIONS = Path(__file__).resolve().parents[1] / "assets" / "instructions"


@dataclass(frozen=True)
class ItemDraft:
    """An item to be made: one thing to label.

    Attributes:
        uid: what it is about, unique in its task, such as 'question:count/17'.
    """

    uid: str
    question_id: int | None = None
    video_id: int | None = None
    payload: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Shown:
    """Exactly what one annotator gets to see of an item; stored with the lease and every answer.

    Attributes:
        facts: JSON: condition, frame indices and times in s, option order, the video's hash.
        question_revision_id: the revision of the question that is asked.
    """

    facts: dict[str, Any]
    question_revision_id: int | None = None


@dataclass(frozen=True)
class Grid:
    """A stage of still frames of one video, in the order given.

    Attributes:
        times: s from the video's first frame; None where the time would give the order away.
    """

    sha256: str
    frames: tuple[int, ...]
    times: tuple[float | None, ...]
    note: str = ""


@dataclass(frozen=True)
class Beside:
    """A picture beside the stage: one frame of another video, with words."""

    sha256: str
    frame: int
    label: str


@dataclass(frozen=True)
class Player:
    """A stage with the moving clip; start and end in s from the video's first frame.

    Attributes:
        marks: whether segments are marked on it, on a timeline with pictures.
        beside: pictures to compare it with.
        title: what the video was called where it comes from, if it may be told.
        link: to where that is; only http and https are offered.
    """

    sha256: str
    start_s: float
    end_s: float | None
    marks: bool = False
    beside: tuple[Beside, ...] = ()
    title: str = ""
    link: str = ""


@dataclass(frozen=True)
class ClipView:
    """One of several clips of a stage."""

    id: str
    title: str
    link: str
    player: Player


@dataclass(frozen=True)
class Clips:
    """A stage with several clips, of which one plays at a time."""

    clips: tuple[ClipView, ...]


@dataclass(frozen=True)
class Picker:
    """A stage on which one frame is picked: the grid first, then frame by frame."""

    grid: Grid
    player: Player


Stage = Grid | Player | Clips | Picker


@dataclass(frozen=True)
class Content:
    """What the desk shows of an item: the stage and the values that the form's fields ask for."""

    label: str
    stage: Stage | None
    values: dict[str, Any]


class TaskKind(Protocol):
    """The module of a task kind.

    Attributes:
        LABEL: its name for people.
        SCHEMA_VERSION: of its responses; raised when their meaning changes.
        OVERLAP: people per item if an author does not say.
        SOURCES: what items can be made of: 'questions', 'videos', 'rows' (lines of a file), 'tasks'
            (what another task let pass), 'predictions' (wrong answers of models).
    """

    LABEL: str
    SCHEMA_VERSION: int
    OVERLAP: int
    SOURCES: tuple[str, ...]

    def check_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """The settings, completed. Raises ValueError for one that is not allowed."""
        ...

    def build_items(
        self,
        workspace: Workspace,
        settings: dict[str, Any],
        rows: list[dict[str, Any]] | None,
    ) -> Iterable[ItemDraft]:
        """Items in the order of import: from `rows`, or from what the workspace holds if None.

        Raises ValueError for a row that makes no item: which, what, what is allowed.
        """
        ...

    def show(
        self, workspace: Workspace, item: dict[str, Any], settings: dict[str, Any], seed: str
    ) -> Shown:
        """What an annotator is shown; `seed` differs by person. Raises ValueError if unusable."""
        ...

    def content(self, workspace: Workspace, item: dict[str, Any], shown: Shown) -> Content:
        """What the desk draws for what was shown, without anything that the person must not see."""
        ...

    def check_response(self, response: dict[str, Any], shown: Shown) -> dict[str, Any]:
        """The response as it is stored. Raises ValueError, in words for a person, if it is none."""
        ...

    def decide(self, responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
        """What the responses of an item conclude by the kind's rule."""
        ...

    def settled(
        self, responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]
    ) -> bool:
        """Whether `missing` more responses, whatever they are, leave the decision as it is."""
        ...

    def feedback(self, response: dict[str, Any], expected: dict[str, Any]) -> tuple[bool, str]:
        """Whether a response is right where the answer is known, with words for a person."""
        ...

    def distance(self, a: dict[str, Any], b: dict[str, Any]) -> float | None:
        """How far two responses are apart: 0 the same, 1 different; None if not comparable."""
        ...


def kind(name: str) -> TaskKind:
    """The task kind of this name.

    Raises:
        LookupError: if there is none.
    """
    return cast("TaskKind", plugins.load(PACKAGE, name))


def kinds() -> tuple[str, ...]:
    """Names of all task kinds."""
    return plugins.names(PACKAGE)


def instructions(name: str) -> str:
    """The Markdown that a kind's annotators read first; pictures are named as files beside it.

    Raises:
        LookupError: if there is no such kind.
    """
    kind(name)
    return (INSTRUCTIONS / f"{name}.md").read_text(encoding="utf-8")


def describer(kind: object, content: Content) -> Callable[[dict[str, Any]], str]:
    """The kind's own words for a response where it has them, else the response's fields."""
    describe = getattr(kind, "describe", None)
    if describe is not None:
        return lambda response: cast("str", describe(response, content.values))
    return lambda response: "; ".join(
        f"{name.replace('_', ' ')}: {_plain(value)}" for name, value in response.items()
    )


def _plain(value: Any) -> str:
    match value:
        case dict():
            named = cast("dict[str, Any]", value)
            return ", ".join(f"{name} {_plain(element)}" for name, element in named.items())
        case list():
            return " | ".join(_plain(element) for element in cast("list[Any]", value)) or "none"
        case float():
            return f"{value:.3f}"
        case _:
            return str(value)
