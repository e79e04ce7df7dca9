"""What several reviewers of a question agree on, part by part, and when no answer can change it."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from annotations.decision import Decision, majority, majority_settled
from annotations.part_votes import (
    jaccard_distance,
    named_by_most,
    named_by_most_settled,
    over_half,
    over_half_settled,
)
from annotations.review.review_response import DISCARD, FLAGS, KEEP

Responses = Sequence[dict[str, Any]]


def decide_review(responses: Responses) -> Decision:
    """Keep or discard by majority; for a question to keep, its parts as most keepers have them.

    Question, key and each option's words stand as more than half of those who give them have
    them, and are None where there is no such half; then the whole is a tie, for an author. A wrong
    option is kept, and a flag raised, if more than half of the keepers do so.
    """
    verdict = majority([one["verdict"] for one in responses])
    if verdict.value is None:
        return verdict
    words = f"{verdict.value}: {verdict.words}"
    if verdict.value == DISCARD:
        return Decision({"verdict": DISCARD}, "decided", words)
    keepers = _keepers(responses)
    key, options = over_half(_keys(keepers)), _options(keepers)
    kept = [one for one in options if one != key and named_by_most(*_kept(keepers, one))]
    named = kept if key is None else [*kept, str(key)]
    value: dict[str, Any] = {
        "verdict": KEEP,
        "question": over_half([one["question"] for one in keepers]),
        "key": key,
        "kept": kept,
        "texts": {one: over_half(_texts(keepers, one)) for one in sorted(named, key=int)},
        "flags": [flag for flag in FLAGS if named_by_most(*_flagged(keepers, flag))],
    }
    parts = {"question": value["question"], "key": key}
    parts |= {f"words of option {one}": text for one, text in value["texts"].items()}
    open_parts = [name for name, part in parts.items() if part is None]
    words += f"; {len(kept)} wrong options kept"
    words += f"; no majority: {', '.join(open_parts)}" if open_parts else ""
    return Decision(value, "tie" if open_parts else "decided", words)


def review_settled(responses: Responses, left: int) -> bool:
    """Whether up to `left` more reviews, whatever they are, leave the decision as it is."""
    verdicts = [one["verdict"] for one in responses]
    if left == 0:
        return True
    if not majority_settled(verdicts, left):
        return False
    if majority(verdicts).value == DISCARD:
        return True
    keepers = _keepers(responses)
    for votes in ([one["question"] for one in keepers], _keys(keepers)):
        if not over_half_settled(votes, left):
            return False
    key = over_half(_keys(keepers))
    for one in _options(keepers):
        if one != key and not named_by_most_settled(*_kept(keepers, one), left):
            return False
        stands = one == key or named_by_most(*_kept(keepers, one))
        if stands and not over_half_settled(_texts(keepers, one), left):
            return False
    return all(named_by_most_settled(*_flagged(keepers, flag), left) for flag in FLAGS)


def _keepers(responses: Responses) -> list[dict[str, Any]]:
    return [one for one in responses if one["verdict"] == KEEP]


def _keys(keepers: Responses) -> list[str]:
    return [one["options"]["key"] for one in keepers]


def _options(keepers: Responses) -> list[str]:
    """Every option that somebody kept or marked as the key, in the question's order."""
    return sorted({one for given in keepers for one in given["options"]["texts"]}, key=int)


def _texts(keepers: Responses, option: str) -> list[str]:
    """The words of an option, from those who kept it or marked it as the key."""
    return [
        given["options"]["texts"][option]
        for given in keepers
        if option in given["options"]["texts"]
    ]


def _share(keepers: Responses, named: Callable[[dict[str, Any]], bool]) -> tuple[int, int]:
    return sum(map(named, keepers)), len(keepers)


def _kept(keepers: Responses, option: str) -> tuple[int, int]:
    return _share(keepers, lambda given: option in given["options"]["kept"])


def _flagged(keepers: Responses, flag: str) -> tuple[int, int]:
    return _share(keepers, lambda given: flag in given["flags"])


def distance_review(first: dict[str, Any], second: dict[str, Any]) -> float:
    """1 if only one of two discards, 0 if both do; else the mean over question, key and kept."""
    if first["verdict"] != second["verdict"]:
        return 1.0
    if first["verdict"] == DISCARD:
        return 0.0
    one, other = first["options"], second["options"]
    parts = (
        float(first["question"] != second["question"]),
        float(one["key"] != other["key"]),
        jaccard_distance(one["kept"], other["kept"]),
    )
    return sum(parts) / len(parts)


def flag_counts(responses: Responses) -> dict[str, int]:
    """How many reviews raised each flag, and how many discard."""
    counts = Counter(flag for one in responses for flag in one["flags"])
    discarded = sum(one["verdict"] == DISCARD for one in responses)
    return {**{flag: counts[flag] for flag in FLAGS}, DISCARD: discarded}
