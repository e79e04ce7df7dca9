"""What eight frames of each clip show, in words, and what the clips' actions are: made up.

No model was run. With it the page Bias has something to say: whose objects tell the action (people
at exercise, lights at night), and whose do not (what turns is a fan, a clock or a flower).
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from random import Random

from annotations.annotator import TextLine
from annotations.bias.labels import import_labels
from annotations.bias.scores import import_scores
from annotations.demo.clip import DemoClip
from annotations.demo.clips import CLIPS
from annotations.description.concepts import ACTIVITIES, DESCRIPTION, OBJECTS, SUMMARY, VERBS
from annotations.description.import_published import described_task, ensure_items
from annotations.run.runs import ensure_run
from annotations.video.video_texts import NewText, store_texts
from annotations.workspace import Workspace
from core.bias.representation import FRAMES

SET = "descriptions made up for the demo"
FACTS = {"set": SET, "simulated": True, "words": "Made up for the demo: no model was run."}
MODELS = {"made-up model, strong": 0.9, "made-up model, weak": 0.45}

# Action, objects, activity, the activity without things. Without an action: a caption only.
_TEXTS: dict[str, tuple[str, str, str, str]] = {
    "desk fan": ("Turning", "fan, blades, desk, wall", "The blades of the fan spin.",
                 "Something spins."),
    "Ferris wheel": ("Turning", "Ferris wheel, cabins, hills, night sky",
                     "A Ferris wheel turns slowly.", "Something turns slowly."),
    "two planets": ("Turning", "sun, red planet, blue planet, stars",
                    "Two planets circle around a sun.", "Something circles around something."),
    "clock": ("Turning", "clock, clock hands, wall", "The hands of a clock go round.",
              "Something goes round."),
    "gears": ("Turning", "orange gear, green gear, red gear", "Three gears drive each other.",
              "Something drives something."),
    "flower pattern": ("Turning", "purple petals, flower, pattern", "A pattern of petals turns.",
                       "Something turns."),
    "record player": ("", "record, record player, needle, table",
                      "A record spins under the needle.", "Something spins under something."),
    "car in reverse": ("Travelling", "orange car, road, trees, sun, hills",
                       "A car drives along a road.", "Something drives along something."),
    "air hockey": ("", "air hockey table, red puck, goal",
                   "A puck slides over the table.", "Something slides over something."),
    "lift": ("", "building, lift, windows, doors", "A lift goes up and down.",
             "Something goes up and down."),
    "train": ("Travelling", "train, carriages, bridge, hills, sun",
              "A train travels over a bridge.", "Something travels over something."),
    "comets": ("Glowing", "comets, light, night sky, stars",
               "Three comets fly side by side.", "Something flies."),
    "robot vacuum": ("Travelling", "robot vacuum, wooden floor, plant, bed",
                     "A robot drives over the floor.", "Something drives over something."),
    "hot-air balloon": ("Travelling", "hot-air balloon, basket, clouds, hills",
                        "A balloon floats over hills.", "Something floats over something."),
    "ducks": ("Travelling", "three ducks, pond, lily pads, grass", "Ducks swim on a pond.",
              "Something swims."),
    "bee": ("Travelling", "bee, flowers, grass", "A bee flies over a meadow.", "Something flies."),
    "swinging a ball": ("Exercising", "person, arms, legs, glowing ball, string",
                        "A person swings a ball on a string.", "Someone swings something."),
    "yellow glove": ("Exercising", "person, arms, legs, yellow glove",
                     "A person moves the hand with the glove.", "Someone moves something."),
    "treadmill": ("Exercising", "person, arms, legs, treadmill, windows",
                  "A woman runs on a treadmill.", "Someone runs."),
    "clapping": ("Exercising", "person, arms, legs, confetti", "A person claps.", "Someone claps."),
    "skipping rope": ("Exercising", "person, arms, legs, rope, bushes", "A person skips a rope.",
                      "Someone skips something."),
    "drifting plankton": ("Glowing", "plankton, light, dark water",
                          "Many small lights drift.", "Something drifts."),
    "lighthouse": ("Glowing", "lighthouse, light, night sky, moon, sea",
                   "The beam of a lighthouse sweeps over the sea.", "Something sweeps."),
    "firefly": ("Glowing", "firefly, light, night sky, grass", "A firefly glows and moves about.",
                "Something glows and moves."),
    "lanterns": ("Glowing", "lanterns, light, night sky, cord", "Lanterns light up one by one.",
                 "Something lights up."),
    "glow-worm": ("Glowing", "glow-worm, light, night sky, jar, moon",
                  "A glow-worm glows in a jar.", "Something glows."),
    "metronome": ("", "metronome, pendulum, table", "The pendulum swings to and fro.",
                  "Something swings."),
    "xylophone": ("", "xylophone, mallet, coloured bars", "A mallet strikes the bars.",
                  "Something strikes something."),
    "band": ("", "drum, guitar, trumpet, bell, stage, curtain",
             "Instruments play one after another.", "Something plays."),
    "hammer": ("", "hammer, nail, wooden board", "A hammer beats a nail into a board.",
               "Something beats something."),
    "bouncing ball": ("", "red ball, floor, wall", "A ball bounces on the floor.",
                      "Something bounces."),
    "finger in the air": ("", "hand, finger, light", "A finger draws in the air.",
                          "Someone draws."),
    "blob": ("", "green blob, face", "A green shape changes its form.", "Something changes."),
    "three cups": ("", "three cups, table", "Three cups change places.",
                   "Something changes places."),
    "frog": ("", "frog, lily pads, pond, reeds", "A frog jumps from leaf to leaf.",
             "Something jumps."),
}  # fmt: skip


def add_descriptions(workspace: Workspace, source: Path) -> None:
    """Store texts, actions, captions and two models' scores of the drawn clips.

    Args:
        workspace: of the demo, with its videos.
        source: folder for the lists that are imported.
    """
    ids = {row["name"]: row["id"] for row in workspace.store.rows("SELECT id, name FROM video")}
    clips = {ids[name_of(clip)]: clip for clip in CLIPS}
    task = described_task(workspace)
    items = ensure_items(workspace, task, sorted(clips))
    for kind in (DESCRIPTION, OBJECTS, ACTIVITIES, VERBS, SUMMARY):
        facts = {**FACTS, "text": kind.kind}
        run = ensure_run(workspace, f"{SET} · {kind.label}", task, "simulated", facts)
        store_texts(
            workspace, run,
            [NewText(items[video], "", kind.kind, "found", tuple(_lines(clip, kind.kind)))
             for video, clip in clips.items()],
        )  # fmt: skip
    labels = [(name_of(clip), _TEXTS[clip.name][0], part_of(clip), clip.name) for clip in CLIPS]
    import_labels(
        workspace, _table(source, "actions", ("video", "label", "part", "caption"), labels)
    )
    for model, skill in MODELS.items():
        scores = [(name_of(clip), int(_is_right(clip, model, skill))) for clip in CLIPS]
        import_scores(workspace, _table(source, model, ("video_id", "acc_top1"), scores), model)


def name_of(clip: DemoClip) -> str:
    """The name under which a clip lies in the workspace."""
    return f"{clip.demonstration}/{clip.key}"


def part_of(clip: DemoClip) -> str:
    """Two of three clips of an action are for training; those without an action for testing."""
    action = _TEXTS[clip.name][0]
    same = [other.name for other in CLIPS if _TEXTS[other.name][0] == action]
    return "train" if action and same.index(clip.name) % 3 != 1 else "test"


def _lines(clip: DemoClip, kind: str) -> Iterator[TextLine]:
    """The text of each of eight frames, at the middle of its part of the clip."""
    for frame in range(FRAMES):
        time = round((frame + 0.5) * clip.seconds / FRAMES, 6)
        yield TextLine(time, time, _text(clip, kind, frame))


def _text(clip: DemoClip, kind: str, frame: int) -> str:
    _, listed, activity, verb = _TEXTS[clip.name]
    objects = listed.split(", ")
    # At the edges of a clip less is seen, as in a real one.
    seen = objects if 1 <= frame < FRAMES - 1 else objects[:-1]
    if kind == OBJECTS.kind:
        return "\n".join(f"{number}. {name}" for number, name in enumerate(seen, start=1))
    if kind == ACTIVITIES.kind:
        return activity if frame else "No activity is visible."
    if kind == VERBS.kind:
        return verb if frame else "No activity is visible."
    if kind == SUMMARY.kind:
        return f"A drawing of {seen[0]}: {activity}"
    return f"The picture is a drawing. It shows {', '.join(seen)}. {activity}"


def _is_right(clip: DemoClip, model: str, skill: float) -> bool:
    """Whether a made-up model is right: nearly always where objects tell the action."""
    told_by_objects = _TEXTS[clip.name][0] in ("Exercising", "Glowing")
    return Random(f"{model} {clip.key}").random() < (0.95 if told_by_objects else skill)


def _table(
    folder: Path,
    name: str,
    columns: tuple[str, ...],
    rows: list[tuple[str, ...]] | list[tuple[str, int]],
) -> Path:
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return path
