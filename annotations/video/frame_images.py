"""Sheets of frames, large frames and small ones: written as files, and found again."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotations.media import Media
from annotations.record.stage import Grid, Picker, Player, Stage
from core.half_made import whole
from core.video.plans import uniform

LARGE_SIDE = 960
JPEG_QUALITY = 88
PREVIEWS = 24
THUMB_SIDE = 320
SMALL_WIDTH = 400
SMALL_QUALITY = 72


def make_stills(media_root: Path, sha256: str, frames: tuple[int, ...]) -> None:
    """Write the contact sheet of some frames, its statuses, and each frame large.

    A frame that could not be had is drawn as missing and gets no large picture.

    Raises:
        VideoError: if the video cannot be read at all, or none of the frames could be decoded: then
            there is nothing to look at, for people as for models.
    """
    from core.video.errors import NO_FRAME, VideoError
    from core.video.frame_grid import frame_grid, jpeg, tile_size
    from core.video.sample import sample_frames

    media = Media(media_root)
    source = media.find_original(sha256)
    if source is None:
        raise FileNotFoundError(f"The original of video {sha256[:12]} is not in the workspace.")
    table = media.frame_table(sha256)
    samples = sample_frames(source, frames, longest_side=LARGE_SIDE, table=table)
    for frame in samples:
        if frame.image is not None:
            _write(media.frame(sha256, frame.index), jpeg(frame.image, JPEG_QUALITY))
    picture = next((f.image for f in samples if f.image is not None), None)
    if picture is None:
        raise VideoError(NO_FRAME, f"of the {len(frames)} that were wanted")
    height, width = picture.shape[:2]
    tile = (width, height) if len(frames) == 1 else tile_size(width, height)
    columns = sheet_columns(len(frames))
    target = media.sheet(sha256, frames)
    facts = {
        "tile": list(tile),
        "columns": columns,
        "statuses": [f.status for f in samples],
        "frames": list(frames),
    }
    _write(target, frame_grid(samples, columns, *tile))
    _write(target.with_suffix(".json"), json.dumps(facts).encode())


def make_small_sheet(media_root: Path, sha256: str, frames: tuple[int, ...]) -> None:
    """Write a contact sheet of some frames, `SMALL_WIDTH` px wide, for walls of many.

    Raises:
        VideoError: if the video cannot be read at all.
    """
    from core.video.frame_grid import frame_grid, tile_size
    from core.video.sample import sample_frames

    media = Media(media_root)
    source = media.find_original(sha256)
    if source is None:
        raise FileNotFoundError(f"The original of video {sha256[:12]} is not in the workspace.")
    columns = sheet_columns(len(frames))
    side = SMALL_WIDTH // columns
    table = media.frame_table(sha256)
    samples = sample_frames(source, frames, longest_side=side, table=table)
    picture = next((f.image for f in samples if f.image is not None), None)
    height, width = (9, 16) if picture is None else picture.shape[:2]
    wide, high = tile_size(width, height, area=side * side * 9 // 16)
    sheet = frame_grid(samples, columns, wide, high, SMALL_QUALITY)
    _write(media.small_sheet(sha256, frames), sheet)


def make_thumb(media_root: Path, sha256: str, index: int) -> None:
    """Write one frame small; nothing where it cannot be had.

    Raises:
        VideoError: if the video cannot be read at all.
    """
    from core.video.frame_grid import jpeg
    from core.video.sample import sample_frames

    media = Media(media_root)
    source = media.find_original(sha256)
    if source is None:
        raise FileNotFoundError(f"The original of video {sha256[:12]} is not in the workspace.")
    table = media.frame_table(sha256)
    [sample] = sample_frames(source, (index,), longest_side=THUMB_SIDE, table=table)
    if sample.image is not None:
        _write(media.thumb(sha256, index), jpeg(sample.image, JPEG_QUALITY))


def sheet_columns(count: int) -> int:
    """Columns of a sheet: 4 for 16 frames, 1 for 1, near a square for the rest."""
    columns = 1
    while columns * columns < count:
        columns += 1
    return columns


def preview_frames(
    media: Media, sha256: str, start_s: float, end_s: float | None
) -> tuple[int, ...]:
    """The frames of a clip that are pictures on its timeline: at most 24, uniform."""
    inside = media.frames_between(sha256, start_s, end_s)
    return tuple(inside[position] for position in uniform(len(inside), PREVIEWS))


def grid_of(media: Media, stage: Stage | None) -> Grid | None:
    """The still frames that a stage needs; None if it needs none."""
    match stage:
        case Grid():
            return stage
        case Picker(grid, _):
            return grid
        case Player(sha256, start_s, end_s, marks=True):
            frames = preview_frames(media, sha256, start_s, end_s)
            times = media.frame_table(sha256).times
            return Grid(sha256, frames, tuple(times[index] for index in frames))
        case _:
            return None


def sheet_facts(media: Media, sha256: str, frames: tuple[int, ...]) -> dict[str, Any] | None:
    """Tile size in px, columns and each frame's status; None if the sheet is not made yet."""
    path = media.sheet_facts(sha256, frames)
    try:
        return _facts(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


@lru_cache(maxsize=8192)
def _facts(path: Path, written_ns: int) -> dict[str, Any]:
    """The facts of a sheet as they were written at a time; nobody changes what this returns."""
    del written_ns
    return json.loads(path.read_text(encoding="utf-8"))


def name_places(media: Media, sha256: str, frames: tuple[int, ...]) -> None:
    """Note the frames of a sheet that was made before sheets told them, for `frame_at`."""
    facts = sheet_facts(media, sha256, frames)
    if facts is not None and "frames" not in facts:
        target = media.sheet_facts(sha256, frames)
        _write(target, json.dumps({**facts, "frames": list(frames)}).encode())


def frame_at(media: Media, sha256: str, key: str, position: int) -> int | None:
    """The index of the frame at a position of a sheet; None if there is none.

    Where the times of frames are hidden, their large pictures are asked for by position: the index
    of a frame would give its time away.
    """
    path = media.folder(sha256) / "sheets" / f"{key}.json"
    try:
        frames: list[int] = json.loads(path.read_text(encoding="utf-8")).get("frames", [])
    except FileNotFoundError:
        return None
    return frames[position] if position < len(frames) else None


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as part:  # on a full disk, what is half there must not fill it further
        part.write_bytes(content)
