"""Models with pictures and texts in one space: CLIP, SigLIP and what is built like them."""

import logging
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from core import device
from core.model import ItemError, Kind, LoadOptions, ModelError, Pictures, Source, Vectors
from core.model_sources import first_line
from core.models import _pixels
from core.models._pixels import Recipe

logger = logging.getLogger(__name__)

TITLE = "CLIP, SigLIP and alike (transformers)"
KINDS: tuple[Kind, ...] = ("image_text",)

_TYPES = {"clip", "siglip", "siglip2", "altclip", "chinese_clip", "align", "metaclip_2"}
_PLAIN = ("CLIPImageProcessor", "SiglipImageProcessor", "ViTImageProcessor", "BitImageProcessor")
_BATCH = {"cuda": 256, "cpu": 16}
# Of CLIP ViT-L/14-336 in bf16: 982 and 1,224 pictures a second on an H100, 1,034 and 1,259 on an
# H200; loading, compiling and 35 batches took 24 s together there.
COMPILED_SAVES, COMPILE_S = 0.18, 20.0
_FULL_LENGTH = ("siglip", "siglip2")


def likeness(kind: Kind, source: Source) -> int:
    """3 for the families that transformers keeps as CLIP-like."""
    return 3 if kind == "image_text" and source.model_type in _TYPES else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> "ClipLike":
    """The model."""
    return ClipLike(source, options)


class ClipLike:
    """A transformers model with ``get_image_features`` and ``get_text_features``."""

    is_stand_in = False
    stand_in_words = ""

    def __init__(self, source: Source, options: LoadOptions):
        """Loads the model.

        Raises:
            ModelError: if its folder lacks something.
        """
        hf = device.transformers()
        self.name = source.name
        self._device = self.torch_device = device.device_of(options)
        self._dtype = device.dtype_of(options, self._device)
        folder = device.folder_of(source, options)
        self._model = device.loaded(hf.AutoModel, folder, self._device, self._dtype)
        self._model_type = source.model_type
        self._compiled_for = 0
        can_compile = self._device.type == "cuda" and hasattr(self._model, "vision_model")
        self.compiled_saves = COMPILED_SAVES if can_compile else 0.0
        self.compile_s = COMPILE_S
        self._processor, self.recipe = image_processor(folder)
        self._tokenizer = hf.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.device = device.words_of(self._device)
        self._batches = device.Batches(options.batch or _BATCH.get(self._device.type, 16))
        self._texts = device.Batches(256)
        self._largest = 0
        self._blank: Any = None
        if options.compile and hasattr(self._model, "vision_model"):
            self._model = self._with_compiled_vision()
            self._compiled_for = 1

    def compile(self) -> None:
        """Begin to compile for batches of the size of the largest so far, in a thread.

        The model goes on as it is until that is done. Later batches that are smaller are filled up
        to that size, since each other one would be compiled anew.
        """
        Thread(target=self._compile_aside, name="compiling", daemon=True).start()

    def _with_compiled_vision(self) -> Any:
        """The model with the same weights, its part that sees compiled at the first pictures."""
        compiled = copy(self._model)
        compiled._modules = dict(self._model._modules)
        compiled.vision_model = device.torch().compile(self._model.vision_model, dynamic=False)
        return compiled

    def _compile_aside(self) -> None:
        try:
            compiled, size = self._with_compiled_vision(), self._largest
            with device.torch().inference_mode():
                compiled.get_image_features(pixel_values=self._blank.repeat(size, 1, 1, 1))
        except Exception:
            logger.warning("compiling %s failed; it goes on as it is", self.name, exc_info=True)
            return
        self._compiled_for, self._model = size, compiled

    def embed_images(self, frames: Pictures) -> Vectors:
        """(N, D) unit vectors of N pictures; see `core.model.ImageText`.

        Raises:
            ItemError: if not even one picture fits into memory.
        """
        stacks = _pixels.stacked([frames] if isinstance(frames, np.ndarray) else list(frames))
        pictures = [(s, i) for s, stack in enumerate(stacks) for i in range(len(stack))]
        with device.torch().inference_mode():
            vectors = self._batches.run(pictures, lambda part: self._images(stacks, part))
            return self._gathered(vectors)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """(M, D) unit vectors of M texts, each cut at the model's own length."""
        with device.torch().inference_mode():
            return self._gathered(self._texts.run(list(texts), self._of_texts))

    def image_vectors(self, pixels: Any) -> Any:
        """Unit vectors, on the device, of pixel values that are ready."""
        count = len(pixels)
        self._blank = device.torch().zeros_like(pixels[:1])
        self._largest = max(self._largest, count)
        if self._compiled_for:
            self._compiled_for = max(self._compiled_for, count)
            rest = self._compiled_for - count
            pixels = device.torch().nn.functional.pad(pixels, (0, 0) * 3 + (0, rest))
        out = self._model.get_image_features(pixel_values=pixels)
        return self._unit(getattr(out, "pooler_output", out)[:count])

    def ready(self, frames: Any) -> Any:
        """Pixel values on the device from uint8 (N, H, W, 3) on any device."""
        if self.recipe is None:
            raise ModelError(f"{self.name} prepares its pictures in a way of its own.")
        return _pixels.prepared(frames.to(self._device), self.recipe, self._dtype)

    def _images(self, stacks: Sequence[Any], part: Sequence[tuple[int, int]]) -> Sequence[Any]:
        t = device.torch()
        runs: dict[int, list[int]] = {}
        for stack, index in part:
            runs.setdefault(stack, []).append(index)
        slices = [stacks[s][positions[0] : positions[-1] + 1] for s, positions in runs.items()]
        if self.recipe is None:
            return self._stock(slices)
        uploaded = [_pixels.upload(piece, self._device) for piece in slices]
        ready = [_pixels.prepared(u, self.recipe, self._dtype) for u in _joined(uploaded)]
        return self.image_vectors(t.cat(ready)).unbind(0)

    def _stock(self, slices: Sequence[Any]) -> Sequence[Any]:
        """By the model's own processor, where it does more than resizing and cropping."""
        pictures = [picture for piece in slices for picture in piece]
        inputs = self._processor(images=pictures, return_tensors="pt").to(self._device)
        inputs["pixel_values"] = inputs["pixel_values"].to(self._dtype)
        out = self._model.get_image_features(**inputs)
        return self._unit(getattr(out, "pooler_output", out)).unbind(0)

    def _of_texts(self, texts: Sequence[str]) -> Sequence[Any]:
        full = self._model_type in _FULL_LENGTH
        config = getattr(self._model.config, "text_config", self._model.config)
        inputs = self._tokenizer(
            list(texts),
            padding="max_length" if full else True,
            truncation=True,
            max_length=getattr(config, "max_position_embeddings", 77),
            return_tensors="pt",
        ).to(self._device)
        out = self._model.get_text_features(**inputs)
        return self._unit(getattr(out, "pooler_output", out)).unbind(0)

    @staticmethod
    def _unit(vectors: Any) -> Any:
        return device.torch().nn.functional.normalize(vectors.float(), dim=-1)

    def _gathered(self, results: Sequence[Any]) -> Vectors:
        for result in results:
            if isinstance(result, ItemError):
                raise result
        if not results:
            return np.zeros((0, 0), np.float32)
        return np.asarray(device.torch().stack(list(results)).cpu().numpy(), np.float32)


def _joined(uploaded: Sequence[Any]) -> list[Any]:
    """Neighbours of one size in one tensor, in order."""
    t = device.torch()
    groups: list[list[Any]] = []
    for piece in uploaded:
        if groups and groups[-1][0].shape[1:] == piece.shape[1:]:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [t.cat(group) if len(group) > 1 else group[0] for group in groups]


def image_processor(folder: Path) -> tuple[Any, Recipe | None]:
    """A folder's own image processor, and what it does as a recipe; None when it does more.

    Raises:
        ModelError: if the folder has none.
    """
    hf = device.transformers()
    try:
        stock = hf.AutoImageProcessor.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, ImportError) as error:
        raise ModelError(f"{folder} has no image processor: {first_line(error)}") from None
    plain = type(stock).__name__.startswith(_PLAIN)
    return stock, recipe_of(stock) if plain else None


def recipe_of(stock: Any) -> Recipe:
    """What an image processor of transformers does, from its settings."""
    size = dict(stock.size or {}) if stock.do_resize else {}
    crop = dict(stock.crop_size or {}) if getattr(stock, "do_center_crop", False) else {}
    fixed = (int(size["height"]), int(size["width"])) if size.get("height") else None
    return Recipe(
        shortest=int(size["shortest_edge"]) if size.get("shortest_edge") else None,
        size=fixed,
        resample=int(stock.resample),
        crop=(int(crop["height"]), int(crop["width"])) if crop else None,
        scale=float(stock.rescale_factor) if stock.do_rescale else 1.0,
        mean=tuple(stock.image_mean) if stock.do_normalize else (),
        std=tuple(stock.image_std) if stock.do_normalize else (),
    )
