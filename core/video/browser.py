"""Whether a browser plays a file as it is, with frame times that can be relied on."""

from collections.abc import Iterator

from core.video.table import (
    CUT_SHORT,
    DAMAGED_PACKETS,
    DROPPED_START,
    HIDDEN,
    OPEN_GOP,
    SEVERAL_STREAMS,
    FrameTable,
)

LONGEST_GROUP = 60
_TOLERANCE_S = 0.0005
_CODECS = {
    "mp4": ("h264", "vp9", "av1"),
    "mov": ("h264",),
    "webm": ("vp8", "vp9", "av1"),
}
_AUDIO = {
    "mp4": ("aac", "mp3", "opus", "flac"),
    "mov": ("aac", "mp3"),
    "webm": ("opus", "vorbis"),
}
# Chromium does not seek to the keyframes of an open group, and stops at damaged packets.
_FLAGS = (HIDDEN, DROPPED_START, CUT_SHORT, DAMAGED_PACKETS, SEVERAL_STREAMS, OPEN_GOP)
_PIXELS = ("yuv420p", "yuvj420p")


def why_not_playable(
    container: str,
    codec: str,
    pix_fmt: str,
    audio_codec: str | None,
    container_start_s: float,
    table: FrameTable,
) -> str:
    """Why a copy must be made for the player, or "" if the file itself will do.

    The file must play in Chromium, Chrome and Firefox without extra codecs, start at 0, show
    every frame of the table at its time, and have keyframes near enough to step by frame.
    """
    return next(_reasons(container, codec, pix_fmt, audio_codec, container_start_s, table), "")


def _reasons(
    container: str,
    codec: str,
    pix_fmt: str,
    audio_codec: str | None,
    container_start_s: float,
    table: FrameTable,
) -> Iterator[str]:
    if container not in _CODECS:
        yield f"browsers do not play {container} files"
        return
    if codec not in _CODECS[container]:
        yield f"not every browser plays {codec} in {container}"
    if pix_fmt not in _PIXELS:
        yield f"not every browser plays {codec} with {pix_fmt} pixels"
    if audio_codec and audio_codec not in _AUDIO[container]:
        yield f"not every browser plays {audio_codec} sound in {container}"
    for flag in _FLAGS:
        if flag in table.flags:
            yield flag
    if abs(table.start_s) > _TOLERANCE_S or abs(container_start_s) > _TOLERANCE_S:
        yield f"starts at {table.start_s:.3f} s instead of 0"
    if table.longest_group > LONGEST_GROUP:
        yield f"{table.longest_group} frames between keyframes, too many to step through"
