"""Find the clips that rows of an items file name, and check their times against the video."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from annotations.media import SHA256
from annotations.reading import checks
from annotations.reading.records import Fault
from annotations.record.video import ListedVideo, listed_videos
from annotations.task import ItemDraft
from annotations.video.video_folder import SUFFIXES, tails
from annotations.workspace import Workspace
from core.refusal import Refusal

TIMES = {name: (name, f"{name}_s", f"{name}_ms", f"{name}_us") for name in ("start", "end")}
CUT_S = 0.1  # a clip cut to 30 s often has a frame or two more
Row = dict[str, Any]  # of an items file: whatever columns it has
OWN_ID = "Give each row an 'id' of its own."
NO_VIDEO = "Import the video first (rushes import), or correct the name."


@dataclass(frozen=True)
class RowClip:
    """A clip of a usable video.

    Attributes:
        name: of the video.
        start_s: s from the video's first frame.
        end_s: s; the video's duration where the row gives no end.
    """

    video_id: int
    sha256: str
    name: str
    start_s: float
    end_s: float
    duration_s: float

    @property
    def payload(self) -> dict[str, Any]:
        """What an item keeps of it: content hash and times in s; end None: the video's end."""
        whole = self.end_s >= self.duration_s - 1e-6
        return {
            "video": self.sha256,
            "start": self.start_s,
            "end": None if whole else self.end_s,
        }


@contextmanager
def row_named(number: int) -> Generator[None]:
    """A block in which a fault becomes an error that names the row, counted from 1.

    Raises:
        ValueError: row, field, what was got, what is allowed, what to do.
    """
    try:
        yield
    except Fault as fault:
        raise Refusal(fault_text(number, fault)) from fault


def fault_text(number: int, fault: Fault) -> str:
    """A fault of a row as one line for a person."""
    field = f", field {fault.column}" if fault.column else ""
    got = f" (got {fault.value})" if fault.value else ""
    allowed = f" Allowed: {fault.allowed}." if fault.allowed else ""
    todo = f" {fault.todo}" if fault.todo else ""
    return f"row {number}{field}: {fault.what}{got}.{allowed}{todo}"


def text_of(row: dict[str, Any], field: str, *, required: bool = False) -> str:
    """A row's text, in NFC without blanks around it; '' where it has none.

    Raises:
        Fault: if it is no text, or lacking although required.
    """
    text = checks.read_text(row.get(field), field)
    if required and not text:
        raise Fault("lacking", column=field, allowed="a text", todo="Fill it in.")
    return text


class Videos:
    """The videos of a workspace, found by the names and content hashes that rows give."""

    def __init__(self, workspace: Workspace):
        """Read the table of videos once."""
        self._media = workspace.media
        self._durations: dict[str, float] = {}
        with workspace.store.single() as database:
            self._videos = listed_videos(database)

    @cached_property
    def _by_name(self) -> tuple[dict[str, list[ListedVideo]], ...]:
        """Videos by whole name and content hash; and by their name without its first folders."""
        whole: dict[str, list[ListedVideo]] = {}
        ends: dict[str, list[ListedVideo]] = {}
        for video in self._videos:
            name, short = video.name, _without_suffix(video.name)
            for key in dict.fromkeys((name, short, video.sha256)):
                whole.setdefault(key, []).append(video)
            for key in dict.fromkeys(tails(name) + tails(short)):
                ends.setdefault(key, []).append(video)
        return whole, ends

    def find(self, value: object, field: str = "video") -> ListedVideo:
        """The usable video of a name or content hash.

        Raises:
            Fault: if there is none, it is missing or broken, or several fit.
        """
        fits = self._named(value, field)
        if not fits:
            raise Fault(
                "there is no such video", column=field, value=value,
                allowed="the name or content hash of a video of the workspace", todo=NO_VIDEO,
            )  # fmt: skip
        usable = [video for video in fits if video.status == "usable"]
        if not usable:
            [unusable, *_] = fits
            why = f": {unusable.reason}" if unusable.reason else ""
            raise Fault(
                f"the video is {unusable.status}{why}", column=field, value=value,
                allowed="a usable video", todo="Import it again once the file is in order.",
            )  # fmt: skip
        if len({video.sha256 for video in usable}) > 1:
            names = ", ".join(f"{video.name} ({video.sha256[:12]})" for video in usable[:3])
            raise Fault(
                f"several videos fit: {names}", column=field, value=value,
                allowed="a name or content hash that only one video has",
                todo="Write more of the path, or the whole content hash.",
            )  # fmt: skip
        return usable[0]

    def duration_s(self, video: ListedVideo) -> float:
        """How long a usable video is, s: as probing told, else by its frames."""
        if video.duration_s is not None:
            return video.duration_s
        if video.sha256 not in self._durations:
            self._durations[video.sha256] = self._media.frame_table(video.sha256).duration_s
        return self._durations[video.sha256]

    def _named(self, value: object, field: str) -> list[ListedVideo]:
        whole, ends = self._by_name
        text = checks.read_text(value, field).lower()
        if SHA256.fullmatch(text):
            return whole.get(text, [])
        name = checks.read_video_name(value, field)
        short = _without_suffix(name)
        matches = (index.get(candidate) for index in (whole, ends) for candidate in (name, short))
        return next(filter(None, matches), list[ListedVideo]())

    def clip(
        self, row: dict[str, Any], *, within: str = "", longest_s: float | None = None
    ) -> RowClip:
        """The clip of a row with "video" and, if it is not the whole video, "start" and "end".

        Times are seconds, or 4:22 or 1:02:03.5; "start_ms" and "start_us" are read as such.

        Args:
            row: the row, or a part of it that names a clip.
            within: what stands before the field's name in messages, such as 'clips 2 '.
            longest_s: how long a clip may be, s.

        Raises:
            Fault: if the video is not usable or the times do not lie in it.
        """
        video = self.find(row.get("video"), f"{within}video")
        (start_s, start_field), (end_s, end_field) = (_time(row, name, within) for name in TIMES)
        columns, duration_s = f"{start_field}, {end_field}", self.duration_s(video)
        start_s = start_s or 0.0
        checks.check_span(start_s, end_s, columns)
        end_s, _ = checks.fit_span(start_s, end_s, duration_s, columns)
        end_s = duration_s if end_s is None else end_s
        if longest_s is not None and end_s - start_s > longest_s + CUT_S:
            raise Fault(
                f"the clip is {end_s - start_s:.1f} s long", column=columns,
                value=f"{start_s:g} to {end_s:g} s", allowed=f"at most {longest_s:g} s",
                todo="Name a shorter part of the video, or raise the task's setting.",
            )  # fmt: skip
        if not self._media.frames_between(video.sha256, start_s, end_s):
            raise Fault(
                "the clip holds no frame of its video", column=columns,
                value=f"{start_s:g} to {end_s:g} s", allowed="a span with at least one frame",
            )  # fmt: skip
        return RowClip(video.id, video.sha256, video.name, start_s, end_s, duration_s)


def items_of_rows(
    rows: Iterable[Row],
    item: Callable[[int, Row], ItemDraft],
    todo: str = OWN_ID,
) -> list[ItemDraft]:
    """The items that rows make, one each.

    Args:
        rows: of a file.
        item: makes the item of a row, which it gets with its number from 1.
        todo: what to do about two rows that make the same item.

    Raises:
        Refusal: for a row that makes no item, or the same as another; says which.
    """
    drafts: list[ItemDraft] = []
    for number, row in enumerate(rows, start=1):
        with row_named(number):
            drafts.append(item(number, row))
    _refuse_doubles((draft.uid for draft in drafts), todo)
    return drafts


def _refuse_doubles(uids: Iterable[str], todo: str) -> None:
    row_of_uid: dict[str, int] = {}
    for number, uid in enumerate(uids, start=1):
        if uid in row_of_uid:
            raise Refusal(f"row {number}: the same item as row {row_of_uid[uid]} ({uid}). {todo}")
        row_of_uid[uid] = number


def _time(row: dict[str, Any], name: str, within: str) -> tuple[float | None, str]:
    """A time in s, None if the row has none, and the name of its field."""
    field = next((column for column in TIMES[name] if row.get(column) not in (None, "")), name)
    label = f"{within}{field}"
    return checks.read_seconds(row.get(field), label, checks.unit_of(field)), label


def _without_suffix(name: str) -> str:
    path = PurePosixPath(name)
    return str(path.with_suffix("")) if path.suffix.lower() in SUFFIXES else name
