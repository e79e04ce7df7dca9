"""Tasks of the demo made of its own clips: screening, object check, question review, writing."""

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from annotations import task as kinds
from annotations.demo.clips import CLIPS
from annotations.planning.task_plan import AS_IMPORTED
from annotations.planning.task_store import create_task
from annotations.video.library import Keeping, content_of, keep
from annotations.video.stored_videos import VideoState, store_video
from annotations.workspace import Workspace
from core.video.encode import write_video
from core.video.probe import probe

Row = dict[str, Any]
COPY = "again/frog.mp4"  # a smaller cut of the frog's clip, for screening to find


def _video(name: str) -> str:
    """The name under which a clip of the demo lies in the workspace."""
    return next(f"{clip.demonstration}/{clip.key}" for clip in CLIPS if clip.name == name)


ANIMALS: dict[str, Any] = {
    "criteria": [
        "Here drawings are welcome.",
        "Accept clips in which an animal moves most of the time.",
    ],
    "reasons": [
        {"id": "no_animal", "label": "No animal", "description": "People do not count as animals."},
        {"id": "inactive", "label": "Hardly active", "description": "It rests most of the time."},
        {"id": "poor_quality", "label": "Poor picture", "description": "Too dark or too small."},
        {
            "id": "duplicate",
            "label": "Duplicate",
            "description": "The same pictures as another clip, smaller or cut: see beside.",
        },
    ],
}
SCREENING: tuple[Row, ...] = (
    {
        "video": _video("car in reverse"),
        "role": "practice",
        "expected": {
            "verdict": "reject",
            "reasons": ["no_animal"],
            "why": "A car, trees and the sun: nothing that lives and moves.",
        },
    },
    {"video": _video("frog")},
    {"video": _video("ducks")},
    {"video": COPY},
    {"video": _video("bee")},
    {
        "video": _video("desk fan"),
        "role": "attention",
        "expected": {"verdict": "reject", "reasons": ["no_animal"]},
    },
    {"video": _video("skipping rope")},
    {"video": _video("glow-worm")},
)

OBJECTS: tuple[Row, ...] = (
    {
        "video": _video("car in reverse"),
        "time": 2.0,
        "objects": ["orange car", "road", "tree", "traffic light", "blue moon"],
        "role": "practice",
        "expected": {
            "objects": {
                "ticked": ["orange car", "road", "tree"],
                "classes": {"traffic light": "hallucination"},
            },
            "why": "Nothing looks like a traffic light; for the moon somebody took the sun.",
        },
    },
    {
        "video": _video("hammer"),
        "time": 2.0,
        "objects": ["hammer", "nail", "wooden board", "screwdriver", "blue handle"],
    },
    {
        "video": _video("band"),
        "time": 2.0,
        "objects": ["drum", "violin", "trumpet", "bell", "singer", "curtain"],
    },
    {
        "video": _video("bee"),
        "time": 2.0,
        "objects": ["bee", "flowers", "grass", "umbrella"],
        "role": "attention",
        "expected": {
            "objects": {
                "ticked": ["bee", "flowers", "grass"],
                "classes": {"umbrella": "hallucination"},
            }
        },
    },
    {
        "video": _video("treadmill"),
        "time": 2.0,
        "objects": ["woman", "treadmill", "window", "dumbbell", "bicycle", "ponytail"],
    },
    {
        "video": _video("ducks"),
        "time": 2.0,
        "objects": ["three ducks", "grass", "lily pad", "swan", "fishing rod"],
    },
    {
        "video": _video("glow-worm"),
        "time": 2.0,
        "objects": ["jar", "blue lid", "window", "moon", "leaves", "candle"],
    },
)

REVIEW: tuple[Row, ...] = (
    {
        "id": "pace",
        "video": _video("treadmill"),
        "category": "velocity&frequency",
        "question": "How does the pace of the runner change?",
        "answer": "She becomes faster.",
        "negatives": [
            "She becomes slower.",
            "She keeps the same pace.",
            "She becomes faster, then slower.",
            "She becomes slower, then faster.",
            "She stops and starts again.",
            "She walks backwards.",
            "She sits down.",
            "She speeds up.",
            "The treadmill flies away.",
        ],
        "role": "practice",
        "expected": {
            "verdict": "keep",
            "options": {"key": 0},
            "why": "She becomes faster. “She speeds up” says the same, so it cannot be kept as a "
            "wrong option; nobody would believe that the treadmill flies away.",
        },
    },
    {
        "id": "lantern",
        "video": _video("lanterns"),
        "category": "visual_cues",
        "question": "Which lantern lights up second in the first round?",
        "answer": "The blue one.",
        "negatives": [
            "The red one.",
            "The yellow one.",
            "The green one.",
            "The purple one.",
            "All light up together.",
            "None of them.",
            "The one on the roof.",
            "The second from the left.",
            "A lantern.",
        ],
    },
    {
        "id": "balloon",
        "video": _video("hot-air balloon"),
        "category": "shape&trend",
        "question": "How does the height of the balloon that rises, sinks and rises develop?",
        "answer": "It sinks, then rises.",
        "negatives": [
            "It rises all the time.",
            "It rises, then sinks.",
            "It rises, sinks, then rises.",
            "It sinks all the time.",
            "It sinks, rises, then sinks.",
            "It stays at one height.",
            "It bursts.",
            "It lands on the hill.",
            "It turns into a cloud.",
        ],
    },
    {
        "id": "driver",
        "video": _video("car in reverse"),
        "category": "visual_cues",
        "question": "When does the driver get out of the car?",
        "answer": "Before it passes the first tree.",
        "negatives": [
            "After it passes the first tree.",
            "When it stops.",
            "At the very end.",
            "In the middle of the clip.",
        ],
        "role": "attention",
        "expected": {"verdict": "discard"},
    },
    {
        "id": "puck",
        "video": _video("air hockey"),
        "category": "direction",
        "question": "In which order does the puck hit the four sides of the table?",
        "answer": "Top, right, bottom, left.",
        "negatives": [
            "Top, left, bottom, right.",
            "Right, top, left, bottom.",
            "Bottom, right, top, left.",
            "Left, bottom, right, top.",
            "Top, bottom, right, left.",
            "Right, left, top, bottom.",
            "It hits no side.",
            "Only the left side.",
            "The goal.",
        ],
    },
)

WRITING: tuple[Row, ...] = (
    {
        "video": _video("bouncing ball"),
        "role": "practice",
        "expected": {
            "question": "What happens to the height of the bounces?",
            "answer": "They become lower",
            "why": "Its type is shape & trend; one picture alone cannot tell.",
        },
    },
    {"video": _video("swinging a ball")},
    {"video": _video("lighthouse")},
    {"video": _video("metronome")},
)

TASKS: tuple[tuple[str, str, dict[str, Any], tuple[Row, ...]], ...] = (
    ("Screening: does it belong?", "screening", ANIMALS, SCREENING),
    ("Object check: is it there?", "object_check", {}, OBJECTS),
    ("Question review: can it be used?", "question_review", {}, REVIEW),
    ("Question writing: what to ask?", "question_review", {"mode": "write"}, WRITING),
)


def add_demo_tasks_b(workspace: Workspace) -> list[int]:
    """Ids of the tasks, with practice and attention items, and a near-duplicate to be found."""
    add_copy(workspace)
    return [
        # A handful of items that begins with the easy ones.
        create_task(
            workspace,
            name,
            kind,
            settings,
            kinds.kind(kind).OVERLAP,
            rows=list(rows),
            order=AS_IMPORTED,
        )
        for name, kind, settings, rows in TASKS
    ]


def add_copy(workspace: Workspace) -> None:
    """Puts a smaller cut of the frog's clip into the workspace, as somebody would collect it."""
    frog = next(clip for clip in CLIPS if clip.name == "frog")
    times = [0.5 + i / 15 for i in range(45)]  # 3 s at 15 frames per second
    small = [
        np.asarray(cv2.resize(frog.draw(t), (320, 180), interpolation=cv2.INTER_AREA), np.uint8)
        for t in times
    ]
    with tempfile.TemporaryDirectory() as scratch:
        path = write_video(Path(scratch) / "frog.mp4", small, Fraction(15), crf=30)
        content, facts = content_of(path), probe(path)[0]
        keep(Keeping(content, workspace.media, False))
    original = workspace.media.original(content.sha256, path.suffix)
    state = VideoState(
        COPY,
        "usable",
        content.sha256,
        facts=facts.to_json(),
        duration_s=facts.duration_s,
        path=original.relative_to(workspace.root).as_posix(),
    )
    with workspace.store.write() as database:
        store_video(database.conn, state)
