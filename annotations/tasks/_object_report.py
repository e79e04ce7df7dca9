"""How good a model's lists of objects are, from people's checks of them (UTD 4.2, C.3)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from annotations.tasks.object_check import CLASSES, TICKED, VISIBLE
from core.number_text import percent_text

HALLUCINATION = "hallucination"


@dataclass(frozen=True)
class Report:
    """How good a model's lists of objects are (UTD 4.2).

    Attributes:
        objects: how many were judged.
        visible: how many were ticked at once.
        classes: how many of the others have each class.
        share_visible: ticked at once, of all; None without objects.
        share_visible_after_all: ticked at once or visible after all, of all; None without objects.
        hallucination_rate: hallucinations, of all; None without objects.
        reason: why the shares are None, '' if they are not.
    """

    objects: int
    visible: int
    classes: dict[str, int]
    share_visible: float | None
    share_visible_after_all: float | None
    hallucination_rate: float | None
    reason: str = ""

    @property
    def words(self) -> str:
        """The report as one line for a person."""
        if self.share_visible is None or self.hallucination_rate is None:
            return self.reason
        return (
            f"{self.visible} of {self.objects} objects visible "
            f"({percent_text(self.share_visible)}), {self.classes[HALLUCINATION]} hallucinated "
            f"({percent_text(self.hallucination_rate)})"
        )


def report(judged: Iterable[str]) -> Report:
    """The report over judged objects, each 'ticked' or with its class, as `labels` gives them."""
    counts = Counter(judged)
    total = counts.total()
    classes = {class_name: counts[class_name] for class_name in CLASSES}

    def share(count: int) -> float | None:
        return count / total if total else None

    return Report(
        objects=total,
        visible=counts[TICKED],
        classes=classes,
        share_visible=share(counts[TICKED]),
        share_visible_after_all=share(counts[TICKED] + counts[VISIBLE]),
        hallucination_rate=share(counts[HALLUCINATION]),
        reason="" if total else "no objects were judged",
    )
