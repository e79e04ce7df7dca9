"""Whisper tiny.en as a folder of transformers, out of the weights inside an installed package.

The package holds them for CTranslate2, as 16-bit floats, so nothing is lost on the way.
"""

import json
import struct
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray

TYPES = (np.float32, np.int8, np.int16, np.int32, np.float16)
LAYERS, SIZE, HEADS = 4, 384, 6
ENDS, START, STAMPS = 50256, 50257, 50362


def save_whisper(source: Path, folder: Path) -> None:
    """Writes the folder.

    Args:
        source: with model.bin, tokenizer.json and config.json.
        folder: made new.
    """
    weights = variables(source / "model.bin")
    known = json.loads((source / "config.json").read_text(encoding="utf-8"))
    config = transformers.WhisperConfig(
        vocab_size=len(weights["decoder/embeddings/weight"]),
        d_model=SIZE,
        encoder_layers=LAYERS,
        decoder_layers=LAYERS,
        encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS,
        encoder_ffn_dim=4 * SIZE,
        decoder_ffn_dim=4 * SIZE,
        bos_token_id=ENDS,
        eos_token_id=ENDS,
        pad_token_id=ENDS,
        decoder_start_token_id=START,
    )
    model: Any = transformers.WhisperForConditionalGeneration(config)
    lacking, unknown = model.load_state_dict(named(weights), strict=False)
    assert (lacking, unknown) == (["proj_out.weight"], [])  # tied to the embeddings
    model.tie_weights()
    model.generation_config = transformers.GenerationConfig(
        begin_suppress_tokens=known["suppress_ids_begin"],
        suppress_tokens=known["suppress_ids"],
        no_timestamps_token_id=STAMPS,
        is_multilingual=False,
        max_length=448,
        max_initial_timestamp_index=50,
        bos_token_id=ENDS,
        eos_token_id=ENDS,
        pad_token_id=ENDS,
        decoder_start_token_id=START,
        prev_sot_token_id=50360,
    )
    model.save_pretrained(folder)
    transformers.WhisperFeatureExtractor(feature_size=80).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(source / "tokenizer.json"),
        eos_token="<|endoftext|>",
        pad_token="<|endoftext|>",
    ).save_pretrained(folder)


def variables(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a CTranslate2 model by name."""
    data, at = path.read_bytes(), 0

    def number(kind: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from(f"<{kind}", data, at)
        at += struct.calcsize(f"<{kind}")
        return value

    def text() -> str:
        nonlocal at
        length = number("H")
        at += length
        return data[at - length : at - 1].decode()

    for read in (partial(number, "I"), text, partial(number, "I")):  # version, kind, revision
        read()
    found: dict[str, NDArray[Any]] = {}
    for _ in range(number("I")):
        name = text()
        shape = [number("I") for _ in range(number("B"))]
        dtype, size = np.dtype(TYPES[number("B")]), number("I")
        found[name] = np.frombuffer(data, dtype, size // dtype.itemsize, at).reshape(shape)
        at += size
    return found


def named(weights: dict[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    """The same under the names of transformers; fused projections are taken apart."""
    found: dict[str, NDArray[Any]] = {}
    for side in ("encoder", "decoder"):
        to = f"model.{side}."
        found[f"{to}embed_positions.weight"] = weights[f"{side}/position_encodings/encodings"]
        _norm(found, weights, f"{side}/layer_norm", f"{to}layer_norm")
        for layer in range(LAYERS):
            old, new = f"{side}/layer_{layer}", f"{to}layers.{layer}"
            own = f"{old}/self_attention"
            _fused(found, weights, f"{own}/linear_0", f"{new}.self_attn", "qkv")
            _linear(found, weights, f"{own}/linear_1", f"{new}.self_attn.out_proj")
            _norm(found, weights, f"{own}/layer_norm", f"{new}.self_attn_layer_norm")
            if side == "decoder":
                other = f"{old}/attention"
                _fused(found, weights, f"{other}/linear_0", f"{new}.encoder_attn", "q")
                _fused(found, weights, f"{other}/linear_1", f"{new}.encoder_attn", "kv")
                _linear(found, weights, f"{other}/linear_2", f"{new}.encoder_attn.out_proj")
                _norm(found, weights, f"{other}/layer_norm", f"{new}.encoder_attn_layer_norm")
            _linear(found, weights, f"{old}/ffn/linear_0", f"{new}.fc1")
            _linear(found, weights, f"{old}/ffn/linear_1", f"{new}.fc2")
            _norm(found, weights, f"{old}/ffn/layer_norm", f"{new}.final_layer_norm")
    for number in (1, 2):
        _linear(found, weights, f"encoder/conv{number}", f"model.encoder.conv{number}")
    found["model.decoder.embed_tokens.weight"] = weights["decoder/embeddings/weight"]
    return {name: torch.from_numpy(one.astype(np.float32)) for name, one in found.items()}


def _linear(
    found: dict[str, NDArray[Any]], weights: dict[str, NDArray[Any]], old: str, new: str
) -> None:
    found[f"{new}.weight"], found[f"{new}.bias"] = weights[f"{old}/weight"], weights[f"{old}/bias"]


def _norm(
    found: dict[str, NDArray[Any]], weights: dict[str, NDArray[Any]], old: str, new: str
) -> None:
    found[f"{new}.weight"], found[f"{new}.bias"] = weights[f"{old}/gamma"], weights[f"{old}/beta"]


def _fused(
    found: dict[str, NDArray[Any]], weights: dict[str, NDArray[Any]], old: str, new: str, parts: str
) -> None:
    for place, part in enumerate(parts):
        rows = slice(place * SIZE, (place + 1) * SIZE)
        found[f"{new}.{part}_proj.weight"] = weights[f"{old}/weight"][rows]
        # Keys have no bias in Whisper.
        if part != "k":
            found[f"{new}.{part}_proj.bias"] = weights[f"{old}/bias"][rows]
