"""Copy packets of files and addresses without decoding: join picture and sound, cut a section.

What yt-dlp hands to the ffmpeg program is done here with PyAV, so that no program is needed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import av
from av.error import FFmpegError

from core.half_made import whole


def join_streams(video: Path, audio: Path, target: Path) -> None:
    """Write the first picture stream of one file and the first sound stream of another into one.

    Raises:
        ValueError: if one of them has no such stream, or the container cannot hold it.
    """
    try:
        with whole(target) as part, av.open(str(video)) as pictures, av.open(str(audio)) as sound:
            if not pictures.streams.video or not sound.streams.audio:
                raise ValueError("there is no picture or no sound to be joined")
            output: Any
            with av.open(str(part), "w", format=_format(target)) as output:
                copies = [
                    (source, stream, output.add_stream_from_template(stream))
                    for source, stream in (
                        (pictures, pictures.streams.video[0]), (sound, sound.streams.audio[0]),
                    )
                ]  # fmt: skip
                for source, stream, copy in copies:
                    for packet in source.demux(stream):
                        if packet.dts is not None:
                            packet.stream = copy
                            output.mux(packet)
    except FFmpegError as error:
        raise ValueError(f"picture and sound could not be joined: {error}") from error


def cut_section(
    source: str,
    start_s: float,
    end_s: float,
    target: Path,
    headers: Mapping[str, str] | None = None,
) -> float:
    """Write a section of a file or address and return where it really starts, s.

    It starts at the key frame before `start_s`, since packets before it cannot be decoded alone.

    Args:
        source: path, or an http address whose server knows ranges.
        start_s: s from the first frame; `end_s` likewise.
        target: the file.
        headers: sent with each request.

    Raises:
        ValueError: if there is no picture, or the section is empty.
    """
    lines = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    options = {"headers": lines} if lines else {}
    try:
        with whole(target) as part, av.open(source, options=options, timeout=60.0) as opened:
            if not opened.streams.video:
                raise ValueError("there is no video stream")
            with av.open(str(part), "w", format=_format(target)) as output:
                first_packet = _copy(opened, output, start_s, end_s)
            if first_packet is None:
                raise ValueError(f"nothing lies between {start_s:g} and {end_s:g} s")
    except FFmpegError as error:
        raise ValueError(f"the section could not be read: {error}") from error
    return first_packet


def _copy(opened: Any, output: Any, start_s: float, end_s: float) -> float | None:
    video = opened.streams.video[0]
    wanted = [video, *opened.streams.audio[:1]]
    origin = float((video.start_time or 0) * video.time_base)
    opened.seek(round((start_s + origin) * av.time_base), backward=True)
    copies = {stream.index: output.add_stream_from_template(stream) for stream in wanted}
    first_packet: float | None = None
    ended: set[int] = set()
    for packet in opened.demux(wanted):
        if packet.dts is None or packet.pts is None:
            continue
        time_s = float(packet.pts * packet.time_base) - origin
        is_video = packet.stream.index == video.index
        if first_packet is None:
            if not (is_video and packet.is_keyframe):
                continue
            first_packet = time_s
        if time_s >= end_s:
            ended.add(packet.stream.index)
            if len(ended) == len(wanted) or (is_video and packet.is_keyframe):
                break
            continue
        if time_s < first_packet:
            continue
        shift = round((first_packet + origin) / packet.time_base)
        packet.pts, packet.dts = packet.pts - shift, packet.dts - shift
        packet.stream = copies[packet.stream.index]
        output.mux(packet)
    return None if first_packet is None else max(0.0, round(first_packet, 6))


def _format(target: Path) -> str:
    return {".webm": "webm", ".mkv": "matroska"}.get(target.suffix, "mp4")
