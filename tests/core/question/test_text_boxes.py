"""Lines of text over time, and which of them give an answer away."""

import numpy as np
import pytest

from core.edits.blur import Blurred
from core.question.text_boxes import SeenLine, TextTrack, alike, gives_away, linked, overlap, union


def seen(time: float, left: float, text: str = "CROSSOVER DRIBBLE") -> SeenLine:
    return SeenLine(time, (left, 10.0, left + 100, 30.0), text)


def test_readings_of_one_line_are_one_track_though_it_moves_or_is_misread():
    lines = [seen(0, 0), seen(0.25, 60, "CROSSOVERDRIBBLE"), seen(0.5, 120, "CR0SSOVER DRIBBLE"),
             SeenLine(0.25, (0, 200, 50, 220), "12:01")]  # fmt: skip
    tracks = linked(lines, 0.6)
    assert [len(track.lines) for track in tracks] == [3, 1]
    assert tracks[0].texts[1] == "CROSSOVERDRIBBLE"
    # After a longer gap the same words are another track.
    assert len(linked([seen(0, 0), seen(2, 0)], 0.6)) == 2
    # Two lines of one frame are never one.
    assert len(linked([seen(0, 0), seen(0, 5)], 0.6)) == 2


def test_where_a_line_stands_between_two_readings():
    track = TextTrack([seen(1.0, 0), seen(1.25, 40)])
    assert track.box_at(1.1, 0.25) == (0, 10, 140, 30), "around both"
    assert track.box_at(0.8, 0.25) == (0, 10, 100, 30), "held before the first"
    assert track.box_at(1.5, 0.25) == (40, 10, 140, 30), "and after the last"
    assert track.box_at(0.7, 0.25) is None


def test_shares_of_boxes():
    # 10 x 10 and the same moved by 5: 50 shared of 150 covered.
    assert overlap((0, 0, 10, 10), (5, 0, 15, 10)) == pytest.approx(50 / 150)
    assert overlap((0, 0, 10, 10), (20, 0, 30, 10)) == 0
    assert union([(0, 5, 1, 6), (3, 0, 4, 9)]) == (0, 0, 4, 9)
    assert alike("Crossover Dribble", "CROSSOVERDRIBBLE!") == 1
    assert alike("", "x") == 0


@pytest.mark.parametrize(
    ("line", "gives"),
    [
        ("Bicycle Kick", True), ("BICYCLEKICK", True), ("what a bicycle!", True),
        ("free kick next", False), ("player 23", False), ("", False),
    ],
)  # fmt: skip
def test_what_gives_the_answer_away(line: str, gives: bool):
    # 'kick' is in a wrong option too; only 'bicycle' tells.
    assert gives_away(line, "bicycle kick", ["scissors kick", "volley"]) == gives


def test_a_blur_changes_nothing_outside_its_box():
    image = np.random.default_rng(1).integers(0, 255, (90, 160, 3), dtype=np.uint8)
    blurred = Blurred(((40, 30, 100, 50),))(image)
    # The box is 20 px high; a quarter of that, 5 px, is the margin to each side.
    outside = np.ones((90, 160), np.bool_)
    outside[25:55, 35:105] = False
    assert np.array_equal(blurred[outside], image[outside])
    inside = blurred[30:50, 40:100].astype(float)
    assert inside.std() < image[30:50, 40:100].std() / 4
    assert not np.shares_memory(blurred, image)
    # A box at the edge stays in the picture.
    assert Blurred(((-5, -5, 20, 10),))(image).shape == image.shape
