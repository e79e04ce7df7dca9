import pytest

from core.footage.candidate import from_entry, views_text, youtube
from core.footage.lookup import channel_target, search_target


def test_unknown_is_not_zero():
    entries = [{"id": "a", "view_count": 0}, {"id": "b", "view_count": None}, {"id": "c"}]
    assert [from_entry(entry).views for entry in entries] == [0, None, None]
    assert [views_text(from_entry(entry).views) for entry in entries] == ["0", "unknown", "unknown"]


def test_a_name_is_never_made_of_the_title():
    # 90 signs are 270 bytes, and no disk takes a name of more than 255.
    entry = {"id": "abcdefghijk", "extractor_key": "Youtube", "title": "烧" * 90}
    assert from_entry(entry).name == "Youtube_abcdefghijk"
    assert "/" not in from_entry({"url": "https://example.org/a/b.mp4"}).name


def test_fields_of_a_wrong_type_are_left_out():
    entry = {"id": "a", "title": 7, "duration": float("nan"), "view_count": True,
             "upload_date": "20XX", "url": "file:///etc/passwd"}  # fmt: skip
    one = from_entry(entry)
    assert (one.title, one.duration_s, one.views, one.upload_date, one.url) == (
        "", None, None, "", "",
    )  # fmt: skip
    with pytest.raises(ValueError, match="neither an id nor an address"):
        from_entry({"title": "nothing"})


@pytest.mark.parametrize("key", ["-Zr7ABCDEFG", "--kb0ABCDEF", "_0aBCDEFGHI"])
def test_an_id_may_begin_with_a_dash(key: str):
    assert youtube(key).url == f"https://www.youtube.com/watch?v={key}"


@pytest.mark.parametrize("key", ["short", "has space11", "abcdefghijk\n", "../../etc/x"])
def test_what_is_no_id_is_refused(key: str):
    with pytest.raises(ValueError, match="11 of"):
        youtube(key)


def test_targets():
    assert search_target(" bicycle  kick ", 20) == "ytsearch20:bicycle kick"
    root = "https://www.youtube.com/@demo"
    assert channel_target(root) == root + "/videos"
    assert channel_target(root + "/shorts") == root + "/shorts"
    assert channel_target("https://www.youtube.com/channel/UC1") == (
        "https://www.youtube.com/channel/UC1/videos"
    )
    assert channel_target("http://127.0.0.1/feed.rss") == "http://127.0.0.1/feed.rss"
