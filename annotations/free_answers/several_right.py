"""How models answer questions of which several options are right: by the whole set, or not at all.

Such questions have no key and are in no accuracy. A reply is right when it names exactly the right
options (set match); one that names some of them, or one too many, is wrong. People choose a single
option, so nothing is said of their answers.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotations.scoring.snapshot import Snapshot
from core.metrics import accuracy
from core.reply.reading import read_several
from core.statistics import bootstrap
from core.statistics.metric import Estimate

# The options as they were asked, the right ones as they stand now.
_REPLIES = """
  SELECT p.reply, m.name, json_extract(t.settings, '$.condition') AS condition, a.shown, r.options,
    q.reference, c.video_id
  FROM prediction p JOIN current_annotation a ON a.id = p.annotation_id
  JOIN question_revision r ON r.id = a.question_revision_id
  JOIN annotator m ON m.id = a.annotator_id JOIN item i ON i.id = a.item_id
  JOIN task t ON t.id = i.task_id JOIN current_question q ON q.question_id = i.question_id
  JOIN clip c ON c.id = q.clip_id
  WHERE t.kind = 'human_evaluation' AND i.role = 'work' AND i.status = 'open' AND q.key IS NULL
    AND json_array_length(r.options) > 1 AND json_array_length(q.reference, '$.answers') > 1
    AND json_type(a.response, '$.text') IS NULL AND p.reply IS NOT NULL
  ORDER BY a.id
"""


@dataclass(frozen=True)
class SeveralRight:
    """One model under one condition, on questions of which several options are right.

    Attributes:
        replies: how many.
        exact: share that names exactly the right options, resampled by video.
    """

    model: str
    condition: str
    replies: int
    exact: Estimate


def several_right(snapshot: Snapshot) -> list[SeveralRight]:
    """A line for each model and condition with replies to such questions, in their names' order."""
    groups: dict[tuple[str, str], list[tuple[bool, int]]] = defaultdict(list)
    for row in snapshot.rows(_REPLIES):
        options: list[str] = json.loads(row["options"])
        right: list[str] = json.loads(row["reference"])["answers"]
        order = json.loads(row["shown"]).get("option_order") or list(range(len(options)))
        exact = names_exactly(row["reply"], [options[index] for index in order], right)
        groups[row["name"], str(row["condition"] or "")].append((exact, row["video_id"]))
    return [_line(name, groups[name]) for name in sorted(groups)]


def names_exactly(reply: str, options: Sequence[str], right: Sequence[str]) -> bool:
    """Whether a reply names all right options and no other one; options in the order shown."""
    return {options[index] for index in read_several(reply, options)} == set(right)


def _line(name: tuple[str, str], pairs: Sequence[tuple[bool, int]]) -> SeveralRight:
    rows = accuracy.rows([exact for exact, _ in pairs])
    estimate = bootstrap.estimate(accuracy, rows, [video for _, video in pairs])
    return SeveralRight(*name, len(pairs), accuracy.with_bound(estimate))
