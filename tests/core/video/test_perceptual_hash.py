from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from core.video.encode import write_video
from core.video.perceptual_hash import (
    BITS,
    NEAR,
    FrameHash,
    distance,
    frame_hash,
    near_videos,
    video_hashes,
)

FLOWER = (
    "flower.mp4",
    "flower.webm",
    "derived/odd_321x181.webm",
    "derived/start_offset_1s.mkv",
)
OTHERS = (
    "bottle_detection.mp4",
    "arm_wrestling_demo.mp4",
    "friday.mp4",
    "sar_2x1.mp4",
    "asl_book.mkv",
    "asl_walk.mkv",
)


def blobs(seed: int, shift: int = 0) -> np.ndarray:
    """A picture with soft shapes of its own, moved to the right by some pixels."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (9, 16, 3)).astype(np.uint8)
    return np.roll(cv2.resize(coarse, (320, 180), interpolation=cv2.INTER_CUBIC), shift, axis=1)


def shrunk(picture: cv2.typing.MatLike) -> np.ndarray:
    return np.asarray(cv2.resize(picture, (160, 90)), np.uint8)


def test_a_smaller_brighter_copy_of_a_picture_has_nearly_the_same_bits():
    picture = blobs(1)
    copy = shrunk(cv2.convertScaleAbs(picture, alpha=0.8, beta=30))
    first, second, other = frame_hash(picture), frame_hash(copy), frame_hash(blobs(2))
    assert first is not None
    assert second is not None
    assert other is not None
    assert (first ^ second).bit_count() <= 12
    # Of 255 bits of unrelated pictures about half differ.
    assert (first ^ other).bit_count() > 80


@pytest.mark.parametrize("grey", [0, 127, 255])
def test_a_picture_of_one_colour_has_no_hash_and_so_resembles_nothing(grey):
    assert frame_hash(np.full((48, 64, 3), grey, np.uint8)) is None
    assert distance((), (FrameHash(0, 5),)) is None
    assert list(near_videos({"black": (), "white": ()})) == []


def test_the_distance_is_that_within_which_five_of_eight_frames_find_a_partner():
    first = [FrameHash(i, 0) for i in range(8)]
    # Frames of the second: 0, 1, 2, 3, 4, 5, 6, 7 bits away from those of the first. From the
    # first to the second every frame finds the one that is 0 away: distance 0, as for a cut.
    second = [FrameHash(i, 2**i - 1) for i in range(8)]
    assert distance(first, second) == 0
    # One of 3 and 7 bits, over and over: from the first all find 3; from the second 4 of 8 find 3
    # and the rest 7, so five need 7. The smaller counts.
    assert distance(first, [FrameHash(0, 0b111), FrameHash(9, 0b1111111)]) == 3
    assert distance(second, first) == distance(first, second)


def test_a_cut_at_another_size_and_rate_is_found_and_says_which_frames_fit(tmp_path: Path):
    pictures = [blobs(3, i // 2) for i in range(24)]
    whole = write_video(tmp_path / "whole.mp4", pictures, Fraction(30))
    small = [shrunk(one) for one in pictures[6:18]]
    cut = write_video(tmp_path / "cut.mp4", small, Fraction(10), crf=28)
    other = write_video(tmp_path / "other.mp4", [blobs(4, i) for i in range(10)], Fraction(30))
    hashes = {path.name: video_hashes(path) for path in (other, whole, cut)}
    [near] = near_videos(hashes)
    assert (near.first, near.second) == ("whole.mp4", "cut.mp4")
    assert near.distance <= NEAR
    # Frame i of the cut is frame 6 + i of the whole, which moves on every second frame.
    assert abs(near.first_frame - 6 - near.second_frame) <= 3


def test_pairs_found_fast_are_those_found_one_by_one():
    rng = np.random.default_rng(5)
    videos: dict[str, list[FrameHash]] = {}
    for name in range(40):
        base = int.from_bytes(rng.bytes(31), "big")
        videos[f"a{name}"] = [FrameHash(i, base ^ (i << 40)) for i in range(8)]
        flips = sum(1 << int(bit) for bit in rng.choice(BITS, int(rng.integers(0, 50)), False))
        videos[f"b{name}"] = [FrameHash(i, base ^ (i << 40) ^ flips) for i in range(3)]
    names = list(videos)
    slow = {
        (one, other)
        for i, one in enumerate(names)
        for other in names[i + 1 :]
        if (distance(videos[one], videos[other]) or 0) <= NEAR
    }
    fast = {(near.first, near.second) for near in near_videos(videos)}
    assert fast == slow
    assert 5 < len(fast) < 40


def test_on_real_clips_the_four_of_one_scene_are_found_and_no_others(shared):
    hashes = {name: video_hashes(shared / "clips" / name) for name in (*FLOWER, *OTHERS)}
    found = {frozenset((near.first, near.second)) for near in near_videos(hashes)}
    assert found == {frozenset((a, b)) for a in FLOWER for b in FLOWER if a != b}
    # Two signs by one person before one wall are the nearest that are no copies.
    signs = distance(hashes["asl_book.mkv"], hashes["asl_walk.mkv"])
    assert signs is not None
    assert signs > NEAR
    copies = [distance(hashes[a], hashes[b]) for a, b in pairwise(FLOWER)]
    assert all(one is not None and one <= 10 for one in copies)
