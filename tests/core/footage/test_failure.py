import pytest

from core.footage.failure import failure_of, unavailable


@pytest.mark.parametrize(
    ("message", "kind", "concerns"),
    [
        ("ERROR: [youtube] abc: Private video. Sign in if you've been granted access", "private",
         "item"),
        ("Sign in to confirm your age. This video may be inappropriate for some users.",
         "age restricted", "item"),
        ("The uploader has not made this video available in your country", "region", "item"),
        ("This live event will begin in 3 hours.", "upcoming", "item"),
        ("Premieres in 12 minutes", "upcoming", "item"),
        ("This live stream recording is not available.", "live", "item"),
        ("Video unavailable. This video has been removed by the uploader", "gone", "item"),
        ("Join this channel to get access to members-only content", "members only", "item"),
        ("Sign in to confirm you’re not a bot. Use --cookies", "asked to wait", "queue"),
        ("This content isn't available, try again later.", "asked to wait", "queue"),
        ("Requested format is not available. Use --list-formats", "no fitting format", "item"),
        ("\x1b[0;31mERROR:\x1b[0m Did not get any data blocks", "empty reply", "item"),
        ("Unsupported URL: https://example.org", "not supported", "item"),
        ("something nobody has seen", "other", "item"),
    ],
)  # fmt: skip
def test_the_kind_is_told_from_what_was_said(message: str, kind: str, concerns: str):
    failure = failure_of(ValueError(message))
    assert (failure.kind, failure.concerns) == (kind, concerns)
    assert not failure.message.startswith(("ERROR", "\x1b"))


def test_a_status_tells_more_than_words():
    class Refused(Exception):  # noqa: N818
        status = 429

    error = RuntimeError("Unable to download webpage")
    error.exc_info = (Refused, Refused(), None)  # type: ignore[attr-defined]
    assert failure_of(error).concerns == "queue"


def test_what_metadata_foretells():
    assert [unavailable(live) for live in ("is_live", "is_upcoming", "was_live", "")] == [
        "live", "upcoming", "", "",
    ]  # fmt: skip
