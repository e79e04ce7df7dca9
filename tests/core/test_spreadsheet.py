"""What a spreadsheet must not run is marked, and every text is read back as it was."""

import itertools

import pytest

from core.spreadsheet import inert, original

TEXTS = ["".join(part) for n in range(6) for part in itertools.product("'=-a", repeat=n)]


def test_no_text_runs_as_a_formula():
    signs = ("=", "+", "-", "@", "\t", "\r")
    assert not [text for text in TEXTS if str(inert(text)).startswith(signs)]
    assert [inert(cell) for cell in ("\t=1", "@x", -1.5, None)] == ["'\t=1", "'@x", -1.5, ""]


def test_every_text_is_read_back_as_it_was():
    assert [text for text in TEXTS if original(str(inert(text))) != text] == []


@pytest.mark.parametrize("text", ["'+'", "'tis", "'", "it's", "''", "'=' or '-'"])
def test_apostrophes_of_other_people_s_files_stay(text):
    assert original(text) == text
