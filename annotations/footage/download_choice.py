"""What is downloaded: videos that were chosen, or parts of them that somebody names."""

import time
from collections.abc import Sequence

from core.refusal import Missing, Refusal
from core.statistics.segments import fault, parse_window
from db.connection import Store


def read_section(text: str) -> tuple[str, float, float]:
    """Return the key of a video with start and end in s, of a text such as 'abc=1:05-1:30'.

    Raises:
        Refusal: if it is none; says what is allowed.
    """
    key, equals, span = text.rpartition("=")
    if not equals or not key:
        raise Refusal(
            f"{text!r} is no section. Write KEY=START-END, such as dQw4w9WgXcQ=1:05-1:30."
        )
    start_s, end_s = parse_window(span)
    if why := fault(start_s, end_s):
        raise Refusal(f"{text!r} is no section: {why}.")
    return key, start_s, end_s


def choose_sections(store: Store, sections: Sequence[tuple[str, float, float]]) -> int:
    """How many downloads were added, of parts of videos that are named by their keys.

    Raises:
        Missing: for a key that no search or file has named, or that several sources have.
    """
    spans: dict[int, list[tuple[float, float]]] = {}
    for key, start_s, end_s in sections:
        section_rows = store.rows("SELECT id, source, duration_s FROM video WHERE key = ?", [key])
        if len(section_rows) != 1:
            sources = ", ".join(row["source"] for row in section_rows) or "no source"
            raise Missing(f"{key!r} is known of {sources}. Name a key that one source has.")
        length = section_rows[0]["duration_s"]
        if length is not None and end_s > length:
            raise Refusal(f"{key}: {end_s:g} s is beyond the video's length of {length:g} s.")
        spans.setdefault(section_rows[0]["id"], []).append((start_s, end_s))
    return choose(store, list(spans), spans)


UNCHOSEN = 1000  # candidates that are taken where nobody chose any


def choose(store: Store, video_ids: Sequence[int], sections: dict[int, list[tuple[float, float]]]
           | None = None) -> int:  # fmt: skip
    """How many downloads were added: of whole videos, or of the sections that are named."""
    spans = [
        (number, *span)
        for number in video_ids
        for span in (sections or {}).get(number, [(0.0, 0.0)])
    ]
    with store.write() as database:
        added = database.conn.executemany(
            "INSERT INTO download (video_id, start_s, end_s, at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            [[*span, time.time()] for span in spans],
        )
    return max(0, added.rowcount)


def choose_if_none(store: Store, limit: int = UNCHOSEN) -> int:
    """How many downloads were added because nobody has ever chosen any: of all that was found."""
    if store.rows("SELECT 1 FROM download LIMIT 1"):
        return 0
    rows = store.rows("SELECT id FROM video ORDER BY id LIMIT ?", [limit])
    return choose(store, [row["id"] for row in rows])


def try_again(store: Store, kinds: Sequence[str] = ()) -> int:
    """How many failed downloads wait again: of some kinds, or all."""
    marks = ", ".join("?" * len(kinds))
    condition = f" AND failure IN ({marks})" if kinds else ""
    with store.write() as database:
        database.conn.execute("DELETE FROM pause WHERE source = 'download'")
        return database.conn.execute(
            "UPDATE download SET state = 'waiting', tries = 0 WHERE state = 'failed'" + condition,
            list(kinds),
        ).rowcount
