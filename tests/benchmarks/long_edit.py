"""Memory and time of a long clip that is edited: reversed unless another edit is named.

python tests/benchmarks/long_edit.py [MINUTES] [EDIT]

Without more words: 10 minutes of 1080p at 30 frames/s, reversed.

The clip is made first, with sound, in a process of its own, and kept in the folder of temporary
files, so that it is made once. Frames are checked: each tells its number, and the first, the last
and a hundred between have to be the right ones.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path

import av
import numpy as np

from core.editing.recipe import make_recipe, source_timeline, timeline_of
from core.editing.write_edit import SourceVideo, write_edit
from core.video.probe import probe
from core.video.sample import sample_frames

WIDE, HIGH, RATE = 1920, 1080, 30
BITS, BLOCK = 15, 96
USUAL = {"speed": {"factor": "2"}, "rotate": {"degrees": 90},
         "crop": {"x": 0, "y": 0, "width": 1280, "height": 720}}  # fmt: skip


def pictures(count: int) -> Iterator[np.ndarray]:
    """Noise that drifts, with the frame's number as a row of black and white blocks."""
    ground = np.random.default_rng(0).integers(60, 190, (HIGH, WIDE + 256), dtype=np.uint8)
    for index in range(count):
        drift = index % 256
        picture = np.repeat(ground[:, drift : drift + WIDE, None], 3, axis=2)
        for bit in range(BITS):
            left = 100 + bit * (BLOCK + 8)
            picture[500 : 500 + BLOCK, left : left + BLOCK] = 255 * (index >> bit & 1)
        yield picture


def number_in(picture: np.ndarray) -> int:
    """The number that a picture tells."""
    middles = [100 + bit * (BLOCK + 8) + BLOCK // 2 for bit in range(BITS)]
    return sum(
        int(picture[530:560, at - 10 : at + 10].mean() > 127) << bit
        for bit, at in enumerate(middles)
    )


def make_clip(target: Path, count: int) -> None:
    """An H.264 clip with keyframes each 250 frames, B-frames and a tone."""
    part = target.with_name(f"part.{target.name}")
    with av.open(str(part), "w") as out:
        video = out.add_stream("libx264", rate=RATE, options={
            "preset": "ultrafast", "crf": "30", "g": "250", "bf": "2",
        })  # fmt: skip
        video.width, video.height, video.pix_fmt = WIDE, HIGH, "yuv420p"
        video.codec_context.thread_count = 2
        sound = out.add_stream("aac", rate=48000)
        for index, picture in enumerate(pictures(count)):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = index, Fraction(1, RATE)
            out.mux(video.encode(frame))
            phase = (np.arange(1600) + index * 1600) * (2 * np.pi * 440 / 48000)
            tone = np.repeat(np.sin(phase, dtype=np.float32)[None] * 0.3, 2, 0)
            heard = av.AudioFrame.from_ndarray(tone, format="fltp", layout="stereo")
            heard.sample_rate, heard.pts, heard.time_base = 48000, index * 1600, Fraction(1, 48000)
            out.mux(sound.encode(heard))
        out.mux(video.encode(None))
        out.mux(sound.encode(None))
    part.rename(target)


def edit_clip(source: Path, target: Path, name: str) -> dict[str, float]:
    """Edit in this process: peak memory in MB before and after, s and CPU s."""
    facts, table = probe(source)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    started, cpu = time.monotonic(), time.process_time()
    timeline = timeline_of(
        make_recipe([(name, USUAL.get(name, {}))]), [source_timeline(0, table, facts)]
    )
    write_edit([SourceVideo(source, table)], timeline, target)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"before": before, "peak": peak, "seconds": time.monotonic() - started,
            "cpu": time.process_time() - cpu}  # fmt: skip


def wrong_frames(target: Path, count: int) -> list[int]:
    """Which of about a hundred frames of a reversed clip are not the right ones."""
    wanted = sorted({0, 1, count - 2, count - 1, *range(0, count, max(1, count // 100))})
    return [
        frame.index
        for frame in sample_frames(target, wanted)
        if frame.image is None or number_in(frame.image) != count - 1 - frame.index
    ]


def main(minutes: float, name: str) -> None:
    """Make the clip, edit it in a fresh process, check it and print what it took."""
    count = round(minutes * 60 * RATE)
    folder = Path(tempfile.gettempdir()) / "rushes-long-edit"
    folder.mkdir(exist_ok=True)
    source, target = folder / f"{count}.mp4", folder / f"{count}-{name}.mp4"
    fresh = get_context("spawn")
    if not source.exists():
        with fresh.Pool(1) as pool:
            pool.apply(make_clip, (source, count))
    with fresh.Pool(1) as pool:
        took = pool.apply(edit_clip, (source, target, name))
    print(
        f"{name} of {minutes:g} min, {count:,} frames of {WIDE} × {HIGH},"
        f" {source.stat().st_size / 1e6:,.0f} MB: peak {took['peak']:,.0f} MB"
        f" ({took['before']:,.0f} MB before), {took['seconds']:,.0f} s, {took['cpu']:,.0f} s of CPU"
    )
    if name == "reverse":
        wrong = wrong_frames(target, count)
        print("every frame looked at is the right one" if not wrong else f"WRONG: {wrong}")
    target.unlink()


if __name__ == "__main__":
    main(
        float(sys.argv[1]) if len(sys.argv) > 1 else 10.0,
        sys.argv[2] if len(sys.argv) > 2 else "reverse",
    )
