"""Models fed from mp4 files against the same models alone on ready tensors, in one run.

    python tests/benchmarks/models_gpu.py [--only clip|qwen] [--compile] [--tiny]

Makes its clips and its models itself: random weights of the true architecture, since speed does
not depend on them. Nothing is downloaded.

- CLIP ViT-L/14-336: 16 frames spread over each clip of 4 s (640x360, 30 frames a second, H.264, a
  keyframe every 12 frames), decoded by worker processes, prepared on the GPU, embedded in bf16.
  "plain loop" is transformers as its pages show it: one clip at a time is decoded (by our exact
  reader), goes through the stock processor on the CPU and through the model, in bf16 as well.
- Qwen2-VL-7B: 16 frames of 336x336, a yes/no scored in one pass, against generating 64 tokens one
  clip at a time.

Decoding processes are warm and a first batch has warmed up what compiles on first use; the time
counts from the first job to the last result. A card slows down as it gets warm, so
the model alone is measured before and after, and the mean is taken.
``--tiny`` runs the same with small models on whatever is there, to see that it runs.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from random_models import (
    QUESTION,
    dtype_on,
    make_clips,
    make_qwen,
    per_second,
    save_clip,
    synchronise,
)

from core.decoding.feeding import Batch, Feed, Job, pinned
from core.model import LoadOptions, Request
from core.model_loading import load_model
from core.process.processes import Workers
from core.video.plans import uniform
from core.video.sample import sample_frames
from core.video.table import read_table

FRAMES = 16
FILES = 32
ROWS: list[tuple[str, str, str]] = []


def main() -> None:
    """Runs what was asked for and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("clip", "qwen"))
    parser.add_argument("--compile", action="store_true", help="compile CLIP too")
    parser.add_argument("--tiny", action="store_true", help="small models, few clips")
    given = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    name = torch.cuda.get_device_name() if device.type == "cuda" else "no GPU"
    print(f"{name}, {os.cpu_count()} cores, torch {torch.__version__}, transformers "
          f"{transformers.__version__}", flush=True)  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        if given.only != "qwen":
            clip(Path(folder), device, given.tiny, given.compile)
        if given.only != "clip":
            qwen(Path(folder), device, given.tiny)
    print(f"\n| {name} | | |\n|---|---|---|")
    for row in ROWS:
        print("| " + " | ".join(row) + " |")


def clip(folder: Path, device: torch.device, tiny: bool, compiled: bool) -> None:
    """CLIP: alone, from files, and as a plain loop."""
    files = make_clips(folder / "wide", 640, 360, 4 if tiny else FILES, 24 if tiny else 120)
    save_clip(folder / "clip", device, tiny)
    options = LoadOptions(batch=8 if tiny else 256, compile=compiled)
    model = load_model("image_text", str(folder / "clip"), options)
    side = model.recipe.size[0] if model.recipe.size else model.recipe.crop[0]
    ready = [
        torch.randn(8 if tiny else 256, 3, side, side, device=device).to(dtype_on(device))
        for _ in range(3)
    ]
    blank = [np.zeros((FRAMES, 360, 640, 3), np.uint8)] * (1 if tiny else 32)
    model.embed_images(blank)

    def images(i: int) -> int:
        return len(model.image_vectors(ready[i % 3]))

    before = per_second(images, device, 2 if tiny else 30)
    # The same clip is never twice in a batch; files repeat so that making them stays quick.
    count = 8 if tiny else 2000
    jobs = [Job(i, files[i % len(files)], FRAMES) for i in range(count)]
    fed, steady = through(jobs, 4 if tiny else 32, 640, device, model.embed_images)
    alone = (before + per_second(images, device, 2 if tiny else 30)) / 2
    loop = plain_clip(folder / "clip", files[: 2 if tiny else 24], device)
    ROWS.extend([
        ("CLIP ViT-L/14-336 alone on ready tensors, images/s", f"{alone:.0f}", ""),
        (f"from mp4 files, {count} clips x {FRAMES} frames, images/s", f"{fed * FRAMES:.0f}",
         f"{fed * FRAMES / alone:.0%} of alone"),
        ("the same after the first batch, images/s", f"{steady * FRAMES:.0f}",
         f"{steady * FRAMES / alone:.0%} of alone"),
        ("plain transformers loop, images/s", f"{loop * FRAMES:.0f}",
         f"ours is {fed / loop:.1f} x"),
    ])  # fmt: skip
    if device.type == "cuda":
        torch.cuda.empty_cache()


def plain_clip(folder: Path, files: list[Path], device: torch.device) -> float:
    """Clips a second, one at a time, with the stock processor on the CPU."""
    processor: Any = transformers.AutoImageProcessor.from_pretrained(folder)
    model: Any = transformers.AutoModel.from_pretrained(folder, dtype=dtype_on(device))
    model = model.to(device).eval()

    def one(path: Path) -> None:
        table = read_table(path)
        sampled = sample_frames(path, uniform(table.n, FRAMES), table=table)
        inputs = processor(images=[s.image for s in sampled], return_tensors="pt").to(device)
        with torch.inference_mode():
            out = model.get_image_features(inputs["pixel_values"].to(model.dtype))
        out.pooler_output.cpu()

    one(files[0])
    started = time.perf_counter()
    for path in files:
        one(path)
    return len(files) / (time.perf_counter() - started)


def qwen(folder: Path, device: torch.device, tiny: bool) -> None:
    """Qwen2-VL: alone, from files, and generating one clip at a time."""
    files = make_clips(folder / "square", 336, 336, 4 if tiny else FILES, 24 if tiny else 120)
    model = make_qwen(folder / "qwen", device, tiny)
    together = 2 if tiny else 16
    question = [("yes", "no")]
    table = read_table(files[0])
    frames = np.stack([s.image for s in sample_frames(files[0], uniform(table.n, FRAMES))])
    asked = [Request(QUESTION, frames)] * together
    ready = model.front.collate(asked)
    model.score(asked, question * together)

    def clips(_: int) -> int:
        return len(model.last_logits(ready))

    before = per_second(clips, device, 2 if tiny else 12)
    count = 4 if tiny else 640
    jobs = [Job(i, files[i % len(files)], FRAMES) for i in range(count)]

    def score(stacks: list[Any]) -> None:
        requests = [Request(QUESTION, stack) for stack in stacks]
        rows = model.score(requests, question * len(requests))
        assert all(abs(sum(row) - 1) < 1e-9 for row in rows)

    spent = [0.0]
    collate = model.front.collate

    def timed(requests: list[Request]) -> Any:
        started = time.perf_counter()
        inputs = collate(requests)
        synchronise(device)
        spent[0] += time.perf_counter() - started
        return inputs

    model.front.collate = timed
    fed, steady = through(jobs, together, 336, device, score)
    model.front.collate = collate
    alone = (before + per_second(clips, device, 2 if tiny else 12)) / 2
    print(f"{spent[0]:.2f} s of it preparing {len(jobs)} clips", flush=True)
    single = model.front.collate(asked[:1])

    def write(_: int) -> int:
        with torch.inference_mode():
            model.model.generate(
                **single, max_new_tokens=64, min_new_tokens=64, do_sample=False, pad_token_id=0
            )
        return 1

    writing = per_second(write, device, 1 if tiny else 4)
    ROWS.extend([
        (f"Qwen2-VL-7B alone on ready tensors, {ready['input_ids'].shape[1]} tokens a clip, "
         "clips/s", f"{alone:.2f}", ""),
        (f"yes/no scored from mp4 files, {count} clips x {FRAMES} frames, clips/s", f"{fed:.2f}",
         f"{fed / alone:.0%} of alone"),
        ("the same after the first batch, clips/s", f"{steady:.2f}",
         f"{steady / alone:.0%} of alone"),
        ("generating 64 tokens, one clip at a time, clips/s", f"{writing:.2f}",
         f"ours is {fed / writing:.1f} x"),
    ])  # fmt: skip


def through(
    jobs: list[Job],
    batch: int,
    side: int,
    device: torch.device,
    use: Callable[[list[Any]], Any],
) -> tuple[float, float]:
    """Clips a second from files through the model: all in all, and after the first batch."""
    workers = Workers()
    few = jobs[: 2 * workers.count]
    with Feed(few, workers=workers, longest_side=side, frames=FRAMES) as warming:
        assert sum(isinstance(one, Batch) for one in warming.batches())
    started = time.perf_counter()
    first = came = waited = 0.0
    asked = started
    done = after = 0
    with Feed(jobs, batch=batch, workers=workers, longest_side=side, frames=FRAMES) as fed:
        for item in fed.batches(pinned(device)):
            assert isinstance(item, Batch), item
            waited += time.perf_counter() - asked
            came = came or time.perf_counter()
            use(item.frames)
            asked = time.perf_counter()
            done += len(item.clips)
            if not first:
                first, after = time.perf_counter(), done
        last = time.perf_counter()
    workers.close()
    assert done == len(jobs)
    print(
        f"first batch after {came - started:.2f} s, last result after {last - started:.2f} s, "
        f"of which {waited:.2f} s waiting for frames",
        flush=True,
    )
    return done / (last - started), (done - after) / (last - first)


if __name__ == "__main__":
    sys.exit(main())
