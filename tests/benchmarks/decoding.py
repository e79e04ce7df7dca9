"""CPU time for 16 uniform frames at 448 px, side by side in one run.

    python tests/benchmarks/decoding.py [VIDEO ...] [--repeats 5]

Without videos it makes its own: moving texture with noise, encoded by the encoders in PyAV. Every
reader runs in a process of its own and reports the CPU time of all its threads around opening,
decoding and scaling; imports are not counted. The readers take turns and the least of the repeats
is shown: what a busy machine adds is nobody's own.

Columns: "new" reads the frame table too, as at a first meeting; "kept" has it, as after import.
"limit" decodes the needed runs of packets without those that nothing refers to, and converts
nothing. The other columns are other readers, with their time over that of "new" in brackets; a
reader that gives another number of frames or fails has no time.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from pebble import ProcessPool

from core.video.decode import Decoder, decode_stretch
from core.video.plans import uniform
from core.video.pyav import add_video, mux, usual_priority
from core.video.pyav import encode as pyav_encode
from core.video.readers import read_decord, read_opencv
from core.video.runs import needed_runs
from core.video.sample import sample_frames
from core.video.source import numbered_packets, open_video
from core.video.table import FrameTable, read_table

SIDE = 448
FRAMES = 16


def rushes_new(path: str, _: FrameTable) -> int:
    table = read_table(path)
    return len(sample_frames(path, uniform(table.n, FRAMES), longest_side=SIDE, table=table))


def rushes_kept(path: str, table: FrameTable) -> int:
    return len(sample_frames(path, uniform(table.n, FRAMES), longest_side=SIDE, table=table))


def limit(path: str, table: FrameTable) -> int:
    found = 0
    with open_video(path) as (container, stream):
        decoder = Decoder(stream)
        packets = numbered_packets(container, stream)
        for run in needed_runs(table, uniform(table.n, FRAMES)):
            taken = decode_stretch(
                decoder, packets, run.start, run.stop, run.frames, lambda frame: frame.pts
            )
            found += len(taken)
    return found


def decord(path: str, table: FrameTable) -> int:
    import decord as library

    with open_video(path) as (_, stream):
        scale = min(1.0, SIDE / max(stream.width, stream.height))
        size = {"width": round(stream.width * scale), "height": round(stream.height * scale)}
    reader = library.VideoReader(path, **size)
    return len(reader.get_batch(list(uniform(len(reader), FRAMES))).asnumpy())


def decord_full_size(path: str, _: FrameTable) -> int:
    images = read_decord(path, lambda n: uniform(n, FRAMES)).images
    return sum(_small(image) for image in images)


def opencv_seek(path: str, _: FrameTable) -> int:
    images = read_opencv(path, lambda n: uniform(n, FRAMES)).images
    return sum(_small(image) for image in images)


def opencv_in_order(path: str, table: FrameTable) -> int:
    import cv2

    wanted = set(uniform(table.n, FRAMES))
    capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
    found = index = 0
    while capture.grab():
        if index in wanted:
            done, frame = capture.retrieve()
            found += _small(frame) if done else 0
        index += 1
    return found


def pyav_naive(path: str, table: FrameTable) -> int:
    wanted = set(uniform(table.n, FRAMES))
    with av.open(path) as container:
        images = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
        return sum(_small(image) for i, image in enumerate(images) if i in wanted)


def _small(image: np.ndarray | None) -> int:
    import cv2

    if image is None:
        return 0
    scale = min(1.0, SIDE / max(image.shape[:2]))
    cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return 1


READERS: dict[str, Callable[[str, FrameTable], int]] = {
    "new": rushes_new,
    "kept": rushes_kept,
    "limit": limit,
    "decord": decord,
    "decord full size": decord_full_size,
    "OpenCV seek": opencv_seek,
    "OpenCV in order": opencv_in_order,
    "PyAV naive": pyav_naive,
}


def timed(job: tuple[str, str]) -> float | None:
    """CPU seconds of one reader on one video, None if it fails or lacks frames."""
    reader, path = job
    table = FrameTable.from_json(Path(path + ".table").read_text())
    before = time.process_time()
    try:
        found = READERS[reader](path, table)
    except Exception:
        return None
    spent = time.process_time() - before
    return spent if found == min(FRAMES, table.n) else None


def texture(n: int, width: int, height: int) -> Iterator[np.ndarray]:
    """A drifting, turning texture with a little noise, n images (H, W, 3)."""
    import cv2

    random = np.random.default_rng(7)
    y, x = np.mgrid[0 : height // 4, 0 : width // 4].astype(np.float32) / (height // 4)
    noise = random.integers(0, 12, (8, height, width, 3), np.uint8)
    for i in range(n):
        t = i / 40
        waves = [
            np.sin(14 * (x * np.cos(t / 3) + y * np.sin(t / 3)) + 3 * t),
            np.sin(17 * (x * np.sin(t / 2) - y * np.cos(t / 2)) - 2 * t),
            np.sin(25 * np.hypot(x - 0.8 - 0.3 * np.sin(t), y - 0.5) - 5 * t),
        ]
        small = (np.stack(waves, axis=2) * 90 + 128).astype(np.uint8)
        yield cv2.add(
            cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), noise[i % 8]
        )


def encode(path: Path, codec: str, size: tuple[int, int], n: int, **options: str) -> Path:
    times = _times(n, variable="vfr" in path.name)
    with usual_priority(), av.open(str(path), "w") as out:
        stream = add_video(out, codec, Fraction(30), options)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        base = Fraction(1, 1200) if "vfr" in path.name else Fraction(1, 30)
        stream.codec_context.time_base = base
        for image, pts in zip(texture(n, *size), times, strict=True):
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            frame.pts, frame.time_base = pts, base
            mux(out, pyav_encode(stream, frame))
        mux(out, pyav_encode(stream, None))
    return path


def _times(n: int, variable: bool) -> list[int]:
    """Every frame, or 24 a second in the first half and 60 in the second, in 1/1200 s."""
    if not variable:
        return list(range(n))
    return [50 * min(i, n // 2) + 20 * max(0, i - n // 2) for i in range(n)]


def make_clips(folder: Path) -> list[Path]:
    hd, sd = (1280, 720), (640, 360)
    # Three B-frames after each P-frame, of which one is referred to.
    b_frames = {"preset": "veryfast", "bf": "3", "b_strategy": "0", "sc_threshold": "0"}
    quick = {"deadline": "realtime", "cpu-used": "8"}
    hevc = {"preset": "ultrafast", "x265-params": "log-level=none:bframes=3:b-adapt=0"}
    return [
        encode(folder / "h264_g12_720p.mp4", "libx264", hd, 240, g="12", **b_frames),
        encode(folder / "h264_g48_360p.mp4", "libx264", sd, 240, g="48", **b_frames),
        encode(folder / "h264_g250_720p.mp4", "libx264", hd, 300, g="250", **b_frames),
        encode(folder / "h264_vfr_720p.mkv", "libx264", hd, 240, g="48", **b_frames),
        encode(folder / "hevc_720p.mp4", "libx265", hd, 150, **hevc),
        encode(folder / "mpeg4_480p.avi", "mpeg4", (854, 480), 240, bf="2", g="12", b="4M"),
        encode(folder / "vp9_360p.webm", "libvpx-vp9", sd, 150, **quick),
        encode(folder / "av1_360p.mp4", "libsvtav1", sd, 150, preset="10"),
    ]


def measure(pool: ProcessPool, path: Path, repeats: int) -> dict[str, float | None]:
    """Least CPU seconds by reader."""
    Path(f"{path}.table").write_text(read_table(path).to_json())
    spent: dict[str, list[float | None]] = {name: [] for name in READERS}
    for _ in range(repeats):
        for reader in READERS:
            try:
                took = pool.schedule(timed, args=[(reader, str(path))], timeout=120).result()
            except Exception:
                took = None
            spent[reader].append(took)
    return {
        reader: None if None in took else min(t for t in took if t is not None)
        for reader, took in spent.items()
    }


def row(name: str, took: dict[str, float | None]) -> str:
    new = took["new"] or float("nan")
    cells = [f"{name:<26}"]
    for reader, seconds in took.items():
        if seconds is None:
            cells.append(f"{'-':>17}")
        elif reader in ("new", "kept"):
            cells.append(f"{seconds * 1000:>10.0f} ms")
        elif reader == "limit":
            over = (took["kept"] or float("nan")) / seconds
            cells.append(f"{seconds * 1000:>8.0f} ms ({over:.2f})")
        else:
            cells.append(f"{seconds * 1000:>8.0f} ms ({seconds / new:.2f})")
    return " ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("videos", nargs="*", type=Path)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.environ["SVT_LOG"] = "0"
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, ProcessPool(1, context=context) as pool:
        work = Path(folder)
        if arguments.videos:
            clips = [work / f"{i}{v.suffix}" for i, v in enumerate(arguments.videos)]
            for clip, video in zip(clips, arguments.videos, strict=True):
                clip.write_bytes(video.read_bytes())
            names = [v.name for v in arguments.videos]
        else:
            clips = make_clips(work)
            names = [c.name for c in clips]
        print("Least CPU time; after 'limit' stands kept/limit, after other readers their time/new")
        heads = (f"{reader:>{13 if reader in ('new', 'kept') else 17}}" for reader in READERS)
        print(f"{'':<26} " + " ".join(heads))
        for clip, name in zip(clips, names, strict=True):
            print(row(name, measure(pool, clip, arguments.repeats)))


if __name__ == "__main__":
    main()
