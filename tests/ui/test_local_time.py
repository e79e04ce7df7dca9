"""Times in the zone of whoever reads."""

from types import SimpleNamespace

import pytest
import streamlit

from ui.components.local_time import local_time


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Europe/Berlin", "2026-11-28 10:32"),  # an hour ahead in winter
        ("Asia/Kolkata", "2026-11-28 15:02"),  # five and a half
        (None, "2026-11-28 09:32 UTC"),
        ("Nowhere/City", "2026-11-28 09:32 UTC"),
    ],
)
def test_a_stored_time_is_shown_as_the_readers_clock_says_it(monkeypatch, zone, shown):
    monkeypatch.setattr(streamlit, "context", SimpleNamespace(timezone=zone))
    assert local_time("2026-11-28T09:32:10+00:00") == shown
    assert local_time("2026-11-28T09:32:10") == shown
