"""How many answers adaptive overlap saves. Run by hand: `python tests/benchmarks/adaptive.py`.

Each line stands for 10,000 items, answered by people of one accuracy whose errors are spread evenly
over the wrong options. Decisions are compared with those of the full overlap, item by item.
"""

from annotations.answering.adaptive import saving, simulated_votes
from annotations.decision import majority, majority_settled

ITEMS = 10_000


def main() -> None:
    """Print the table."""
    print("overlap options accuracy  answers   saved different")
    for overlap in (3, 5):
        for options in (3, 5):
            for accuracy in (0.6, 0.8, 0.95):
                votes = simulated_votes(ITEMS, overlap, options, accuracy, seed=1)
                found = saving(votes, majority, majority_settled)
                print(f"{overlap:>7} {options:>7} {accuracy:>8} {found.asked:>8,}"
                      f" {found.share:>7.1%} {found.different:>9}")  # fmt: skip


if __name__ == "__main__":
    main()
