"""The decoder audit: which frames would a model be handed that reads the file another way?

Every frame of the video is decoded once with PyAV, in order, and kept as a small fingerprint.
Another decoder is then asked for frames by index, and each picture that it returns is looked up
among the fingerprints.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from core.process.processes import ProcessDied, TookTooLong, Workers
from core.video.decode import Decoder, decode_stretch
from core.video.errors import HUNG, VideoError, reason_of
from core.video.geometry import Image, Shape, ShapeReader, picture
from core.video.plans import uniform
from core.video.readers import Choose, Reading, read_decord, read_opencv
from core.video.runs import hanging_on
from core.video.source import numbered_packets, open_video
from core.video.table import SEVERAL_STREAMS, FrameTable, read_table

Verdict = Literal["right", "wrong", "incomplete", "unreadable", "hung"]
Prints = NDArray[np.float32]

FRAMES = 16
DECODERS: dict[str, Callable[[str, Choose], Reading]] = {
    "decord get_batch": read_decord,
    "OpenCV seek": read_opencv,
}

_OUTCOMES = ("right", "wrong", "nothing", "unrelated", "sideways", "untold")
_SIDE = 32
_MARGIN = 1.05
_FLOOR = 0.02
_UNRELATED = 12.0


@dataclass(frozen=True)
class Seen:
    """One frame that a decoder was asked for.

    Attributes:
        index: the index asked for.
        got: index of the frame that came, by its pixels; None when nothing came, when it is no
            frame of this video, or when our own frame is damaged so that nobody can tell.
        outcome: "right", "wrong", "nothing", "unrelated", "sideways" or "untold".
    """

    index: int
    got: int | None
    outcome: Literal["right", "wrong", "nothing", "unrelated", "sideways", "untold"]


@dataclass(frozen=True)
class Finding:
    """What one decoder does with one video.

    Attributes:
        decoder: its name, such as "decord get_batch".
        verdict: "wrong" when at least one picture is not the frame asked for; "incomplete" when
            what could be told was right but frames were lacking, or the count is off; "unreadable"
            when it refuses the file; "hung" when it had to be killed or crashed; else "right".
        claimed: number of frames that it claims the video has, None if it is not a count at all.
        seen: what came for each frame asked for.
        message: one line for a person.
    """

    decoder: str
    verdict: Verdict
    claimed: int | None
    seen: tuple[Seen, ...]
    message: str

    @property
    def wrong(self) -> int:
        """How many of the frames asked for came as something else."""
        return sum(s.outcome in ("wrong", "unrelated", "sideways") for s in self.seen)

    @property
    def largest_shift(self) -> int:
        """By how many frames the worst known picture is off; its sign says early (-) or late."""
        shifts = [s.got - s.index for s in self.seen if s.outcome == "wrong" and s.got is not None]
        return max(shifts, key=abs, default=0)


@dataclass(frozen=True)
class VideoAudit:
    """The audit of one video.

    Attributes:
        path: the file.
        error: why the file cannot be read at all, else "".
        n_frames: frames in the frame table.
        corrupt: how many of them are damaged when all are decoded.
        missing: how many do not decode.
        notes: what is unusual about the file.
        findings: one for each decoder.
    """

    path: str
    error: str
    n_frames: int
    corrupt: int
    missing: int
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain values for JSON."""
        plain = asdict(self)
        for finding, finding_facts in zip(plain["findings"], self.findings, strict=True):
            finding |= {"wrong": finding_facts.wrong, "largest_shift": finding_facts.largest_shift}
        return plain


@dataclass(frozen=True)
class Reference:
    """All frames of a video as fingerprints.

    Attributes:
        table: its frame table.
        prints: (n, 32·32) mean grey levels 0..255; a missing frame is all NaN.
        sure: (n,) whether the frame decoded without damage.
    """

    table: FrameTable
    prints: Prints
    sure: NDArray[np.bool_]


def audit(path: str | Path, workers: Workers | None = None) -> VideoAudit:
    """How decord and OpenCV read this video, against every frame decoded in order.

    Each decoder is asked for 16 frames spread evenly over the number of frames that it claims
    itself, as evaluation harnesses do, in a process that is killed when it hangs.

    Args:
        path: the video file.
        workers: processes to use; two of its own when None.
    """
    if workers is None:
        with Workers(2) as own_workers:
            return audit(path, own_workers)
    name = str(Path(path).absolute())
    try:
        table = workers.call(read_table, name, timeout_s=120)
        limit = 20 + 2 * min(table.duration_s, 3600)
        reference = workers.call(fingerprints, name, table, timeout_s=4 * limit)
    except (VideoError, TookTooLong, ProcessDied, OSError) as error:
        return VideoAudit(name, reason_of(error), 0, 0, 0, (), ())
    findings = tuple(judge(workers, d, name, reference, limit) for d in DECODERS)
    lacking = np.isnan(reference.prints[:, 0])
    return VideoAudit(
        path=name,
        error="",
        n_frames=table.n,
        corrupt=int(np.sum(~reference.sure & ~lacking)),
        missing=int(np.sum(lacking)),
        notes=table.flags,
        findings=findings,
    )


def fingerprints(path: str | Path, table: FrameTable) -> Reference:
    """The fingerprint of every frame, from decoding the whole file in order."""
    index_of = {number: index for index, number in enumerate(table.packets)}
    prints = np.full((table.n, _SIDE * _SIDE), np.nan, np.float32)
    with open_video(path) as (container, stream):
        decoder = Decoder(stream, skip_unreferenced=False)

        shapes = ShapeReader(None)

        def take(frame: VideoFrame) -> Prints:
            upright = Shape(turn=shapes(frame).turn)
            return fingerprint(picture(frame, upright, guess_colours=False))

        packets = numbered_packets(container, stream)
        taken = decode_stretch(decoder, packets, 0, max(table.packets), index_of, take)
        damaged = decoder.damaged.union(table.damaged, index_of.keys() - decoder.given)
    for number, small in taken.items():
        prints[index_of[number]] = small
    sure = ~np.isnan(prints[:, 0])
    sure[sorted(hanging_on(table, damaged))] = False
    return Reference(table, prints, sure)


def fingerprint(image: Image) -> Prints:
    """(32·32,) mean grey levels of the image, whatever its size and shape."""
    small = cv2.resize(image, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32).mean(axis=2).reshape(-1)


def judge(workers: Workers, decoder: str, path: str, reference: Reference, limit: float) -> Finding:
    """What one decoder does with a video, given all its frames and a time limit in s."""
    try:
        claimed, seen = workers.call(_compare, decoder, path, reference, timeout_s=limit)
    except VideoError as error:
        reason = f"{error.reason} ({error.detail})" if error.detail else error.reason
        return Finding(decoder, "unreadable", None, (), reason)
    except (TookTooLong, ProcessDied) as error:
        return Finding(decoder, "hung", None, (), f"{HUNG}: {error}")
    verdict, message = _judged(claimed, seen, reference.table.n)
    if verdict == "wrong" and SEVERAL_STREAMS in reference.table.flags:
        message += "; it may read another of the file's video streams"
    return Finding(decoder, verdict, claimed if claimed >= 0 else None, seen, message)


def _compare(decoder: str, path: str, reference: Reference) -> tuple[int, tuple[Seen, ...]]:
    reading = DECODERS[decoder](path, _choose)
    seen = tuple(
        look_up(index, image, reference)
        for index, image in zip(reading.indices, reading.images, strict=True)
    )
    return reading.n, seen


def _choose(n: int) -> Sequence[int]:
    return uniform(n, FRAMES) if n > 0 else ()


def look_up(index: int, image: Image | None, reference: Reference) -> Seen:
    """Which frame of the video this picture is, given that frame ``index`` was asked for.

    Frames that look the same cannot be told apart; the one asked for has the benefit.
    """
    if image is None:
        return Seen(index, None, "nothing")
    inside = index < reference.table.n
    if inside and not reference.sure[index]:
        return Seen(index, None, "untold")
    away = _distances(fingerprint(image), reference)
    best = float(np.nanmin(away))
    near = np.flatnonzero(away <= best * _MARGIN + _FLOOR)
    if best > _UNRELATED:
        turned = (fingerprint(np.rot90(image, k).copy()) for k in (1, 2, 3))
        aside = min(float(np.nanmin(_distances(t, reference))) for t in turned)
        return Seen(index, None, "sideways" if aside <= _UNRELATED else "unrelated")
    if inside and index in near:
        return Seen(index, index, "right")
    return Seen(index, int(near[np.argmin(np.abs(near - index))]), "wrong")


def _distances(small: Prints, reference: Reference) -> Prints:
    return np.abs(reference.prints - small).mean(axis=1)


def _judged(claimed: int, seen: Sequence[Seen], n: int) -> tuple[Verdict, str]:
    count = {o: sum(s.outcome == o for s in seen) for o in _OUTCOMES}
    parts: list[str] = []
    if claimed != n:
        shown = f"{claimed}" if claimed >= 0 else "an impossible number of"
        parts.append(f"counts {shown} frames instead of {n}")
    if not seen:
        return "unreadable", "; ".join(parts) or "gives no frame"
    if count["wrong"]:
        shifts = [s.got - s.index for s in seen if s.outcome == "wrong" and s.got is not None]
        worst = max(shifts, key=abs)
        parts.append(f"{count['wrong']} of {len(seen)} wrong, by up to {worst:+d} frames")
    if count["unrelated"]:
        parts.append(f"{count['unrelated']} of {len(seen)} are no frame of this video stream")
    if count["sideways"]:
        parts.append(f"{count['sideways']} of {len(seen)} not upright")
    if count["nothing"]:
        parts.append(f"{count['nothing']} of {len(seen)} not given")
    if count["untold"]:
        parts.append(f"{count['untold']} of {len(seen)} damaged in the file")
    if count["wrong"] or count["unrelated"] or count["sideways"]:
        return "wrong", "; ".join(parts)
    if count["nothing"] == len(seen):
        return "unreadable", "; ".join(parts)
    if count["nothing"] or count["untold"] or claimed != n:
        return "incomplete", "; ".join(parts)
    return "right", f"{len(seen)} of {len(seen)} right"
