"""Sixteen ways to represent a video by text: four concepts, each at four times (UTD, section 3.2).

A concept says what of a frame is kept, a time how the eight frames become one video. Vectors are
unit vectors; an empty text has a vector of zeros, which is close to nothing and predicts nothing.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

Floats32 = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

Concept = Literal["objects+composition+activities", "objects", "activities", "verbs"]
Time = Literal["middle", "best", "average", "sequence"]
CONCEPTS: tuple[Concept, ...] = get_args(Concept)
TIMES: tuple[Time, ...] = get_args(Time)
FRAMES = 8
NOTHING = -1  # the prediction of a video that has no text, or whose best two classes are equal


@dataclass(frozen=True, eq=False)
class Represented:
    """Vectors of the texts of some videos for one concept.

    Attributes:
        frames: (V, F, D) float32, unit vectors of each frame's text; zeros where it is empty.
        sequence: (V, D) float32, of all frames' texts as one; zeros where all are empty.
    """

    frames: Floats32
    sequence: Floats32

    @property
    def middle(self) -> Floats32:
        """(V, D) of the frame in the middle: of eight the fourth."""
        return self.frames[:, (self.frames.shape[1] - 1) // 2]

    @property
    def average(self) -> Floats32:
        """(V, D) unit vectors along the mean of the frames; empty frames add nothing."""
        return unit(self.frames.mean(axis=1))

    def where(self, chosen: Bools) -> "Represented":
        """The vectors of some of the videos."""
        return Represented(self.frames[chosen], self.sequence[chosen])


def unit(vectors: Floats32) -> Floats32:
    """Vectors of length 1; vectors of zeros stay as they are.

    Args:
        vectors: (..., D).
    """
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1), np.float32)


def is_empty(vectors: Floats32) -> Bools:
    """(...) whether a vector is that of an empty text: zeros."""
    return ~np.any(vectors, axis=-1)
