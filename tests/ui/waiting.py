"""What tests of processes and pages share: a free port, and patience."""

import socket
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(true: Callable[[], Any], what: str, patience_s: float = 30) -> Any:
    """What `true` gives once it gives something."""
    limit = time.monotonic() + patience_s
    while time.monotonic() < limit:
        found = true()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {patience_s} s in vain for: {what}")


def settled(page: Page) -> None:
    """Wait until Streamlit has drawn the page."""
    app = page.locator('[data-testid="stApp"]')
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)
