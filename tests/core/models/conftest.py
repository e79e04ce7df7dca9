"""Tiny models of the true architectures with random weights, saved as folders."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = (
    "A B C D yes no Yes No what happens in the video a man kicks ball cat sleeps on sofa "
    "Answer with one letter . , ? : ! ( ) system user assistant Frame from of 0 1 2 3 4 5 6 7 8 9"
)


@pytest.fixture(scope="session")
def save_tokenizer() -> Callable[..., Any]:
    """A function that makes a byte-level tokenizer with the special tokens given, and saves it."""
    pytest.importorskip("torch")
    transformers: Any = pytest.importorskip("transformers")

    def save(folder: Path, special: tuple[str, ...] = (), **more: Any) -> Any:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

        plain = Tokenizer(models.BPE())
        plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        plain.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=["<pad>", "<end>", *special],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        plain.train_from_iterator([WORDS] * 3, trainer)
        tokenizer = transformers.PreTrainedTokenizerFast(
            tokenizer_object=plain, pad_token="<pad>", eos_token="<end>", **more
        )
        tokenizer.add_special_tokens({"additional_special_tokens": list(special)})
        tokenizer.save_pretrained(folder)
        return tokenizer

    return save


@pytest.fixture(scope="session")
def pictures() -> list[Any]:
    """Three pictures of odd sizes, uint8 RGB."""
    random = np.random.default_rng(7)
    shapes = [(90, 161, 3), (170, 97, 3), (64, 64, 3)]
    return [random.integers(0, 256, shape, np.uint8) for shape in shapes]


TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'video' %}VIDEO{% elif part['type'] == 'image' %}IMAGE"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CHAT = ("<|im_start|>", "<|im_end|>")
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
}


def hf() -> Any:
    import transformers

    return transformers


def template(video: str, image: str) -> str:
    return TEMPLATE.replace("VIDEO", video).replace("IMAGE", image)


def save_qwen(folder: Path, save_tokenizer: Callable[..., Any], newer: bool = False) -> None:
    special = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>", *CHAT)
    tokenizer = save_tokenizer(folder, special)
    tokenizer.chat_template = template(
        "<|vision_start|><|video_pad|><|vision_end|>", "<|vision_start|><|image_pad|><|vision_end|>"
    )
    tokenizer.save_pretrained(folder)
    ids = dict(zip(special, tokenizer.convert_tokens_to_ids(list(special)), strict=True))
    rope = {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 1e4}
    text = TEXT | {"vocab_size": len(tokenizer), "rope_parameters": rope, "eos_token_id": 1}
    vision: dict[str, Any] = {"depth": 2, "num_heads": 4, "patch_size": 14}
    if newer:
        config = hf().Qwen2_5_VLConfig(
            text_config=text,
            vision_config=vision
            | {
                "hidden_size": 32,
                "intermediate_size": 48,
                "out_hidden_size": 32,
                "window_size": 56,
            },
            video_token_id=ids["<|video_pad|>"],
            image_token_id=ids["<|image_pad|>"],
        )
        hf().Qwen2_5_VLForConditionalGeneration(config).save_pretrained(folder)
    else:
        config = hf().Qwen2VLConfig(
            text_config=text,
            vision_config=vision | {"embed_dim": 32, "hidden_size": 32, "mlp_ratio": 2},
            video_token_id=ids["<|video_pad|>"],
            image_token_id=ids["<|image_pad|>"],
        )
        hf().Qwen2VLForConditionalGeneration(config).save_pretrained(folder)
    hf().Qwen2VLImageProcessor(
        size={"shortest_edge": 56 * 56, "longest_edge": 112 * 112}
    ).save_pretrained(folder)


def save_qwen25(folder: Path, save_tokenizer: Callable[..., Any]) -> None:
    save_qwen(folder, save_tokenizer, newer=True)


def save_internvl(folder: Path, save_tokenizer: Callable[..., Any]) -> None:
    special = ("<img>", "</img>", "<IMG_CONTEXT>", "<video>", *CHAT)
    tokenizer = save_tokenizer(folder, special)
    tokenizer.chat_template = template("<video>\n", "<IMG_CONTEXT>\n")
    tokenizer.save_pretrained(folder)
    config = hf().InternVLConfig(
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "image_size": [56, 56],
            "patch_size": [14, 14],
        },
        text_config=TEXT | {"model_type": "qwen2", "vocab_size": len(tokenizer)},
        image_token_id=tokenizer.convert_tokens_to_ids("<IMG_CONTEXT>"),
        downsample_ratio=0.5,
    )
    hf().InternVLForConditionalGeneration(config).save_pretrained(folder)
    hf().GotOcr2ImageProcessor(size={"height": 56, "width": 56}).save_pretrained(folder)


def save_onevision(folder: Path, save_tokenizer: Callable[..., Any]) -> None:
    tokenizer = save_tokenizer(folder, ("<image>", "<video>", *CHAT))
    tokenizer.chat_template = template("<video>\n", "<image>\n")
    tokenizer.save_pretrained(folder)
    config = hf().LlavaOnevisionConfig(
        vision_config={
            "model_type": "siglip_vision_model",
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_hidden_layers": 3,
            "num_attention_heads": 4,
            "image_size": 70,
            "patch_size": 14,
            "vision_use_head": False,
        },
        text_config=TEXT | {"model_type": "qwen2", "vocab_size": len(tokenizer)},
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        video_token_id=tokenizer.convert_tokens_to_ids("<video>"),
        image_grid_pinpoints=[[70, 70]],
    )
    hf().LlavaOnevisionForConditionalGeneration(config).save_pretrained(folder)
    hf().LlavaOnevisionImageProcessor(
        size={"height": 70, "width": 70}, image_grid_pinpoints=[[70, 70]]
    ).save_pretrained(folder)


def save_smolvlm(folder: Path, save_tokenizer: Callable[..., Any]) -> None:
    special = ("<image>", "<video>", "<fake_token_around_image>", "<global-img>")
    tokenizer = save_tokenizer(folder, (*special, "<end_of_utterance>", *CHAT))
    config = hf().SmolVLMConfig(
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "image_size": 56,
            "patch_size": 14,
        },
        text_config=TEXT | {"model_type": "llama", "vocab_size": len(tokenizer), "pad_token_id": 0},
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        pad_token_id=0,
    )
    hf().SmolVLMForConditionalGeneration(config).save_pretrained(folder)
    hf().SmolVLMImageProcessor(
        size={"longest_edge": 112}, max_image_size={"longest_edge": 56}
    ).save_pretrained(folder)


SAVED: dict[str, Callable[..., None]] = {
    "qwen2_vl": save_qwen,
    "qwen2_5_vl": save_qwen25,
    "internvl": save_internvl,
    "llava_onevision": save_onevision,
    "smolvlm": save_smolvlm,
}


@pytest.fixture(scope="session")
def save_family(save_tokenizer: Callable[..., Any]) -> Callable[[str, Path], Path]:
    """A function that saves a tiny chat model of a family into a folder."""
    torch: Any = pytest.importorskip("torch")

    def save(family: str, folder: Path) -> Path:
        torch.manual_seed(3)
        SAVED[family](folder, save_tokenizer)
        return folder

    return save
