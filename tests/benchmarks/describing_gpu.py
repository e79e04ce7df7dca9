"""Descriptions of frames and replies of a language model on a GPU, beside the models alone.

    python tests/benchmarks/describing_gpu.py [--only frames|texts] [--videos N] [--tiny]

`frames`: `rushes run frame_description` by Qwen2-VL-7B of random weights, eight frames a video and
180 tokens a frame, against the same model on the inputs of its first batch, at that batch's size.
`texts`: replies of 60 tokens to texts of about 400 by a model of Mistral-7B's shape, as many at
once as the free memory allows.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
import transformers
from engine_gpu import command
from footage import screening_task
from random_models import dtype_on, make_clips, save_qwen, synchronise, tokenizer

from annotations.workspace import Workspace
from core.model import LoadOptions, Request
from core.model_loading import load_model

FRAMES, WRITTEN, REPLY = 8, 180, 60
MISTRAL_7B: dict[str, Any] = {
    "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "max_position_embeddings": 32768,
}  # fmt: skip
SMALL: dict[str, Any] = {
    "vocab_size": 4100, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2,
}  # fmt: skip


def main() -> None:
    """Run what was asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("frames", "texts"))
    parser.add_argument("--videos", type=int, default=96)
    parser.add_argument("--tiny", action="store_true", help="small models, few videos")
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    card = torch.cuda.get_device_name() if device.type == "cuda" else "no GPU"
    print(f"{card}, {os.cpu_count()} cores, torch {torch.__version__}, transformers "
          f"{transformers.__version__}", flush=True)  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        if arguments.only != "texts":
            videos = 4 if arguments.tiny else arguments.videos
            frames_described(Path(folder), videos, device, arguments.tiny)
        if arguments.only != "frames":
            texts_answered(Path(folder), device, arguments.tiny)


def frames_described(scratch: Path, videos: int, device: torch.device, tiny: bool) -> None:
    """The command line against the model alone, in frames a second."""
    files = make_clips(scratch / "files", 336, 336, 2 if tiny else 16, 120)
    save_qwen(scratch / "qwen", device, tiny)
    written = 8 if tiny else WRITTEN
    workspace = Workspace.create(scratch / "workspace")
    screening_task(workspace, files, videos)
    workspace.close()
    settings = {"frames": FRAMES, "longest_side": 336, "max_tokens": written}
    report = command(workspace.root, "frame_description", scratch / "qwen", settings, 1, device)
    whole = report["new"] * FRAMES / (report["seconds"] - report["load_s"])
    alone, size = frames_alone(scratch / "qwen", written, device)
    print(
        f"rushes run frame_description: {whole:.2f} frames/s, alone at batch {size}: {alone:.2f} "
        f"frames/s: {whole / alone:.0%}",
        flush=True,
    )


def frames_alone(folder: Path, written: int, device: torch.device) -> tuple[float, int]:
    """Frames a second of the model on inputs that are ready, and how many there are at once."""
    import numpy as np

    model: Any = load_model("chat", str(folder), LoadOptions())
    random = np.random.default_rng(0)
    pictures = random.integers(0, 256, (256, 336, 336, 3), np.uint8)
    requests = [Request("Say what is in this picture.", one[None]) for one in pictures]
    lengths = {number: model.front.length(one) + written for number, one in enumerate(requests)}
    keys = dict.fromkeys(lengths, True)
    part = model._part(list(lengths), lengths, keys)
    inputs = model.front.collate([requests[number] for number in part])
    model._written(inputs, 2)
    synchronise(device)
    began = time.perf_counter()
    model._written(inputs, written)
    synchronise(device)
    return len(part) / (time.perf_counter() - began), len(part)


def texts_answered(scratch: Path, device: torch.device, tiny: bool) -> None:
    """Replies a second of a language model, batches by free memory."""
    folder = scratch / "mistral"
    folder.mkdir()
    tokenizer(folder)
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype_on(device))
    with device:
        made = transformers.MistralForCausalLM(
            transformers.MistralConfig(**(SMALL if tiny else MISTRAL_7B))
        )
    torch.set_default_dtype(before)
    made.save_pretrained(folder)
    del made
    if device.type == "cuda":
        torch.cuda.empty_cache()
    model: Any = load_model("text", str(folder), LoadOptions())
    words = "a person stands beside a table and looks at the window "
    requests = [Request(f"{number} {words * 36}"[:1200]) for number in range(8 if tiny else 1024)]
    tokens = model.front.length(requests[0])
    model.generate(requests[:2], 2)
    synchronise(device)
    began = time.perf_counter()
    replies = model.generate(requests, REPLY)
    synchronise(device)
    seconds = time.perf_counter() - began
    at_once = min(512, model.tokens // (tokens + REPLY))
    print(
        f"{len(replies)} replies of at most {REPLY} tokens to {tokens} tokens, {at_once} at once: "
        f"{len(replies) / seconds:.1f} replies/s",
        flush=True,
    )


if __name__ == "__main__":
    main()
