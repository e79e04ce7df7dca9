"""Browsers of people: each with nothing of anybody else's, and what was fetched once kept for all.

Reading and compiling Streamlit and the desk is most of the work of a test in a browser. A context
that is handed on keeps that, and loses cookies, storage and pages.
"""

from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

# What a browser says on its console of a page that asks for what its policy forbids.
FORBIDDEN = ("Content Security Policy", "Refused to", "violates the following")
# Notes that Streamlit's own window about a lost connection has opened, though it is closed at once.
WATCH_STREAMLITS_WINDOW = """() => new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node.textContent.includes('Connection error')) window.wasTold = true;
}).observe(document.body, { childList: true })"""


class Contexts:
    """Contexts of one browser, to be taken and given back."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self._free: defaultdict[str, list[BrowserContext]] = defaultdict(list)
        self._taken: list[tuple[str, BrowserContext]] = []

    def take(self, **options: Any) -> BrowserContext:
        """A context with these options of Playwright's, 1440 x 900 unless said otherwise."""
        options = {"viewport": {"width": 1440, "height": 900}, **options}
        kind = repr(sorted(options.items()))
        free = self._free[kind]
        context = free.pop() if free else self.browser.new_context(**options)
        self._taken.append((kind, context))
        return context

    def give_back(self) -> None:
        """End every page, forget who was signed in and what was stored, and keep the contexts."""
        for kind, context in self._taken:
            context.set_offline(False)
            context.clear_cookies()
            origins = {_origin(page) for page in context.pages if page.url.startswith("http")}
            for page in context.pages:
                page.close()
            if origins:
                self._forget(context, origins)
            self._free[kind].append(context)
        self._taken.clear()

    @staticmethod
    def _forget(context: BrowserContext, origins: set[str]) -> None:
        page = context.new_page()
        session = context.new_cdp_session(page)
        for origin in origins:
            what = {"origin": origin, "storageTypes": "all"}
            session.send("Storage.clearDataForOrigin", what)
        page.close()


def forbidden_on(page: Page) -> list[str]:
    """What the policy of a page forbids it, from now on; the list grows while the page is used."""
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if any(words in message.text for words in FORBIDDEN):
            complaints.append(f"{page.url}: {message.text[:300]}")

    page.on("console", listen)
    return complaints


def _origin(page: Page) -> str:
    return "/".join(page.url.split("/")[:3])
