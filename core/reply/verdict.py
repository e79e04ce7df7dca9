"""Compare two scores of one reply: a harness's and ours."""

BOTH_RIGHT, BOTH_WRONG = "both right", "both wrong"
ONLY_OURS, ONLY_THEIRS = "only ours right", "only theirs right"
NOT_COMPARABLE = "not comparable"
VERDICTS = (BOTH_RIGHT, BOTH_WRONG, ONLY_OURS, ONLY_THEIRS, NOT_COMPARABLE)


def verdict(right: bool | None, theirs: float | None) -> str:
    """One of `VERDICTS`.

    Args:
        right: ours; None where the question has no key.
        theirs: comparable where it is 0 or 1; None where the harness gave none.
    """
    if right is None or theirs not in (0.0, 1.0):
        return NOT_COMPARABLE
    if right == bool(theirs):
        return BOTH_RIGHT if right else BOTH_WRONG
    return ONLY_OURS if right else ONLY_THEIRS
