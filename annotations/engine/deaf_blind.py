"""The deaf-blind filter: questions that language models solve from the words alone.

K9-Bench 3.4 asks three models once each and drops what a majority solves; ActionAtlas 2.7 asks one
model three times and drops what it solves each time. Every time is a run of its own, with another
order of options, so that luck with a letter does not count three times.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from annotations.run.run_plan import plan_run
from annotations.scoring.snapshot import take
from annotations.shortcut.splits import SplitPlan, plan_split
from annotations.workspace import Workspace
from core.refusal import Refusal

ANNOTATOR = "text_only"
MOST_TIMES = 9


def plan_runs(
    workspace: Workspace,
    models: Sequence[str],
    times: int = 1,
    settings: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> list[int]:
    """Ids of the runs of the filter, one for each model and time, in that order.

    Raises:
        ValueError: for no models, one named twice, or a number of times that is not allowed.
        ModelError: if a model cannot be had.
    """
    if not models or len(set(models)) < len(models):
        raise Refusal("Name one or more models, each once.")
    if not 1 <= times <= MOST_TIMES:
        raise Refusal(f"Got {times} times; allowed are 1 to {MOST_TIMES}.")
    return [
        plan_run(
            workspace, ANNOTATOR, model,
            settings={**(settings or {}), "time": time}, options=options, files=True,
        )
        for model in models
        for time in range(1, times + 1)
    ]  # fmt: skip


def drop_when(models: int, times: int) -> int:
    """How many of the runs have to be right for a question to be dropped.

    More than half of several models; of one model every time.

    Raises:
        ValueError: for several models several times each: that is two rules, not one.
    """
    if models > 1 and times > 1:
        raise Refusal(
            "Several models several times each make no single rule. Ask several models once, or "
            "one model several times."
        )
    return times if models == 1 else models // 2 + 1


def filtered(workspace: Workspace, runs: Sequence[int], models: int, times: int) -> SplitPlan:
    """What the filter keeps and drops, once its runs have answered.

    Raises:
        LookupError: if a run has no answers yet.
    """
    with take(workspace) as snapshot:
        return plan_split(snapshot, [f"run {run}" for run in runs], drop_when(models, times))
