"""Free-form answers scored by how similar their embedding is to that of each option (K9-Bench).

An answer is right when its similarity with the key is above 0.5 and higher than with any other
option. So it chooses the most similar option if that one is above the threshold, and else nothing.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.reply.result import Reading

THRESHOLD = 0.5
RULE = "similarity"


def by_similarity(
    similarities: Sequence[float],
    threshold: float = THRESHOLD,
    labels: Sequence[str] | None = None,
) -> Reading:
    """The option that an answer's embedding chooses.

    Args:
        similarities: cosine of the answer with each option, in [-1, 1], in displayed order.
        threshold: the similarity has to be above it.
        labels: what options are called in the words; None: A, B, C...

    Returns:
        'read' with the most similar option; 'unread' where none is above the threshold; 'several'
        where the highest is shared: the paper asks for a strict maximum.

    Raises:
        ValueError: if there are none, or one is no cosine.
    """
    if not similarities or not all(-1.0001 <= cosine <= 1.0001 for cosine in similarities):
        raise ValueError(
            f"Got similarities {list(similarities)}. Allowed: one in [-1, 1] for each option."
        )
    names = labels or [chr(ord("A") + i) for i in range(len(similarities))]
    highest = max(similarities)
    most_similar = [i for i, cosine in enumerate(similarities) if cosine == highest]
    reason = f"{' and '.join(names[i] for i in most_similar)}: similarity {highest:.3f}"
    if highest <= threshold:
        return Reading(None, "unread", RULE, f"{reason}, and it has to be above {threshold:g}")
    if len(most_similar) > 1:
        return Reading(None, "several", RULE, f"{reason}, shared by these options")
    return Reading(most_similar[0], "read", RULE, f"{reason}, the highest and above {threshold:g}")


def right_at(
    similarities: npt.NDArray[np.float64],
    keys: npt.NDArray[np.int64],
    threshold: float = THRESHOLD,
) -> npt.NDArray[np.bool_]:
    """Whether each of many answers is right, (answers,): whether `by_similarity` chooses the key.

    Args:
        similarities: (answers, options), NaN where a question has fewer options.
        keys: (answers,), index of the right option.
        threshold: as above.
    """
    if not len(keys):
        return np.zeros(0, dtype=np.bool_)
    filled = np.where(np.isnan(similarities), -np.inf, similarities)
    rows = np.arange(len(keys))
    of_key = filled[rows, keys]
    others = filled.copy()
    others[rows, keys] = -np.inf
    return (of_key > threshold) & (of_key > others.max(axis=1))
