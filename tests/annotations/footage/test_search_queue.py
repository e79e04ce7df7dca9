"""Searching by real yt-dlp. Its generic extractor reads feeds of a server on this machine; words
go to an extractor of our own, since no test may ask YouTube: what these tests cannot show is
whether YouTube's replies still look as yt-dlp expects.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from local_server import LocalServer, local_server

from annotations.footage.search_queue import (
    add_query,
    clear_pause,
    expand_seeds,
    run_queries,
    search_time_words,
)
from annotations.footage.store import open_store
from annotations.workspace import Workspace
from core.footage.lookup import Pace
from db.connection import Store

QUICK = Pace(0.0)
EXTRACTOR = """
import time
from yt_dlp.extractor.common import SearchInfoExtractor

class RushesTestSearchIE(SearchInfoExtractor):
    _SEARCH_KEY = "rushestest"

    def _search_results(self, query):
        for number in range(1000):
            if "slow" in query:
                time.sleep(0.01)
            if "private" in query and number == 3:
                from yt_dlp.utils import ExtractorError
                raise ExtractorError("Private video", expected=True)
            yield {"_type": "url", "id": f"{query[:5]}{number}", "ie_key": "RushesTest",
                   "url": f"https://example.org/{number}", "title": f"{query} {number}",
                   "view_count": number or None, "channel": "C",
                   "channel_url": "https://example.org/c"}
"""


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server({}) as state:
        state.feed = [(f"Kick {n}", f"{state.url}/video/a.mp4?n={n}") for n in range(45)]
        yield state


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "plugins" / "yt_dlp_plugins" / "extractor"
    folder.mkdir(parents=True)
    (folder / "rushes_test.py").write_text(EXTRACTOR)
    monkeypatch.syspath_prepend(tmp_path / "plugins")
    return tmp_path / "plugins"


def test_a_feed_is_read_as_far_as_wanted_and_goes_on(store: Store, server: LocalServer):
    add_query(store, "channel", f"{server.url}/feed.rss", 30)
    result = run_queries(store, pace=QUICK)
    assert (result.queries, result.videos, result.new, result.left) == (1, 30, 30, 0)
    assert run_queries(store, pace=QUICK).queries == 0
    add_query(store, "channel", f"{server.url}/feed.rss", 45)
    assert run_queries(store, pace=QUICK).new == 15
    ranks = store.rows("SELECT rank FROM found_by ORDER BY rank")
    assert [row["rank"] for row in ranks] == list(range(1, 46))


def test_words_are_searched_and_what_found_a_video_is_kept(store: Store, plugin: Path):
    add_query(store, "search", "bicycle kick", 25, action="bicycle kick")
    result = run_queries(store, pace=QUICK, key="rushestest")
    assert (result.videos, result.failed) == (25, ())
    [row] = store.rows(
        "SELECT v.title, v.views, q.how, q.action, f.rank FROM found_by f"
        " JOIN video v ON v.id = f.video_id JOIN query q ON q.id = f.query_id WHERE f.rank = 1"
    )
    assert (row["title"], row["views"]) == ("bicycle kick 0", None)
    assert (row["how"], row["action"]) == ("search", "bicycle kick")


def test_one_failing_query_costs_itself(store: Store, plugin: Path, server: LocalServer):
    add_query(store, "search", "private part", 25)
    add_query(store, "channel", f"{server.url}/status/404.rss", 5)
    add_query(store, "search", "volley", 5)
    result = run_queries(store, pace=QUICK, key="rushestest")
    assert [kind for _, kind, _ in result.failed] == ["private", "gone"]
    assert result.queries == 1
    assert result.left == 0


def test_a_429_pauses_the_queue_and_keeps_the_query(store: Store, server: LocalServer):
    server.refuse_feed = 429
    add_query(store, "channel", f"{server.url}/feed.rss", 45)
    add_query(store, "channel", f"{server.url}/feed.rss?page=2", 45)
    result = run_queries(store, pace=QUICK)
    assert (result.failed, result.left) == ((), 2)
    assert "asked to wait" in result.pause
    asked = len(server.requests)
    server.refuse_feed = 0
    assert run_queries(store, pace=QUICK).left == 2
    assert len(server.requests) == asked, "nothing is asked during the pause"
    clear_pause(store)
    assert run_queries(store, pace=QUICK).left == 0


def test_the_budget_of_an_hour_ends_the_session(store: Store, server: LocalServer):
    for page in range(3):
        add_query(store, "channel", f"{server.url}/feed.rss?page={page}", 5)
    result = run_queries(store, pace=Pace(0.0, an_hour=2))
    assert (result.queries, result.left) == (2, 1)
    assert "2 requests in an hour" in result.pause


def test_seeds_are_expanded_by_channel_once_and_by_title(store: Store, plugin: Path):
    add_query(store, "search", "seeds", 3)
    run_queries(store, pace=QUICK, key="rushestest")
    ids = [row["id"] for row in store.rows("SELECT id FROM video")]
    # One channel for all three, and a search for each title.
    assert expand_seeds(store, ids) == 4
    assert expand_seeds(store, ids) == 0


def test_targets_are_checked(store: Store):
    for how, target, wanted in (
        ("channel", "file:///etc/passwd", 5), ("search", "  ", 5), ("search", "kick", 0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"address|needs words"):
            add_query(store, how, target, wanted)


def test_the_time_it_takes_is_told_before(store: Store):
    # 10,500 actions of 450 results: 1 + 23 requests each, 252,000 at 1,000 an hour are 10.5 days.
    assert search_time_words(10_500, 450, Pace()) == "about 252,000 requests, 10.5 days"


@pytest.mark.parametrize("round_number", range(3))
def test_a_killed_search_goes_on_without_doubles(
    workspace: Workspace, plugin: Path, round_number: int
):
    environment = {**os.environ, "PYTHONPATH": f"{plugin}:{os.getcwd()}"}
    command = [
        sys.executable, "-c", "import sys; from ui.cli import main; sys.exit(main(sys.argv[1:]))",
        "footage", "search", "slow", "kick", "--limit", "300",
        "--source", "rushestest", "--pause", "0", "--workspace", str(workspace.root),
    ]  # fmt: skip
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    store = open_store(workspace)
    wanted = 20 * (round_number + 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if store.rows("SELECT count(*) AS n FROM video")[0]["n"] >= wanted:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    stored = store.rows("SELECT count(*) AS n FROM video")[0]["n"]
    assert wanted <= stored < 300
    assert run_queries(store, pace=QUICK, key="rushestest").left == 0
    [row] = store.rows("SELECT count(*) AS n, count(DISTINCT key) AS k FROM video")
    assert (row["n"], row["k"]) == (300, 300)
    ranks = [row["rank"] for row in store.rows("SELECT rank FROM found_by ORDER BY rank")]
    assert ranks == list(range(1, 301))
    store.close()
