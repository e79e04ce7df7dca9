"""What a filter is worth, from few labels of people and its own verdicts on everything.

People label a sample that was drawn with stored chances (`annotations/filter/label_samples.py`).
What they would say of everything is estimated from that and from what the filter says of everything
(`core/statistics/prediction_powered.py`): as sure as many more labels of people alone.
"""

from dataclasses import dataclass

import numpy as np

from annotations.filter.filter_audit import verdicts
from annotations.filter.filter_table import Filtered
from annotations.filter.label_samples import rejects, stored_chances
from annotations.scoring.snapshot import Snapshot
from core.statistics import prediction_powered as powered
from core.statistics.metric import Floats
from core.statistics.prediction_powered import Powered
from core.statistics.threshold import REJECTED, UNJUDGED

WANTED_WIDTH = 0.03


@dataclass(frozen=True)
class Worth:
    """Figures of a filter over everything that it judged.

    Attributes:
        drawn: how many items samples have drawn, and `judged` those of them that people decided.
        everything: how many items the filter judged.
        figures: (name, what it says, estimate).
    """

    drawn: int
    judged: int
    everything: int
    figures: tuple[tuple[str, str, Powered], ...]


def worth(snapshot: Snapshot, table: Filtered, threshold: float | None = None) -> Worth | None:
    """The figures as people's labels stand; None where nothing was drawn by chance yet.

    Labels of items that no sample drew are in none of them: nobody knows with what chance they
    came about.
    """
    drawn, chance = stored_chances(snapshot, table)
    likely = rejects(table, threshold)
    whole = np.isfinite(likely)
    if not drawn.any():
        return None
    labelled = (drawn > 0) & whole & (table.people != UNJUDGED) & (chance > 0)
    rejected = (verdicts(table, threshold) == REJECTED).astype(np.float64)
    wanted = (table.people == REJECTED).astype(np.float64)
    one = np.ones_like(rejected)

    def figure(numerator: Floats, below: Floats, guess: Floats, guess_below: Floats) -> Powered:
        of_people = np.stack([numerator, below], axis=1)
        of_filter = np.stack([guess, guess_below], axis=1)
        return powered.ratio(
            of_people[labelled], of_filter[labelled], of_filter[whole], chance[labelled]
        )

    guess = np.where(whole, likely, 0.0)
    right, guess_right = (
        rejected * is_wanted + (1 - rejected) * (1 - is_wanted) for is_wanted in (wanted, guess)
    )
    return Worth(
        int((drawn > 0).sum()),
        int(labelled.sum()),
        int(whole.sum()),
        (
            ("Accuracy", "equal verdicts", figure(right, one, guess_right, one)),
            (
                "Recall",
                "of what people would reject, rejected by the filter",
                figure(rejected * wanted, wanted, rejected * guess, guess),
            ),
            (
                "Precision",
                "of what the filter rejects, rejected by people",
                figure(rejected * wanted, rejected, rejected * guess, rejected),
            ),
            (
                "Share kept",
                "of everything, accepted by people",
                figure(1 - wanted, one, 1 - guess, one),
            ),
        ),
    )
