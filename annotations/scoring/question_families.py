"""Questions that were copied to edited videos: one cluster with what they were copied from."""

from collections.abc import Sequence

import numpy as np

from annotations.scoring.people_columns import Ints
from annotations.scoring.snapshot import Snapshot

_COPIES = """
  SELECT q.question_id AS copy, p.id AS original
  FROM current_question q JOIN question p ON p.uid = json_extract(q.tags, '$.edit_of')
"""


def question_families(snapshot: Snapshot, questions: Sequence[int]) -> Ints:
    """(questions,) the smallest id among each question, what it is a copy of, and its copies."""
    origin = {int(row["copy"]): int(row["original"]) for row in snapshot.rows(_COPIES)}

    def root(question: int) -> int:
        seen: set[int] = set()
        while question in origin and question not in seen:
            seen.add(question)
            question = origin[question]
        return question

    roots = [root(question) for question in questions]
    smallest: dict[int, int] = {}
    for question, first in zip(questions, roots, strict=True):
        smallest[first] = min(question, smallest.get(first, question))
    return np.array([smallest[first] for first in roots], np.int64)


def largest_in_family(values: Ints, families: Ints) -> Ints:
    """(questions,) the largest value of each question's family."""
    _, position = np.unique(families, return_inverse=True)
    largest = np.zeros(int(position.max(initial=-1)) + 1, np.int64)
    np.maximum.at(largest, position, values)
    return largest[position]
