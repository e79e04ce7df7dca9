"""Items of failure tagging: wrong predictions, chosen from all or named one by one."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from annotations.reading.records import Fault
from annotations.scoring import prediction_columns
from annotations.scoring.people_columns import Ints
from annotations.scoring.prediction_columns import Predictions
from annotations.scoring.snapshot import take
from annotations.task import ItemDraft
from annotations.video.clips_in_rows import row_named
from annotations.workspace import Workspace
from core.lot import lot
from core.refusal import Refusal

STATES = prediction_columns.STATES


def wrong(
    workspace: Workspace,
    *,
    runs: Collection[str] = (),
    categories: Collection[str] = (),
    states: Collection[str] = (),
    most_per_run: int = 0,
    seed: int = 0,
) -> list[int]:
    """Ids of wrong predictions, in the order of questions and runs.

    Args:
        runs: names of runs, 'MODEL · CONDITION'; none means every run.
        categories: of the question; none means every category.
        states: how the reply was read; none means however.
        most_per_run: draws so many of each run; 0 takes all.
        seed: of the draw.

    Raises:
        ValueError: for a run that is not there.
    """
    table = take(workspace).predictions
    names = [run.name for run in table.runs]
    unknown = [name for name in runs if name not in names]
    if unknown:
        raise Refusal(f"There is no run {unknown[0]!r}. Allowed: {', '.join(names) or 'none yet'}.")
    chosen = table.scored & ~table.right
    if runs:
        chosen &= np.isin(table.run, [i for i, name in enumerate(names) if name in runs])
    if categories:
        fits = np.array(
            [question.category in categories for question in table.questions], dtype=np.bool_
        )
        chosen &= fits[table.question]
    if states:
        chosen &= np.isin(table.state, [STATES.index(state) for state in states])
    indices = np.flatnonzero(chosen)
    indices = indices[np.lexsort((table.run[indices], table.question_id[indices]))]
    if most_per_run:
        indices = _drawn(table, indices, most_per_run, seed)
    return table.annotation_id[indices].tolist()


def _drawn(table: Predictions, indices: Ints, limit: int, seed: int) -> Ints:
    """Draw at most a number of answers of each run by the seed; they stay in their order.

    The smallest lots are drawn, so that a later draw among more answers keeps most of them.
    """
    ids: list[int] = table.annotation_id[indices].tolist()
    lots = np.array(
        [int.from_bytes(lot(f"{seed}/", number)[:8]) >> 4 for number in ids],
        dtype=np.int64,
    )
    run = table.run[indices]
    order = np.lexsort((lots, run))
    begins = np.searchsorted(run[order], run[order])
    kept = order[np.arange(len(order)) - begins < limit]
    return indices[np.sort(kept)]


def of_rows(workspace: Workspace, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Ids of the wrong predictions that rows name.

    A row has "prediction", its number, or "run" ('MODEL · CONDITION') and "question".

    Raises:
        ValueError: for a row that names none, or one that is not wrong.
    """
    table = take(workspace).predictions
    is_wrong = dict(
        zip(table.annotation_id.tolist(), (table.scored & ~table.right).tolist(), strict=True)
    )
    named = _by_name(workspace, table) if any("prediction" not in row for row in rows) else {}
    indices: list[int] = []
    for number, row in enumerate(rows, start=1):
        with row_named(number):
            index = _named(row, named)
            if not is_wrong.get(index):
                raise Fault(
                    "not a wrong prediction" if index in is_wrong else "no such prediction",
                    column="prediction" if "prediction" in row else "question",
                    value=row.get("prediction", row.get("question")),
                    allowed="a prediction of this workspace that differs from the key",
                )
            indices.append(index)
    return indices


def _named(row: dict[str, Any], named: dict[tuple[str, str], int]) -> int:
    value = row.get("prediction")
    if value is None:
        return named.get((str(row.get("run")), str(row.get("question"))), 0)
    return int(value) if str(value).isdecimal() else 0


def _by_name(workspace: Workspace, table: Predictions) -> dict[tuple[str, str], int]:
    uids = {row["id"]: row["uid"] for row in workspace.store.rows("SELECT id, uid FROM question")}
    names = [run.name for run in table.runs]
    return {
        (names[run], uids[question]): index
        for run, question, index in zip(
            table.run.tolist(),
            table.question_id.tolist(),
            table.annotation_id.tolist(),
            strict=True,
        )
    }


def drafts(workspace: Workspace, annotation_ids: Iterable[int]) -> list[ItemDraft]:
    """Items about predictions, in the order given."""
    wanted = list(annotation_ids)
    table = take(workspace).predictions
    ids: list[int] = table.annotation_id.tolist()
    run_of: dict[int, int] = dict(zip(ids, table.run.tolist(), strict=True))
    question_of: dict[int, int] = dict(zip(ids, table.question_id.tolist(), strict=True))
    facts = {
        row["question_id"]: row
        for row in workspace.store.rows(
            "SELECT q.question_id, q.uid, c.video_id FROM current_question q"
            " JOIN clip c ON c.id = q.clip_id"
        )
    }
    drafted: list[ItemDraft] = []
    for index in wanted:
        run, question = table.runs[run_of[index]], facts[question_of[index]]
        uid = f"prediction:{question['uid']} · {run.name} (#{index})"
        payload = {"prediction": index, "run": run.id}
        drafted.append(ItemDraft(uid, question["question_id"], question["video_id"], payload))
    return drafted
