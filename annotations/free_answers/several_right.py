"""How questions are answered of which several options may be right: by the whole set alone.

Such questions have no one key and are in no other accuracy. An answer is right when it holds
exactly the right options (set match); one with some of them, or one too many, is wrong. Which
answers of people count is as for every accuracy (`annotations/scoring/population.py`).
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotations.scoring.human_accuracy import Resampled
from annotations.scoring.population import WHOLE_SET
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import PEOPLE
from core.metrics import accuracy
from core.reply.reading import read_several
from core.statistics import bootstrap, crossed
from core.statistics.metric import Estimate

# The options as they were asked, the right ones as they stand now.
_REPLIES = """
  SELECT p.reply, m.name, json_extract(t.settings, '$.condition') AS condition, a.shown, r.options,
    q.reference, q.question_id, c.video_id
  FROM prediction p JOIN current_annotation a ON a.id = p.annotation_id
  JOIN question_revision r ON r.id = a.question_revision_id
  JOIN annotator m ON m.id = a.annotator_id JOIN item i ON i.id = a.item_id
  JOIN task t ON t.id = i.task_id JOIN current_question q ON q.question_id = i.question_id
  JOIN clip c ON c.id = q.clip_id
  WHERE t.kind = 'human_evaluation' AND i.role = 'work' AND i.status = 'open' AND q.key IS NULL
    AND json_array_length(r.options) > 1 AND json_array_length(q.reference, '$.answers') > 0
    AND json_type(a.response, '$.text') IS NULL AND p.reply IS NOT NULL
  ORDER BY a.id
"""


@dataclass(frozen=True)
class SeveralRight:
    """A model, or people, under one condition, where several options of a question may be right.

    Attributes:
        who: name of the model, or `PEOPLE`.
        replies: how many, of people only those that count.
        exact: share that holds exactly the right options.
        questions: distinct ones among them.
        people: how many of them; 0 for a model.
        like_these: of people, the same share with bounds for other people as well.
    """

    who: str
    condition: str
    replies: int
    exact: Estimate
    questions: int = 0
    people: int = 0
    like_these: Estimate | None = None


def several_right(snapshot: Snapshot, resample: Resampled = "video") -> list[SeveralRight]:
    """A line for people under each condition, then for each model and condition by their names.

    Args:
        snapshot: whose answers.
        resample: what is drawn again for the intervals.
    """
    return [*_of_people(snapshot, resample), *_of_models(snapshot, resample)]


def _of_people(snapshot: Snapshot, resample: Resampled) -> list[SeveralRight]:
    table = snapshot.people
    lines: list[SeveralRight] = []
    for code, condition in enumerate(table.conditions):
        chosen = np.flatnonzero((table.state == WHOLE_SET) & (table.condition == code))
        if not len(chosen):
            continue
        exact = table.exact[chosen]
        clusters = (table.video if resample == "video" else table.question_id)[chosen]
        estimate = bootstrap.estimate(
            accuracy, accuracy.rows(exact), clusters, cluster_word=resample
        )
        lines.append(
            SeveralRight(
                PEOPLE, condition, len(chosen), accuracy.with_bound(estimate, resample),
                len(np.unique(table.question_id[chosen])), len(np.unique(table.person[chosen])),
                crossed.mean(exact.astype(np.float64), table.person[chosen], clusters),
            )
        )  # fmt: skip
    return lines


def _of_models(snapshot: Snapshot, resample: Resampled) -> list[SeveralRight]:
    groups: dict[tuple[str, str], list[tuple[bool, int, int]]] = defaultdict(list)
    for row in snapshot.rows(_REPLIES):
        options: list[str] = json.loads(row["options"])
        right: list[str] = json.loads(row["reference"])["answers"]
        order = json.loads(row["shown"]).get("option_order") or list(range(len(options)))
        exact = names_exactly(row["reply"], [options[index] for index in order], right)
        cluster = row["video_id"] if resample == "video" else row["question_id"]
        reply = (exact, cluster, row["question_id"])
        groups[row["name"], str(row["condition"] or "")].append(reply)
    return [_line(name, groups[name], resample) for name in sorted(groups)]


def names_exactly(reply: str, options: Sequence[str], right: Sequence[str]) -> bool:
    """Whether a reply names all right options and no other one; options in the order shown."""
    return {options[index] for index in read_several(reply, options)} == set(right)


def _line(
    name: tuple[str, str], replies: Sequence[tuple[bool, int, int]], resample: Resampled
) -> SeveralRight:
    exact, clusters, questions = zip(*replies, strict=True)
    estimate = bootstrap.estimate(
        accuracy, accuracy.rows(list(exact)), list(clusters), cluster_word=resample
    )
    bounded = accuracy.with_bound(estimate, resample)
    return SeveralRight(*name, len(replies), bounded, len(set(questions)))
