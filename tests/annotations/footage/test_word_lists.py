"""Lists of titles by word, held against the full-text index's own answers."""

import random

import pytest

from annotations.footage import title_search, word_lists
from annotations.footage.store import add_candidates
from annotations.footage.title_search import find_titles
from annotations.footage.word_lists import WordIndex
from core.footage.candidate import Candidate
from core.footage.titles import query_of, quoted
from db.connection import Store

WORDS = ["ka", "lo", "rare", "空", "手", "空手", "倒钩手", "half-volley", "ré", "20.04"]
QUERIES = ["ka lo", "rare ka", "空手 ka", "倒钩手 空手", "half-volley rare 空", "lo 20.04 ré ka"]


def fill(store: Store, count: int = 400) -> list[str]:
    draw = random.Random(4)
    weights = [30, 20, 1, 9, 9, 9, 2, 2, 2, 2]
    titles = [" ".join(draw.choices(WORDS, weights, k=draw.randint(1, 7))) for _ in range(count)]
    add_candidates(store, [Candidate("Demo", str(n), title=t) for n, t in enumerate(titles)])
    return titles


def fitting(store: Store, expression: str) -> list[int]:
    """What the index itself finds, nearest first."""
    sql = "SELECT rowid FROM title_index WHERE title_index MATCH ? ORDER BY rank, rowid"
    return [row["rowid"] for row in store.rows(sql, [expression])]


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.parametrize("is_tight", [False, True])
def test_exact_titles_are_those_of_the_index(
    store: Store, text: str, is_tight: bool, monkeypatch: pytest.MonkeyPatch
):
    fill(store)
    if is_tight:  # each way to list a word, as in an index of millions
        monkeypatch.setattr(word_lists, "LISTED", 30)
        monkeypatch.setattr(title_search, "LISTED", 30)
        monkeypatch.setattr(word_lists, "EFFORT", 60)
        monkeypatch.setattr(word_lists, "TASTED", 10)
        monkeypatch.setattr(word_lists, "EXACTLY", 100)
    hits = find_titles(store, text, limit=1000 if not is_tight else 30).hits
    exact = [hit.id for hit in hits if hit.kind == "exact"]
    wanted = fitting(store, query_of(text).phrase)
    assert set(exact) == set(wanted) if len(wanted) <= 30 else len(exact) >= 30
    assert len({hit.id for hit in hits}) == len(hits)


@pytest.mark.parametrize("text", QUERIES)
def test_the_nearest_are_those_of_plain_bm25(store: Store, text: str):
    fill(store)
    hits = find_titles(store, text, limit=60).hits
    exact = {hit.id for hit in hits if hit.kind == "exact"}
    near = [hit.id for hit in hits if hit.kind == "near"]
    expression = " OR ".join(quoted(word) for word in query_of(text).words)
    sql = "SELECT rowid, -rank AS score FROM title_index WHERE title_index MATCH ?"
    scores = {row["rowid"]: row["score"] for row in store.rows(sql, [expression])}
    best = sorted((scores[number] for number in scores if number not in exact), reverse=True)
    # Words that stand several times in a title are told when it is read: some are left out.
    assert sum(scores[number] for number in near) >= 0.97 * sum(best[: len(near)])
    assert [scores[number] for number in near] == pytest.approx(
        sorted((scores[number] for number in near), reverse=True), rel=0.02
    )


def test_a_phrase_of_common_signs_is_estimated_and_counts_beside_a_rare_word(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    titles = fill(store, 800)
    monkeypatch.setattr(word_lists, "EFFORT", 60)
    monkeypatch.setattr(word_lists, "TASTED", 10)
    with store.read() as database:
        lists = WordIndex(database).lists([("空", "手"), ("rare",)], 1000)
    rare = fitting(store, '"rare"')
    both = set(fitting(store, '"rare" AND "空 手"'))
    assert sorted(rare) == lists.ids[("rare",)].tolist()
    # Not all titles of the phrase are listed, but all that hold the rare word as well.
    holding = fitting(store, '"空 手"')
    assert len(lists.ids[("空", "手")]) < len(holding)
    assert both <= set(lists.ids[("空", "手")].tolist()) <= set(holding)
    assert lists.holding_all() is not None
    assert set(lists.holding_all().tolist()) == both  # type: ignore[union-attr]
    assert 0.5 < lists.counts[("空", "手")] / len(holding) < 2
    assert len(titles) == 800


def test_words_that_never_meet_have_no_exact_title(store: Store):
    add_candidates(
        store, [Candidate("Demo", "a", title="ka x"), Candidate("Demo", "b", title="lo")]
    )
    assert {hit.kind for hit in find_titles(store, "ka lo").hits} == {"near"}


def test_the_file_is_read_as_memory(store: Store):
    with store.read() as database:
        assert database.conn.execute("PRAGMA mmap_size").fetchone()[0] > 2**30
