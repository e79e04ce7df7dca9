"""Inputs for any other chat model of transformers, by the model's own processor on the CPU.

This is right for every model, but as slow as the processor is. A processor takes frames as one
video where it can (most need torchvision for that) and as so many pictures where it cannot.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core import device
from core.model import ModelError, Request
from core.model_sources import first_line
from core.models._fronts import frames_of, gap_s
from core.models._prompts import Inputs, chat_tokenizer, rendered, text_part


class StockFront:
    """A model's AutoProcessor; see `core.models._chatting.Front`."""

    sees = True

    def __init__(self, folder: Path, model: Any):
        """Loads the processor.

        Raises:
            ModelError: if it cannot be loaded.
        """
        self.tokenizer = chat_tokenizer(folder)
        self.tokenizer.padding_side = "left"
        self.processor = stock_processor(folder)
        self.processor.tokenizer.padding_side = "left"
        if self.processor.tokenizer.pad_token_id is None:
            self.processor.tokenizer.pad_token = self.tokenizer.pad_token
        self.device = next(model.parameters()).device
        self.dtype = model.dtype
        self.videos = getattr(self.processor, "video_processor", None) is not None

    def length(self, request: Request) -> int:
        """Tokens of the text, and a guess for the frames."""
        text_tokens = len(self.tokenizer(request.text + request.system)["input_ids"])
        return text_tokens + (256 * len(frames_of(request)) if request.frames is not None else 0)

    def key(self, request: Request) -> Any:
        """Return shape and kind of the frames: a processor may not mix them in a batch."""
        return None if request.frames is None else (request.frames.shape, request.as_video)

    def collate(self, requests: Sequence[Request]) -> Inputs:
        """Return the inputs that the processor makes of the requests."""
        texts = [self._text(request) for request in requests]
        more: Inputs = {}
        if requests[0].frames is not None:
            if self._as_video(requests[0]):
                more["videos"] = [frames_of(r).transpose(0, 3, 1, 2) for r in requests]
                more["videos_kwargs"] = {"do_sample_frames": False}
                more["video_metadata"] = [_metadata(r) for r in requests]
            else:
                more["images"] = [list(frames_of(r)) for r in requests]
        inputs = self.processor(text=texts, padding=True, return_tensors="pt", **more)
        return {name: self._placed(value) for name, value in inputs.items()}

    def _as_video(self, request: Request) -> bool:
        return self.videos and request.as_video

    def _text(self, request: Request) -> str:
        content: list[dict[str, str]] = []
        if request.frames is not None:
            alone = self._as_video(request)
            kind = {"type": "video" if alone else "image"}
            content += [dict(kind) for _ in range(1 if alone else len(frames_of(request)))]
        template = getattr(self.processor, "chat_template", None)
        return rendered(self.tokenizer, request, [*content, text_part(request.text)], template)

    def _placed(self, value: Any) -> Any:
        if not hasattr(value, "to"):
            return value
        return value.to(self.device, self.dtype if value.is_floating_point() else value.dtype)


def stock_processor(folder: Path) -> Any:
    """A folder's AutoProcessor.

    Raises:
        ModelError: if it cannot be loaded; most often torchvision is lacking.
    """
    hf = device.transformers()
    try:
        return hf.AutoProcessor.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, ImportError, KeyError) as error:
        message = " ".join(str(error).split())
        lacking = " (pip install torchvision, of the release that goes with torch)"
        hint = lacking if "orchvision" in message else ""
        raise ModelError(
            f"The processor of {folder} cannot be loaded{hint}: {first_line(error)}"
        ) from None


def _metadata(request: Request) -> dict[str, Any]:
    frames = frames_of(request)
    gap = gap_s(request)
    return {
        "total_num_frames": len(frames),
        "fps": 1 / gap,
        "duration": len(frames) * gap,
        "frames_indices": list(range(len(frames))),
        "height": frames.shape[1],
        "width": frames.shape[2],
    }
