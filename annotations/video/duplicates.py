"""Near-duplicates among a workspace's videos; each video is hashed once and the hashes are kept."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from annotations.media import Media
from annotations.record.video import ListedVideo, listed_videos
from annotations.video.families import clusters
from annotations.workspace import Workspace
from core.half_made import whole
from core.number_text import percent_text
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
        return f"{self.name}: {percent_text(1 - self.distance / BITS, 0)} alike"


def similar_videos(workspace: Workspace, within: int = NEAR) -> dict[int, list[Similar]]:
    """For each usable video that has near ones: these, nearest first, by id.

    Two rows with the same content are near each other too; a video and its edits are not, since
    they are known to belong together. A video that cannot be decoded, or
    whose frames are all of one colour, is near to none.
    """
    with workspace.store.single() as database:
        videos = [video for video in listed_videos(database) if video.status == "usable"]
    by_content: dict[str, list[ListedVideo]] = {}
    for video in videos:
        by_content.setdefault(video.sha256, []).append(video)
    similar: dict[int, list[Similar]] = {}

    def pair(video: ListedVideo, match: ListedVideo, distance: int, frame: int) -> None:
        similar.setdefault(video.id, []).append(
            Similar(match.id, match.sha256, match.name, distance, frame)
        )

    hashes = hashes_of(workspace.media, by_content)
    family = clusters(workspace)
    for near in near_videos(hashes, within):
        if family.get(near.first, near.first) == family.get(near.second, near.second):
            continue
        for video in by_content[near.first]:
            for match in by_content[near.second]:
                pair(video, match, near.distance, near.second_frame)
                pair(match, video, near.distance, near.first_frame)
    for same in by_content.values():
        for video in same:
            for match in same:
                if video is not match:
                    pair(video, match, 0, 0)
    return {
        video: sorted(near, key=lambda match: (match.distance, match.name))
        for video, near in similar.items()
    }


def hashes_of(media: Media, contents: Iterable[str]) -> dict[str, tuple[FrameHash, ...]]:
    """Hashes by content hash; those not yet kept are made, in processes that can be killed."""
    hashes: dict[str, tuple[FrameHash, ...]] = {}
    unhashed: dict[Path, str] = {}
    for sha256 in contents:
        kept = _read(media.hashes(sha256))
        if kept is not None:
            hashes[sha256] = kept
        elif (original := media.find_original(sha256)) is not None:
            unhashed[original] = sha256
    if unhashed:
        with Workers(min(PROCESSES, len(unhashed))) as workers:
            for path, result in workers.map(video_hashes, unhashed, DEADLINE_S):
                # A video that breaks the decoder has no near ones; it is not tried again.
                frame_hashes = () if isinstance(result, Exception) else result
                hashes[unhashed[path]] = frame_hashes
                _write(media.hashes(unhashed[path]), frame_hashes)
    return hashes


def _read(path: Path) -> tuple[FrameHash, ...] | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    if kept["method"] != METHOD:
        return None
    return tuple(FrameHash(index, int(bits, 16)) for index, bits in kept["frames"])


def _write(path: Path, hashes: tuple[FrameHash, ...]) -> None:
    frames = [[frame.index, f"{frame.bits:064x}"] for frame in hashes]
    with whole(path) as part:
        part.write_text(json.dumps({"method": METHOD, "frames": frames}), encoding="utf-8")
