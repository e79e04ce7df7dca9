from pathlib import Path

import pytest

from annotations.footage.store import add_candidates
from annotations.footage.title_search import find_titles, most_viewed_first
from core.footage.candidate import Candidate
from db.connection import Store
from ui.cli import main

TITLES = [
    "Half-volley drills for a wet court",
    "Volley training (half speed)",
    "Top 20.04 release notes",
    "C++ template tricks",
    'It\'s a "no look" pass; wow',
    "AND one mixtape",
    "倒钩射门集锦",
    "空手道入门",
    "オーバーヘッドキック集",
]


def videos(titles: list[str], **fields: object) -> list[Candidate]:
    return [
        Candidate("Demo", f"v{number}", title=title, **fields)  # type: ignore[arg-type]
        for number, title in enumerate(titles)
    ]


def titles_of(store: Store, text: str, **options: int) -> list[str]:
    return [hit.title for hit in find_titles(store, text, **options).hits]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half-volley", [TITLES[0]]),
        ("20.04", [TITLES[2]]),
        ("c++", [TITLES[3]]),
        ("it's", [TITLES[4]]),
        ('"no look', [TITLES[4]]),
        ("pass; wow", [TITLES[4]]),
        ("AND", [TITLES[5]]),
        ("near(", []),
        ("title:half", []),
        ("倒钩", [TITLES[6]]),
        ("空手", [TITLES[7]]),
        ("手", [TITLES[7]]),
        ("キック", [TITLES[8]]),
    ],
)
def test_a_query_is_words_never_syntax(store: Store, text: str, expected: list[str]):
    add_candidates(store, videos(TITLES))
    assert titles_of(store, text) == expected


@pytest.mark.parametrize("text", ["", "  ", "*", "#", '"', "()"])
def test_without_a_word_nothing_is_searched_and_it_says_so(store: Store, text: str):
    add_candidates(store, videos(TITLES))
    found = find_titles(store, text)
    assert (found.hits, found.searched) == ((), ())
    assert "Type a word" in found.hint


def test_exact_titles_come_first_then_the_nearest(store: Store):
    add_candidates(store, videos(TITLES))
    found = find_titles(store, "half volley")
    assert [(hit.rank, hit.kind, hit.title) for hit in found.hits] == [
        (1, "exact", TITLES[0]),
        (2, "near", TITLES[1]),
    ]


def test_common_words_count_beside_rare_ones_but_find_few_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    # Of "kick" the first four titles are listed only, far before the best one.
    monkeypatch.setattr("annotations.footage.word_lists.LISTED", 8)
    monkeypatch.setattr("annotations.footage.title_search.LOOKED_UP", 4)
    filler = [f"kick of the day {n}" for n in range(30)] + [f"the day {n}" for n in range(90)]
    add_candidates(store, videos([*filler, "rabona tutorial", "kick a rabona", "a lob"]))
    assert titles_of(store, "rabona kick", limit=2) == ["kick a rabona", "rabona tutorial"]
    assert set(titles_of(store, "rabona kick", limit=3)) > {"rabona tutorial"}


def test_hits_of_many_views_are_found_however_rare(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("annotations.footage.title_search.LOOKED_UP", 10)
    monkeypatch.setattr("annotations.footage.title_search.AT_ONCE", 10)
    add_candidates(
        store,
        [
            Candidate("Demo", str(n), title=f"bicycle kick {n}", views=5000 if n % 90 == 89 else 3)
            for n in range(270)
        ],
    )
    hits = find_titles(store, "kick bicycle", min_views=1000, limit=3).hits
    assert sorted(hit.key for hit in hits) == ["179", "269", "89"]


def test_exact_titles_of_many_views_are_found_behind_those_that_are_listed(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("annotations.footage.word_lists.LISTED", 20)
    add_candidates(
        store,
        [Candidate("Demo", str(n), title="bicycle kick", views=n * 100) for n in range(120)],
    )
    hits = find_titles(store, "bicycle kick", min_views=11_000, limit=20).hits
    assert sorted(hit.views or 0 for hit in hits) == [n * 100 for n in range(110, 120)]
    assert {hit.kind for hit in hits} == {"exact"}


def test_long_titles_come_after_short_ones(store: Store):
    # 200 signs: the number of tokens takes two bytes in the index.
    add_candidates(store, videos(["空" * 200 + " kick the moon", "kick up by the moon, and far"]))
    assert [len(title) for title in titles_of(store, "moon kick")] == [28, 214]


def test_unknown_views_are_not_few_views(store: Store):
    views = [1200, None, 0, 999, 1000]
    add_candidates(
        store,
        [Candidate("Demo", str(n), title="trick shot", views=v) for n, v in enumerate(views)],
    )
    assert len(titles_of(store, "trick shot")) == 5
    hits = find_titles(store, "trick shot", min_views=1000).hits
    assert sorted(hit.views or 0 for hit in hits) == [1000, 1200]


def test_unknown_views_come_last_and_0_is_a_number(store: Store):
    views = {"v1": 1200, "v2": None, "v3": None, "v4": 0, "v5": 90_000}
    add_candidates(
        store, [Candidate("Demo", key, title="trick shot", views=n) for key, n in views.items()]
    )
    hits = most_viewed_first(find_titles(store, "trick shot").hits)
    assert [hit.key for hit in hits] == ["v5", "v1", "v4", "v2", "v3"]
    known = find_titles(store, "trick shot", known_views=True).hits
    assert [hit.key for hit in most_viewed_first(known)] == ["v5", "v1", "v4"]


def test_a_changed_title_is_found_by_its_new_words_alone(store: Store):
    add_candidates(store, [Candidate("Demo", "a", title="old words", channel="Kanal")])
    assert add_candidates(store, [Candidate("Demo", "a", title="new name", views=7)]) == 0
    assert titles_of(store, "old") == []
    [hit] = find_titles(store, "name").hits
    assert (hit.views, hit.channel) == (7, "Kanal")
    assert titles_of(store, "kanal") == ["new name"]


def test_at_most_a_hundred(store: Store):
    add_candidates(store, videos([f"bicycle kick {n}" for n in range(130)]))
    assert len(titles_of(store, "bicycle kick")) == 100
    with pytest.raises(ValueError, match="1 to 10,000"):
        find_titles(store, "kick", limit=0)


def test_descriptions_fill_up_what_titles_leave(store: Store):
    add_candidates(
        store,
        [
            Candidate("Demo", "a", title="My best goal", description="A bicycle kick at last"),
            Candidate("Demo", "b", title="Bicycle kick"),
        ],
    )
    hits = find_titles(store, "bicycle kick").hits
    assert [(hit.key, hit.kind) for hit in hits] == [("b", "exact"), ("a", "about")]


def test_the_command_prints_json(
    workspace_folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    import json

    table = tmp_path / "videos.csv"
    table.write_text("id,title,views\n-Zr7ABCDEFG,Panenka penalty,1500\n--kb0ABCDEF,Panenka,9\n")
    where = ["--workspace", str(workspace_folder)]
    assert main(["footage", "add", str(table), *where]) == 0
    capsys.readouterr()
    assert main(["footage", "find", "panenka", "--min-views", "1000", "--json", *where]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["count"] == 1
    assert facts["hits"][0]["url"] == "https://www.youtube.com/watch?v=-Zr7ABCDEFG"
    assert main(["footage", "find", "panenka", "--order", "views", "--json", *where]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [hit["views"] for hit in facts["hits"]] == [1500, 9]
    assert main(["footage", "find", '"', "--json", *where]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["count"], facts["hits"]) == (0, [])
    assert facts["hint"]


@pytest.fixture
def workspace_folder(workspace: object) -> Path:
    return workspace.root  # type: ignore[attr-defined]
