"""Which questions tell most about why models fail: what people and runs made of each.

First what people can do and no model can, then what runs disagree about, then what nobody can.
"""

import numpy as np

from annotations.condition import Condition
from annotations.scoring.people_columns import Bools
from annotations.scoring.population import SCORED
from annotations.scoring.prediction_columns import Predictions
from core.refusal import Refusal
from core.statistics.metric import Floats

# What a question scores; its share of wrong runs, 0 to 1, orders those of one kind.
ONLY_PEOPLE, RUNS_DIFFER, NOBODY_ASKED, NOBODY, ALL_RIGHT = 8.0, 6.0, 4.0, 2.0, 0.0
NOT_SEEN = 20.0  # taken off a question that only runs answered which saw the text alone


def people_right(table: Predictions) -> Floats:
    """Share of people's scored answers that are right by question id; NaN where there are none."""
    if "people right" not in table.memo:
        people = table.people
        scored = people.state == SCORED
        size = 1 + max(
            (question.question_id for question in table.questions),
            default=0,
        )
        asked = np.bincount(people.question_id[scored], minlength=size).astype(np.float64)
        right = np.bincount(people.question_id[scored & people.right], minlength=size)
        table.memo["people right"] = np.divide(
            right, asked, out=np.full(size, np.nan), where=asked > 0
        )
    share: Floats = table.memo["people right"]
    return share


def wrong_share(table: Predictions, pool: Bools) -> Floats:
    """Share of the pool's scored predictions that are wrong by question id; 0 without any."""
    scored = pool & table.scored
    size = int(table.question_id.max(initial=0)) + 1
    asked = np.bincount(table.question_id[scored], minlength=size).astype(np.float64)
    wrong = np.bincount(table.question_id[scored & ~table.right], minlength=size)
    return np.divide(wrong, asked, out=np.zeros(size), where=asked > 0)


def sees_nothing(table: Predictions) -> Bools:
    """Whether a prediction was made without any picture, (predictions,)."""
    blind = np.array([_blind(run.condition) for run in table.runs], dtype=np.bool_)
    return blind[table.run] if len(blind) else np.zeros(len(table.run), dtype=np.bool_)


def _blind(condition: str) -> bool:
    try:
        parsed = Condition.parse(condition)
    except Refusal:
        return False
    return parsed.is_text or parsed.is_objects


def how_much_is_seen(table: Predictions) -> Floats:
    """How well a prediction shows what a question is about, (predictions,): frames in order best.

    One frame says less than several, shuffled ones mislead, and the text alone shows nothing.
    """
    seen = np.array([_seen(run.condition) for run in table.runs])
    return seen[table.run] if len(seen) else np.zeros(len(table.run))


def _seen(condition: str) -> float:
    try:
        parsed = Condition.parse(condition)
    except Refusal:
        return 0.5
    if parsed.is_text or parsed.is_objects:
        return 0.0
    if parsed.is_video:
        return 3.0
    return {"uniform": 4.0, "shuffled": 2.0}.get(parsed.order, 1.0) if parsed.count != 1 else 1.0


def telling(table: Predictions, pool: Bools) -> Floats:
    """How much a question tells, by question id; the more, the earlier it is shown.

    People right and every run wrong comes first; then runs that disagree, most wrong first and
    among those the ones that people get right; then all runs wrong where no person has answered,
    and where people are wrong, too. Runs that saw the text alone count only where no other run
    answered, and such questions come last.

    Args:
        table: the predictions.
        pool: which of them are looked at.
    """
    size = max(
        1 + int(table.question_id.max(initial=0)),
        1 + max((question.question_id for question in table.questions), default=0),
    )
    seeing = pool & ~sees_nothing(table)
    seen = np.bincount(table.question_id[seeing & table.scored], minlength=size) > 0
    share = np.where(seen, _padded(wrong_share(table, seeing), size),
                     _padded(wrong_share(table, pool), size))  # fmt: skip
    people = _padded(people_right(table), size)
    by_people = np.nan_to_num(people, nan=0.0)
    all_wrong, some = share == 1.0, (share > 0) & (share < 1)
    points = np.select(
        [
            all_wrong & (people > 0.5),
            some,
            all_wrong & np.isnan(people),
            all_wrong,
        ],
        [ONLY_PEOPLE + by_people, RUNS_DIFFER + share * 0.5 + by_people * 0.4, NOBODY_ASKED + share,
         NOBODY + share],
        default=ALL_RIGHT,
    )  # fmt: skip
    return points - NOT_SEEN * ~seen


def _padded(values: Floats, size: int) -> Floats:
    """The values with NaN for question ids beyond them."""
    padded = np.full(size, np.nan)
    padded[: min(size, len(values))] = values[:size]
    return padded
