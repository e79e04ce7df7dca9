"""Common-sense bias of classification: the class whose name is nearest to a video's text.

"Best frame" knows the answer: a video counts as right when any of its frames is (UTD's max-score
frame). Beside it stands `chosen`, the frame that is most similar to any class, which needs no key.
"""

from dataclasses import dataclass

import numpy as np

from core.bias.representation import NOTHING, Bools, Floats32, Ints, Represented, Time, is_empty

_BLOCK = 1024


@dataclass(frozen=True, eq=False)
class Predicted:
    """The class of each video, and whether it is the right one.

    Attributes:
        predicted: (V,) index of the class; -1 where there is no text, or where two classes are
            equally near.
        right: (V,) whether it is the true class.
    """

    predicted: Ints
    right: Bools

    @property
    def nothing(self) -> int:
        """How many videos have no prediction; they count as wrong."""
        return int((self.predicted == NOTHING).sum())


def nearest_class(scores: Floats32) -> Ints:
    """(...) index of the class with the highest score; -1 where several are equally high.

    Args:
        scores: (..., C), C at least 1.
    """
    highest = scores.max(axis=-1, keepdims=True)
    several = (scores == highest).sum(axis=-1) > 1
    return np.where(several, NOTHING, scores.argmax(axis=-1)).astype(np.int64)


def predict(vectors: Floats32, classes: Floats32) -> Ints:
    """(...) the nearest class of each vector by cosine; -1 for a vector of zeros.

    Args:
        vectors: (..., D) unit vectors.
        classes: (C, D) unit vectors.
    """
    found = nearest_class(vectors @ classes.T)
    return np.where(is_empty(vectors), NOTHING, found)


def by_time(
    represented: Represented, classes: Floats32, truth: Ints, frame_classes: Floats32 | None = None
) -> tuple[dict[Time, Predicted], Predicted]:
    """Predictions at the four times, and those of the frame chosen without the truth.

    Args:
        represented: vectors of V videos.
        classes: (C, D) of the class names, asked for a video; `frame_classes` (C, D) asked for a
            single frame, the same where None.
        truth: (V,) index of each video's class.
    """
    of_frames = classes if frame_classes is None else frame_classes
    frames, chosen = _frames(represented.frames, of_frames)
    hits = frames == truth[:, None]
    any_right = hits.any(axis=1)
    middle = frames[:, (frames.shape[1] - 1) // 2]
    times: dict[Time, Predicted] = {
        "middle": Predicted(middle, middle == truth),
        "best": Predicted(np.where(any_right, truth, chosen), any_right),
        "average": _right(predict(represented.average, of_frames), truth),
        "sequence": _right(predict(represented.sequence, classes), truth),
    }
    return times, _right(chosen, truth)


def _right(predicted: Ints, truth: Ints) -> Predicted:
    return Predicted(predicted, predicted == truth)


def _frames(frames: Floats32, classes: Floats32) -> tuple[Ints, Ints]:
    """(V, F) class of each frame, and (V,) that of the frame most similar to any class."""
    predicted = np.full(frames.shape[:2], NOTHING, np.int64)
    chosen = np.full(len(frames), NOTHING, np.int64)
    for start in range(0, len(frames), _BLOCK):
        block = frames[start : start + _BLOCK]
        scores = block @ classes.T
        found = np.where(is_empty(block), NOTHING, nearest_class(scores))
        similar = np.where(is_empty(block), -np.inf, scores.max(axis=-1))
        rows = np.arange(len(block))
        predicted[start : start + _BLOCK] = found
        chosen[start : start + _BLOCK] = found[rows, similar.argmax(axis=1)]
    return predicted, chosen
