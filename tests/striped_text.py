"""A reader of pictures that reads at once, and clips on which it reads."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.model import Line

WIDE, HIGH = 320, 96
STRIPES = np.tile(np.repeat(np.array([250, 10], np.uint8), 2), 12)  # 48 px, gone when blurred


class StripeReader:
    """Reads a line where narrow stripes stand: its word says in which third of the picture.

    Attributes:
        name: as of a model.
        pictures: how many were read.
    """

    name = "stripes"
    device = "cpu"
    is_stand_in = False
    stand_in_words = ""

    def __init__(self, words: Sequence[str] = ("bicycle kick", "score", "clock")):
        self.words = words
        self.pictures = 0

    def read(self, image: np.ndarray) -> tuple[Line, ...]:
        """The words whose stripes can be told apart."""
        self.pictures += 1
        lines: list[Line] = []
        for third, word in enumerate(self.words):
            left = 20 + third * 100
            part = image[32:48, left : left + 48].astype(float).mean(axis=2)
            if np.abs(np.diff(part, axis=1)).mean() > 40:
                box = ((left, 32), (left + 48, 32), (left + 48, 48), (left, 48))
                lines.append(Line(word, 0.9, tuple((float(x), float(y)) for x, y in box)))
        return tuple(lines)


def striped(shown: Sequence[Sequence[int]]) -> Iterator[np.ndarray]:
    """A picture for each frame, with stripes in these thirds of it."""
    for thirds in shown:
        picture = np.full((HIGH, WIDE, 3), 120, np.uint8)
        for third in thirds:
            left = 20 + third * 100
            picture[32:48, left : left + 48] = STRIPES[None, :, None]
        yield picture
