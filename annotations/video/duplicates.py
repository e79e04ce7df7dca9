"""Near-duplicates among a workspace's videos; each video is hashed once and the hashes are kept."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotations.media import Media
from annotations.workspace import Workspace
from core.process.processes import Workers
from core.video.perceptual_hash import BITS, NEAR, FrameHash, near_videos, video_hashes

METHOD = f"cosine {BITS}"
DEADLINE_S = 60.0
PROCESSES = 2


@dataclass(frozen=True)
class Similar:
    """A video that is near another one.

    Attributes:
        video_id: of the video that is near.
        distance: bits of 255 that differ; 0 for the same pictures.
        frame: index of its frame that is nearest.
    """

    video_id: int
    sha256: str
    name: str
    distance: int
    frame: int

    @property
    def words(self) -> str:
        """How much alike it is, for a person."""
        return f"{self.name}: {100 * (1 - self.distance / BITS):.0f} % alike"


def similar_videos(workspace: Workspace, within: int = NEAR) -> dict[int, list[Similar]]:
    """For each usable video that has near ones: these, nearest first, by id.

    Two rows with the same content are near each other too. A video that cannot be decoded, or
    whose frames are all of one colour, is near to none.
    """
    videos = workspace.store.rows(
        "SELECT id, name, sha256 FROM video WHERE status = 'usable' ORDER BY id"
    )
    by_content: dict[str, list[dict[str, Any]]] = {}
    for row in videos:
        by_content.setdefault(row["sha256"], []).append(row)
    found: dict[int, list[Similar]] = {}

    def pair(one: dict[str, Any], other: dict[str, Any], distance: int, frame: int) -> None:
        found.setdefault(one["id"], []).append(
            Similar(other["id"], other["sha256"], other["name"], distance, frame)
        )

    hashes = hashes_of(workspace.media, by_content)
    for near in near_videos(hashes, within):
        for one in by_content[near.first]:
            for other in by_content[near.second]:
                pair(one, other, near.distance, near.second_frame)
                pair(other, one, near.distance, near.first_frame)
    for same in by_content.values():
        for one in same:
            for other in same:
                if one is not other:
                    pair(one, other, 0, 0)
    return {
        video: sorted(near, key=lambda one: (one.distance, one.name))
        for video, near in found.items()
    }


def hashes_of(media: Media, contents: Iterable[str]) -> dict[str, tuple[FrameHash, ...]]:
    """Hashes by content hash; those not yet kept are made, in processes that can be killed."""
    found: dict[str, tuple[FrameHash, ...]] = {}
    left: dict[Path, str] = {}
    for sha256 in contents:
        kept = _read(media.hashes(sha256))
        if kept is not None:
            found[sha256] = kept
        elif (original := media.find_original(sha256)) is not None:
            left[original] = sha256
    if left:
        with Workers(min(PROCESSES, len(left))) as workers:
            for path, result in workers.map(video_hashes, left, DEADLINE_S):
                # A video that breaks the decoder has no near ones; it is not tried again.
                hashes = () if isinstance(result, Exception) else result
                found[left[path]] = hashes
                _write(media.hashes(left[path]), hashes)
    return found


def _read(path: Path) -> tuple[FrameHash, ...] | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    if kept["method"] != METHOD:
        return None
    return tuple(FrameHash(index, int(bits, 16)) for index, bits in kept["frames"])


def _write(path: Path, hashes: tuple[FrameHash, ...]) -> None:
    frames = [[one.index, f"{one.bits:064x}"] for one in hashes]
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"method": METHOD, "frames": frames}), encoding="utf-8")
    part.replace(path)
