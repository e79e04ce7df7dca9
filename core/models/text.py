"""Causal language models: text in, text out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core import device as _device
from core.model import Kind, LoadOptions, Request, Source
from core.models._chatting import Asked
from core.models._prompts import Inputs, chat_tokenizer, encoded, padded, rendered

TITLE = "Language models (transformers)"
KINDS: tuple[Kind, ...] = ("text", "chat")

_ENDINGS = ("ForCausalLM", "LMHeadModel")


def likeness(kind: Kind, source: Source) -> int:
    """3 for a causal language model; 2 where something that sees would be better."""
    if not any(name.endswith(_ENDINGS) for name in source.architectures):
        return 0
    return 3 if kind == "text" and "vision_config" not in source.config else 2


def load(kind: Kind, source: Source, options: LoadOptions) -> Asked:
    """The model."""
    hf = _device.transformers()
    folder = _device.folder_of(source, options)
    device = _device.device_of(options)
    dtype = _device.dtype_of(options, device)
    model = _device.loaded(hf.AutoModelForCausalLM, folder, device, dtype)
    return Asked(source.name, model, TextFront(folder, device), options)


class TextFront:
    """Prompts by the model's chat template."""

    sees = False

    def __init__(self, folder: Path, device: Any):
        """Reads the tokenizer."""
        self.tokenizer = chat_tokenizer(folder)
        self._device = device

    def ids(self, request: Request) -> list[int]:
        """Token ids of a request."""
        return encoded(self.tokenizer, rendered(self.tokenizer, request, request.text))

    def length(self, request: Request) -> int:
        """Tokens of the request."""
        return len(self.ids(request))

    def key(self, request: Request) -> Any:
        """Every text may share a batch with every other."""
        return ()

    def collate(self, requests: Sequence[Request]) -> Inputs:
        """``input_ids`` and ``attention_mask``."""
        rows = [self.ids(request) for request in requests]
        return padded(rows, self.tokenizer.pad_token_id, self._device)
