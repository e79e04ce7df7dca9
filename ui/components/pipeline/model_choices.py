"""Names of models to begin with, by what they serve as, and what they lack on this machine."""

import importlib.util
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotations.annotator import Annotator
from annotations.workspace import Workspace
from core.model import Kind
from core.model_loading import SCHEMES
from core.models import package
from core.refusal import Refusal

DEVICES = "auto", "cpu", "cuda", "cuda:0", "cuda:1", "cuda:2", "cuda:3"
STUB = "stub:demo"
HUB: dict[Kind, tuple[str, ...]] = {
    "image_text": ("openai/clip-vit-large-patch14-336", "google/siglip-so400m-patch14-384"),
    "chat": ("Qwen/Qwen2.5-VL-7B-Instruct", "HuggingFaceTB/SmolVLM2-2.2B-Instruct"),
    "text": ("Qwen/Qwen2.5-7B-Instruct",),
    "embedding": ("sentence-transformers/all-MiniLM-L6-v2",),
    "speech": ("openai/whisper-large-v3",),
    "ocr": (),
}
INSTALL = 'pip install -e ".[models]"'


def offered_models(workspace: Workspace, kinds: Sequence[Kind]) -> list[str]:
    """Names of models that a page may use for these kinds.

    Models at hand come first, then those that rushes.toml lists, those of the hub, and the stub.
    Nothing else may be typed: a name can be an address or a folder of the server.
    """
    small = [name for name, (kind, _) in package.MODULES.items() if kind in kinds]
    at_hand = [f"package:{name}" for name in small if not package.lacking(name)]
    absent = [f"package:{name}" for name in small if package.lacking(name)]
    listed = [entry.model for entry in workspace.settings.models]
    hub = [name for kind in kinds for name in HUB[kind]]
    return list(dict.fromkeys([*at_hand, *listed, *hub, *absent, STUB]))


def key_variable(workspace: Workspace, model: str) -> str:
    """Name of the variable that rushes.toml gives a listed model; '' sends no key."""
    listed = {entry.model: entry.key for entry in workspace.settings.models}
    return listed.get(model, "")


def allowed_key(workspace: Workspace, kinds: Sequence[Kind], model: str) -> str:
    """`key_variable` of a model that a browser has sent: the list on a page is what it shows.

    Raises:
        Refusal: for a model that pages do not offer for these kinds.
    """
    if model not in offered_models(workspace, kinds):
        raise Refusal(
            f"The model {model!r} is not offered here. Whoever runs the server lists it in "
            "rushes.toml under [[models]], or starts the run by `rushes run`."
        )
    return key_variable(workspace, model)


def check_offered(
    workspace: Workspace, module: Annotator, model: str, options: Mapping[str, Any]
) -> None:
    """Look again at what a browser sent: the list on the page is only what it shows.

    Raises:
        Refusal: for a model, a device or a revision that the page does not offer.
    """
    allowed_key(workspace, module.MODEL_KINDS, model)
    if options["device"] not in DEVICES:
        raise Refusal(f"There is no device {options['device']!r}. Allowed: {', '.join(DEVICES)}.")
    if not re.fullmatch(r"[\w.\-]{0,64}", options["revision"] or ""):
        raise Refusal("A revision has at most 64 letters, digits, dots and hyphens.")


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
        return (", ".join(absent), package.install(rest)) if absent else None
    return ("PyTorch", INSTALL) if name and not has_torch() else None


def has_torch() -> bool:
    """Whether PyTorch is installed, without importing it."""
    return importlib.util.find_spec("torch") is not None
