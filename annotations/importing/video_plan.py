"""What becomes of the videos of an import: found, known, broken, missing; nothing is written."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotations.format import Reading
from annotations.reading.records import About, Problem, VideoRequest
from annotations.video.library import Content, Probed, Progress, contents, probe_all
from annotations.video.sidecars import sidecars
from annotations.video.stored_videos import StoredVideos, VideoState
from annotations.video.video_changes import note_changes
from annotations.video.video_folder import Found, Shelf
from annotations.video.video_health import weaknesses
from annotations.workspace import Workspace
from core.video.table import FrameTable


@dataclass
class VideoPlan:
    """The videos of an import.

    Attributes:
        folder: where they were looked for; None: nowhere.
        states: by name.
        matches: where each was found, by name.
        contents: files by content hash, of those that were found.
        playable: content hashes that browsers play as they are.
        changed_titles: titles that change, by name.
        unread: files beside videos that cannot be read.
        tables: of videos whose clips are named by frames, by content hash.
    """

    folder: Path | None
    states: dict[str, VideoState] = field(default_factory=dict[str, VideoState])
    matches: dict[str, Found] = field(default_factory=dict[str, Found])
    contents: dict[str, Content] = field(default_factory=dict[str, Content])
    playable: set[str] = field(default_factory=set[str])
    changed_titles: dict[str, Problem] = field(default_factory=dict[str, Problem])
    unread: list[Problem] = field(default_factory=list[Problem])
    tables: dict[str, FrameTable] = field(default_factory=dict[str, FrameTable])

    def needs_copy(self, sha256: str) -> bool:
        """Whether browsers need a copy of this content."""
        return sha256 not in self.playable

    def keep_only(self, names: set[str]) -> None:
        """Forget the videos that no accepted question names."""
        self.states = {name: state for name, state in self.states.items() if name in names}

    def unusable(self, status: str) -> dict[str, str]:
        """Reasons by name of the videos that are 'missing' or 'broken'."""
        states = self.states.values()
        return {state.name: state.reason for state in states if state.status == status}

    def problems(self) -> list[Problem]:
        """What a person should know: broken videos each, missing ones by reason, odd matches."""
        changed = [note for name, note in self.changed_titles.items() if name in self.states]
        notes = [*_unusable(self), *_weak(self), *_odd_matches(self), *_same_contents(self)]
        return [*notes, *self.unread, *changed]

    def counts(self) -> dict[str, int]:
        """Videos by status, how many rows are new and changed, and of how many more is told."""
        status = Counter(state.status for state in self.states.values())
        change = Counter(state.change for state in self.states.values())
        descriptions = Counter(state.told for state in self.states.values() if state.about)
        return {
            "usable": status["usable"],
            "missing": status["missing"],
            "broken": status["broken"],
            "new": change["new"],
            "changed": change["changed"],
            "told": descriptions["new"],
            "retold": descriptions["changed"],
        }


def plan_videos(
    workspace: Workspace, reading: Reading, folder: Path | None, progress: Progress
) -> VideoPlan:
    """The videos that an import names, looked for, hashed and probed.

    Args:
        workspace: what it knows already is not probed again.
        reading: what names them.
        folder: where they lie; None: the first folder of the reading that holds any.
        progress: told what is done.
    """
    shelf = _shelf(reading, folder)
    plan = VideoPlan(shelf.folder)
    requests = dict(reading.videos)
    matches = plan.matches = {
        name: shelf.find(request.wanted) for name, request in requests.items()
    }
    if reading.all_videos:
        for file in shelf.files:
            name = shelf.name_of(file)
            requests[name], matches[name] = VideoRequest(name, name), Found(file)
        for name, why in shelf.left_out.items():
            requests[name], matches[name] = VideoRequest(name, name), Found(None, why)
    _refuse_shared(requests, matches)
    files = sorted({item.path for item in matches.values() if item.path})
    by_path = contents(files, progress)
    plan.contents = {content.sha256: content for content in by_path.values() if content.sha256}
    with workspace.store.read() as database:
        known = StoredVideos(database)
        fresh = [item for item in plan.contents.values() if known.known(item.sha256) is None]
    probed = probe_all(fresh, progress)
    beside, plan.unread = sidecars(files, progress)
    for name, request in requests.items():
        state = _state(request, matches[name], by_path, probed, known)
        state.about = _about(request, beside.get(matches[name].path or Path()))
        known.place(state)
        plan.states[name] = state
    with workspace.store.read() as database:
        plan.changed_titles = note_changes(database, list(plan.states.values()))
    _note_playable(plan, probed, known)
    _copy_facts(workspace, plan)
    return plan


def _shelf(reading: Reading, folder: Path | None) -> Shelf:
    if folder is not None:
        return Shelf(folder.expanduser().resolve())
    for likely in reading.video_folders:
        if likely.exists():
            shelf = Shelf(likely)
            if shelf.files:
                return shelf
    return Shelf(None)


def _refuse_shared(requests: dict[str, VideoRequest], matches: dict[str, Found]) -> None:
    """A file that fits several names by its end alone fits none of them surely."""
    claims: dict[Path, list[str]] = {}
    for name in requests:
        path = matches[name].path
        if path is not None:
            claims.setdefault(path, []).append(name)
    for path, names in claims.items():
        if len(names) > 1:
            for name in names:
                if not matches[name].exact:
                    reason = f"{path.name} would fit several names: {', '.join(names[:3])}"
                    matches[name] = Found(None, reason)


def _state(
    request: VideoRequest,
    match: Found,
    by_path: dict[Path, Content],
    probed: dict[str, Probed],
    known: StoredVideos,
) -> VideoState:
    url = request.source_url
    if match.path is None:
        return VideoState(request.name, "missing", reason=match.reason, source_url=url)
    content = by_path[match.path]
    if not content.sha256:
        return VideoState(request.name, "broken", reason=content.reason, source_url=url)
    stored = known.known(content.sha256)
    if stored is not None:
        return VideoState(
            request.name,
            "usable",
            content.sha256,
            duration_s=stored.duration_s,
            source_url=url,
        )
    result = probed[content.sha256]
    return VideoState(
        request.name,
        "broken" if result.reason else "usable",
        content.sha256,
        result.reason,
        result.facts,
        result.duration_s,
        url,
    )


def _about(request: VideoRequest, beside: About | None) -> About | None:
    """What is told of a video: by what names it and, where that is silent, by the file beside."""
    return beside if request.about is None else request.about.or_else(beside)


def _note_playable(plan: VideoPlan, probed: dict[str, Probed], known: StoredVideos) -> None:
    for sha256 in plan.contents:
        row = known.known(sha256)
        if row is not None:
            playable = row.browser_playable
        else:
            playable = bool(json.loads(probed[sha256].facts).get("browser_playable"))
        if playable:
            plan.playable.add(sha256)


def _copy_facts(workspace: Workspace, plan: VideoPlan) -> None:
    """Give a new name of content that is known the facts that are stored of it."""
    with workspace.store.read() as database:
        for state in plan.states.values():
            if state.status == "usable" and state.facts == "{}" and state.change != "unchanged":
                row: Any = database.conn.execute(
                    "SELECT facts FROM video WHERE sha256 = ? AND status = 'usable'",
                    [state.sha256],
                ).fetchone()
                state.facts = str(row[0]) if row else "{}"


def _unusable(plan: VideoPlan) -> Iterator[Problem]:
    for name, reason in plan.unusable("broken").items():
        yield Problem("error", f"the video is broken: {reason}", name)
    by_reason: dict[str, list[str]] = {}
    for name, reason in plan.unusable("missing").items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        examples = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        videos = "1 video is" if len(names) == 1 else f"{len(names)} videos are"
        yield Problem(
            "warning",
            f"{videos} missing: {reason}",
            value=examples,
            todo="Import again with --videos DIR when they are there.",
        )


def _weak(plan: VideoPlan) -> Iterator[Problem]:
    """Usable videos that are damaged, cut short or hardly a video; they are taken all the same."""
    for state in plan.states.values():
        if state.status == "usable" and state.change != "unchanged":
            weak = weaknesses(json.loads(state.facts))
            if weak:
                yield Problem("warning", f"the video is used, but {'; '.join(weak)}", state.name)


def _odd_matches(plan: VideoPlan) -> Iterator[Problem]:
    for name in plan.states:
        match = plan.matches[name]
        if match.path is not None and match.note:
            yield Problem("warning", match.note, name)


def _same_contents(plan: VideoPlan) -> Iterator[Problem]:
    names: dict[str, list[str]] = {}
    for name, state in plan.states.items():
        if state.sha256:
            names.setdefault(state.sha256, []).append(name)
    for same in names.values():
        if len(same) > 1:
            yield Problem("warning", f"the same content as {', '.join(same[1:])}", same[0])
