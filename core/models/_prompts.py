"""Prompts as a model's own tokenizer and chat template want them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core import device as _device
from core.model import ModelError, Request
from core.model_sources import first_line

Inputs = dict[str, Any]


def rendered(tokenizer: Any, request: Request, content: Any, template: str | None = None) -> str:
    """The prompt with the model's own chat template, up to where its answer begins.

    A model without a template gets the plain text.
    """
    if not (template or getattr(tokenizer, "chat_template", None)):
        return "\n\n".join(part for part in (request.system, request.text) if part)
    messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
    if request.system:
        system = request.system if isinstance(content, str) else [text_part(request.system)]
        messages.insert(0, {"role": "system", "content": system})
    try:
        return _templated(tokenizer, messages, template)
    except Exception as error:
        if not request.system:
            raise ModelError(f"The chat template fails: {first_line(error)}") from None
    # Some templates know no system role.
    messages = messages[1:]
    if isinstance(content, str):
        messages[0]["content"] = f"{request.system}\n\n{content}"
    else:
        messages[0]["content"] = [text_part(request.system + "\n\n"), *content]
    return _templated(tokenizer, messages, template)


def text_part(text: str) -> dict[str, str]:
    """A piece of text in a message."""
    return {"type": "text", "text": text}


def _templated(tokenizer: Any, messages: Any, template: str | None) -> str:
    return tokenizer.apply_chat_template(
        messages, chat_template=template, tokenize=False, add_generation_prompt=True
    )


def encoded(tokenizer: Any, text: str) -> list[int]:
    """Token ids of a rendered prompt; where the template wrote the first token, it comes once."""
    bos = getattr(tokenizer, "bos_token", None)
    written = bool(bos) and text.startswith(bos)
    return list(tokenizer(text, add_special_tokens=not written)["input_ids"])


def padded(rows: Sequence[Sequence[int]], pad: int, device: Any) -> Inputs:
    """``input_ids`` and ``attention_mask``, filled up on the left."""
    t = _device.torch()
    width = max(len(row) for row in rows)
    ids = t.full((len(rows), width), pad, dtype=t.long)
    mask = t.zeros((len(rows), width), dtype=t.long)
    for i, row in enumerate(rows):
        ids[i, width - len(row) :] = t.tensor(row)
        mask[i, width - len(row) :] = 1
    return {"input_ids": ids.to(device), "attention_mask": mask.to(device)}


def chat_tokenizer(folder: Path) -> Any:
    """A folder's tokenizer, sure to have a token for padding and its chat template.

    Raises:
        ModelError: if it cannot be read.
    """
    hf = _device.transformers()
    try:
        tokenizer = hf.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, ImportError, KeyError) as error:
        raise ModelError(f"{folder} has no tokenizer: {first_line(error)}") from None
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
    older = folder / "chat_template.json"
    if not tokenizer.chat_template and older.is_file():
        tokenizer.chat_template = json.loads(older.read_text(encoding="utf-8"))["chat_template"]
    return tokenizer
