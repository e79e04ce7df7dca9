"""Files that stand in for Streamlit's own: less to load, and no other site asked."""

import gzip

import pytest
from fontTools.ttLib import TTFont
from icon_font import glyphs, used
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.shell.stand_ins import ICONS, STATIC, StandIns, front_page, icon_font


@pytest.fixture
def browser() -> TestClient:
    """Nothing stands behind."""
    return TestClient(StandIns(Starlette()), follow_redirects=False)


def test_the_font_of_icons_has_every_icon_that_is_named():
    whole, cut = glyphs(TTFont(icon_font())), glyphs(TTFont(ICONS))
    assert used() & whole.keys() <= cut.keys()
    # What neither has would be drawn as letters: a name that somebody mistyped.
    assert used() - whole.keys() <= {"icon_name", "star_filled"}  # in documentation of Streamlit's
    assert ICONS.stat().st_size < 30_000 < icon_font().stat().st_size / 10


def test_the_first_page_fetches_no_font_and_keeps_its_own_icon(browser: TestClient):
    theirs = (STATIC / "index.html").read_text()
    for path in ("/", "/annotate", "/metrics?view=x"):
        page = browser.get(path)
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["content-encoding"] == "gzip"
        assert "shortcut icon" in theirs
        assert "shortcut icon" not in page.text  # scripts change the icon of that link alone
        assert page.text.count('rel="icon"') == 1
        assert 'as="font"' not in page.text
        assert page.text.count("modulepreload") == theirs.count("modulepreload") > 10
    assert browser.get("/other").status_code == 404  # is not answered here


def test_the_address_of_start_that_somebody_types_leads_there(browser: TestClient):
    assert browser.get("/start").headers["location"] == "/"
    assert browser.get("/start?language=de").headers["location"] == "/?language=de"


def test_another_version_of_streamlits_page_is_noticed():
    with pytest.raises(ValueError, match="not one"):
        front_page("<html><head></head></html>")


def test_browsers_ask_whether_a_file_has_changed_and_get_it_once(browser: TestClient):
    font = f"/static/media/{icon_font().name}"
    for path, content in ((font, ICONS.read_bytes()), ("/", None)):
        first = browser.get(path)
        assert first.headers["cache-control"] == "no-cache"
        assert content is None or first.content == content
        again = browser.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    plain = browser.get("/", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == browser.get("/").content
    assert len(gzip.compress(plain.content)) < len(plain.content)


def test_streamlits_text_font_is_ours(browser: TestClient):
    [font] = (STATIC / "static" / "media").glob("SourceSansVF-Upright*")
    reply = browser.get(f"/static/media/{font.name}")
    assert reply.status_code == 302
    assert reply.headers["location"].endswith("/fonts/inter-latin-wght-normal.woff2")
