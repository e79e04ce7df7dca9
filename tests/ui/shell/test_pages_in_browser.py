"""Pages in a real browser: nothing that the policy forbids is missed, and little is loaded."""

from collections.abc import Callable
from typing import Any

import pytest
from browsing import forbidden_on
from playwright.sync_api import Page, expect
from waiting import settled

pytestmark = pytest.mark.browser

# Bytes over the wire from the invite link to the first item at the desk, videos and pictures of
# items apart. It was 3 MB before scripts were compressed and 1.25 MB with Streamlit's fonts; then
# 0.72 MB were measured for Start and 0.16 MB for the desk.
LARGEST_FIRST_LOAD = 1_000_000


def offers_no_csv_of_streamlits(page: Page) -> None:
    """Its cells could run as formulas; the button of ours stands beside the table."""
    page.get_by_test_id("stDataFrame").first.hover()
    expect(page.get_by_role("button", name="Search").first).to_be_visible()
    expect(page.get_by_label("Download as CSV").first).to_be_hidden()
    expect(page.get_by_role("button", name="CSV").first).to_be_visible()


def test_plots_tables_and_the_desk_get_what_the_policy_allows_them(
    standing_demo: Any, person: Callable[..., Page]
) -> None:
    page = person(standing_demo, "Una", "author")
    complaints = forbidden_on(page)
    page.goto(f"{standing_demo.url}/people")
    settled(page)
    offers_no_csv_of_streamlits(page)
    page.goto(f"{standing_demo.url}/metrics")
    page.locator(".js-plotly-plot").first.wait_for(timeout=30_000)
    page.goto(f"{standing_demo.url}/annotate?preview")
    page.locator('.desk[data-ready="1"]').wait_for(timeout=30_000)
    assert complaints == []


def test_the_first_item_comes_with_little_and_from_nowhere_else(
    standing_demo: Any, chromium: Any
) -> None:
    """What an annotator's browser fetches from the invite link to the desk's first item."""
    context = chromium.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    addresses: dict[str, str] = {}
    sizes: dict[str, float] = {}
    session.on(
        "Network.requestWillBeSent",
        lambda event: addresses.update({event["requestId"]: event["request"]["url"]}),
    )
    session.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    page.goto(standing_demo.invite("Vera"))
    settled(page)
    page.goto(f"{standing_demo.url}/annotate")
    page.locator('.desk[data-ready="1"]').wait_for(timeout=30_000)
    context.close()
    fetched = {url for url in addresses.values() if not url.startswith(("data:", "blob:"))}
    assert {url for url in fetched if not url.startswith(standing_demo.url)} == set()
    fonts = {address.rpartition("/")[2].split(".")[0] for address in fetched if "woff2" in address}
    assert fonts <= {"inter-latin-wght-normal", "MaterialSymbols-Rounded", "SourceSansVF-Upright"}
    app = {key: n for key, n in sizes.items() if "/desk/media/" not in addresses[key]}
    assert len(app) > 100
    assert sum(app.values()) < LARGEST_FIRST_LOAD, f"{sum(app.values()):,.0f} bytes"
