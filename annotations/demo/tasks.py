"""Tasks of the demo made of its own clips: verification, localization, frame picking."""

from typing import Any

from annotations import task as kinds
from annotations.demo.clips import CLIPS
from annotations.planning.task_plan import AS_IMPORTED
from annotations.planning.task_store import create_task
from annotations.workspace import Workspace

Row = dict[str, Any]

HOP_BACK = (
    "The frog sits on a lily pad, turns and leaps to the pad from which it has just come. A leap "
    "to a pad that it has not been on yet is an ordinary hop."
)
OFF_THE_LEFT = (
    "The puck slides to the left side of the table, touches it and comes off again to the right. A "
    "yellow ring spreads where it touches."
)
OUTER_SWAP = (
    "The left and the right cup change places in one move, one in front, one behind. The middle "
    "cup stays where it is."
)
DOWNWARD_RIDE = "The cabin goes down, from one floor to another, with its doors shut."
HANDSTAND = "A person stands on both hands, the feet above the head, for at least a moment."


def _clip(name: str, start: float | None = None, end: float | None = None, **more: str) -> Row:
    """A clip of the demo by its name; times in s, None for the whole."""
    key = next(f"{clip.demonstration}/{clip.key}" for clip in CLIPS if clip.name == name)
    times = {"start": start, "end": end}
    return {
        "video": key,
        **{edge: time for edge, time in times.items() if time is not None},
        "title": name.capitalize(),
        **more,
    }


def _verdicts(why: str, **verdicts: str) -> Row:
    clips = {number.lstrip("_"): {"verdict": verdict} for number, verdict in verdicts.items()}
    return {"clips": clips, "why": why}


VERIFICATION: tuple[Row, ...] = (
    {
        "action": "hop back",
        "domain": "Frog course",
        "description": HOP_BACK,
        "clips": [
            _clip("frog", 1.0, 2.0),
            _clip("frog", 2.6, 4.4),
            _clip("air hockey", 1.3, 2.2),
        ],
        "role": "practice",
        "expected": _verdicts(
            "In clip 1 the frog leaps to the third pad and at once back to the second; in clip 2 "
            "it only goes on; clip 3 is another sport, air hockey.",
            _1="definitely",
            _2="definitely not",
            _3="definitely not",
        ),
    },
    {
        "action": "bank off the left side",
        "domain": "Air hockey",
        "description": OFF_THE_LEFT,
        "clips": [
            _clip("air hockey", 0.0, 1.3, title="Kick-off"),
            _clip("air hockey", 1.3, 2.3, title="Across the table"),
            _clip("air hockey", 3.0, 4.4, title="Long way back"),
            _clip("air hockey", 2.2, 3.7, title="From the bottom"),
            _clip("bouncing ball", title="Indoor practice"),
        ],
    },
    {
        "action": "outer swap",
        "domain": "Cup game",
        "description": OUTER_SWAP,
        "clips": [
            _clip("three cups", 0.0, 1.2, title="The ball goes under"),
            _clip("three cups", 1.2, 2.08, title="First moves"),
            _clip("three cups", 2.05, 2.55, title="A quick one"),
            _clip("three cups", 2.5, 3.4, title="Two more"),
        ],
    },
    {
        "action": "downward ride",
        "domain": "Lift operating",
        "description": DOWNWARD_RIDE,
        "clips": [_clip("lift", 1.9, 3.3), _clip("lift", 3.65, 4.8)],
        "role": "attention",
        "expected": _verdicts("", _1="definitely", _2="definitely not"),
    },
    {
        "action": "handstand",
        "domain": "Schoolyard games",
        "description": HANDSTAND,
        "clips": [_clip("skipping rope"), _clip("clapping"), _clip("treadmill", 0.0, 2.0)],
    },
)

LOCALIZATION: tuple[Row, ...] = (
    {
        **_clip("frog", title=""),
        "action": "hop back",
        "domain": "Frog course",
        "description": HOP_BACK,
        "role": "practice",
        "expected": {
            "happens": "happens",
            "cards": [{"start": 1.5, "end": 1.84}],
            "why": "The frog leaves the third pad at 1.5 s and lands on the second.",
        },
    },
    {
        **_clip("air hockey", title=""),
        "action": "bank off the left side",
        "domain": "Air hockey",
        "description": OFF_THE_LEFT,
    },
    {
        **_clip("three cups", 1.1, 4.0, title=""),
        "action": "outer swap",
        "domain": "Cup game",
        "description": OUTER_SWAP,
    },
    {
        **_clip("skipping rope", title=""),
        "action": "jump",
        "domain": "Rope skipping",
        "description": "Both feet leave the ground and come down again while the rope passes under "
        "them. Every jump is a card of its own.",
    },
    {
        **_clip("lift", title=""),
        "action": "downward ride",
        "domain": "Lift operating",
        "description": DOWNWARD_RIDE,
        "role": "attention",
        "expected": {"happens": "happens", "cards": [{"start": 2.0, "end": 3.1}]},
    },
    {
        **_clip("clapping", title=""),
        "action": "handstand",
        "domain": "Schoolyard games",
        "description": HANDSTAND,
    },
)

FRAME_PICKING: tuple[Row, ...] = (
    {
        "question": "visual_cues/4",
        "role": "practice",
        "expected": {
            "time": 0.78,
            "near_s": 0.18,
            "why": "Only there the trumpet alone is lit, and its first note rises.",
        },
    },
    {"question": "visual_cues/0"},
    {"question": "visual_cues/1"},
    {"question": "visual_cues/3"},
    {"question": "shape&trend/0"},
    {
        "question": "visual_cues/5",
        "role": "attention",
        "expected": {"time": 4.0, "near_s": 0.4},
    },
    {"question": "direction/2"},
    {"question": "velocity&frequency/3"},
    {"question": "count/6"},
)

TASKS: tuple[tuple[str, str, tuple[Row, ...]], ...] = (
    ("Verification: does it happen?", "verification", VERIFICATION),
    ("Localization: when does it happen?", "localization", LOCALIZATION),
    ("Frame picking: which frame tells most?", "frame_picking", FRAME_PICKING),
)


def add_demo_tasks(workspace: Workspace) -> list[int]:
    """Ids of the tasks, each with one practice and one attention item among its items."""
    return [
        # A handful of items that begins with the easy ones.
        create_task(
            workspace, name, kind, {}, kinds.kind(kind).OVERLAP, rows=list(rows), order=AS_IMPORTED
        )
        for name, kind, rows in TASKS
    ]
