"""Names of models to begin with, by what they serve as; any other name can be typed."""

from collections.abc import Sequence
from functools import cache

from core.model import SCHEMES, Kind, ModelError, find_source, plugin_for

SERVER = "server:http://localhost:8000/v1#MODEL"
STUB = "stub:demo"
HUB: dict[Kind, tuple[str, ...]] = {
    "image_text": ("openai/clip-vit-large-patch14-336", "google/siglip-so400m-patch14-384"),
    "chat": ("Qwen/Qwen2.5-VL-7B-Instruct", "HuggingFaceTB/SmolVLM2-2.2B-Instruct", SERVER),
    "text": ("Qwen/Qwen2.5-7B-Instruct", SERVER),
    "embedding": ("sentence-transformers/all-MiniLM-L6-v2", SERVER),
    "speech": ("openai/whisper-large-v3",),
    "ocr": (),
}
# Small real weights inside packages, as far as a plug-in takes them.
PACKAGES: dict[Kind, tuple[str, ...]] = {
    "image_text": ("package:conse",),
    "chat": (),
    "text": ("package:smollm2",),
    "embedding": ("package:minilm",),
    "speech": ("package:whisper-tiny-en",),
    "ocr": ("package:rapidocr",),
}


def models(kinds: Sequence[Kind]) -> list[str]:
    """Names that can serve as one of some kinds: what is at hand first, the stub last."""
    at_hand = [name for kind in kinds for name in PACKAGES[kind] if _is_taken(kind, name)]
    hub = [name for kind in kinds for name in HUB[kind]]
    return list(dict.fromkeys([*at_hand, *hub, STUB]))


@cache
def _is_taken(kind: Kind, name: str) -> bool:
    """Whether a plug-in takes a name of a package, which may not be installed."""
    try:
        plugin_for(kind, find_source(name))
    except ModelError:
        return False
    return True


def needs_torch(name: str) -> bool:
    """Whether a model of this name runs here on PyTorch: a hub name or a folder."""
    scheme, colon, _ = name.partition(":")
    return bool(name) and not (colon and scheme in SCHEMES)
