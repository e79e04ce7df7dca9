"""Every page in a real browser: nothing that the policy forbids is missed, and little is loaded."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from ui.shell.app_pages import PAGES

pytestmark = pytest.mark.browser

# Bytes over the wire: it was 3 MB before scripts were compressed; 1.23 MB were measured, of which
# Streamlit's two fonts are 0.55 MB.
LARGEST_FIRST_LOAD = 1_300_000
# Streamlit asks Google for a picture of each page's icon, to show it in the tab. Our policy forbids
# it on purpose: nobody outside learns who looks at what, and the tab has an icon of its own.
ICON_OF_A_TAB = "https://fonts.gstatic.com/s/i/short-term/release/materialsymbolsrounded/"
FORBIDDEN = ("Content Security Policy", "Refused to", "violates the following")


def settled(page: Page) -> None:
    """Wait until Streamlit has drawn the page."""
    app = page.locator('[data-testid="stApp"]')
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)


def test_no_page_misses_what_the_policy_forbids(
    standing_demo: Any, person: Callable[..., Page]
) -> None:
    """Plotly, videos, components and Streamlit's own widgets on every page, and a desk."""
    page = person(standing_demo, "Una", "author")
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if any(word in message.text for word in FORBIDDEN) and ICON_OF_A_TAB not in message.text:
            complaints.append(f"{page.url}: {message.text[:300]}")

    page.on("console", listen)
    for name in PAGES:
        page.goto(f"{standing_demo.url}/{'' if name == 'start' else name}")
        settled(page)
    page.goto(f"{standing_demo.url}/metrics")
    page.locator(".js-plotly-plot").first.wait_for(timeout=30_000)
    page.goto(f"{standing_demo.url}/annotate?preview")
    page.locator('.desk[data-ready="1"]').wait_for(timeout=30_000)
    assert complaints == []


def test_the_first_page_loads_little(standing_demo: Any, chromium: Any) -> None:
    """What an annotator's browser fetches from the invite link to the desk's first item."""
    context = chromium.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(standing_demo.invite("Vera"))
    settled(page)
    context.close()
    assert len(sizes) > 20
    assert sum(sizes) < LARGEST_FIRST_LOAD, f"{sum(sizes):,.0f} bytes in {len(sizes)} requests"
