"""Facts about a video file: what it holds and how it is shown."""

import json
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from av.container import InputContainer

from core.video.browser import why_not_playable
from core.video.decode import Decoder, decode_stretch, first_frame
from core.video.geometry import shape_of
from core.video.source import numbered_packets, open_video
from core.video.table import CUT_SHORT, DAMAGED_PACKETS, FrameTable, read_table

_FAMILIES = {"mpegts": "ts", "mpeg": "mpeg", "asf": "wmv", "gif": "gif", "avi": "avi", "flv": "flv"}
_ALIASES = {"libdav1d": "av1", "libaom-av1": "av1", "libvpx": "vp8", "libvpx-vp9": "vp9"}


@dataclass(frozen=True)
class Facts:
    """What is known of a video file; all of it measured, none of it taken from the header alone.

    Attributes:
        container: "mp4", "mov", "webm", "matroska", "avi", "ts", "gif", ... as the content says,
            not the file name.
        codec: "h264", "hevc", "vp9", ...
        pix_fmt: stored pixel format of the first frame, "yuv420p", ...
        width: px as displayed, after rotation and with square pixels.
        height: px as displayed.
        coded_width: px as stored.
        coded_height: px as stored.
        rotation: degrees by which stored frames are turned clockwise to be upright: 0, 90, 180
            or 270.
        sar: width of a stored pixel over its height.
        fps: average rate, frames over duration.
        n_frames: frames that a player shows.
        duration_s: seconds from the first frame to the end of the last.
        start_s: raw time stamp of the first frame.
        variable_rate: whether frames are shown for clearly different times.
        has_audio: whether there is a sound stream.
        audio_codec: its codec, or None.
        header_frames: the frame count that the header claims, None where it claims none.
        decodable: "all", or "part" when reading met damage, a cut file, or a first frame that does
            not decode. Damage inside packets only shows when all of them are decoded.
        browser_playable: whether browsers play the file itself, frame for frame.
        why_not: why they do not, else "".
        notes: what is unusual, in words, such as "no time stamps".
    """

    container: str
    codec: str
    pix_fmt: str
    width: int
    height: int
    coded_width: int
    coded_height: int
    rotation: int
    sar: Fraction
    fps: Fraction
    n_frames: int
    duration_s: float
    start_s: float
    variable_rate: bool
    has_audio: bool
    audio_codec: str | None
    header_frames: int | None
    decodable: Literal["all", "part"]
    browser_playable: bool
    why_not: str
    notes: tuple[str, ...]

    def to_json(self) -> str:
        """The facts as JSON; fractions are written as "30000/1001"."""
        return json.dumps(asdict(self) | {"sar": str(self.sar), "fps": str(self.fps)})

    @classmethod
    def from_json(cls, text: str) -> "Facts":
        """The facts that ``to_json`` wrote."""
        data = json.loads(text)
        data |= {
            "sar": Fraction(data["sar"]),
            "fps": Fraction(data["fps"]),
            "notes": tuple(data["notes"]),
        }
        return cls(**data)


def probe(path: str | Path, *, decode_all: bool = False) -> tuple[Facts, FrameTable]:
    """The facts and the frame table of a video file.

    Reads every packet and decodes the first frame.

    Args:
        path: the video file.
        decode_all: decode every frame, to find damage inside packets; costs a whole decoding.

    Raises:
        VideoError: with the reason, if the file cannot be used.
    """
    table = read_table(path)
    if decode_all and (damaged_now := damaged_packets(path, table)):
        flags = dict.fromkeys((*table.flags, DAMAGED_PACKETS))
        table = replace(table, flags=tuple(flags), damaged=damaged_now)
    with open_video(path) as (container, stream):
        frame = first_frame(path)
        codec = stream.codec_context.name
        codec = _ALIASES.get(codec, codec)
        family = _family(container, Path(path))
        shape = shape_of(frame, stream.sample_aspect_ratio)
        width, height = shape.shown(frame.width, frame.height)
        audio = container.streams.audio[0] if container.streams.audio else None
        audio_codec = _audio_codec(container)
        start_s = (container.start_time or 0) / 1e6
        why_not = why_not_playable(family, codec, frame.format.name, audio_codec, start_s, table)
        claimed = stream.frames
        rate = stream.average_rate
    damaged = {CUT_SHORT, DAMAGED_PACKETS} & set(table.flags) or frame.pts != table.packets[0]
    return (
        Facts(
            container=family,
            codec=codec,
            pix_fmt=frame.format.name,
            width=width,
            height=height,
            coded_width=frame.width,
            coded_height=frame.height,
            rotation=shape.rotation,
            sar=shape.sar,
            fps=average_rate(table, rate),
            n_frames=table.n,
            duration_s=table.duration_s,
            start_s=table.start_s,
            variable_rate=is_variable(table),
            has_audio=audio is not None,
            audio_codec=audio_codec,
            header_frames=claimed if 0 < claimed <= 100 * table.n else None,
            decodable="part" if damaged else "all",
            browser_playable=not why_not,
            why_not=why_not,
            notes=table.flags,
        ),
        table,
    )


def damaged_packets(path: str | Path, table: FrameTable) -> tuple[int, ...]:
    """Numbers of the packets that reading or decoding everything finds damaged, sorted."""
    with open_video(path) as (container, stream):
        decoder = Decoder(stream, skip_unreferenced=False)
        packets = numbered_packets(container, stream)
        decode_stretch(decoder, packets, 0, max(table.packets), (), lambda _: None)
    lost = set(table.packets) - decoder.given
    return tuple(sorted(decoder.damaged.union(table.damaged, lost)))


def _family(container: InputContainer, path: Path) -> str:
    name = container.format.name
    if name.startswith("mov,"):
        return "mov" if container.metadata.get("major_brand", "").startswith("qt") else "mp4"
    if name.startswith("matroska"):
        with path.open("rb") as file:
            return "webm" if b"webm" in file.read(64) else "matroska"
    return _FAMILIES.get(name, name.split(",")[0])


def _audio_codec(container: InputContainer) -> str | None:
    if not container.streams.audio:
        return None
    context = getattr(container.streams.audio[0], "codec_context", None)
    name = context.name if context else "unknown"
    return {"mp3float": "mp3", "libopus": "opus"}.get(name, name)


def average_rate(table: FrameTable, claimed: Fraction | None) -> Fraction:
    """Frames a second over the whole video.

    The container's own rate is taken when it agrees with the table within 0.2 %, since it is exact
    where time stamps are rounded (30000/1001 in Matroska, which counts milliseconds).
    """
    measured = table.n / ((table.end - table.pts[0]) * table.time_base)
    if claimed and abs(claimed / measured - 1) < Fraction(1, 500):
        return Fraction(claimed)
    return measured.limit_denominator(1001)


def is_variable(table: FrameTable) -> bool:
    """Whether gaps between frames differ by more than a tenth of the usual gap and 2 ms."""
    gaps = sorted(b - a for a, b in zip(table.times, table.times[1:], strict=False))
    return bool(gaps) and gaps[-1] - gaps[0] > gaps[len(gaps) // 2] / 10 + 0.002
