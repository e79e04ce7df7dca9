"""The README's table of real files says what is read of them today."""

import re
from collections import Counter
from pathlib import Path

import pytest

from annotations import format, prediction_format
from annotations.prediction_format import PredictionChoices, PredictionDraft
from annotations.reading.records import Problem, QuestionDraft

README = Path(__file__).resolve().parents[3] / "README.md"
ROWS = re.findall(
    r"^\| [^|]+ \| `([^`|]+)` \| ([\d,]+) of ([\d,]+) (questions|replies) \| ([^|]+) \|$",
    README.read_text(encoding="utf-8"), re.MULTILINE,
)  # fmt: skip
# As shared/data/README.md counts them.
KNOWN = {"tomato": 1484, "tempcompass/questions": 7540, "nextqa/val.csv": 4996}


def entries(path, kind):
    """What a file holds: drafts, and problems in their place."""
    if kind == "questions":
        name = format.detect(path)
        return list(format.load(name).read(path, format.Choices()).rows())
    name = prediction_format.detect(path)
    choices = PredictionChoices(model="m", condition="16 frames")
    return list(prediction_format.load(name).read(path, choices).rows())


def test_every_file_of_the_papers_is_in_the_table():
    assert {name for name, *_ in ROWS} >= KNOWN.keys()
    assert len(ROWS) == 11


@pytest.mark.parametrize(("name", "read", "there", "kind", "said"), ROWS)
def test_so_much_is_read_of_a_real_file(shared, name, read, there, kind, said):
    found = entries(shared / "data" / name, kind)
    drafts = [entry for entry in found if isinstance(entry, QuestionDraft | PredictionDraft)]
    problems = Counter[str]()
    for entry in found:
        if isinstance(entry, Problem):
            problems[entry.level] += entry.rows
    assert f"{len(drafts):,}" == read
    assert f"{len(drafts) + problems['error']:,}" == there
    assert len(drafts) == KNOWN.get(name, len(drafts))
    told = sum(
        entry.rows for entry in found if isinstance(entry, Problem) and "blanks" not in entry.what
    )
    assert told == int(re.search(r"\d+", said)[0] if said.startswith("told") else 0)
