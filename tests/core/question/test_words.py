import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.question.words import stem

WORDS = ["generalizations", "running", "oscillate", "flies", "hopefulness", "threw", "cried", "as"]


@pytest.fixture
def short_turns():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("short_turns")
def test_several_threads_find_the_stems_that_one_finds():
    anew = stem.__wrapped__  # past what is kept
    alone = [anew(word) for word in WORDS]

    def many(turn: int) -> list[list[str]]:
        return [[anew(word) for word in WORDS] for _ in range(100)]

    with ThreadPoolExecutor(8) as threads:
        for stems in threads.map(many, range(8)):
            assert all(found == alone for found in stems)
