"""How far two answers to a field are apart, and what a group's answers to it conclude."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median
from typing import Any, cast

from annotations.decision import Decision, majority, majority_settled
from annotations.form.declaration import (
    CHOICES,
    FRAME,
    MAJORITY,
    MEAN,
    MEDIAN,
    SCALE,
    SEGMENTS,
    TEXT,
    FormField,
)
from annotations.part_votes import jaccard_distance, named_by_most
from annotations.video.shared_segments import shared_segments
from core.statistics.segments import Window, merged_iou

SAME_FROM_IOU = 0.5

Values = Mapping[str, Any]


def value_distance(a: Any, b: Any, bounds: Sequence[int] | None = None) -> float | None:
    """How far two values of one field are apart, from 0 (the same) to 1.

    A step of a scale with its `bounds`: the difference over the length of the scale. Segments: 1 -
    temporal IoU of all of them. A list of options: the share of the named ones that only one of two
    named. Else 0 or 1. None where neither answered, 1 where one did.
    """
    if a is None and b is None:
        return None
    if a is None or b is None:
        return 1.0
    if bounds is not None:
        low, high = bounds
        return abs(a - b) / (high - low)
    if not isinstance(a, list):
        return float(a != b)
    entries, second = cast("list[Any]", a), cast("list[Any]", b)
    if any(isinstance(entry, list) for entry in (*entries, *second)):
        return 1.0 - (merged_iou(_windows(entries), _windows(second)) or 0.0)
    return jaccard_distance(entries, second)


def _windows(spans: Sequence[Sequence[float]]) -> list[Window]:
    return [(span[0], span[1]) for span in spans]


def decide_field(field: FormField, responses: Sequence[Values]) -> Decision:
    """What a group concluded about one field, by the field's rule."""
    values = [response[field.name] for response in responses if field.name in response]
    if not values:
        return Decision(None, "none", "no answers")
    return _RULES.get((field.type, field.rule), _decide_majority)(field, values, len(responses))


def _decide_majority(field: FormField, values: Sequence[Any], people: int) -> Decision:
    del people
    winner = majority([_vote(field, value) for value in values])
    if winner.value is None:
        return winner
    stated = next(value for value in values if _vote(field, value) == winner.value)
    return Decision(stated, winner.status, winner.words)


def _decide_named(field: FormField, values: Sequence[Any], people: int) -> Decision:
    """The options that more than half of the people named; a tie where half of them named one."""
    counts = {option: sum(option in value for value in values) for option in field.options}
    kept = [option for option in field.options if named_by_most(counts[option], people)]
    summary = ", ".join(
        f"{count} of {people} {option}" for option, count in counts.items() if count
    )
    if any(2 * count == people for count in counts.values()):
        return Decision(None, "tie", summary)
    return Decision(kept, "decided", summary)


def _decide_median(field: FormField, values: Sequence[Any], people: int) -> Decision:
    del people
    middle = median(values)
    shown = sorted(values)
    # A frame is one of the video's: of two in the middle the earlier one.
    value = shown[(len(shown) - 1) // 2] if field.type == FRAME else middle
    return Decision(value, "decided", f"median of {', '.join(map(str, shown))}")


def _decide_mean(field: FormField, values: Sequence[Any], people: int) -> Decision:
    del field, people
    return Decision(
        round(fmean(values), 6), "decided", f"mean of {', '.join(map(str, sorted(values)))}"
    )


def _decide_segments(field: FormField, values: Sequence[Any], people: int) -> Decision:
    """Median edges of the segments that more than half of the people marked."""
    del field
    marked = [[(start, end) for start, end in value] for value in values]
    shared = [s for s in shared_segments(marked, SAME_FROM_IOU) if 2 * s.people > people]
    spans = [[segment.start_s, segment.end_s] for segment in shared]
    summary = ", ".join(
        f"{s.start_s:.3f} to {s.end_s:.3f} s: {s.people} of {people}" for s in shared
    )
    if not spans:
        return Decision(None, "open", "no segment is shared by more than half")
    return Decision(spans, "decided", summary)


def decide(fields: Sequence[FormField], responses: Sequence[Values]) -> Decision:
    """What a group concluded, field by field: {name: value}, None for a field that is open.

    'decided' if every field that has a rule is, else 'tie' or 'open'.
    """
    if not responses:
        return Decision(None, "none", "no votes")
    ruled = [(field, decide_field(field, responses)) for field in fields if field.rule != "none"]
    value = {field.name: decision.value for field, decision in ruled}
    states = {decision.status for _, decision in ruled if decision.status != "none"}
    status = next((state for state in ("tie", "open") if state in states), "decided")
    summary = "; ".join(f"{field.label}: {decision.words}" for field, decision in ruled)
    return Decision(value, status, summary)


def settled(fields: Sequence[FormField], responses: Sequence[Values], missing: int) -> bool:
    """Whether `missing` more responses leave every field's conclusion as it is.

    Medians, means and segments move with every answer; a majority may be certain before.
    """
    if missing == 0:
        return True
    return all(
        field.rule == MAJORITY
        and field.type != CHOICES
        and majority_settled([_vote(field, r.get(field.name)) for r in responses], missing)
        for field in fields
        if field.rule != "none"
    )


def _vote(field: FormField, value: Any) -> Any:
    """A value as it is counted: text without case and blanks."""
    return " ".join(value.casefold().split()) if field.type == TEXT and value else value


_Rule = Callable[[FormField, Sequence[Any], int], Decision]
_RULES: dict[tuple[str, str], _Rule] = {
    (CHOICES, MAJORITY): _decide_named,
    (SCALE, MEDIAN): _decide_median,
    (SCALE, MEAN): _decide_mean,
    (FRAME, MEDIAN): _decide_median,
    (SEGMENTS, MEDIAN): _decide_segments,
}
