"""How each family of chat models prepares video.

One class for each family. The stock processors of transformers do the same on the CPU; their
settings are read from the same files. Each class says what it makes of a frame.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core import device
from core.model import Request
from core.model_sources import needed
from core.models import _pixels
from core.models._fronts import VideoFront, first_of, frames_of, gap_s, part_of
from core.models._pixels import LANCZOS
from core.models._prompts import Inputs


class Qwen(VideoFront):
    """Qwen2-VL and Qwen2.5-VL: near the own size, two frames to a patch (arXiv 2409.12191)."""

    marker = "<|video_pad|>"

    def __init__(self, folder: Path, model: Any):
        """Read the sizes of patches."""
        super().__init__(folder, model)
        vision = model.config.vision_config
        self.video_id = int(self.tokenizer.convert_tokens_to_ids(self.marker))
        self.patch = int(self.settings.get("patch_size", vision.patch_size))
        self.merge = int(self.settings.get("merge_size", vision.spatial_merge_size))
        self.together = int(self.settings.get("temporal_patch_size", vision.temporal_patch_size))
        size = part_of(self.settings, "size")
        self.least = int(self.settings.get("min_pixels") or size.get("shortest_edge", 128 * 28**2))
        self.most = int(self.settings.get("max_pixels") or size.get("longest_edge", 768 * 28**2))

    def grid(self, request: Request) -> tuple[int, int, int]:
        """Return the number of patches of a request in time, down and across."""
        frames = frames_of(request)
        high, wide = self.size(frames.shape[1], frames.shape[2])
        times = (len(frames) + self.together - 1) // self.together
        return times, high // self.patch, wide // self.patch

    def size(self, height: int, width: int) -> tuple[int, int]:
        """(height, width) px that a frame is brought to."""
        return _pixels.smart_size(height, width, self.patch * self.merge, self.least, self.most)

    def words(self, request: Request) -> str:
        """Return one token, which `ids` repeats for each square of patches."""
        return self.marker

    def ids(self, request: Request) -> list[int]:
        """Token ids of a request; those of frames are written as ids, not as text."""
        if request.frames is None:
            return super().ids(request)
        times, down, across = self.grid(request)
        tokens = super().ids(request)
        position = tokens.index(self.video_id)
        each = times * down * across // self.merge**2
        return [*tokens[:position], *([self.video_id] * each), *tokens[position + 1 :]]

    def collate(self, requests: Sequence[Request]) -> Inputs:
        """Return the inputs of a batch, and which tokens are frames."""
        inputs = super().collate(requests)
        kinds = (inputs["input_ids"] == self.video_id).to(inputs["input_ids"].dtype) * 2
        return inputs | {"mm_token_type_ids": kinds}

    def pixels(self, requests: Sequence[Request]) -> Inputs:
        """Patches of all frames, and their grids."""
        t = device.torch()
        parts: list[Any] = []
        grids: list[tuple[int, int, int]] = []
        for request in requests:
            flat, grid = self.patches(_pixels.upload(frames_of(request), self.device))
            parts.append(flat)
            grids.append(grid)
        inputs: Inputs = {
            "pixel_values_videos": t.cat(parts),
            "video_grid_thw": t.tensor(grids, device=self.device),
        }
        if hasattr(self.config.vision_config, "tokens_per_second"):
            seconds = [self.together * gap_s(request) for request in requests]
            inputs["second_per_grid_ts"] = t.tensor(seconds, device=self.device)
        return inputs

    def patches(self, frames: Any) -> tuple[Any, tuple[int, int, int]]:
        """Patches and grid of uint8 frames (T, H, W, 3) on the device."""
        high, wide = self.size(frames.shape[1], frames.shape[2])
        x = _pixels.resized(frames, high, wide, self.recipe.resample, rows_first=True)
        x = _pixels.normalised(x, self.recipe).to(self.dtype)
        return _pixels.patches(x, self.patch, self.merge, self.together)


class InternVl(VideoFront):
    """InternVL: every frame one square picture, each named by its number."""

    def __init__(self, folder: Path, model: Any):
        """Reads how many tokens a frame takes."""
        super().__init__(folder, model)
        self.marker = self._token("video_token", "<video>")  # pyright: ignore
        vision = model.config.vision_config
        side = first_of(vision.image_size) // first_of(vision.patch_size)
        self.each = int(side**2 * model.config.downsample_ratio**2)

    def words(self, request: Request) -> str:
        """A line for each frame."""
        start = self._token("start_image_token", "<img>")
        end = self._token("end_image_token", "</img>")
        picture = start + self._token("context_image_token", "<IMG_CONTEXT>") * self.each + end
        return "\n".join(f"Frame{i + 1}: {picture}" for i in range(len(frames_of(request))))

    def pixels(self, requests: Sequence[Request]) -> Inputs:
        """Return all frames, one after another."""
        return {"pixel_values": device.torch().cat(self._square(requests, 384))}


class LlavaOnevision(VideoFront):
    """LLaVA-OneVision: every frame one square picture, pooled by two each way, one new line."""

    def __init__(self, folder: Path, model: Any):
        """Reads how many tokens a frame takes."""
        super().__init__(folder, model)
        self.marker = self._token("video_token", "<video>")  # pyright: ignore
        vision = model.config.vision_config
        side = first_of(vision.image_size) // first_of(vision.patch_size)
        self.each = math.ceil(side / 2) ** 2

    def key(self, request: Request) -> Any:
        """Only clips of as many frames fit into one tensor."""
        return None if request.frames is None else len(request.frames)

    def words(self, request: Request) -> str:
        """Tokens of all frames, and one for the new line."""
        return self.marker * (len(frames_of(request)) * self.each + 1)

    def pixels(self, requests: Sequence[Request]) -> Inputs:
        """(B, T, 3, h, w)."""
        return {"pixel_values_videos": device.torch().stack(self._square(requests, 384))}


class SmolVlm(VideoFront):
    """SmolVLM: every frame one square picture without tiles, each named by its time."""

    def __init__(self, folder: Path, model: Any):
        """Reads sizes, and the words that the family was trained with, from transformers."""
        super().__init__(folder, model)
        self._words: Any = needed("transformers.models.smolvlm.processing_smolvlm")
        self.template = self._words.DEFAULT_CHAT_TEMPLATE  # pyright: ignore
        self.marker = self._token("video_token", "<video>")  # pyright: ignore
        vision = model.config.vision_config
        side = first_of(vision.image_size) // first_of(vision.patch_size)
        self.each = int(side**2 / model.config.scale_factor**2)
        sampling = part_of(self.settings, "video_sampling")
        size = part_of(sampling, "video_size") or part_of(self.settings, "size")
        self.longest = int(size.get("longest_edge", 4 * 364))
        largest = part_of(self.settings, "max_image_size")
        self.side = int(largest.get("longest_edge", 364))
        if "resample" not in self.settings:
            # Settings that name no filter are older than the family's own defaults.
            self.recipe = replace(self.recipe, resample=LANCZOS, mean=(0.5,) * 3, std=(0.5,) * 3)

    def key(self, request: Request) -> Any:
        """Only clips of as many frames fit into one tensor."""
        return None if request.frames is None else len(request.frames)

    def words(self, request: Request) -> str:
        """An introduction, then time and tokens of each frame."""
        frames = frames_of(request)
        around = self._token("fake_image_token", "<fake_token_around_image>")
        whole = self._token("global_image_token", "<global-img>")
        picture = around + whole + self._token("image_token", "<image>") * self.each + around
        times = request.times or tuple(i * gap_s(request) for i in range(len(frames)))
        count = self._words.num2words(len(frames)) if self._words.num2words else str(len(frames))
        end_s = int(times[-1])
        length = f"{end_s // 3600}:{end_s // 60 % 60:02d}:{end_s % 60:02d}"
        intro = self._words.DEFAULT_VIDEO_INTRO.format(frame_count=count, video_duration=length)
        stamps = (f"{int(s // 60):02d}:{int(s % 60):02d}" for s in times)
        lines = (self._words.FRAME_TIMESTAMP_MESSAGE.format(timestamp=s) + picture for s in stamps)
        return intro + "".join(lines) + self._words.DEFAULT_MEDIA_OUTTRO

    def pixels(self, requests: Sequence[Request]) -> Inputs:
        """(B, T, 3, side, side), resized twice as the family does."""
        t = device.torch()
        ready = [self._frames(_pixels.upload(frames_of(r), self.device)) for r in requests]
        mask = t.ones((len(ready), len(ready[0]), self.side, self.side), dtype=t.long)
        return {"pixel_values": t.stack(ready), "pixel_attention_mask": mask.to(self.device)}

    def _frames(self, frames: Any) -> Any:
        height, width = frames.shape[1:3]
        size = longest_even(height, width, self.longest)
        resample = self.recipe.resample
        x = _pixels.resized(frames, *size, resample, rows_first=True).permute(0, 2, 3, 1)
        x = _pixels.resized(x, self.side, self.side, resample, rows_first=True)
        return _pixels.normalised(x, self.recipe).to(self.dtype)


FAMILIES: dict[str, type[VideoFront]] = {
    "qwen2_vl": Qwen,
    "qwen2_5_vl": Qwen,
    "internvl": InternVl,
    "llava_onevision": LlavaOnevision,
    "smolvlm": SmolVlm,
}


def longest_even(height: int, width: int, longest: int) -> tuple[int, int]:
    """(height, width) with the longer side ``longest`` px and the other one even."""
    if width >= height:
        shorter = int(longest / (width / height))
        return max(1, shorter + shorter % 2), longest
    shorter = int(longest * (width / height))
    return longest, max(1, shorter + shorter % 2)
