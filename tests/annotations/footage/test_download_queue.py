"""Downloads by real yt-dlp from a server on this machine, which behaves as badly as others do."""

import json
from collections.abc import Iterator
from pathlib import Path

import av
import pytest
from local_server import LocalServer, local_server

from annotations.footage import download_queue as queue
from annotations.footage.download_choice import choose, try_again
from annotations.footage.download_queue import Limits, run_downloads
from annotations.footage.search_queue import add_query
from annotations.footage.store import add_candidates
from annotations.workspace import Workspace
from core.footage import failure
from core.footage.candidate import Candidate
from core.footage.fetch import check_host
from core.footage.streams import cut_section, join_streams
from db.connection import Store
from ui.cli import main

FEW = Limits(most_bytes=20 * 2**20, most_s=30, pause_s=0)


@pytest.fixture
def server(shared: Path) -> Iterator[LocalServer]:
    clips = shared / "clips"
    files = {"friday.mp4": clips / "friday.mp4", "flower.mp4": clips / "flower.mp4"}
    with local_server(files) as state:
        yield state


def wanted(store: Store, server: LocalServer, *paths: str) -> list[int]:
    """Candidates at these paths, chosen; the server is one that an author has named."""
    add_query(store, "channel", f"{server.url}/feed.rss", 5)
    links = [f"{server.url}/{path}" for path in paths]
    add_candidates(
        store,
        [
            Candidate("Generic", link, link, f"Title {n}", licence="CC BY", views=n)
            for n, link in enumerate(links)
        ],
    )
    rows = store.rows("SELECT id FROM video ORDER BY id")
    ids = [row["id"] for row in rows]
    choose(store, ids)
    return ids


def test_a_download_becomes_a_video_with_its_metadata(
    workspace: Workspace, store: Store, server: LocalServer
):
    wanted(store, server, "video/friday.mp4")
    result = run_downloads(workspace, store, limits=FEW)
    assert (result.done, result.failed, result.left) == (1, (), 0)
    assert result.bytes == server.files["friday.mp4"].stat().st_size
    [video] = workspace.store.rows("SELECT * FROM video")
    facts = json.loads(video["facts"])
    assert (video["status"], video["source_url"]) == (
        "usable", f"{server.url}/video/friday.mp4",
    )  # fmt: skip
    assert (facts["title"], facts["licence"], facts["source"]) == ("Title 0", "CC BY", "Generic")
    [row] = store.rows("SELECT * FROM download")
    assert (row["state"], row["sha256"], row["name"]) == ("done", video["sha256"], video["name"])
    assert list((workspace.root / queue.FOLDER).iterdir()) == []
    assert run_downloads(workspace, store, limits=FEW).done == 0


def test_ok_from_the_library_is_not_believed(
    workspace: Workspace, store: Store, server: LocalServer
):
    wanted(
        store, server, "html/page.mp4", "empty/e.mp4", "status/404.mp4", "status/403.mp4",
        "to_file/x.mp4", "video/friday.mp4",
    )  # fmt: skip
    result = run_downloads(workspace, store, limits=FEW)
    kinds = {title: kind for title, kind, _ in result.failed}
    assert kinds["Title 0"] == "no video"
    assert kinds["Title 1"] in ("empty reply", "no video")
    assert (kinds["Title 2"], kinds["Title 3"]) == ("gone", "refused")
    assert kinds["Title 4"] == "not allowed"
    assert result.done == 1
    videos = workspace.store.rows("SELECT status FROM video")
    assert [row["status"] for row in videos] == ["usable"]


def test_a_limit_holds_without_a_length_too(
    workspace: Workspace, store: Store, server: LocalServer
):
    wanted(store, server, "endless/e.mp4", "video/friday.mp4")
    limits = Limits(most_bytes=200_000, most_s=30, pause_s=0)
    result = run_downloads(workspace, store, limits=limits)
    assert [kind for _, kind, _ in result.failed] == ["too large", "too large"]
    limits = Limits(most_bytes=500 * 2**20, most_s=1, pause_s=0)
    try_again(store)
    result = run_downloads(workspace, store, limits=limits, only=[1])
    assert [kind for _, kind, _ in result.failed] == ["took too long"]


def test_a_429_pauses_downloads_and_fails_nobody(
    workspace: Workspace, store: Store, server: LocalServer
):
    wanted(store, server, "status/429.mp4", "video/friday.mp4")
    result = run_downloads(workspace, store, limits=FEW)
    assert (result.done, result.failed, result.left) == (0, (), 2)
    assert "asked to wait" in result.pause


def test_budgets_end_the_session(workspace: Workspace, store: Store, server: LocalServer):
    wanted(store, server, "video/friday.mp4", "video/flower.mp4")
    limits = Limits(budget_bytes=1000, pause_s=0)
    result = run_downloads(workspace, store, limits=limits)
    assert (result.done, result.left) == (1, 1)
    assert "budget" in result.pause
    limits = Limits(free_bytes=10**18, pause_s=0)
    assert "the disk has only" in run_downloads(workspace, store, limits=limits).pause


def test_the_same_content_is_kept_once(workspace: Workspace, store: Store, server: LocalServer):
    wanted(store, server, "video/friday.mp4?a", "video/friday.mp4?b")
    assert run_downloads(workspace, store, limits=FEW).done == 2
    assert len(workspace.store.rows("SELECT id FROM video")) == 1
    names = {row["name"] for row in store.rows("SELECT name FROM download")}
    assert len(names) == 1


def test_addresses_of_strangers_do_not_reach_this_network(
    workspace: Workspace, store: Store, server: LocalServer
):
    add_candidates(
        store, [Candidate("Generic", "x", f"{server.url}/video/friday.mp4", "From a file")]
    )
    choose(store, [1])
    result = run_downloads(workspace, store, limits=FEW)
    assert [kind for _, kind, _ in result.failed] == ["not allowed"]
    assert server.requests == []
    for url in ("http://169.254.169.254/latest", "http://10.0.0.1/x", "http://[::1]/"):
        with pytest.raises(Exception, match="local network"):
            check_host(url)


def test_what_metadata_foretells_is_not_tried(workspace: Workspace, store: Store):
    live = Candidate("Youtube", "abcdefghijk", "https://youtu.be/abcdefghijk", live="is_upcoming")
    add_candidates(store, [live])
    choose(store, [1])
    result = run_downloads(workspace, store, limits=FEW)
    assert [kind for _, kind, _ in result.failed] == ["upcoming"]
    assert result.left == 1, "it can be had later"


def test_a_file_that_lies_here_is_taken_in_place(workspace: Workspace, store: Store, shared: Path):
    clip = shared / "clips" / "flower.mp4"
    add_candidates(store, [Candidate("Folder", "flower", title="A flower", file=str(clip))])
    choose(store, [1])
    assert run_downloads(workspace, store, limits=FEW).done == 1
    assert clip.exists()


def test_a_section_starts_at_the_key_frame_before(
    workspace: Workspace, store: Store, server: LocalServer
):
    del store
    clip = server.files["friday.mp4"]
    target = workspace.root / "part.mp4"
    start = cut_section(str(clip), 2.0, 4.0, target)
    assert 0 <= start <= 2.0
    with av.open(str(target)) as opened:
        duration = float(opened.duration or 0) / av.time_base
        frames = sum(1 for _ in opened.decode(video=0))
    # From the key frame to 4 s: at 30 frames a second.
    assert duration == pytest.approx(4.0 - start, abs=0.15)
    assert frames == pytest.approx((4.0 - start) * 30, abs=3)


def test_picture_and_sound_are_joined_without_a_program(workspace: Workspace, shared: Path):
    clip = shared / "clips" / "friday.mp4"
    target = workspace.root / "joined.mp4"
    join_streams(clip, clip, target)
    with av.open(str(target)) as joined, av.open(str(clip)) as original:
        assert len(joined.streams.video) == len(joined.streams.audio) == 1
        count = sum(1 for _ in joined.decode(video=0))
        assert count == sum(1 for _ in original.decode(video=0))
    with pytest.raises(ValueError, match="no picture or no sound"):
        join_streams(shared / "clips" / "derived" / "audio_only.mp4", clip, target)


EXTRACTOR = """
from yt_dlp.extractor.common import InfoExtractor

class RushesWatchIE(InfoExtractor):
    _VALID_URL = r"http://[^/]+/watch/(?P<id>[a-z]+)(?:\\?(?P<base>.+))?"

    def _real_extract(self, url):
        key, base = self._match_valid_url(url).group("id", "base")
        if key == "old":
            self.raise_login_required("Sign in to confirm your age", method=None)
        if key == "far":
            self.raise_geo_restricted("The uploader has not made this video available here")
        captions = {"kept": "captions.vtt", "lost": "nothing.vtt"}.get(key)
        return {"id": key, "title": key, "url": f"{base}/video/friday.mp4", "ext": "mp4",
                "subtitles": {"en": [{"url": f"{base}/video/{captions}", "ext": "vtt"}]}
                if captions else {}}
"""


@pytest.fixture
def watch_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets yt-dlp know an extractor of ours, for pages whose replies are those of a real one."""
    folder = tmp_path / "plugins" / "yt_dlp_plugins" / "extractor"
    folder.mkdir(parents=True)
    (folder / "rushes_watch.py").write_text(EXTRACTOR)
    monkeypatch.syspath_prepend(tmp_path / "plugins")


def watch(store: Store, server: LocalServer, *keys: str) -> None:
    """Choose pages of ours for downloading."""
    add_query(store, "channel", f"{server.url}/feed.rss", 5)
    for key in keys:
        link = f"{server.url}/watch/{key}?{server.url}"
        add_candidates(store, [Candidate("RushesWatch", key, link, key)])
    choose(store, [row["id"] for row in store.rows("SELECT id FROM video ORDER BY id")])


@pytest.mark.usefixtures("watch_pages")
def test_a_video_behind_an_age_or_a_border_costs_itself_and_can_be_tried_again(
    workspace: Workspace, store: Store, server: LocalServer
):
    watch(store, server, "first", "old", "second", "far", "third")
    result = run_downloads(workspace, store, limits=FEW)
    assert result.done == 3
    assert [(title, kind) for title, kind, _ in result.failed] == [
        ("old", failure.AGE), ("far", failure.REGION),
    ]  # fmt: skip
    assert try_again(store, [failure.AGE, failure.REGION]) == 2


@pytest.mark.usefixtures("watch_pages")
def test_captions_come_with_a_video_and_their_absence_costs_nothing(
    workspace: Workspace, store: Store, shared: Path, tmp_path: Path
):
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nhere is a kick\n"
    (tmp_path / "captions.vtt").write_text(text)
    files = {
        "friday.mp4": shared / "clips" / "friday.mp4",
        "captions.vtt": tmp_path / "captions.vtt",
    }
    with local_server(files) as server:
        watch(store, server, "kept", "lost", "none")
        result = run_downloads(workspace, store, limits=FEW)
    assert (result.done, result.failed) == (3, ())
    [row] = store.rows("SELECT DISTINCT sha256 FROM download")
    assert (workspace.media.folder(row["sha256"]) / "captions.vtt").read_text() == text
    assert list((workspace.root / queue.FOLDER).iterdir()) == []


def test_parts_of_videos_are_named_on_the_command_line(
    workspace: Workspace, store: Store, server: LocalServer, capsys: pytest.CaptureFixture[str]
):
    add_query(store, "channel", f"{server.url}/feed.rss", 5)
    link = f"{server.url}/video/friday.mp4"
    add_candidates(store, [Candidate("Generic", "-Zr7", link, "Friday", duration_s=60.0)])
    here = ["--workspace", str(workspace.root), "--pause", "0", "--json"]
    for wrong, words in (
        ("-Zr7", "no section"),
        ("-Zr7=0:09-0:04", "start after end"),
        ("-Zr7=4:75-5:00", "no time"),
        ("Qx=0-4", "'Qx' is known of no source"),
        ("-Zr7=50-70", "beyond the video's length"),
    ):
        assert main(["footage", "download", f"--section={wrong}", *here]) != 0
        assert words in capsys.readouterr().err
    assert main(["footage", "download", "--section=-Zr7=0:01-0:02.5", *here]) == 0
    [row] = store.rows("SELECT start_s, end_s, state FROM download")
    assert row == {"start_s": 1.0, "end_s": 2.5, "state": "done"}
