"""How accuracy changes where a tag says yes, as TOMATO's Table 7 prints it: yes / no - 1."""

from collections.abc import Sequence

import numpy as np

from core.statistics import bootstrap, gain
from core.statistics.averaged import average
from core.statistics.bootstrap import Clusters
from core.statistics.metric import Estimate, Floats
from core.statistics.ratings import Bools

NO, YES = "no", "yes"


class TagChange:
    """The relative change of accuracy from questions whose tag says no to those with yes."""

    def value(self, totals: Floats) -> Floats:
        """The change, -0.377 for 38.5 % on no and 24.0 % on yes; NaN where undefined."""
        return gain.value(totals)

    def undefined(self, totals: Floats) -> str:
        """Why there is none: no answers to one of the two, or none right where the tag says no."""
        return gain.undefined(totals, "questions with yes", "questions with no")


def changes(
    table: Floats, yes: Bools, no: Bools, clusters: Clusters, cluster_word: str
) -> tuple[list[Estimate], Estimate]:
    """The change of each model, and their mean.

    Videos with questions of both kinds are drawn again for both together.

    Args:
        table: (questions, models, 2), right answers and answers.
        yes: (questions,) whose tag says yes, and `no` those with no.
        clusters: of each question.
        cluster_word: what a cluster is called.
    """
    rows = np.concatenate([table * yes[:, None, None], table * no[:, None, None]], axis=2)
    each = [
        bootstrap.estimate(TagChange(), rows[:, model], clusters, cluster_word=cluster_word)
        for model in range(rows.shape[1])
    ]
    return each, average(TagChange(), rows, clusters, cluster_word=cluster_word)


def in_order(names: Sequence[str]) -> list[str]:
    """Names of groups with 'no' before 'yes', as papers print a flag; others as they come."""
    return sorted(names, key=lambda name: (name == YES) - (name == NO))


def signed(estimate: Estimate | None) -> str:
    """A change in percent with half the width of its interval, such as '-37.7 ± 12.1'.

    Without the ± where there is no interval, or one of no width.
    """
    if estimate is None or estimate.value is None:
        return "–" if estimate else ""
    change = f"{100 * estimate.value:+.1f}"
    if estimate.low is None or estimate.high is None or not estimate.has_width:
        return change
    return f"{change} ± {50 * (estimate.high - estimate.low):.1f}"
