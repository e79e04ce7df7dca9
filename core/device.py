"""Where a model runs, how it gets there, and what happens when the memory is full."""

import gc
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from core.model import ItemError, LoadOptions, ModelError, Source
from core.model_sources import first_line, needed

Item = TypeVar("Item")
Result = TypeVar("Result")

OUT_OF_MEMORY = "out of memory"
_PATTERNS = ["*.json", "*.safetensors", "*.txt", "*.model", "*.jinja", "*.bin"]
_DTYPES = ("bfloat16", "float16", "float32")


def torch() -> Any:
    """The module torch.

    Raises:
        NotInstalled: if it is lacking.
    """
    return needed("torch")


def transformers() -> Any:
    """The module transformers, told to keep its remarks to itself.

    Raises:
        NotInstalled: if it or torch is lacking.
    """
    needed("torch")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    module = needed("transformers")
    module.logging.set_verbosity_error()
    module.logging.disable_progress_bar()
    return module


def device_of(options: LoadOptions) -> Any:
    """Return the torch device that the options name.

    Raises:
        ModelError: if there is no such device here.
    """
    t = torch()
    if options.device == "auto":
        if t.cuda.is_available():
            return t.device("cuda", t.cuda.current_device())
        return t.device("cpu")
    device = t.device(options.device)
    if device.type == "cuda" and (device.index or 0) >= t.cuda.device_count():
        raise ModelError(
            f"No device {options.device!r}: torch sees {t.cuda.device_count()} GPUs here. "
            "Allowed: 'auto', 'cpu', 'cuda', 'cuda:N'."
        )
    return device


def dtype_of(options: LoadOptions, device: Any) -> Any:
    """Return the torch number type that the options name, for that device.

    Raises:
        ModelError: for a type that is not known.
    """
    t = torch()
    if options.dtype == "auto":
        return t.bfloat16 if device.type == "cuda" else t.float32
    if options.dtype not in _DTYPES:
        raise ModelError(f"No number type {options.dtype!r}. Allowed: auto, {', '.join(_DTYPES)}.")
    return getattr(t, options.dtype)


def words_of(device: Any) -> str:
    """Return the name of a device, such as "NVIDIA H100 80GB HBM3" or "cpu"."""
    return torch().cuda.get_device_name(device) if device.type == "cuda" else str(device)


def folder_of(source: Source, options: LoadOptions) -> Path:
    """The local folder of a model; a hub name is downloaded into the hub's cache.

    Raises:
        ModelError: if it cannot be downloaded.
    """
    if source.folder is not None:
        return source.folder
    hub = needed("huggingface_hub")
    try:
        return Path(
            hub.snapshot_download(
                source.name,
                revision=options.revision,
                allow_patterns=_PATTERNS,
                local_files_only=options.offline,
            )
        )
    except Exception as error:
        raise ModelError(f"{source.name!r} cannot be downloaded: {first_line(error)}") from None


def loaded(auto: Any, folder: Path, device: Any, dtype: Any) -> Any:
    """A model of an ``AutoModel...`` class on its device, ready to answer.

    Raises:
        ModelError: with what is wrong with the folder.
    """
    try:
        model = auto.from_pretrained(folder, dtype=dtype, local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise ModelError(f"{folder} cannot be loaded: {first_line(error)}") from None
    return model.to(device).eval()


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that the memory is full."""
    message = str(error).lower()
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError)
        and ("out of memory" in message or "can't allocate" in message)
    )


class Batches:
    """Runs items in batches; a batch that does not fit is halved, and so are those after it.

    Attributes:
        size: items of the largest batch that is tried.
    """

    def __init__(self, size: int):
        self.size = max(1, size)

    def run(
        self, items: Sequence[Item], work: Callable[[Sequence[Item]], Sequence[Result]]
    ) -> list[Result | ItemError]:
        """A result of each item, or the reason why it alone does not fit either."""
        results: list[Result | ItemError] = []
        while len(results) < len(items):
            part = items[len(results) : len(results) + self.size]
            batch_results = self._tried(part, work)
            if batch_results is not None:
                results += batch_results
            elif len(part) > 1:
                self.size = (len(part) + 1) // 2
            else:
                results.append(ItemError(OUT_OF_MEMORY, "not even one item alone fits"))
        return results

    @staticmethod
    def _tried(
        part: Sequence[Item], work: Callable[[Sequence[Item]], Sequence[Result]]
    ) -> Sequence[Result] | None:
        try:
            return work(part)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        # Not in the except clause: the error holds on to the tensors of the calls it came through.
        freed()
        return None


def freed() -> None:
    """Return unused memory to the GPU."""
    gc.collect()
    t = torch()
    if t.cuda.is_available():
        t.cuda.empty_cache()
