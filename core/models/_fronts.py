"""A chat model's prompt with video in it, prepared on the model's own device."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, cast

from core.model import ItemError, Request
from core.models import _pixels
from core.models._pixels import Recipe
from core.models._prompts import (
    Inputs,
    chat_tokenizer,
    encoded,
    padded,
    rendered,
    text_part,
)

_CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
_CLIP_STD = (0.26862954, 0.26130258, 0.27577711)
_FILES = ("video_preprocessor_config.json", "preprocessor_config.json")


class VideoFront:
    """A prompt with one video in it, given as frames; see `core.models._chatting.Front`."""

    sees = True
    marker: ClassVar[str]
    template: ClassVar[str | None] = None

    def __init__(self, folder: Path, model: Any):
        """Reads tokenizer and settings of a model that is loaded."""
        self.tokenizer = chat_tokenizer(folder)
        # The same question is asked about many clips, and each prompt is needed twice.
        self._known = lru_cache(1024)(self._ids)
        self.config = model.config
        self.settings = settings_of(folder)
        self.device = next(model.parameters()).device
        self.dtype = model.dtype
        self.recipe = Recipe(
            resample=int(self.settings.get("resample", _pixels.BICUBIC)),
            scale=float(self.settings.get("rescale_factor", 1 / 255)),
            mean=tuple(self.settings.get("image_mean", _CLIP_MEAN)),
            std=tuple(self.settings.get("image_std", _CLIP_STD)),
            rows_first=True,
        )

    def words(self, request: Request) -> str:
        """What stands in the prompt for the frames: the model's own tokens."""
        raise NotImplementedError

    def pixels(self, requests: Sequence[Request]) -> Inputs:
        """The model's inputs of all frames of some requests that have frames."""
        raise NotImplementedError

    def ids(self, request: Request) -> list[int]:
        """Token ids of a request."""
        video_text = None if request.frames is None else self.words(request)
        return list(self._known(request.text, request.system, video_text))

    def _ids(self, text: str, system: str, video_text: str | None) -> tuple[int, ...]:
        video_part = [] if video_text is None else [{"type": "video"}]
        content = [*video_part, text_part(text)]
        plain = Request(text, None, system)
        written = rendered(self.tokenizer, plain, content, self.template)
        if video_text is not None:
            opening, marker, ending = written.partition(self.marker)
            if not marker:
                raise ItemError("no place for the video", f"the template writes no {self.marker}")
            written = opening + video_text + ending
        return tuple(encoded(self.tokenizer, written))

    def length(self, request: Request) -> int:
        """Tokens of a request, those of its frames included."""
        return len(self.ids(request))

    def key(self, request: Request) -> Any:
        """Requests with frames apart from those without."""
        return request.frames is not None

    def collate(self, requests: Sequence[Request]) -> Inputs:
        """All inputs of some requests of one key."""
        rows = [self.ids(request) for request in requests]
        inputs = padded(rows, self.tokenizer.pad_token_id, self.device)
        if requests[0].frames is not None:
            inputs |= self.pixels(requests)
        return inputs

    def _token(self, name: str, usual: str) -> str:
        """One of the tokenizer's special tokens, by the name that the family gives it."""
        return str(getattr(self.tokenizer, name, None) or usual)

    def _square(self, requests: Sequence[Request], usual: int) -> list[Any]:
        """(T, 3, h, w) of each request, at the size that the settings give."""
        size = part_of(self.settings, "size")
        height, width = int(size.get("height", usual)), int(size.get("width", usual))
        recipe = replace(self.recipe, size=(height, width))
        uploaded = (_pixels.upload(frames_of(r), self.device) for r in requests)
        return [_pixels.prepared(frames, recipe, self.dtype) for frames in uploaded]


def settings_of(folder: Path) -> dict[str, Any]:
    """The settings of a folder's video processor, else of its image processor; {} without any."""
    both = _read(folder / "processor_config.json")
    nested = (part_of(both, part) for part in ("video_processor", "image_processor"))
    alone = (_read(folder / name) for name in _FILES)
    nothing: dict[str, Any] = {}
    return next((settings for settings in (*nested, *alone) if settings), nothing)


def part_of(settings: dict[str, Any], name: str) -> dict[str, Any]:
    """Settings within settings; {} where there are none of that name."""
    part: Any = settings.get(name)
    return cast(dict[str, Any], part) if isinstance(part, dict) else {}


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    known: Any = json.loads(path.read_text(encoding="utf-8"))
    return cast(dict[str, Any], known) if isinstance(known, dict) else {}


def frames_of(request: Request) -> Any:
    """A request's frames, checked.

    Raises:
        ValueError: if they are no stack of uint8 pictures.
    """
    frames: Any = request.frames
    if frames is None or frames.ndim != 4 or frames.shape[-1] != 3 or not len(frames):
        shape = None if frames is None else frames.shape
        raise ValueError(f"Got frames of shape {shape}: give uint8 (T, H, W, 3), T at least 1.")
    return frames


def gap_s(request: Request) -> float:
    """Seconds from one frame to the next, on average; 0.5 where times are not known."""
    times = request.times
    if len(times) < 2 or times[-1] <= times[0]:
        return 0.5
    return (times[-1] - times[0]) / (len(times) - 1)


def first_of(value: Any) -> int:
    """A side in px of what may be a number or (height, width)."""
    return int(value[0] if isinstance(value, (list, tuple)) else value)  # pyright: ignore
