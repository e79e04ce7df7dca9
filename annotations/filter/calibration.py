"""Calibration: a filter's threshold, chosen so that a wanted share of what people accept is kept.

It is learned on the videos that people have screened, which have to be a random sample of all that
the filter scored, and it is kept with the run.
"""

import json
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import scipy.stats  # pyright: ignore[reportMissingTypeStubs]

from annotations.filter.filter_table import Filtered
from annotations.people import now_text
from annotations.run.runs import Run
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.refusal import Missing, Refusal
from core.statistics.bootstrap import LEVEL
from core.statistics.ratings import Bools
from core.statistics.threshold import ACCEPTED, UNJUDGED
from core.statistics.threshold_choice import Choice, choose

FACT = "threshold"
_DOUBTFUL = 0.01


@dataclass(frozen=True)
class Calibration:
    """A threshold with what it means for all that was scored.

    Attributes:
        choice: the threshold, or why there is none.
        judged: scored items that people judged.
        accepted: of those they accept.
        scored: all items with a score.
        kept: of all those, how many reach the threshold; None without one.
        warning: why the judged items may be no random sample; '' if nothing speaks against it.
    """

    choice: Choice
    judged: int
    accepted: int
    scored: int
    kept: int | None
    warning: str

    @property
    def method(self) -> str:
        """How the threshold was found, in words for a paper."""
        choice = self.choice
        how = (
            f"its one-sided {percent_text(LEVEL, 0)} lower bound (Clopper-Pearson, which at a "
            "threshold that is one of the sample's scores is Wilks' tolerance limit)"
            if choice.certain
            else "the sample's own share"
        )
        return (
            f"The highest score at which {how} is at least {percent_text(choice.wanted)} of what "
            f"people accept, on {self.judged:,} judged items, {self.accepted:,} of them accepted; "
            f"the threshold's {percent_text(LEVEL, 0)} interval is a bootstrap over videos."
        )


def calibrate(table: Filtered, wanted: float, *, certain: bool = True) -> Calibration:
    """The highest threshold that keeps a wanted share of what people accept.

    Args:
        table: a filter beside people.
        wanted: the share, in (0, 1].
        certain: whether it has to be kept with 95 % certainty, or on the sample only.

    Raises:
        ValueError: for a share that cannot be wanted.
    """
    scored = np.isfinite(table.score)
    judged = scored & (table.people != UNJUDGED)
    choice = choose(
        table.score[judged],
        table.people[judged],
        wanted,
        certain=certain,
        clusters=table.video[judged],
    )
    kept = None
    if choice.threshold is not None:
        kept = int((table.score[scored] >= choice.threshold).sum())
    accepted = int((table.people[judged] == ACCEPTED).sum())
    return Calibration(
        choice,
        int(judged.sum()),
        accepted,
        int(scored.sum()),
        kept,
        _no_sample(table, scored, judged),
    )


def _no_sample(table: Filtered, scored: Bools, judged: Bools) -> str:
    """Why the judged items look like no random sample of the scored ones; '' if they do not."""
    rest = table.score[scored & ~judged]
    if not judged.any() or not len(rest):
        return ""
    compare = cast("Any", scipy.stats).ks_2samp  # its types are not published
    if float(compare(table.score[judged], rest).pvalue) >= _DOUBTFUL:
        return ""
    return (
        f"The items that people judged are no random sample: their median score is "
        f"{np.median(table.score[judged]):.3g}, that of the others {np.median(rest):.3g}. What is "
        "learned on them need not hold for the rest; let people judge a random sample."
    )


def keep_threshold(
    workspace: Workspace, run_id: int, value: float, by: str, calibration: Calibration | None = None
) -> dict[str, Any]:
    """What is kept of a threshold with its run: value, by whom and when, and how it was found.

    Raises:
        LookupError: if there is no such run.
        ValueError: if the value is no number.
    """
    if not np.isfinite(value):
        raise Refusal(f"The threshold is {value}. Allowed: a number.")
    kept: dict[str, Any] = {"value": value, "by": by, "at": now_text()}
    if calibration is not None and calibration.choice.threshold == value:
        choice = calibration.choice
        kept |= {
            "wanted": choice.wanted, "certain": choice.certain, "reached": choice.reached,
            "at_least": choice.at_least, "low": choice.low, "high": choice.high,
            "judged": calibration.judged, "accepted": calibration.accepted,
            "method": calibration.method, "warning": calibration.warning,
        }  # fmt: skip
    with workspace.store.write() as database:
        changed = database.conn.execute(
            "UPDATE run SET facts = json_set(facts, '$.threshold', json(?)) WHERE id = ?",
            [json.dumps(kept), run_id],
        ).rowcount
    if not changed:
        raise Missing(f"There is no run {run_id}.")
    return kept


def forget_threshold(workspace: Workspace, run_id: int) -> None:
    """Go back to the filter's own verdicts."""
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE run SET facts = json_remove(facts, '$.threshold') WHERE id = ?", [run_id]
        )


def kept_threshold(run: Run) -> float | None:
    """The threshold that is kept with a run; None without one."""
    fact: dict[str, Any] = run.facts.get(FACT) or {}
    return None if "value" not in fact else float(fact["value"])
