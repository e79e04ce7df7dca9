"""Text embedding models: sentence-transformers folders and plain encoders."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from core import device
from core.model import ItemError, Kind, LoadOptions, Source, Vectors

TITLE = "Text embedding models (transformers, sentence-transformers)"
KINDS: tuple[Kind, ...] = ("embedding",)

_ENCODERS = ("Model", "ForMaskedLM")
_BATCH = 64


def likeness(kind: Kind, source: Source) -> int:
    """3 for a folder that says how its tokens are pooled, 1 for any other encoder."""
    if "modules.json" in source.files or "config_sentence_transformers.json" in source.files:
        return 3
    sees = "vision_config" in source.config
    encodes = any(name.endswith(_ENCODERS) for name in source.architectures)
    return 1 if encodes and not sees else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> "TextEncoder":
    """The model."""
    folder = device.folder_of(source, options)
    return TextEncoder(source.name, folder, options)


class TextEncoder:
    """A transformer whose token vectors are pooled to one; see `core.model.Embedding`."""

    is_stand_in = False
    stand_in_words = ""

    def __init__(self, name: str, folder: Path, options: LoadOptions):
        """Loads the model."""
        hf = device.transformers()
        self.name = name
        self._device = device.device_of(options)
        dtype = device.dtype_of(options, self._device)
        inner = transformer_folder(folder)
        self._model = device.loaded(hf.AutoModel, inner, self._device, dtype)
        self._tokenizer = hf.AutoTokenizer.from_pretrained(inner, local_files_only=True)
        self.pooling = pooling_of(folder)
        self.longest = longest_of(folder, self._model.config)
        self.device = device.words_of(self._device)
        self._batches = device.Batches(options.batch or _BATCH)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(N, D) unit vectors; long texts are cut at the model's own length.

        Raises:
            ItemError: if not even one text fits into memory.
        """
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors = self._batches.run([texts[i] for i in order], self._vectors)
        rows: dict[int, Any] = {}
        for position, row in zip(order, vectors, strict=True):
            if isinstance(row, ItemError):
                raise row
            rows[position] = row
        size = int(getattr(self._model.config, "hidden_size", 0))
        if not rows:
            return np.zeros((0, size), np.float32)
        return np.stack([rows[i] for i in range(len(texts))]).astype(np.float32)

    def is_cut(self, texts: Sequence[str]) -> list[bool]:
        """Whether the model reads only the beginning of each text: it is longer than its limit."""
        if not texts:
            return []
        ids = self._tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]
        return [len(tokens) > self.longest for tokens in ids]

    def _vectors(self, texts: Sequence[str]) -> Sequence[Any]:
        t = device.torch()
        inputs = self._tokenizer(
            list(texts), padding=True, truncation=True, max_length=self.longest, return_tensors="pt"
        ).to(self._device)
        with t.inference_mode():
            tokens = self._model(**inputs).last_hidden_state.float()
        mask = inputs["attention_mask"][..., None].float()
        return list(t.nn.functional.normalize(self._pooled(tokens, mask), dim=-1).cpu().numpy())

    def _pooled(self, tokens: Any, mask: Any) -> Any:
        t = device.torch()
        if self.pooling == "cls":
            return tokens[:, 0]
        if self.pooling == "lasttoken":
            last_token = mask[..., 0].cumsum(dim=1).argmax(dim=1)
            return tokens[t.arange(len(tokens), device=tokens.device), last_token]
        if self.pooling == "max":
            return tokens.masked_fill(mask == 0, -1e9).amax(dim=1)
        return (tokens * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)


def transformer_folder(folder: Path) -> Path:
    """Where the transformer itself lies: most often in the folder, in older ones below it."""
    if (folder / "config.json").is_file():
        return folder
    return folder / "0_Transformer"


def pooling_of(folder: Path) -> str:
    """'mean', 'cls', 'max' or 'lasttoken', as the folder says; 'mean' when it says nothing."""
    for path in sorted(folder.glob("*_Pooling/config.json")):
        known: Any = json.loads(path.read_text(encoding="utf-8"))
        settings = cast(dict[str, Any], known)
        for name in ("cls", "max", "lasttoken"):
            if settings.get(
                f"pooling_mode_{name}_token" if name != "max" else "pooling_mode_max_tokens"
            ):
                return name
        if settings.get("pooling_mode_lasttoken"):
            return "lasttoken"
    return "mean"


def longest_of(folder: Path, config: Any) -> int:
    """Tokens after which a text is cut."""
    path = folder / "sentence_bert_config.json"
    if path.is_file():
        known: Any = json.loads(path.read_text(encoding="utf-8"))
        if cast(dict[str, Any], known).get("max_seq_length"):
            return int(known["max_seq_length"])
    return min(512, int(getattr(config, "max_position_embeddings", 512) or 512))
