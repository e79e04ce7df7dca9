"""PyAV calls whose stubs are loose, with their types said."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias, cast

from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.bitstream import BitStreamFilterContext
from av.container import OutputContainer
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

VideoPacket: TypeAlias = "Packet[VideoStream]"


def decode(context: VideoCodecContext, packet: "VideoPacket | None") -> list[VideoFrame]:
    """Frames that came out on this packet; None empties the decoder."""
    return cast(Any, context).decode(packet)


def filtered(bitstream: BitStreamFilterContext, packet: VideoPacket) -> list[VideoPacket]:
    """Packets that a bitstream filter made of this one."""
    return cast(Any, bitstream).filter(packet)


def add_video(
    container: OutputContainer, codec: str, rate: Fraction, options: dict[str, str]
) -> VideoStream:
    """A new video stream of the output."""
    return cast(Any, container).add_stream(codec, rate=rate, options=options)


def add_audio(container: OutputContainer, codec: str, rate: int) -> AudioStream:
    """A new audio stream of the output."""
    return cast(Any, container).add_stream(codec, rate=rate)


def encode(
    stream: VideoStream | AudioStream, frame: VideoFrame | AudioFrame | None
) -> Sequence["Packet[Any]"]:
    """Packets that came out on this frame; None empties the encoder."""
    return cast(Any, stream).encode(frame)


def mux(container: OutputContainer, packets: Sequence["Packet[Any]"]) -> None:
    """Writes the packets to the output."""
    cast(Any, container).mux(packets)


@contextmanager
def usual_priority() -> Generator[None]:
    """Leaves the calling thread scheduled as it was before.

    SVT-AV1, opened by root, makes its caller real-time for good. Every process started from then
    on inherits that, and one that is busy lets nothing else on its processor run.
    """
    if not hasattr(os, "sched_getscheduler"):
        yield
        return
    scheduling = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        yield
    finally:
        os.sched_setscheduler(0, *scheduling)
