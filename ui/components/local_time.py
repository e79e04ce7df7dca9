"""Times for people: in the zone of whoever reads, as their browser says it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def local_time(text: str) -> str:
    """A time in ISO 8601 as date, hour and minute in the reader's zone.

    Without a zone in the text it is taken for UTC; where the browser says none, UTC is written.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    zone = _reader_zone()
    if zone is None:
        return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def _reader_zone() -> ZoneInfo | None:
    name = st.context.timezone
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None
