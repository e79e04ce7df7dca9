"""PyAV calls whose stubs are loose, with their types said."""

from collections.abc import Sequence
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
