"""The order in which frames are shown, for containers that do not say."""

from pathlib import Path

from core.video.decode import Decoder
from core.video.pyav import filtered
from core.video.source import numbered_packets, open_video, unpacker

# Each packet is one picture, shown at once.
_IN_ORDER = {
    "mjpeg", "rawvideo", "ffv1", "huffyuv", "ffvhuff", "utvideo", "dvvideo", "png", "cinepak",
    "msmpeg4v1", "msmpeg4v2", "msmpeg4", "wmv1", "wmv2", "h263", "flv1", "svq1", "indeo5",
}  # fmt: skip
_VOP = b"\x00\x00\x01\xb6"
_B_VOP = 2
_PERHAPS_EMPTY = 20


def shown_order(path: str | Path) -> list[int]:
    """Packet numbers in the order in which their frames are shown.

    Read from the packets where the codec makes that plain, else by decoding everything.
    """
    with open_video(path) as (container, stream):
        codec = stream.codec_context.name
        if codec in _IN_ORDER:
            return [number for number, _ in numbered_packets(container, stream)]
    return (_mpeg4_order(path) if codec == "mpeg4" else None) or decoded_order(path)


def _mpeg4_order(path: str | Path) -> list[int] | None:
    """The order by picture types, None where a packet may hold no picture.

    A B-picture is shown before the picture that was decoded ahead of it (ISO/IEC 14496-2, 6.1.3.8).
    """
    order: list[int] = []
    held: int | None = None
    with open_video(path) as (container, stream):
        unpacked = unpacker(stream)
        for number, packet in numbered_packets(container, stream):
            for part in filtered(unpacked, packet) if unpacked else (packet,):
                data = bytes(part)
                at = data.find(_VOP)
                if at < 0 and len(data) < len(_VOP):
                    continue
                if at < 0 or at + 4 >= len(data) or len(data) <= _PERHAPS_EMPTY:
                    return None
                if data[at + 4] >> 6 == _B_VOP:
                    order.append(number)
                else:
                    order += [] if held is None else [held]
                    held = number
    order += [] if held is None else [held]
    return order if len(set(order)) == len(order) else None


def decoded_order(path: str | Path) -> list[int]:
    """Packet numbers in the order in which the decoder shows their frames.

    A packet that should have given a frame and did not stands where its place in the file is.
    """
    order: list[int] = []
    lost: set[int] = set()
    with open_video(path) as (container, stream):
        codec = stream.codec_context
        decoder = Decoder(stream, skip_unreferenced=False)
        for number, packet in numbered_packets(container, stream):
            # MPEG-4 fills its count with packets of a few bytes; of two fields one has the frame.
            if codec.field_order <= 1 and packet.size > _PERHAPS_EMPTY:
                lost.add(number)
            order += [f.pts for f in decoder.feed(number, packet, True) if f.pts is not None]
        order += [f.pts for f in decoder.finish() if f.pts is not None]
    order = list(dict.fromkeys(order))
    if order:
        for number in sorted(lost - set(order)):
            order.insert(sum(shown < number for shown in order), number)
    return order
