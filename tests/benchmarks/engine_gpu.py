"""`rushes run` on a GPU, and on several, against the model alone on ready tensors.

    python tests/benchmarks/engine_gpu.py [--only clip|qwen] [--devices 1 2] [--clips N]
        [--compiled] [--tiny]

The whole way that a user goes: a workspace with a screening task, the command line in a process of
its own, models loaded from a folder, mp4 files decoded by worker processes, answers stored. The
clips and models are those of `models_gpu.py` (16 frames of each clip). Similarity to a text by
CLIP ViT-L/14-336; the verdict of Qwen2-VL-7B on the task's criteria, scored by the first word.
The model alone is measured before and after on the inputs that the annotator made for a batch, and
the mean is taken; for several GPUs it is multiplied. With ``--compiled`` the model alone is
compiled, and the run compiles by itself where that pays (20,000 clips are enough). The rate counts
from the first loaded model to the last stored answer.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from footage import screening_task
from random_models import dtype_on, make_clips, per_second, save_clip, save_qwen

from annotations.annotator import ModelInput, annotator
from annotations.engine import engine_items
from annotations.record.item import items_of_task
from annotations.run import run_plan
from annotations.workspace import Workspace
from core.model import LoadOptions
from core.model_loading import load_model
from core.video.sample import sample_frames

FILES = 32
CLIP_SETTINGS: dict[str, Any] = {"text": "a person in a room", "frames": 16, "longest_side": 640}
# At a threshold of 0 nothing is turned down, so that the reason is not asked for, too.
QWEN_SETTINGS: dict[str, Any] = {
    "answer": "score", "frames_per_s": 4.0, "longest_side": 336, "threshold": 0,
}  # fmt: skip
ROWS: list[tuple[str, str, str]] = []


def main() -> None:
    """Runs what was asked for and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("clip", "qwen"))
    parser.add_argument("--devices", type=int, nargs="+", default=[1], help="how many GPUs")
    parser.add_argument("--clips", type=int, default=2000, help="for CLIP; Qwen gets a quarter")
    parser.add_argument("--compiled", action="store_true", help="compare with compiled CLIP")
    parser.add_argument("--tiny", action="store_true", help="small models, few clips")
    given = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    name = torch.cuda.get_device_name() if device.type == "cuda" else "no GPU"
    print(f"{name}, {os.cpu_count()} cores, torch {torch.__version__}, transformers "
          f"{transformers.__version__}", flush=True)  # fmt: skip
    count = 16 if given.tiny else given.clips
    with tempfile.TemporaryDirectory() as folder:
        if given.only != "qwen":
            save_clip(Path(folder) / "clip", device, given.tiny)
            measured(Path(folder), "clip", count, given.devices, device, given.tiny, given.compiled)
        if given.only != "clip":
            save_qwen(Path(folder) / "qwen", device, given.tiny)
            measured(Path(folder), "qwen", count // 4, given.devices, device, given.tiny)
    print(f"\n| {name} | | |\n|---|---|---|")
    for row in ROWS:
        print("| " + " | ".join(row) + " |")


def measured(
    scratch: Path, what: str, count: int, devices: list[int], device: torch.device, tiny: bool,
    compiled: bool = False,
) -> None:  # fmt: skip
    """One annotator: its model alone, and the command line on so many GPUs."""
    is_clip = what == "clip"
    wide = (640, 360) if is_clip else (336, 336)
    files = make_clips(scratch / f"{what} files", *wide, 4 if tiny else FILES, 120)
    name = "clip_similarity" if is_clip else "vlm_screening"
    settings = CLIP_SETTINGS if is_clip else QWEN_SETTINGS
    folder = scratch / what
    alone = alone_on_clip if is_clip else alone_on_qwen
    rates: list[tuple[int, dict[str, Any]]] = []
    before = alone(scratch, folder, files, device, compiled)
    for number, places in enumerate(devices):
        workspace = Workspace.create(scratch / f"{what} workspace {number}")
        screening_task(workspace, files, count)
        workspace.close()
        rates.append((places, command(workspace.root, name, folder, settings, places, device)))
    free = (before + alone(scratch, folder, files, device, compiled)) / 2
    title = "CLIP ViT-L/14-336" if is_clip else "Qwen2-VL-7B"
    ROWS.append((f"{title} alone on ready tensors, clips/s", f"{free:.2f}", ""))
    for places, said in rates:
        rate = said["new"] / (said["seconds"] - said["load_s"])
        ROWS.append((
            f"`rushes run {name}`, {places} GPU, {said['new']} clips, clips/s", f"{rate:.2f}",
            f"{rate / free / places:.0%} of alone; loaded in {said['load_s']:.1f} s",
        ))  # fmt: skip


def command(
    root: Path, name: str, folder: Path, settings: dict[str, Any], places: int,
    device: torch.device,
) -> dict[str, Any]:  # fmt: skip
    """What `rushes run --json` prints at its end."""
    where = [f"cuda:{n}" for n in range(places)] if device.type == "cuda" else ["cpu"]
    pairs = [f"{key}={json.dumps(one)}" for key, one in settings.items()]
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from ui.cli import main; sys.exit(main())",
         "run", name, "--workspace", str(root), "--task", "Footage", "--model", str(folder),
         *[part for one in where for part in ("--device", one)],
         *[part for pair in pairs for part in ("--set", pair)], "--json"],
        stdout=subprocess.PIPE, check=False, text=True,
    )  # fmt: skip
    said: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    print(json.dumps(said), flush=True)
    assert (said["status"], said["errors"]) == ("finished", {}), said
    return said


def alone_on_clip(
    scratch: Path, folder: Path, files: list[Path], device: torch.device, compiled: bool
) -> float:
    """Clips a second of CLIP on pixel values that are ready."""
    del scratch, files
    model = load_model("image_text", str(folder), LoadOptions(compile=compiled))
    side = model.recipe.size[0] if model.recipe.size else model.recipe.crop[0]
    batch = 256 if device.type == "cuda" else 8
    ready = [
        torch.randn(batch, 3, side, side, device=device).to(dtype_on(device)) for _ in range(3)
    ]
    found = per_second(lambda i: len(model.image_vectors(ready[i % 3])), device, batch // 8)
    return _freed(found / CLIP_SETTINGS["frames"])


def alone_on_qwen(
    scratch: Path, folder: Path, files: list[Path], device: torch.device, compiled: bool
) -> float:
    """Clips a second of Qwen2-VL on the inputs that the annotator makes of a batch."""
    del compiled
    workspace = Workspace.create(scratch / f"qwen alone {len(list(scratch.iterdir()))}")
    task_id = screening_task(workspace, files[:1], 1)
    run_id = run_plan.plan_run(
        workspace, "vlm_screening", str(folder), task_id=task_id, settings=QWEN_SETTINGS
    )
    run = engine_items.planned_run(workspace, run_id)
    setup = run_plan.setup_of(run.method, run.facts)
    module = annotator("vlm_screening")
    with workspace.store.single() as database:
        [item] = items_of_task(database, task_id)
    ask = module.ask(workspace, run.task, item, "seed", setup)
    need = ask.need
    assert need is not None
    assert len(need.frames) == CLIP_SETTINGS["frames"]
    sampled = sample_frames(need.path, need.frames, longest_side=need.longest_side)
    frames = np.stack([one.image for one in sampled if one.image is not None])
    given = ModelInput(ask, frames, tuple(one.time_s for one in sampled))
    model: Any = load_model("chat", str(folder), LoadOptions())
    inputs = captured(model, lambda: module.annotate(module.prepare(model, setup), [given] * 16))
    workspace.close()
    tokens = inputs["input_ids"].shape
    print(f"{tokens[0]} clips of {tokens[1]} tokens", flush=True)
    times = 12 if device.type == "cuda" else 2
    return _freed(per_second(lambda _: len(model.last_logits(inputs)), device, times))


def captured(model: Any, work: Callable[[], object]) -> dict[str, Any]:
    """What goes into the model while something is done with it; the first batch of it."""
    seen: list[dict[str, Any]] = []
    own = model.last_logits

    def looking(inputs: dict[str, Any]) -> Any:
        seen.append(inputs)
        return own(inputs)

    model.last_logits = looking
    work()
    model.last_logits = own
    return seen[0]


def _freed(rate: float) -> float:
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return rate


if __name__ == "__main__":
    main()
