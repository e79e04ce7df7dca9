"""Make a downloaded file a video of the workspace, with what its source said of it."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from annotations.reading.records import About
from annotations.video.library import Keeping, content_of, keep_all, no_progress, probe_all
from annotations.video.stored_videos import StoredVideos, VideoState, store_video
from annotations.workspace import Workspace
from core.footage import failure
from core.footage.candidate import Candidate
from core.footage.failure import Failure
from core.half_made import whole

CUT_SHORT = "cut short"


@dataclass(frozen=True)
class Arrived:
    """What became of a file.

    Attributes:
        name: of the workspace's video; of an older one where the content is the same.
        failure: why it is no usable video; None if it is.
    """

    sha256: str = ""
    name: str = ""
    failure: Failure | None = None


def keep_arrival(
    workspace: Workspace, path: Path, candidate: Candidate, section: tuple[float, float] | None
) -> Arrived:
    """Probe a file, keep it, and store it as a video; one that is no video is refused.

    Repeatable: a process that is killed in between does it again without doubling anything.

    Args:
        workspace: gets the video.
        path: of the file.
        candidate: what its source says of it.
        section: where the file starts and ends in the source's video, s; None for all of it.
    """
    content = content_of(path)
    if not content.sha256:
        return Arrived(failure=Failure(failure.OTHER, content.reason))
    probed = probe_all([content], no_progress)[content.sha256]
    if probed.reason:
        return Arrived(content.sha256, failure=Failure(failure.NO_VIDEO, probed.reason))
    facts = json.loads(probed.facts)
    if CUT_SHORT in facts.get("notes", ()):
        return Arrived(content.sha256, failure=Failure(failure.CUT_SHORT, "the file is cut short"))
    facts |= {"source": candidate.source, "source_key": candidate.key, "section": section}
    playable = bool(facts.get("browser_playable"))
    for _, reason in keep_all([Keeping(content, workspace.media, not playable)], no_progress):
        original = workspace.media.find_original(content.sha256)
        if reason and (original is None or not workspace.media.table(content.sha256).exists()):
            return Arrived(content.sha256, failure=Failure(failure.OTHER, reason))
    name = _name(candidate, path.suffix, section)
    state = VideoState(
        name, "usable", content.sha256, facts=json.dumps(facts), duration_s=probed.duration_s,
        source_url=candidate.url, about=_about(candidate),
    )  # fmt: skip
    with workspace.store.write() as database:
        stored = StoredVideos(database)
        known = stored.known(content.sha256)
        if known is not None and known.name != name:
            return Arrived(content.sha256, known.name)
        stored.place(state)
        store_video(database.conn, state)
    return Arrived(content.sha256, name)


def keep_captions(workspace: Workspace, path: Path, sha256: str) -> None:
    """Keep a video's captions with it: the step that transcribes takes them before any model."""
    target = workspace.media.folder(sha256) / f"captions{path.suffix}"
    with whole(target) as part:
        shutil.copyfile(path, part)


def _name(candidate: Candidate, suffix: str, section: tuple[float, float] | None) -> str:
    span = f"_{section[0]:g}-{section[1]:g}" if section else ""
    return f"{candidate.name}{span}{suffix}"


def _about(candidate: Candidate) -> About:
    return About(
        candidate.title, candidate.description, candidate.channel, candidate.upload_date,
        candidate.views, (), candidate.url, candidate.licence,
    )  # fmt: skip
