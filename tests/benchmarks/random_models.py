"""Clips and models for the benchmarks on a GPU: made on the spot, nothing is downloaded.

The models have random weights of the true architecture, since speed does not depend on them.
"""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from core.model import LoadOptions
from core.models._chatting import Asked
from core.models._families import Qwen
from core.video.encode import write_video

ASSETS = Path(__file__).parents[2] / "assets"
QUESTION = "Is there a person in this video? Answer yes or no."
VISION = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% if m['content'] is string %}"
    "{{ m['content'] }}{% else %}{% for p in m['content'] %}{% if p['type'] == 'video' %}"
    "<|vision_start|><|video_pad|><|vision_end|>{% else %}{{ p['text'] }}{% endif %}{% endfor %}"
    "{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)
CLIP_L_336: dict[str, Any] = {
    "projection_dim": 768,
    "text_config": {
        "vocab_size": 49408,
        "hidden_size": 768,
        "intermediate_size": 3072,
        "projection_dim": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "max_position_embeddings": 77,
    },
    "vision_config": {
        "hidden_size": 1024,
        "intermediate_size": 4096,
        "projection_dim": 768,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "image_size": 336,
        "patch_size": 14,
    },
}
QWEN2_VL_7B: dict[str, Any] = {
    "text_config": {
        "vocab_size": 152064,
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_hidden_layers": 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "max_position_embeddings": 32768,
        "rms_norm_eps": 1e-6,
        "rope_parameters": {
            "rope_type": "default",
            "mrope_section": [16, 24, 24],
            "rope_theta": 1e6,
        },
    },
    "vision_config": {
        "depth": 32,
        "embed_dim": 1280,
        "hidden_size": 3584,
        "num_heads": 16,
        "mlp_ratio": 4,
        "patch_size": 14,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
    },
}


def per_second(work: Callable[[int], int], device: torch.device, times: int) -> float:
    """How much work is done a second, all of it finished."""
    with torch.inference_mode():
        for i in range(3):
            work(i)
    synchronise(device)
    started = time.perf_counter()
    with torch.inference_mode():
        done = sum(work(i) for i in range(times))
    synchronise(device)
    return done / (time.perf_counter() - started)


def synchronise(device: torch.device) -> None:
    """Waits until the device has done everything."""
    if device.type == "cuda":
        torch.cuda.synchronize()


def dtype_on(device: torch.device) -> torch.dtype:
    """The number type that the app uses there."""
    return torch.bfloat16 if device.type == "cuda" else torch.float32


def make_clips(folder: Path, width: int, height: int, count: int, frames: int) -> list[Path]:
    """Clips of moving texture with noise."""
    folder.mkdir()

    def make(number: int) -> Path:
        return write_video(
            folder / f"{number}.mp4", texture(number, width, height, frames), Fraction(30)
        )

    with ThreadPoolExecutor() as pool:
        paths = list(pool.map(make, range(count)))
    size = sum(path.stat().st_size for path in paths) / count / frames * 30 * 8 / 1e6
    print(f"{count} clips of {width}x{height}, {frames} frames, {size:.1f} Mbit/s", flush=True)
    return paths


def texture(seed: int, width: int, height: int, frames: int) -> Iterator[Any]:
    """A camera that pans over blurred noise, with grain."""
    random = np.random.default_rng(seed)
    coarse = random.integers(0, 256, (30, 40, 3)).astype(np.float32)
    wide = np.kron(coarse, np.ones((40, 40, 1), np.float32))
    for axis in (0, 1):
        wide = sum(np.roll(wide, s, axis) for s in range(-12, 13, 4)) / 7
    grain = random.normal(0, 4, (height + 64, width + 64, 3)).astype(np.float32)
    for i in range(frames):
        top, left = 2 * i, 3 * i
        picture = wide[top : top + height, left : left + width]
        y, x = random.integers(0, 64, 2)
        yield (picture + grain[y : y + height, x : x + width]).clip(0, 255).astype(np.uint8)


def save_clip(folder: Path, device: torch.device, tiny: bool) -> None:
    """A CLIP of random weights in a folder."""
    settings: dict[str, Any] = json.loads(json.dumps(CLIP_L_336))
    if tiny:
        for part in ("text_config", "vision_config"):
            settings[part] |= {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2}
            settings[part] |= {"num_attention_heads": 4}
    with device:
        model = transformers.CLIPModel(transformers.CLIPConfig(**settings))
    model.to(dtype_on(device)).save_pretrained(folder)
    side = settings["vision_config"]["image_size"]
    transformers.CLIPImageProcessor(
        size={"shortest_edge": side}, crop_size={"height": side, "width": side}
    ).save_pretrained(folder)
    tokenizer(folder)


def make_qwen(folder: Path, device: torch.device, tiny: bool) -> Any:
    """A Qwen2-VL of random weights, in memory; its folder has everything but the weights."""
    folder.mkdir()
    known = tokenizer(folder)
    settings: dict[str, Any] = json.loads(json.dumps(QWEN2_VL_7B))
    if tiny:
        settings["text_config"] |= {"hidden_size": 64, "intermediate_size": 64, "vocab_size": 4096}
        settings["text_config"] |= {"num_hidden_layers": 2, "num_attention_heads": 4}
        settings["text_config"]["rope_parameters"]["mrope_section"] = [2, 3, 3]
        settings["vision_config"] |= {"depth": 2, "embed_dim": 64, "hidden_size": 64}
        settings["vision_config"] |= {"num_heads": 4}
    config = transformers.Qwen2VLConfig(
        **settings,
        image_token_id=known.convert_tokens_to_ids(VISION[2]),
        video_token_id=known.convert_tokens_to_ids(VISION[3]),
    )
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype_on(device))
    with device:
        model = transformers.Qwen2VLForConditionalGeneration(config).eval()
    torch.set_default_dtype(before)
    transformers.Qwen2VLImageProcessor(
        size={"shortest_edge": 56 * 56, "longest_edge": 768 * 28 * 28}
    ).save_pretrained(folder)
    return Asked("Qwen2-VL-7B, random", model, Qwen(folder, model), LoadOptions())


def save_qwen(folder: Path, device: torch.device, tiny: bool) -> None:
    """A Qwen2-VL of random weights in a folder, 15 GB of them."""
    made = make_qwen(folder, device, tiny)
    made.model.save_pretrained(folder)


def tokenizer(folder: Path) -> Any:
    """A tokenizer with the special tokens of Qwen2-VL that knows the words of our prompts."""
    plain = Tokenizer(models.BPE())
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = decoders.ByteLevel()
    special = ["<pad>", "<end>", *VISION, "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=4000,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    asked = [*sorted(ASSETS.glob("prompts/*.txt")), *sorted(ASSETS.glob("reasons/*"))]
    words = [path.read_text(encoding="utf-8") for path in asked]
    plain.train_from_iterator([QUESTION + " yes no Yes No", *words] * 3, trainer)
    known = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", eos_token="<end>"
    )
    known.add_special_tokens({"additional_special_tokens": special[2:]})
    known.chat_template = TEMPLATE
    known.save_pretrained(folder)
    return known
