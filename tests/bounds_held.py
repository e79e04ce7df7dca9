"""How often intervals held the truth in simulated studies; shown by `pytest -rP`."""


def in_95_of_100(held: int, repetitions: int) -> bool:
    """Whether 93.5 to 96.5 % of intervals at 95 % hold the truth, which is said as well."""
    print(f"the truth was within {held / repetitions:.2%} of {repetitions:,} intervals")
    return 0.935 <= held / repetitions <= 0.965
