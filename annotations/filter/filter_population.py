"""Which of people's answers a filter is held against, and which others there are."""

from collections import Counter
from typing import Any

from annotations.filter.filter_table import Filtered
from annotations.scoring.population import LEFT_OUT, SCORED, WHY, Population
from annotations.scoring.snapshot import Snapshot
from core.statistics.threshold import UNJUDGED

PURPOSE = "People who judged what the filter judged"
TIED = "on clips about which people are in two minds"
ELSEWHERE = "on items that decide about no clip here, such as one that is decided in another task"
OF_AUTHORS = "of authors, who decide with everybody else"
_ANSWERS = f"""
  SELECT a.item_id, i.uid, i.video_id, t.id AS task, t.name, a.annotator_id,
    p.role <> 'annotator' AS author,
    {WHY} AS why
  FROM annotator p CROSS JOIN annotation a ON a.annotator_id = p.id
  CROSS JOIN item i ON i.id = a.item_id CROSS JOIN task t ON t.id = i.task_id
  JOIN task own ON own.id = ? AND t.kind = own.kind AND t.settings = own.settings
  WHERE p.kind = 'person' AND i.role = 'work'
    AND NOT EXISTS (SELECT 1 FROM annotation later WHERE later.item_id = a.item_id
      AND later.annotator_id = a.annotator_id AND later.revision > a.revision)
  ORDER BY a.id
"""


def filter_population(snapshot: Snapshot, table: Filtered) -> Population:
    """The answers behind people's decisions on the clips of a filter, and the others.

    Authors decide here with everybody else, so their answers are in it and counted apart. A clip
    that authors have settled has their decision, whatever was answered before.
    """
    key = ("people beside a filter", table.run.id)
    return snapshot.derived(key, lambda: _read(snapshot, table), table.serial)


def _read(snapshot: Snapshot, table: Filtered) -> Population:
    rows = snapshot.rows(_ANSWERS, [table.run.task_id])
    judged = table.people != UNJUDGED
    deciding = frozenset[int](table.people_item[judged].tolist())
    tied = frozenset[int](table.people_item[table.tie].tolist())
    used: list[dict[str, Any]] = []
    left_out = Counter[str]()
    for row in rows:
        if row["why"] != SCORED:
            left_out[LEFT_OUT[row["why"]]] += 1
        elif row["item_id"] in deciding:
            used.append(row)
        else:
            left_out[TIED if row["item_id"] in tied else ELSEWHERE] += 1
    authors = sum(row["author"] for row in used)
    names = {row["task"]: row["name"] for row in used}
    return Population(
        purpose=PURPOSE,
        stands_on=len(used),
        people=len({row["annotator_id"] for row in used}),
        questions=len({row["item_id"] for row in used}),
        videos=len({row["video_id"] for row in used}),
        tasks=tuple(names[task] for task in sorted(names)),
        answers=tuple(left_out.items()),
        among=((OF_AUTHORS, authors),) if authors else (),
        about=("clip", "clips"),
    )
