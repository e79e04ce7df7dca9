"""Models that see and answer: every image-text-to-text model of transformers."""

from core import device as _device
from core.model import Kind, LoadOptions, Source
from core.models._chatting import Asked, Front
from core.models._families import FAMILIES
from core.models._stock import StockFront

TITLE = "Vision-language models (transformers)"
KINDS: tuple[Kind, ...] = ("chat", "text")

_PARTS = ("vision_config", "vision_tower", "vit_config", "visual")


def likeness(kind: Kind, source: Source) -> int:
    """3 for the families whose frames are prepared on the GPU, 2 for others that see."""
    if source.model_type in FAMILIES:
        return 3 if kind == "chat" else 2
    answers = any(
        name.endswith(("ForConditionalGeneration", "ForCausalLM", "ForVision2Seq"))
        for name in source.architectures
    )
    if not answers or not any(part in source.config for part in _PARTS):
        return 0
    return 2 if kind == "chat" else 1


def load(kind: Kind, source: Source, options: LoadOptions) -> Asked:
    """The model."""
    hf = _device.transformers()
    folder = _device.folder_of(source, options)
    device = _device.device_of(options)
    dtype = _device.dtype_of(options, device)
    model = _device.loaded(hf.AutoModelForImageTextToText, folder, device, dtype)
    family = FAMILIES.get(source.model_type)
    front: Front = family(folder, model) if family else StockFront(folder, model)
    return Asked(source.name, model, front, options)
