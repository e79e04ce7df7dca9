"""Frames by index as other people's code reads them: decord's get_batch, OpenCV's seeking.

Neither is trusted: they run in processes that can be killed, and what they return is compared
with the frame table.
"""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np

from core.video.errors import VideoError
from core.video.geometry import Image

Choose = Callable[[int], Sequence[int]]

_MOST_FRAMES = 10**8
# decord begins its messages with the time and the line of C++ they come from.
_SOURCE_LINE = re.compile(r"\[\d\d:\d\d:\d\d\] \S+: ")


@dataclass(frozen=True)
class Reading:
    """What a decoder said and gave.

    Attributes:
        n: the number of frames it claims; may be wrong, even negative.
        indices: the frames that were asked for.
        images: RGB (H, W, 3) uint8 for each of them, or None.
        times: when each is shown by its account, in s, or () if it does not say.
    """

    n: int
    indices: tuple[int, ...]
    images: tuple[Image | None, ...]
    times: tuple[float, ...] = ()


def read_decord(path: str | Path, choose: Choose) -> Reading:
    """Frames as ``decord.VideoReader(path).get_batch`` gives them.

    Args:
        path: the video file.
        choose: the indices to read, given the number of frames that decord claims.

    Raises:
        VideoError: if decord is not installed or refuses the file.
    """
    try:
        library: Any = import_module("decord")
    except ImportError:
        raise VideoError("decord is not installed", "it has no build for this machine") from None
    library.logging.set_level(library.logging.QUIET)
    try:
        reader: Any = library.VideoReader(str(Path(path).absolute()), num_threads=1)
        n = len(reader)
        indices = tuple(choose(n))
        batch = cast(np.ndarray[Any, np.dtype[np.uint8]], reader.get_batch(list(indices)).asnumpy())
        times = tuple(float(t[0]) for t in reader.get_frame_timestamp(list(indices)))
        del reader
    except Exception as error:
        message = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise VideoError("cannot be read", _SOURCE_LINE.sub("", message)[:120]) from None
    return Reading(n, indices, tuple(batch), times)


def read_opencv(path: str | Path, choose: Choose) -> Reading:
    """Frames as OpenCV gives them after setting ``CAP_PROP_POS_FRAMES``; arguments as above."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    import cv2

    capture = cv2.VideoCapture(str(Path(path).absolute()), cv2.CAP_FFMPEG)
    try:
        if not capture.isOpened():
            raise VideoError("cannot be read", "OpenCV does not open the file")
        claimed = capture.get(cv2.CAP_PROP_FRAME_COUNT)
        n = int(claimed) if abs(claimed) < _MOST_FRAMES else -1
        indices = tuple(choose(n))
        images: list[Image | None] = []
        for index in indices:
            capture.set(cv2.CAP_PROP_POS_FRAMES, index)
            read, frame = capture.read()
            rgb = cv2.cvtColor(frame, cv2.COLOR_BGR2RGB) if read else None
            images.append(None if rgb is None else np.asarray(rgb, np.uint8))
    finally:
        capture.release()
    return Reading(n, indices, tuple(images))
