import pytest

from core.byte_size import size_words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (1_449_000, "1.4 MB"),
        (120_000_000, "120 MB"),
        # Not 1000.0 kB: what rounds up to a thousand is one of the next unit.
        (999_960, "1 MB"),
        (999_940, "999.9 kB"),
        (3_240_000_000, "3.2 GB"),
        (5_000_000_000_000_000, "5,000 TB"),
    ],
)
def test_sizes_are_said_in_the_unit_that_fits(size: int, words: str):
    assert size_words(size) == words
