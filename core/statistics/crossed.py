"""A mean over answers of people to videos, as if other people and other videos had been drawn.

Resampling videos alone asks what *these people* would score on other videos. A paper that says what
*people* score means other people too. Answers are crossed: one person answers many videos, and one
video is answered by many people, so both are groups of answers that are not independent.

The variance is that of two crossed groups (Cameron, Gelbach and Miller 2011): what persons share
plus what videos share minus what is counted twice; where that would take away more than there is,
the part is 0. Nine people are few, so the bounds are those of Student's t with the degrees of
freedom of such a sum (Satterthwaite 1946). Drawing nine people again with replacement instead gives
bounds that hold in fewer than nine of ten studies.
"""

from dataclasses import replace

import numpy as np
from scipy.special import stdtrit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from core.statistics.bootstrap import LEVEL
from core.statistics.coding import coded
from core.statistics.metric import Estimate, Floats
from core.statistics.ratings import Ints


def mean(values: Floats, person: Ints, video: Ints) -> Estimate:
    """The mean with bounds for other people and other videos; `clusters` is how many people.

    Args:
        values: (answers,) in [0, 1].
        person: (answers,) who gave each.
        video: (answers,) what each is about.

    Returns:
        An estimate without bounds where there are fewer than two people or videos, or where all
        answers are the same; its reason says so.
    """
    answers = len(values)
    person_code, people = coded(person)
    video_code, videos = coded(video)
    if not answers:
        return Estimate(None, reason="no answers yet")
    point = Estimate(float(values.mean()), n=answers, clusters=people)
    if people < 2 or videos < 2:
        word = "person" if people < 2 else "video"
        return replace(point, reason=f"one {word} only: other {word}s cannot be spoken of")
    gaps = (values - values.mean()) / answers
    if not gaps.any():
        return replace(point, reason="all answers are the same: they do not show how people differ")
    of_people = _squares(gaps, person_code, people)
    of_videos = _squares(gaps, video_code, videos)
    of_pairs = _squares(gaps, *coded(person_code * videos + video_code))
    variance = max(of_people - of_pairs, 0.0) + max(of_videos - of_pairs, 0.0) + of_pairs
    freedom = variance**2 / (of_people**2 / (people - 1) + of_videos**2 / (videos - 1))
    width = float(stdtrit(max(freedom, 1.0), (1 + LEVEL) / 2)) * float(np.sqrt(variance))
    value = point.value or 0.0
    return replace(point, low=max(0.0, value - width), high=min(1.0, value + width))


def _squares(gaps: Floats, code: Ints, groups: int) -> float:
    """The sum of squares of what groups add, as of groups that are a sample of many."""
    sums = np.bincount(code, weights=gaps, minlength=groups)
    return float((sums**2).sum()) * groups / max(groups - 1, 1)
