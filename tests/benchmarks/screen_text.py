"""Text on the real clips: found, all of it blurred in a copy, and looked for in the copy.

python tests/benchmarks/screen_text.py ../shared/clips [NAME ...]

Without names: the clips in which RapidOCR reads text. For each it prints the lines that were found,
how often the copy was read again, what is still read on frames that no round has looked at, and how
much changed outside of the boxes beside what a copy without any blur changes.
"""

import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

from annotations.edit.edit_store import timelines
from annotations.edit.screen_text import blur_text
from annotations.edit.text_reading import film_of, find_text, read_frames
from annotations.importing.import_plan import carry_out, plan_import
from annotations.workspace import Workspace
from core.editing.write_edit import SourceVideo, write_edit
from core.edits.blur import MARGIN
from core.model_loading import load_model
from core.video.sample import sample_frames

CLIPS = ("frames.webm", "h265_video.mp4", "video-h265.mp4", "cursed-vfr.mp4", "friday.mp4",
         "nasa_13013.mp4")  # fmt: skip
COMPARED = 12
BLOCK = 16  # px: compression changes a block as a whole


def main(folder: Path, names: list[str]) -> None:
    """Blur all text of each clip in a workspace of its own."""
    model = load_model("ocr", "package:rapidocr")
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            workspace = Workspace.create(Path(scratch) / "workspace")
            try:
                carry_out(workspace, plan_import(workspace, folder / name))
                print(f"{name}: {_blurred(workspace, model)}", flush=True)
            finally:
                workspace.close()


def _blurred(workspace: Workspace, model) -> str:
    [row] = workspace.store.rows("SELECT sha256 FROM video")
    sha256, started = row["sha256"], time.monotonic()
    text = find_text(workspace, sha256, model)
    if not text.tracks:
        return f"no text on {len(text.frames)} frames"
    result = blur_text(workspace, text, text.tracks, model)
    film = film_of(workspace, result.edit.sha256)
    # Frames between all that the rounds have read, and those on which text was found at first.
    other = range(1, film.table.n, max(1, film.table.n // 20))
    seen = sorted({*other, *text.frames})
    left = read_frames(film, model, seen)
    inside, outside = _changed(workspace, sha256, result.edit.sha256, result.edit.recipe)
    lines = "; ".join(dict.fromkeys(track.text for track in text.tracks))
    return (
        f"{len(text.tracks)} lines ({lines[:160]}); {result.rounds} readings again,"
        f" {time.monotonic() - started:.0f} s; still read on {len(seen)} frames: {len(left)}"
        f" {sorted({line.text for line in left})}; px change by {inside:.1f} in the boxes, and"
        f" outside by {outside[0]:.2f}, in a copy without blur by {outside[1]:.2f}"
    )


def _changed(workspace: Workspace, sha256: str, copy: str, recipe) -> tuple[float, list[float]]:
    """Mean change of px inside the boxes, and outside: in the copy, and in one without blur."""
    film, blurred = film_of(workspace, sha256), film_of(workspace, copy)
    [source] = timelines(workspace, [sha256])
    plain = workspace.root / "plain.mp4"
    # Through RGB and back as blurred frames go, so that only the blur is different.
    same = source.changed(lambda image: image, source.width, source.height)
    write_edit([SourceVideo(film.path, film.table)], same, plain, sound=False)
    wanted = sorted({*np.linspace(0, film.table.n - 1, COMPARED).astype(int).tolist()})
    originals = sample_frames(film.path, wanted, table=film.table)
    copies = sample_frames(blurred.path, wanted), sample_frames(plain, wanted)
    inside: list[float] = []
    outside: list[list[float]] = [[], []]
    ends = (*film.table.times[1:], film.table.duration_s)
    for original, *pair in zip(originals, *copies, strict=True):
        if original.image is None:
            continue
        mask = np.zeros(original.image.shape[:2], bool)
        for start, end, left, top, right, bottom in recipe.steps[0].settings["regions"]:
            if float(Fraction(start)) < ends[original.index] and original.time_s < Fraction(end):
                margin = BLOCK + max(2, round(MARGIN * (bottom - top)))
                mask[max(0, top - margin) : bottom + margin,
                     max(0, left - margin) : right + margin] = True  # fmt: skip
        for number, frame in enumerate(pair):
            high, wide = mask.shape
            apart = np.abs(frame.image[:high, :wide].astype(float) - original.image).mean(axis=2)
            outside[number].append(float(apart[~mask].mean()) if (~mask).any() else 0.0)
            if number == 0 and mask.any():
                inside.append(float(apart[mask].mean()))
    return float(np.mean(inside or [0])), [float(np.mean(values)) for values in outside]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(CLIPS))
