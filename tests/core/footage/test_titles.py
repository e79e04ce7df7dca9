import math

import pytest

from core.footage.titles import bm25, folded, query_of, quoted, tokens, without_accents


def test_signs_of_scripts_without_blanks_stand_apart():
    assert folded("空中倒钩2023 Kick") == " 空  中  倒  钩 2023 kick"
    assert tokens(folded("オーバー")) == ["オ", "ー", "バ", "ー"]


def test_marks_stay_in_their_words():
    assert tokens(folded("हिन्दी सीखें")) == ["हिन्दी", "सीखें"]


def test_vowel_points_do_not_matter():
    assert folded("كُرَة") == folded("كرة")


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("multi-agent", ["multi agent"]),
        ("title:kick OR ^half", ["title kick", "or", "half"]),
        ('"open', ["open"]),
        ("near(", ["near"]),
        ("# * ++ ''", []),
        ("a\0b", ["a b"]),
        ("Ｋick", ["kick"]),
    ],
)
def test_a_query_is_words(text: str, searched: list[str]):
    # NUL is a blank inside a word: its parts have to stand beside each other.
    assert query_of(text).searched == searched


def test_quotes_are_doubled():
    assert quoted(['a"b']) == '"a""b"'


def test_bm25_by_hand():
    # 10 titles, 'kick' in 2: weight ln(8.5 / 2.5). The title of 2 tokens at a usual length of 2:
    # score = weight * 1 * 2.2 / (1 + 1.2) = weight.
    scores = list(bm25(["bicycle kick", "volley"], [("kick",)], {("kick",): 2}, 10, 2.0))
    assert scores == [pytest.approx(math.log(8.5 / 2.5)), 0.0]


def test_accents_go_as_those_of_the_index_do():
    # The second one is written as a letter and a mark; Greek and Korean lose marks alone.
    assert without_accents("ré re\u0301 ά 강 й") == "re re α 강 и"
