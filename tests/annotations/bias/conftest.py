"""A data set with a planted bias: things that tell a class, odd ones beside it, or nothing."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from annotations.bias.labels import import_labels
from annotations.description.import_published import import_published
from annotations.workspace import Workspace

# Class, two things that tell it by common sense, and an odd one that goes with it in these videos.
CLASSES = {
    "PlayingGuitar": ("guitar", "guitar pick", "sofa"),
    "HorseRiding": ("horse", "saddle", "umbrella"),
    "MakingPizza": ("pizza", "pizza oven", "globe"),
    "RockClimbing": ("climbing rope", "rock wall", "violin case"),
    "PlayingTennis": ("tennis racket", "tennis ball", "bathtub"),
    "BrushingTeeth": ("toothbrush", "toothpaste", "flag"),
}
NEUTRAL = ("person", "wall", "floor", "window", "door", "chair", "table", "light", "shirt", "sky")
TELLING, SPURIOUS, NOTHING = "telling", "spurious", "nothing"


@dataclass
class Planted:
    """The files of a planted data set, and the kind of each test video."""

    descriptions: Path
    labels: Path
    kinds: dict[str, str] = field(default_factory=dict[str, str])


Plant = Callable[..., Planted]


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Writes descriptions and labels: half the videos tell their class, a quarter have the odd
    thing, a quarter have nothing."""

    def make(train: int = 72, test: int = 24, seed: int = 4) -> Planted:
        random = np.random.default_rng(seed)
        names = list(CLASSES)
        planted = Planted(tmp_path / "published.json", tmp_path / "labels.csv")
        records: dict[str, dict[str, list[str]]] = {}
        rows = ["video,label,part,caption"]
        for number in range(train + test):
            part = "train" if number < train else "test"
            label = names[number % len(names)]
            kind = (TELLING, TELLING, SPURIOUS, NOTHING)[number // len(names) % 4]
            video = f"v_{number:03d}"
            records[video] = record(random, label, kind)
            rows.append(f"{video},{label},{part},a video of {CLASSES[label][0]} number {number}")
            if part == "test":
                planted.kinds[video] = kind
        planted.descriptions.write_text(json.dumps(records))
        planted.labels.write_text("\n".join(rows) + "\n")
        return planted

    return make


def record(random: np.random.Generator, label: str, kind: str) -> dict[str, list[str]]:
    """Texts of one video in the published layout."""
    first, second, odd = CLASSES[label]
    # The video hardly moves: its first half shows the same things, and so does its second.
    objects: list[str] = []
    for _ in range(2):
        things = list(random.choice(NEUTRAL, 2, replace=False))
        things += {TELLING: [first, second], SPURIOUS: [odd], NOTHING: []}[kind]
        objects += ["\n".join(f"{n}. {thing}" for n, thing in enumerate(things, start=1))] * 4
    told = f"A picture with {first}." if kind == TELLING else "A picture of a room."
    return {
        "objects+composition+activities": [told] * 8,
        "objects": objects,
        "activities": ["No activity is visible."] * 6 + ["1. A person stands."] * 2,
        "verbs": ["No activity is visible."] * 8,
        "objects+composition+activities_15_words": [told] * 8,
    }


@pytest.fixture
def planted_workspace(workspace: Workspace, plant: Plant) -> tuple[Workspace, Planted]:
    """A workspace with the planted data set brought in."""
    planted = plant()
    import_published(workspace, planted.descriptions)
    import_labels(workspace, planted.labels)
    return workspace, planted
