"""What a way of writing questions has to bring along; each is a file in annotations/generators/.

A generator is a chain of steps. Each step fills a prompt, and reads the reply strictly: what does
not fit is refused with its reason, and the model is told the reason when it is asked again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from annotations.workspace import Workspace
from core import plugins
from core.refusal import Refusal

PACKAGE = "annotations.generators"
Results = Mapping[str, Any]


class Unfit(Refusal):
    """A reply that cannot be taken; the text is told to the model and to people."""


@dataclass(frozen=True)
class Subject:
    """What one chain of steps is about.

    Attributes:
        id: stays the same whenever the subjects are looked up, such as 'clip:12'.
        name: for people.
        video_id: row of the video; `sha256` its content.
        start_s: of the clip, s; `end_s` None: the end of the video.
        facts: what is known, such as 'action', 'actor', 'before', 'after'.
    """

    id: str
    name: str
    video_id: int
    sha256: str
    start_s: float = 0.0
    end_s: float | None = None
    facts: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Step:
    """One request to the model.

    Attributes:
        name: such as 'question'.
        prompt: name of the usual template.
        fields: that the template may have.
        fill: their values, from the subject and the results of the steps before.
        read: what the reply says; raises `Unfit` with what is wrong.
        stand_in: a reply that fits, for a model that only stands in.
        frames: how many frames of the clip the model sees.
        most_tokens: of the reply; a longer one is cut off, and refused.
    """

    name: str
    prompt: str
    fields: tuple[str, ...]
    fill: Callable[[Subject, Results, dict[str, Any]], dict[str, str]]
    read: Callable[[str, Subject, Results, dict[str, Any]], Any]
    stand_in: Callable[[Subject, Results], str]
    frames: int = 0
    most_tokens: int = 2048


@dataclass(frozen=True)
class Draft:
    """A question that people have to review before it is one.

    Attributes:
        id: unique among the drafts of its generator, and the same whenever it is made again.
        payload: of a review item: 'text', 'options', 'key', 'category', 'tags', ...
    """

    id: str
    payload: dict[str, Any]


class Generator(Protocol):
    """The module of a generator.

    Attributes:
        TITLE: its name for people.
        HELP: what it makes of what, in a sentence.
        SETTINGS: its settings with their defaults.
        STEPS: in their order.
        KEEP: how many wrong options reviewers may keep.
    """

    TITLE: str
    HELP: str
    SETTINGS: dict[str, Any]
    STEPS: tuple[Step, ...]
    KEEP: list[int]

    def subjects(self, workspace: Workspace, settings: dict[str, Any]) -> list[Subject]:
        """What questions are to be written on, in the same order each time.

        Raises Refusal where there is nothing, with what to do.
        """
        ...

    def drafts(self, subject: Subject, results: Results) -> list[Draft]:
        """The drafts of a subject whose steps are all done."""
        ...


def generator(name: str) -> Generator:
    """The generator of this name.

    Raises:
        LookupError: if there is none.
    """
    return cast("Generator", plugins.load(PACKAGE, name))


def generators() -> tuple[str, ...]:
    """Names of all generators."""
    return plugins.names(PACKAGE)
