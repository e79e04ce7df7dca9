"""How often runs are right by keys that people still check, from few checks and all stored keys.

A stored key may be wrong, so accuracy by stored keys is not accuracy. People answer some questions
again, blind (`annotations/adjudication/cross_check.py`); what they say there, put right by what the
stored keys say of everything, estimates accuracy by the keys that would stand if all were checked
(`core/statistics/prediction_powered.py`). The key of each question is the one that was checked, so
that keys mended since do not hide what checking has found.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations.people import STORED_KEYS
from annotations.scoring.people_columns import NO_CHOICE
from annotations.scoring.population import Population
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import Entry, solved_table
from core.statistics import prediction_powered as powered
from core.statistics.prediction_powered import Powered
from core.stored_json import stored_json

WANTED_WIDTH = 0.03
NOT_SETTLED = "differ from the key and are not settled by authors; there the answer stands for now"
NO_OPTION = -2  # people say that none of the options is right

_CHECKED = """
  SELECT a.item_id, i.question_id, i.task_id, i.status, t.order_seed, p.name AS by, a.response,
    a.question_revision_id AS revision
  FROM current_annotation a JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id
  JOIN annotator p ON p.id = a.annotator_id
  WHERE a.counted = 1 AND a.skip_reason IS NULL AND i.role = 'work' AND i.question_id IS NOT NULL
    AND i.task_id IN (
      SELECT k.task_id FROM annotation x JOIN annotator y ON y.id = x.annotator_id
      JOIN item k ON k.id = x.item_id WHERE y.name = ?)
  ORDER BY a.item_id, a.id
"""
_SETTLED = """
  SELECT item_id, outcome, value FROM current_resolution
  WHERE signed >= signatures AND outcome <> 'reopen'
"""
_DRAWN = """
  SELECT i.question_id, c.chance, c.drawn, s.task_id FROM label_chance c
  JOIN label_sample s ON s.id = c.sample_id JOIN item i ON i.id = c.item_id
  WHERE i.question_id IS NOT NULL AND s.task_id IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True)
class Check:
    """A question whose key somebody has checked.

    Attributes:
        stored: the option that the key named when the check began.
        said: the option that people, or authors who settled it, say is right; `NO_OPTION` for none.
        settled: whether authors have settled it, or nobody differs.
        options: texts that were shown.
    """

    question_id: int
    task_id: int
    shuffled: bool
    stored: int
    said: int
    settled: bool
    options: str


@dataclass(frozen=True)
class RunUnderCheck:
    """A run by stored keys, and by the keys that would stand if all were checked.

    Attributes:
        by_stored: share of its answers that the stored keys call right.
        figures: None where too little is checked, as `why` says.
    """

    entry: Entry
    answers: int
    by_stored: float
    figures: Powered | None
    why: str = ""


@dataclass(frozen=True)
class KeysUnderCheck:
    """All checks of stored keys, and what they mean for every run.

    Attributes:
        population: the checks that the figures stand on, and the others.
        confirmed: how many of those confirm the key.
        everything: questions with a key.
        chances: whether what was checked was drawn with stored, unequal chances.
    """

    population: Population
    confirmed: int
    everything: int
    chances: bool
    runs: tuple[RunUnderCheck, ...]


def keys_under_check(snapshot: Snapshot) -> KeysUnderCheck | None:
    """What checks of the stored keys say of every run; None where no key is checked yet."""

    def compute() -> KeysUnderCheck | None:
        checks, left_out = _checks(snapshot)
        return _under_check(snapshot, checks, left_out) if checks else None

    return snapshot.derived("keys under check", compute)


def _checks(snapshot: Snapshot) -> tuple[dict[int, Check], Counter[str]]:
    """The newest check of each question, and why other answers of checks say nothing."""
    settled = {
        row["item_id"]: (row["outcome"], json.loads(row["value"]) if row["value"] else None)
        for row in snapshot.rows(_SETTLED)
    }
    options = dict(snapshot.tuples("SELECT id, options FROM question_revision"))
    by_item: dict[int, list[dict[str, Any]]] = {}
    for row in snapshot.rows(_CHECKED, [STORED_KEYS]):
        by_item.setdefault(row["item_id"], []).append(row)
    checks: dict[int, Check] = {}
    left_out: Counter[str] = Counter()
    for item_id, answers in by_item.items():
        check, why = _check(answers, settled.get(item_id), options)
        if check is not None:
            checks[check.question_id] = check
        elif why:
            left_out[why] += 1
    return checks, left_out


def _check(
    answers: Sequence[dict[str, Any]],
    settled: tuple[str, dict[str, Any] | None] | None,
    options: Mapping[int, str],
) -> tuple[Check | None, str]:
    """What the answers to one item say of its key; or why they say nothing."""
    key = next((row for row in answers if row["by"] == STORED_KEYS), None)
    people = [row for row in answers if row["by"] != STORED_KEYS]
    if key is None or not people:
        return None, ""
    if {options[row["revision"]] for row in people} != {options[key["revision"]]}:
        return None, "to other options than those of the key that was checked"
    stored = _choice(stored_json(key["response"]))
    choices = [_choice(stored_json(row["response"])) for row in people]
    known = [choice for choice in choices if choice is not None]
    right: int | None
    outcome, value = settled or ("", None)
    if key["status"] == "withdrawn" or outcome in ("replace_video", "fix_question", "retire"):
        return None, "to questions that authors then changed or retired"
    if settled is not None:
        right = _choice(value or {})
    else:
        [(right, highest), *others] = Counter(known).most_common(2) or [(None, 0)]
        if others and others[0][1] == highest:
            right = None
    if right is None or stored is None:
        return None, "that say neither yes nor no to the key"
    return Check(
        key["question_id"], key["task_id"], key["order_seed"] is not None, stored, right,
        settled is not None or right == stored, options[key["revision"]],
    ), ""  # fmt: skip


def _choice(response: Mapping[str, Any]) -> int | None:
    """The option of a response; `NO_OPTION` if it says that none is right; None if it cannot tell.

    Written answers are none.
    """
    choice = response.get("choice")
    if choice == "none_right":
        return NO_OPTION
    return choice if isinstance(choice, int) else None


def _under_check(
    snapshot: Snapshot, checks: dict[int, Check], left_out: Counter[str]
) -> KeysUnderCheck:
    chance, chances = _chances(snapshot, checks)
    if chances:
        outside = [number for number in checks if number not in chance]
        left_out["of questions that no sample drew, so that nobody knows their chance"] += len(
            outside
        )
        checks = {number: check for number, check in checks.items() if number in chance}
    solved, table = solved_table(snapshot), snapshot.predictions
    runs = tuple(
        _run(snapshot, entry, checks, chance) for entry in solved.entries if entry.run is not None
    )
    names = dict(snapshot.tuples("SELECT id, name FROM task"))
    current = {q.question_id: q for q in table.people.current if q.key is not None}
    videos = {current[number].video for number in checks if number in current}
    open_count = sum(not check.settled for check in checks.values())
    return KeysUnderCheck(
        population=Population(
            purpose="Checks of the stored keys",
            stands_on=len(checks),
            people=_people(snapshot, checks),
            questions=len(checks),
            videos=len(videos),
            tasks=tuple(names[number] for number in sorted({c.task_id for c in checks.values()})),
            answers=tuple((why, count) for why, count in left_out.items() if count),
            among=((NOT_SETTLED, open_count),) if open_count else (),
        ),
        confirmed=sum(check.stored == check.said for check in checks.values()),
        everything=len(current),
        chances=chances,
        runs=runs,
    )


def _people(snapshot: Snapshot, checks: dict[int, Check]) -> int:
    numbers = json.dumps(sorted({check.task_id for check in checks.values()}))
    return int(
        snapshot.tuples(
            "SELECT count(DISTINCT a.annotator_id) FROM current_annotation a"
            " JOIN item i ON i.id = a.item_id JOIN annotator p ON p.id = a.annotator_id"
            " WHERE i.task_id IN (SELECT value FROM json_each(?)) AND p.kind = 'person'"
            " AND a.counted = 1 AND a.skip_reason IS NULL",
            [numbers],
        )[0][0]
    )


def _chances(snapshot: Snapshot, checks: dict[int, Check]) -> tuple[dict[int, float], bool]:
    """With what chance each drawn question came to be checked, and whether any was drawn so."""
    tasks = json.dumps(sorted({check.task_id for check in checks.values()}))
    missed: dict[int, float] = {}
    drawn: set[int] = set()
    for question_id, chance, is_drawn, _ in snapshot.tuples(_DRAWN, [tasks]):
        missed[question_id] = missed.get(question_id, 1.0) * (1 - chance)
        if is_drawn:
            drawn.add(question_id)
    return {number: 1 - missed[number] for number in drawn}, bool(drawn)


def _run(
    snapshot: Snapshot, entry: Entry, checks: dict[int, Check], chance: dict[int, float]
) -> RunUnderCheck:
    table = snapshot.predictions
    rows = np.flatnonzero((table.run == entry.run) & table.scored)
    right = table.right[rows].astype(np.float64)
    options = _options(snapshot)
    labels: list[float] = []
    predicted: list[float] = []
    weights: list[float] = []
    for place, row in enumerate(rows.tolist()):
        check = checks.get(int(table.question_id[row]))
        if check is None or options[int(table.question[row])] != check.options:
            continue
        choice = int(table.choice[row])
        # By the key that was checked, also where checking has mended it since.
        right[place] = choice == check.stored
        labels.append(float(choice != NO_CHOICE and choice == check.said))
        predicted.append(right[place])
        weights.append(chance.get(check.question_id, 1.0))
    share = float(right.mean()) if len(right) else 0.0
    if why := _unfit(checks, len(labels), len(rows), bool(chance)):
        return RunUnderCheck(entry, len(rows), share, None, why)
    figures = powered.mean(
        np.array(labels), np.array(predicted), right, np.array(weights) if chance else None
    )
    return RunUnderCheck(entry, len(rows), share, figures)


def _unfit(checks: dict[int, Check], labelled: int, answers: int, chances: bool) -> str:
    """Why the checks say nothing of a run; '' if they do."""
    if labelled < powered.LEAST_LABELS:
        return (
            f"{labelled} of its answers are to questions whose key is checked; from"
            f" {powered.LEAST_LABELS} on there is an estimate"
        )
    ordered = not all(check.shuffled for check in checks.values())
    if ordered and not chances and labelled < answers:
        return "keys were checked in the order of import, which is no sample"
    return ""


def _options(snapshot: Snapshot) -> list[str]:
    """The options of every revision, as JSON, in the order of revisions."""
    memo = snapshot.predictions.memo
    if "options" not in memo:
        memo["options"] = [
            row[0] for row in snapshot.tuples("SELECT options FROM question_revision ORDER BY id")
        ]
    return memo["options"]


def more_checks(figures: Powered | None) -> int | None:
    """How many further keys to check until the bounds are ±3 points; None if unknown."""
    return None if figures is None else figures.more_until(WANTED_WIDTH)
