"""All clips of the demo, and writing them as a data set in TOMATO's layout."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from annotations.demo import count, direction, rotation, shape, velocity, visual
from annotations.demo.clip import FPS, DemoClip, DemoQuestion
from core.half_made import whole
from core.process.processes import Workers
from core.video.encode import write_video

DEADLINE_S = 300.0

CLIPS: tuple[DemoClip, ...] = (
    *rotation.CLIPS,
    *direction.CLIPS,
    *velocity.CLIPS,
    *shape.CLIPS,
    *visual.CLIPS,
    *count.CLIPS,
)


def questions() -> tuple[DemoQuestion, ...]:
    """Every question of the demo, in the order of the clips."""
    return tuple(question for clip in CLIPS for question in clip.questions)


def write_clips(
    folder: Path, workers: int = 2, progress: Callable[[int, int], None] | None = None
) -> list[Path]:
    """Paths of all clips, drawn and written under ``folder/videos``, in the order of CLIPS.

    Args:
        folder: the data set's folder; made when absent, clips already there are written again.
        workers: processes that draw side by side.
        progress: called with (clips written, clips in all) after each.
    """
    for clip in CLIPS:
        (folder / clip.file).parent.mkdir(parents=True, exist_ok=True)
    longest_first = sorted(range(len(CLIPS)), key=lambda i: -CLIPS[i].seconds)
    written = 0
    with Workers(workers) as pool:
        for index, result in pool.map(partial(_write, folder), longest_first, DEADLINE_S):
            if isinstance(result, Exception):
                raise RuntimeError(f"The clip {CLIPS[index].name} could not be made.") from result
            written += 1
            if progress:
                progress(written, len(CLIPS))
    return [folder / clip.file for clip in CLIPS]


def _write(folder: Path, index: int) -> None:
    import cv2

    cv2.setNumThreads(1)  # pictures are small: threads would only wait for each other
    clip = CLIPS[index]
    write_video(folder / clip.file, clip.frames(), FPS, crf=22)


def write_questions(folder: Path) -> list[Path]:
    """Paths of the question files, one per reasoning type, in TOMATO's layout, written to folder.

    Each is a JSON object from question id to record; ``answer`` is a 0-based index into
    ``options``, ``key`` names the video ``videos/<demonstration_type>/<key>.mp4``.
    """
    files: dict[str, dict[str, dict[str, object]]] = {}
    for clip in CLIPS:
        for question in clip.questions:
            name = question.category + ".json"
            files.setdefault(name, {})[question.id] = _record(clip, question)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for name, records in files.items():
        with whole(folder / name) as part:
            part.write_text(json.dumps(records, indent=2, ensure_ascii=False) + "\n", "utf-8")
        paths.append(folder / name)
    return paths


def _record(clip: DemoClip, question: DemoQuestion) -> dict[str, object]:
    return {
        "question": question.text,
        "options": list(question.options),
        "answer": question.key,
        "key": clip.key,
        # TOMATO writes this one type with a blank here and an underscore in the file's name.
        "motion_type": question.category.replace("visual_cues", "visual cues"),
        "demonstration_type": clip.demonstration,
        "variation": {
            name: flag for name, flag in question.tags.items() if name != "demonstration_type"
        },
        "video_source_url": "",
        "note": question.note,
    }
