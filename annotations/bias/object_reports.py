"""How good a set's lists of objects are, by people's checks of them (UTD 4.2)."""

from collections import Counter
from typing import Any

from annotations.scoring.population import LEFT_OUT, SCORED, WHY, WITHDRAWN
from annotations.tasks import object_check
from annotations.tasks._object_report import report
from annotations.workspace import Workspace
from core.stored_json import stored_json

_CHECKED = f"""
  SELECT a.response, iif(i.status = 'withdrawn', {WITHDRAWN}, {WHY}) AS why
  FROM current_annotation a JOIN item i ON i.id = a.item_id
  JOIN annotator p ON p.id = a.annotator_id JOIN task t ON t.id = i.task_id
  WHERE t.kind = 'object_check' AND p.kind = 'person' AND i.role = 'work'
    AND json_extract(i.payload, '$.source') = ?
  ORDER BY a.id
"""


def hallucinations(workspace: Workspace, set_name: str) -> dict[str, Any]:
    """Objects that people judged of a set's lists, those visible, and the rate of hallucination."""
    judged: list[str] = []
    left_out = Counter[str]()
    for row in workspace.store.rows(_CHECKED, [set_name]):
        if row["why"] != SCORED:
            left_out[LEFT_OUT[row["why"]]] += 1
            continue
        judged += object_check.labels(stored_json(row["response"])).values()
    reports = report(judged)
    others = "".join(f"; {count:,} answers left out: {why}" for why, count in left_out.items())
    return {
        "objects": reports.objects, "visible": reports.visible, "classes": reports.classes,
        "share_visible": reports.share_visible, "hallucination_rate": reports.hallucination_rate,
        "left_out": dict(left_out),
        "words": reports.words + others if reports.objects else
        "Nobody has checked these lists of objects yet (UTD found 5.9 % hallucinated in its own).",
    }  # fmt: skip
