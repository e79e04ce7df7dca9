"""Conditions: what of a clip is shown to whoever answers, person or model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.refusal import Refusal
from core.video import plans

_GRAMMAR = re.compile(r"(\d{1,3}) (?:(random|shuffled|handpicked) )?frames?")
OBJECTS = "objects only"  # names of objects that were seen, and no picture
_SINGLE = ("random", "handpicked")
ALLOWED = (
    "'full video', 'N frames', 'N shuffled frames' (N from 1 to 100), '1 random frame', "
    "'1 handpicked frame', 'text only', 'objects only'"
)


@dataclass(frozen=True)
class Condition:
    """A condition, named by its text in the field's words, such as '16 shuffled frames'."""

    name: str
    count: int | None
    order: str

    @classmethod
    @lru_cache(maxsize=1024)
    def parse(cls, text: str) -> "Condition":
        """The condition that a text names.

        Raises:
            ValueError: if it names none; the message lists what is allowed.
        """
        name = " ".join(text.lower().split())
        if name == "full video":
            return cls(name, None, "")
        if name in ("text only", OBJECTS):
            return cls(name, 0, "")
        match = _GRAMMAR.fullmatch(name)
        count = int(match[1]) if match else 0
        order = (match[2] or "uniform") if match else ""
        if not 1 <= count <= 100 or (order in _SINGLE and count != 1):
            raise Refusal(f"{text!r} is no condition. Allowed: {ALLOWED}.")
        counted = [
            str(count),
            *([] if order == "uniform" else [order]),
            "frames" if count > 1 else "frame",
        ]
        return cls(" ".join(counted), count, order)

    @property
    def is_video(self) -> bool:
        """Whether the moving video is shown."""
        return self.count is None

    @property
    def is_text(self) -> bool:
        """Whether no picture is shown beside the question."""
        return self.count == 0

    @property
    def is_objects(self) -> bool:
        """Whether the names of objects are shown, which only answers from elsewhere come with."""
        return self.name == OBJECTS

    @property
    def hides_times(self) -> bool:
        """Whether the times of frames would give away what the condition hides: their order."""
        return self.order == "shuffled"

    @property
    def is_handpicked(self) -> bool:
        """Whether the frame is the one that people picked."""
        return self.order == "handpicked"

    def frames(self, available: Sequence[int], seed: str) -> tuple[int, ...]:
        """Frame indices in the order shown; fewer than asked for where the clip has fewer.

        Args:
            available: indices of the clip's frames in the video's frame table, ascending.
            seed: what random and shuffled draws hang on; the same seed gives the same frames to
                people and to models.

        Raises:
            ValueError: for the handpicked frame, which no seed can tell.
        """
        if not self.count:
            return ()
        if self.is_handpicked:
            raise Refusal("The handpicked frame is a decision; it cannot be drawn.")
        if self.order == "random":
            positions = plans.one_random(len(available), seed)
        else:
            positions = plans.uniform(len(available), self.count)
            if self.order == "shuffled":
                positions = plans.shuffled(positions, seed)
        return tuple(available[position] for position in positions)


def shown_first(condition: str) -> tuple[float, float, str]:
    """What sorts conditions from the least to the most that they show."""
    try:
        parsed = Condition.parse(condition)
    except ValueError:
        return (0.5, 0.0, condition)
    if parsed.is_video:
        return (2.0, 0.0, condition)
    ranks = {"random": 0.0, "handpicked": 0.1, "shuffled": 0.2, "uniform": 0.3}
    return (
        1.0 if parsed.count else 0.0,
        (parsed.count or 0) + ranks.get(parsed.order, 0),
        condition,
    )
