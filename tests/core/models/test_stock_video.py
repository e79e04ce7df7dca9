"""What the families make of a video, against their stock processors, which need torchvision.

The Python part of torchvision is enough (``pip install --no-deps``, of any release near torch's):
nothing here calls its compiled operators.
"""

import json
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.model import LoadOptions, Request
from core.model_loading import load_model

torch: Any = pytest.importorskip("torch")
transformers: Any = pytest.importorskip("transformers")


def declare_operators() -> Any:
    """Declare two operators that torchvision's Python part names and that another torch lacks."""
    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in ("nms", "qnms"):
        if not hasattr(torch.ops.torchvision, name):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library


if find_spec("torchvision") is None:
    pytest.skip("torchvision is not installed", allow_module_level=True)
try:
    import torchvision  # noqa: F401 # pyright: ignore
except RuntimeError:
    OPERATORS = declare_operators()
TORCHVISION = tuple(int(part) for part in version("torchvision").split("+")[0].split(".")[:2])

SETTINGS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "qwen2_vl": (
        "Qwen2VLProcessor",
        "Qwen2VLVideoProcessor",
        {"size": {"shortest_edge": 56 * 56, "longest_edge": 112 * 112}},
    ),
    "qwen2_5_vl": (
        "Qwen2_5_VLProcessor",
        "Qwen2VLVideoProcessor",
        {"size": {"shortest_edge": 56 * 56, "longest_edge": 112 * 112}},
    ),
    "internvl": (
        "InternVLProcessor",
        "InternVLVideoProcessor",
        {"size": {"height": 56, "width": 56}},
    ),
    "llava_onevision": (
        "LlavaOnevisionProcessor",
        "LlavaOnevisionVideoProcessor",
        {"size": {"height": 70, "width": 70}},
    ),
    "smolvlm": (
        "SmolVLMProcessor",
        "SmolVLMVideoProcessor",
        {"size": {"longest_edge": 112}, "max_image_size": {"longest_edge": 56}},
    ),
}
MORE: dict[str, dict[str, Any]] = {
    "internvl": {"image_seq_length": 4},
    "llava_onevision": {"num_image_tokens": 25, "vision_feature_select_strategy": "full"},
    "smolvlm": {"image_seq_len": 4},
}
NAMES = {
    "start_image_token": "<img>",
    "end_image_token": "</img>",
    "context_image_token": "<IMG_CONTEXT>",
    "video_token": "<video>",
}


@pytest.mark.parametrize("family", list(SETTINGS))
@pytest.mark.parametrize(("height", "width"), [(60, 100), (100, 60), (56, 56)])
def test_tokens_and_pixels_are_those_of_the_stock_processor(
    family: str,
    height: int,
    width: int,
    tmp_path: Path,
    save_family: Callable[[str, Path], Path],
):
    if family == "smolvlm":
        pytest.importorskip("num2words")
        if TORCHVISION < (0, 27):
            pytest.skip("before 0.27 the stock processor takes bicubic where it names Lanczos")
    folder = save_family(family, tmp_path)
    name, video, settings = SETTINGS[family]
    getattr(transformers, video)(**settings).save_pretrained(folder)
    model = load_model("chat", str(folder), LoadOptions(device="cpu"))
    if family == "internvl":
        for attribute, token in NAMES.items():
            setattr(model.front.tokenizer, attribute, token)
            ids = model.front.tokenizer.convert_tokens_to_ids(token)
            setattr(model.front.tokenizer, f"{attribute}_id", ids)
    processor = getattr(transformers, name)(
        tokenizer=model.front.tokenizer,
        image_processor=transformers.AutoImageProcessor.from_pretrained(folder),
        video_processor=getattr(transformers, video)(**settings),
        **MORE.get(family, {}),
    )
    random = np.random.default_rng(5)
    coarse = random.integers(0, 256, (4, height // 4 + 1, width // 4 + 1, 3), np.uint8)
    frames = coarse.repeat(4, 1).repeat(4, 2)[:, :height, :width].copy()
    asked = Request("A man kicks a ball?", frames, times=(0.0, 1.0, 2.0, 3.0))
    content = [{"type": "video"}, {"type": "text", "text": asked.text}]
    template = model.front.template or model.front.tokenizer.chat_template
    text = model.front.tokenizer.apply_chat_template(
        [{"role": "user", "content": content}],
        chat_template=template,
        tokenize=False,
        add_generation_prompt=True,
    )
    metadata = {"total_num_frames": 4, "fps": 1.0, "duration": 3.0, "frames_indices": [0, 1, 2, 3]}
    wanted = processor(
        text=[text],
        videos=[torch.from_numpy(frames).permute(0, 3, 1, 2)],
        video_metadata=[metadata],
        do_sample_frames=False,
        return_tensors="pt",
    )
    got = model.front.collate([asked])
    assert got["input_ids"].tolist() == wanted["input_ids"].tolist(), json.dumps(text)
    for key in ("pixel_values", "pixel_values_videos"):
        if key in wanted:
            levels = (got[key] - wanted[key].reshape(got[key].shape)).abs() * 255 * 0.27
            assert float(levels.mean()) < 0.25, key
            assert float(levels.max()) < 6, key
    if "video_grid_thw" in wanted:
        assert got["video_grid_thw"].tolist() == wanted["video_grid_thw"].tolist()
    if "second_per_grid_ts" in wanted:
        assert got["second_per_grid_ts"].tolist() == pytest.approx(
            [float(s) for s in wanted["second_per_grid_ts"]]
        )
