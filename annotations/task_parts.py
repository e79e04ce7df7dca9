"""What a kind of annotation task may bring along beside what each has; `isinstance` asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from annotations.record.item import Item
from annotations.record.question import Question
from annotations.record.shown import Shown
from annotations.record.stage import Content
from annotations.workspace import Workspace

if TYPE_CHECKING:
    from core.statistics.distance import Distance
    from core.statistics.segments import Window


@runtime_checkable
class ShowsMany(Protocol):
    """A kind that prepares many items with fewer queries than one after the other."""

    def show_many(
        self,
        workspace: Workspace,
        items: Sequence[Item],
        settings: dict[str, Any],
        seeds: Sequence[str],
    ) -> list[Shown | Exception]:
        """For each item what is shown, or why it cannot be."""
        ...


@runtime_checkable
class DrawsMany(Protocol):
    """A kind that describes many stages with fewer queries than one after the other."""

    def content_many(
        self, workspace: Workspace, handed: Sequence[tuple[Item, Shown]]
    ) -> list[Content]:
        """What the desk draws for each."""
        ...


@runtime_checkable
class ShowsKey(Protocol):
    """A kind that can show a question's key to whoever works on it."""

    def shows_key(self, settings: dict[str, Any]) -> bool:
        """Whether a task with these settings does."""
        ...


@runtime_checkable
class AsksKey(Protocol):
    """A kind that can ask people who must not know a question's key what it is."""

    def asks_key(self, settings: dict[str, Any]) -> bool:
        """Whether a task with these settings does."""
        ...


@runtime_checkable
class HasKey(Protocol):
    """A kind whose questions have stored keys, which can be checked like an annotator's answers."""

    def key_response(self, question: Question) -> dict[str, Any]:
        """The response that the question's stored key amounts to."""
        ...

    def key_of(self, response: dict[str, Any]) -> int | None:
        """The key that a response amounts to, if it holds; None for one that is no option."""
        ...

    def right_of(self, response: dict[str, Any]) -> tuple[int, ...]:
        """The several right options that a response amounts to, if it holds; () for others."""
        ...


@runtime_checkable
class Describes(Protocol):
    """A kind that says a response in words."""

    def describe(self, response: dict[str, Any], values: dict[str, Any]) -> str:
        """The response in words; `values` are those of the content that was shown."""
        ...


@runtime_checkable
class ComparesMany(Protocol):
    """A kind that computes the distances of many pairs of responses at once."""

    def distances(self, responses: Sequence[dict[str, Any]]) -> "str | Distance":
        """A name of `core.statistics.distance.NAMES`, or a vectorised distance of them all."""
        ...


@runtime_checkable
class Tolerates(Protocol):
    """A kind whose responses are never quite equal, such as edges of segments."""

    def tolerance(self, settings: dict[str, Any]) -> float:
        """The distance up to which two responses count as no disagreement."""
        ...


class OneOf(tuple[object, ...]):
    """Values of which a known answer holds one alone, never a list."""


@runtime_checkable
class DeclaresKnown(Protocol):
    """A kind that says what a known answer to one of its items may hold."""

    def known_answer(self, settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
        """By field what is allowed: None for anything, some values, or the fields of an object.

        A list is allowed where each of its entries is, but for `OneOf`. `payload` is the item's;
        'options' in it are those of its question, 'several' whether any number may be chosen.
        """
        ...


@runtime_checkable
class HasWindows(Protocol):
    """A kind whose responses mark segments of a clip."""

    def windows(self, response: dict[str, Any]) -> "tuple[Window, ...]":
        """When what was asked for happens, by a response: (start, end) in s, sorted."""
        ...


@runtime_checkable
class HasStage(Protocol):
    """A kind whose decisions are a stage in the life of a benchmark, which Start shows.

    Attributes:
        STAGE: what passing it is called, such as 'Verified'.
        STAGE_UNIT: what passes, such as 'clip'.
    """

    STAGE: str
    STAGE_UNIT: str

    def survivors(self, value: Any) -> tuple[int, int]:
        """How many things pass by a decision's value, and of how many."""
        ...


@dataclass(frozen=True)
class Summary:
    """What all answers of a task say together.

    Attributes:
        words: one line for a person.
        columns: cells by heading, from top to bottom; empty where the line says it all.
    """

    words: str
    columns: dict[str, list[object]] = field(default_factory=dict[str, list[object]])


@runtime_checkable
class Summarizes(Protocol):
    """A kind that sums up the answers of a task for its authors."""

    def summary(self, responses: Sequence[dict[str, Any]]) -> Summary | None:
        """What people's counted answers say together; None where they have nothing to say."""
        ...


@runtime_checkable
class DecidesWindows(Protocol):
    """A kind whose decisions hold segments of a clip."""

    def decided_windows(self, value: Any) -> "tuple[Window, ...]":
        """When what was asked for happens, by the value of a decision: (start, end) in s."""
        ...


@runtime_checkable
class MakesQuestions(Protocol):
    """A kind whose decisions are carried over into questions."""

    MAKES_QUESTIONS: bool
