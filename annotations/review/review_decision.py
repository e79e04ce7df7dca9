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
    verdict = majority([response["verdict"] for response in responses])
    if verdict.value is None:
        return verdict
    arithmetic = f"{verdict.value}: {verdict.words}"
    if verdict.value == DISCARD:
        return Decision({"verdict": DISCARD}, "decided", arithmetic)
    keepers = _keepers(responses)
    key, options = over_half(_keys(keepers)), _options(keepers)
    kept = [
        option for option in options if option != key and named_by_most(*_kept(keepers, option))
    ]
    named = kept if key is None else [*kept, str(key)]
    value: dict[str, Any] = {
        "verdict": KEEP,
        "question": over_half([keeper["question"] for keeper in keepers]),
        "key": key,
        "kept": kept,
        "texts": {option: over_half(_texts(keepers, option)) for option in sorted(named, key=int)},
        "flags": [flag for flag in FLAGS if named_by_most(*_flagged(keepers, flag))],
    }
    parts = {"question": value["question"], "key": key}
    parts |= {f"words of option {option}": text for option, text in value["texts"].items()}
    open_parts = [name for name, part in parts.items() if part is None]
    arithmetic += f"; {len(kept)} wrong options kept"
    arithmetic += f"; no majority: {', '.join(open_parts)}" if open_parts else ""
    return Decision(value, "tie" if open_parts else "decided", arithmetic)


def review_settled(responses: Responses, missing: int) -> bool:
    """Whether up to `missing` more reviews, whatever they are, leave the decision as it is."""
    verdicts = [response["verdict"] for response in responses]
    if missing == 0:
        return True
    if not majority_settled(verdicts, missing):
        return False
    if majority(verdicts).value == DISCARD:
        return True
    keepers = _keepers(responses)
    for votes in ([response["question"] for response in keepers], _keys(keepers)):
        if not over_half_settled(votes, missing):
            return False
    key = over_half(_keys(keepers))
    for response in _options(keepers):
        if response != key and not named_by_most_settled(*_kept(keepers, response), missing):
            return False
        stands = response == key or named_by_most(*_kept(keepers, response))
        if stands and not over_half_settled(_texts(keepers, response), missing):
            return False
    return all(named_by_most_settled(*_flagged(keepers, flag), missing) for flag in FLAGS)


def _keepers(responses: Responses) -> list[dict[str, Any]]:
    return [response for response in responses if response["verdict"] == KEEP]


def _keys(keepers: Responses) -> list[str]:
    return [keeper["options"]["key"] for keeper in keepers]


def _options(keepers: Responses) -> list[str]:
    """Every option that somebody kept or marked as the key, in the question's order."""
    return sorted({option for keeper in keepers for option in keeper["options"]["texts"]}, key=int)


def _texts(keepers: Responses, option: str) -> list[str]:
    """The words of an option, from those who kept it or marked it as the key."""
    return [
        keeper["options"]["texts"][option]
        for keeper in keepers
        if option in keeper["options"]["texts"]
    ]


def _share(keepers: Responses, named: Callable[[dict[str, Any]], bool]) -> tuple[int, int]:
    return sum(map(named, keepers)), len(keepers)


def _kept(keepers: Responses, option: str) -> tuple[int, int]:
    return _share(keepers, lambda keeper: option in keeper["options"]["kept"])


def _flagged(keepers: Responses, flag: str) -> tuple[int, int]:
    return _share(keepers, lambda keeper: flag in keeper["flags"])


def distance_review(a: dict[str, Any], b: dict[str, Any]) -> float:
    """1 if only one of two discards, 0 if both do; else the mean over question, key and kept."""
    if a["verdict"] != b["verdict"]:
        return 1.0
    if a["verdict"] == DISCARD:
        return 0.0
    options_a, options_b = a["options"], b["options"]
    parts = (
        float(a["question"] != b["question"]),
        float(options_a["key"] != options_b["key"]),
        jaccard_distance(options_a["kept"], options_b["kept"]),
    )
    return sum(parts) / len(parts)


def flag_counts(responses: Responses) -> dict[str, int]:
    """How many reviews raised each flag, and how many discard."""
    counts = Counter(flag for response in responses for flag in response["flags"])
    discarded = sum(response["verdict"] == DISCARD for response in responses)
    return {**{flag: counts[flag] for flag in FLAGS}, DISCARD: discarded}
