"""CLIP-like models: the same vectors as by the stock road, with preparation on the model's side."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.model import ItemError, LoadOptions, ModelError
from core.model_loading import load_model

pytest.importorskip("torch")
transformers: Any = pytest.importorskip("transformers")


def save_clip(folder: Path, save_tokenizer: Callable[..., Any]) -> Path:
    tokenizer = save_tokenizer(folder)
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "intermediate_size": 37,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 20,
        "eos_token_id": 1,
        "pad_token_id": 0,
    }
    vision = {
        "hidden_size": 32,
        "intermediate_size": 37,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "image_size": 56,
        "patch_size": 14,
    }
    config = transformers.CLIPConfig(text_config=text, vision_config=vision, projection_dim=24)
    transformers.CLIPModel(config).save_pretrained(folder)
    transformers.CLIPImageProcessor(
        size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56}
    ).save_pretrained(folder)
    return folder


def save_siglip(folder: Path, save_tokenizer: Callable[..., Any]) -> Path:
    tokenizer = save_tokenizer(folder)
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "intermediate_size": 37,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 16,
    }
    vision = {
        "hidden_size": 32,
        "intermediate_size": 37,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "image_size": 64,
        "patch_size": 16,
    }
    config = transformers.SiglipConfig(text_config=text, vision_config=vision)
    transformers.SiglipModel(config).save_pretrained(folder)
    transformers.SiglipImageProcessor(size={"height": 64, "width": 64}).save_pretrained(folder)
    return folder


SAVED = {"clip": save_clip, "siglip": save_siglip}


@pytest.fixture(scope="module", params=list(SAVED))
def folder(
    request: Any, tmp_path_factory: pytest.TempPathFactory, save_tokenizer: Callable[..., Any]
) -> Path:
    return SAVED[request.param](tmp_path_factory.mktemp(request.param), save_tokenizer)


def test_pixels_are_those_of_the_stock_processor(folder: Path, pictures: list[Any]):
    import torch

    model = load_model("image_text", str(folder))
    stock = transformers.AutoImageProcessor.from_pretrained(folder)
    for picture in pictures:
        wanted = stock(images=[picture], return_tensors="pt")["pixel_values"]
        got = model.ready(torch.from_numpy(picture)[None])
        # In levels of 255. A sum that falls on a half may round the other way, hardly ever.
        std = torch.tensor(model.recipe.std).view(3, 1, 1)
        levels = (got - wanted).abs() * 255 * std
        assert got.shape == wanted.shape
        assert float(levels.max()) < 1.05
        assert float((levels > 0.5).float().mean()) < 0.001


def test_vectors_are_those_of_the_stock_road_whatever_the_batch(folder: Path, pictures: list[Any]):
    import torch

    model = load_model("image_text", str(folder), LoadOptions(batch=2))
    stock = transformers.AutoImageProcessor.from_pretrained(folder)
    plain = transformers.AutoModel.from_pretrained(folder).eval()
    mixed = [np.stack([pictures[0]] * 3), pictures[1], pictures[2]]
    flat = [pictures[0]] * 3 + pictures[1:]
    with torch.inference_mode():
        out = plain.get_image_features(stock(images=flat, return_tensors="pt")["pixel_values"])
        wanted = torch.nn.functional.normalize(out.pooler_output, dim=-1).numpy()
    got = model.embed_images(mixed)
    assert got.dtype == np.float32
    assert np.allclose(np.linalg.norm(got, axis=1), 1, atol=1e-5)
    assert np.abs(got - wanted).max() < 0.01
    assert model.embed_texts(["a cat", "a man kicks a ball"]).shape == (2, got.shape[1])


def test_a_compiled_model_meets_one_size_only_and_gives_the_same_vectors(
    folder: Path, pictures: list[Any], monkeypatch: pytest.MonkeyPatch
):
    import torch

    model = load_model("image_text", str(folder))
    whole = model.embed_images([pictures[2]] * 5)
    sizes: list[int] = []
    eager = model._model.vision_model

    class Compiled(torch.nn.Module):
        def forward(self, pixel_values: Any, **settings: Any) -> Any:
            sizes.append(len(pixel_values))
            return eager(pixel_values, **settings)

    monkeypatch.setattr(torch, "compile", lambda _, dynamic: Compiled())
    model.compile()
    while not model._compiled_for:
        time.sleep(0.01)
    assert sizes == [5]  # blank pictures, to compile by
    sizes.clear()
    for count in (3, 5, 1):
        assert np.allclose(model.embed_images([pictures[2]] * count), whole[:count], atol=1e-5)
    assert sizes == [5, 5, 5]
    model.embed_images([pictures[2]] * 7)
    assert sizes[3:] == [7]


def test_a_model_that_cannot_be_compiled_goes_on_as_it_is(
    folder: Path, pictures: list[Any], monkeypatch: pytest.MonkeyPatch, caplog: Any
):
    import torch

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("no compiler here")

    model = load_model("image_text", str(folder))
    whole = model.embed_images([pictures[2]] * 2)
    monkeypatch.setattr(torch, "compile", broken)
    model.compile()
    [thread] = [one for one in threading.enumerate() if one.name == "compiling"] or [None]
    if thread:
        thread.join()
    assert "goes on as it is" in caplog.text
    assert np.allclose(model.embed_images([pictures[2]] * 2), whole, atol=1e-5)


def test_a_full_memory_halves_the_batch(folder: Path, pictures: list[Any]):
    import torch

    model = load_model("image_text", str(folder), LoadOptions(batch=8))
    whole = model.embed_images([pictures[2]] * 5)
    seen: list[int] = []
    real = model.image_vectors

    def narrow(pixels: Any) -> Any:
        seen.append(len(pixels))
        if len(pixels) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")
        return real(pixels)

    model.image_vectors = narrow
    assert np.allclose(model.embed_images([pictures[2]] * 5), whole, atol=1e-5)
    # 5 do not fit, nor do 3; 2 + 2 + 1 do.
    assert seen == [5, 3, 2, 2, 1]


def test_one_picture_that_does_not_fit_says_so(folder: Path, pictures: list[Any]):
    import torch

    model = load_model("image_text", str(folder))

    def full(pixels: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    model.image_vectors = full
    with pytest.raises(ItemError, match="out of memory"):
        model.embed_images([pictures[0]])


def test_nothing_gives_nothing(folder: Path):
    model = load_model("image_text", str(folder))
    assert model.embed_images([]).shape[0] == 0


def test_other_numbers_than_bytes_are_refused(folder: Path):
    model = load_model("image_text", str(folder))
    with pytest.raises(ValueError, match="uint8"):
        model.embed_images(np.zeros((2, 8, 8, 3), np.float32))


def test_a_clip_model_cannot_chat(folder: Path):
    with pytest.raises(ModelError, match="cannot serve as 'chat'"):
        load_model("chat", str(folder))
