"""What a demo clip is: a drawing over time, and questions whose answers the drawing settles."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from annotations.demo.drawing.scene import Image

FPS = Fraction(30)


@dataclass(frozen=True)
class DemoQuestion:
    """A question about one clip, in the data set's own terms."""

    uid: str  # reasoning type and id, such as "count/3"
    text: str
    options: tuple[str, ...]
    key: int  # 0-based index into options
    category: str
    tags: dict[str, str | int]
    note: str = ""

    @property
    def id(self) -> str:
        """The question's id within its reasoning type, such as ``3``."""
        return self.uid.rsplit("/", 1)[1]


@dataclass(frozen=True)
class DemoClip:
    """A clip, its drawing at every time, and what is asked about it."""

    key: str  # such as "0101-00", unique in the demo
    name: str
    demonstration: str  # human, object or simulated
    seconds: float
    draw: Callable[[float], Image]  # time in s to a (360, 640, 3) RGB picture
    questions: tuple[DemoQuestion, ...] = field(default=())

    @property
    def file(self) -> str:
        """Where the clip lies in the data set's folder."""
        return f"videos/{self.demonstration}/{self.key}.mp4"

    @property
    def count(self) -> int:
        """Number of frames."""
        return round(self.seconds * FPS)

    def frames(self) -> Iterator[Image]:
        """Every frame in order; frame i is the drawing at i / 30 s."""
        return (self.draw(float(i / FPS)) for i in range(self.count))


VARIATIONS = ("counterfactual", "composite", "zoom", "first_person")


def clip(
    key: str,
    name: str,
    demonstration: str,
    seconds: float,
    draw: Callable[[float], Image],
    *asked: tuple[str, str, tuple[str, ...], str],
    variation: str = "",
) -> DemoClip:
    """A clip from its drawing and what is asked: (uid, question, options, the right option).

    Raises:
        ValueError: if the right option is not among the options.
    """
    flags: dict[str, str | int] = {name: int(name == variation) for name in VARIATIONS}
    questions = tuple(
        DemoQuestion(
            uid=uid,
            text=text,
            options=options,
            key=options.index(right),
            category=uid.rsplit("/", 1)[0],
            tags={"demonstration_type": demonstration, **flags},
            note=name,
        )
        for uid, text, options, right in asked
    )
    return DemoClip(key, name, demonstration, seconds, draw, questions)
