"""What one annotator gets to see of an item."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Shown:
    """Exactly what one annotator gets to see of an item; stored with the lease and every answer.

    Attributes:
        facts: JSON: condition, frame indices and times in s, option order, the video's hash.
        question_revision_id: the revision of the question that is asked.
    """

    facts: dict[str, Any]
    question_revision_id: int | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Shown":
        """What the row of a lease or an annotation says was shown."""
        return cls(json.loads(row["shown"]), row["question_revision_id"])
