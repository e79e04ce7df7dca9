"""The made-up tasks of the stub server."""

from pathlib import Path
from typing import Any

import stub_forms
from stub_media import clip, clip_times, constant_times, varying_times

CHOICE = {
    "type": "choice",
    "name": "choice",
    "label_from": "question",
    "options_from": "options",
    "keys": "letters",
    "required": True,
}
REMARK = {"type": "text", "name": "remark", "label": "Anything else?", "key": "W"}
REASONS = ["The video does not play", "The question makes no sense", "Too dark or blurred to tell"]
NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight"]
INSTRUCTIONS = """<p>You see sixteen frames of a clip in the order in which they were filmed.
Answer from what you see; do not guess from the question.</p>
<h3>A worked example</h3>
<p>The disc moves from the left edge to the right edge and comes back once: it crosses the middle
<strong>twice</strong>, so the answer is A.</p>
<ul><li>Enlarge a frame when you are not sure.</li>
<li>Skip when the frames do not show what is asked.</li></ul>"""

PREVIEW, PRACTICE = 13, 14
CLOSED = 19  # by its authors: nothing is handed out
SEVERAL = 17  # of its items the odd ones take several options
ALIKE = 13  # videos that look alike stand beside the one asked about
TASKS: dict[int, dict[str, Any]] = {
    1: {"name": "Counting, 16 frames", "stage": "grid", "items": 60, "fields": [CHOICE]},
    2: {"name": "Counting, full video", "stage": "player", "items": 24, "fields": [CHOICE]},
    3: {"name": "Three items", "stage": "grid", "items": 3, "fields": [CHOICE]},
    4: {
        "name": "Odd form",
        "stage": "grid",
        "items": 4,
        "fields": [CHOICE, {"type": "hologram", "name": "depth"}],
    },
    5: {"name": "Broken media", "stage": "broken", "items": 4, "fields": [CHOICE]},
    6: {"name": "With a remark", "stage": "grid", "items": 12, "fields": [CHOICE, REMARK]},
    7: {"name": "Awkward frames", "stage": "awkward", "items": 6, "fields": [CHOICE]},
    16: {"name": "Segments of one video", "stage": "segments", "items": 4, "fields": [CHOICE]},
    SEVERAL: {
        "name": "Several may be right",
        "stage": "grid",
        "items": 6,
        "fields": [{**CHOICE, "several_from": "several"}],
    },
    CLOSED: {
        "name": "Closed",
        "stage": "grid",
        "items": 0,
        "fields": [CHOICE],
        "idle": {"reason": "closed", "next": None},
    },
    **{
        number: {**task, "fields": stub_forms.declared(task["form"])}
        for number, task in stub_forms.FORMS.items()
    },
}


def header(task: int) -> dict[str, Any]:
    """The task as the desk is told about it."""
    return {
        "id": task,
        "name": TASKS[task]["name"],
        "kind": "human_evaluation",
        "condition": "16 frames",
        "instructions": INSTRUCTIONS,
        "form": {"stage_keys": True, "fields": TASKS[task]["fields"]},
        "skip_reasons": REASONS,
        "lease_s": 900,
        "idle_s": 60,
        "rate": 15.0,
        "currency": "USD",
        "pay": True,
        "preview": task == PREVIEW,
    }


def extras(task: int, k: int) -> dict[str, Any]:
    """What an item carries beside the usual: the practice task begins with two known answers, then
    comes an answer that was returned."""
    if task != PRACTICE:
        return {}
    if k <= 2:
        return {"practice": True}
    remark = {"from": "Clara", "text": "The disc also crosses at the very end. Look again?"}
    answer = {"response": {"choice": 1}, "skip": None}
    return {"remark": remark, "answer": answer} if k == 3 else {}


def feedback(task: int, k: int, response: dict[str, Any] | None) -> dict[str, Any]:
    """The receipt's feedback where the answer is known: three times (1) is right."""
    if task != PRACTICE or k > 2 or response is None:
        return {}
    words = "It crosses three times: to the right, back, and to the right again."
    right = response.get("choice") == 1
    return {"feedback": {"right": right, "words": words, "expected": {"choice": 1}}}


class Clips:
    """Two short clips, with frames of equal and of varying length, and one of 50 s."""

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.facts: dict[str, tuple[list[float], float]] = {}
        made = {
            "even": (constant_times(60, 30), 20),
            "uneven": (varying_times(40), 100),
            "long": (constant_times(250, 5), 60),
        }
        for name, (times, hue) in made.items():
            path = folder / f"{name}.mp4"
            if not path.exists():
                clip(path, times, hue)
            self.facts[name] = clip_times(path)


SOURCES = [
    {"title": "", "link": ""},
    {"title": "Goal <b>of</b> the year", "link": "https://www.example.org/watch"},
    {"title": "", "link": "javascript:alert(1)"},
]


def stage(task: int, k: int, clips: Clips) -> dict[str, Any]:
    """The stage of item number `k` of a task."""
    kind = TASKS[task]["stage"]
    match kind:
        case "player":
            player = _player(k, clips) | {"source": SOURCES[k % len(SOURCES)]}
            return player | {"beside": _beside(task, k)} if task == ALIKE else player
        case "segments":
            return _segment(k, clips)
        case "marks":
            return _marks(task, k, clips)
        case "clips":
            return _several(task, k, clips)
        case "picker":
            return _picker(task, k, clips)
        case "single":
            return _grid(task, k, 1, 1, (640, 360))
        case _:
            pass
    if kind == "broken":
        return _broken(task, k)
    if kind == "awkward" and k == 1:
        return _grid(task, k, 1, 1, (640, 360))
    if kind == "awkward" and k == 2:
        return {"type": "none", "note": "The frames could not be made: incomplete file."}
    if kind == "awkward":
        awkward = _grid(task, k, 9, 4, (180, 320))
        awkward["note"] = "9 of 16 frames: the video has no more"
        awkward["frames"][2]["status"] = "corrupt"
        awkward["frames"][5]["status"] = "missing"
        return awkward
    return _grid(task, k, 16, 4, (320, 180))


def _grid(task: int, k: int, count: int, columns: int, tile: tuple[int, int]) -> dict[str, Any]:
    name = f"{task}-{k}-{count}-{columns}-{tile[0]}x{tile[1]}"
    frames = [
        {"index": 4 * i, "time": 0.133 * i, "status": "exact", "large": f"/pictures/{name}/{i}.jpg"}
        for i in range(count)
    ]
    return {
        "type": "grid",
        "sheet": f"/pictures/{name}/sheet.jpg",
        "columns": min(columns, count),
        "rows": -(-count // columns),
        "tile": list(tile),
        "frames": frames,
        "note": "",
    }


def _player(k: int, clips: Clips) -> dict[str, Any]:
    name = "uneven" if k % 2 else "even"
    times, duration = clips.facts[name]
    start, end = [(0.0, None), (0.5, 1.0), (1.0, 1.5)][k % 3]
    return {
        "type": "player",
        "src": f"/pictures/clips/{name}.mp4?item={k}",
        "start": start,
        "end": end,
        "times": times,
        "duration": duration,
        "has_audio": k % 4 == 0,
    }


def _beside(task: int, k: int) -> list[dict[str, str]]:
    """Two videos that look alike; what the second one's file holds cannot be played."""
    picture = _frame_url(task, k)
    return [
        {"large": picture.format(index=1), "src": "/pictures/clips/even.mp4?a", "label": "90 %"},
        {"large": picture.format(index=2), "src": "/pictures/clips/nothing.mp4", "label": "80 %"},
    ]


def _segment(k: int, clips: Clips) -> dict[str, Any]:
    times, duration = clips.facts["long"]
    start, end = (6.0, 9.0) if k % 2 else (41.0, 44.0)
    return {
        "type": "player",
        "src": "/pictures/clips/long.mp4",
        "start": start,
        "end": end,
        "times": times,
        "duration": duration,
        "has_audio": False,
    }


def _frame_url(task: int, k: int) -> str:
    return f"/pictures/{task}-{k}-60-8-213x120/{{index}}.jpg"


def _inside(player: dict[str, Any]) -> list[int]:
    end = player["end"]
    times = enumerate(player["times"])
    return [i for i, t in times if t >= player["start"] and (end is None or t < end)]


def _marks(task: int, k: int, clips: Clips) -> dict[str, Any]:
    player = _player(3 * k if k < 5 else k, clips) | {"frame_url": _frame_url(task, k)}
    inside = _inside(player)
    shown = inside[:: max(1, len(inside) // 24)][:24]
    preview = _grid(task, k, len(shown), 8, (213, 120))
    for frame, index in zip(preview["frames"], shown, strict=True):
        frame |= {"index": index, "time": player["times"][index]}
    return player | {"preview": preview, "start_index": inside[0], "end_index": inside[-1]}


def _several(task: int, k: int, clips: Clips) -> dict[str, Any]:
    titles = ["World cup final", "A very long title of a clip somebody found", "", "d", ""]
    shown = [
        {
            "id": f"c{i}",
            "title": titles[i - 1],
            "link": "https://www.example.org/watch" if i != 3 else "",
            "poster": _frame_url(task, i).format(index=i),
            **_player(10 * k + i, clips),
        }
        for i in range(1, 6)
    ]
    return {"type": "clips", "clips": shown}


def _picker(task: int, k: int, clips: Clips) -> dict[str, Any]:
    player = _player(3 * k, clips)
    grid = _grid(task, k, 8, 4, (320, 180))
    for i, frame in enumerate(grid["frames"]):
        frame |= {"index": 5 * i, "time": player["times"][5 * i]}
    return {
        "type": "picker",
        "grid": grid,
        "player": player,
        "frame_url": _frame_url(task, k),
        "start_index": 0,
        "end_index": len(player["times"]) - 1,
    }


def _broken(task: int, k: int) -> dict[str, Any]:
    if k % 2:
        return _grid(task, k, 16, 4, (320, 180)) | {"sheet": "/pictures/nothing/sheet.jpg"}
    return {
        "type": "player",
        "src": "/pictures/clips/nothing.mp4",
        "start": 0.0,
        "end": None,
        "times": [0.0, 0.04],
        "duration": 0.08,
        "has_audio": False,
    }


def values(task: int, k: int) -> dict[str, Any]:
    """Question and options of item number `k`; the options come in another order for each."""
    count = 3 + k % 5
    order = [(i + k) % count for i in range(count)]
    options: list[dict[str, Any]] = [{"value": i, "text": f"{NUMBERS[i]} times"} for i in order]
    several = task == SEVERAL and k % 2 == 1
    if several:
        options.append({"value": "cannot_tell", "text": "I cannot tell.", "alone": True})
    return {
        "question": f"How many times does the disc cross the middle in clip {k}?",
        "options": options,
        **({"several": True} if several else {}),
        **stub_forms.values(k),
    }
