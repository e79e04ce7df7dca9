"""First, middle and last frame of an edited copy, before it is made."""

import base64
from collections.abc import Sequence

import cv2
import streamlit as st

from annotations.edit.preview import Preview, PreviewFrame, preview_edit
from annotations.workspace import Workspace
from core.editing.recipe import Recipe
from core.video.geometry import Image

LONGEST_SIDE = 360
QUALITY = 85


def draw_preview(workspace: Workspace, videos: Sequence[str], recipe: Recipe) -> None:
    """Draw the frames as they will be, and say how many there will be and how long it lasts.

    Raises:
        Refusal: for a video that is not here, or edits that do not fit it.
    """
    preview = preview_edit(workspace, videos, recipe)
    tiles = "".join(_tile(frame, joined=len(videos) > 1) for frame in preview.frames)
    st.html(f'{_STYLE}<div class="studio-preview">{tiles}</div>')
    st.caption(words_of(preview))


def words_of(preview: Preview) -> str:
    """Such as '60 frames, 2.40 s, 640 × 360 px, with sound.'."""
    frames = "1 frame" if preview.count == 1 else f"{preview.count:,} frames"
    sound = "with sound" if preview.has_sound else "no sound"
    # The file has even sides: an odd one gets one more column or row.
    width, height = (side + side % 2 for side in (preview.width, preview.height))
    return f"{frames}, {preview.duration_s:.2f} s, {width:,} × {height:,} px, {sound}."


def _tile(frame: PreviewFrame, *, joined: bool) -> str:
    source = f"frame {frame.source_index:,}"
    source += f" of video {frame.source + 1}" if joined else ""
    caption = f"{frame.time_s:.2f} s, {source}"
    if frame.image is None:
        return f"<figure><p>does not decode</p><figcaption>{caption}</figcaption></figure>"
    return (
        f'<figure><img src="{_address(frame.image)}" alt="frame {frame.index} of the copy">'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _address(image: Image) -> str:
    """The picture itself as an address: it is in no file."""
    scale = min(1.0, LONGEST_SIDE / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return f"data:image/jpeg;base64,{base64.b64encode(data.tobytes()).decode()}"


_STYLE = """<style>
.studio-preview { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px;
  align-items: start; }
.studio-preview figure { margin: 0; position: relative; min-height: 2rem; background: #000;
  border-radius: 2px; }
.studio-preview img { width: 100%; max-height: 30vh; object-fit: contain; display: block; }
.studio-preview p { margin: 0; padding: 1.5rem 0.5rem; color: #fff; text-align: center; }
.studio-preview figcaption { position: absolute; right: 3px; bottom: 2px; padding: 0 4px;
  font-size: 0.7rem; color: #fff; background: rgba(0, 0, 0, 0.65); border-radius: 2px;
  font-variant-numeric: tabular-nums; }
</style>"""
