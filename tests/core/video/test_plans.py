import subprocess
import sys

import pytest

from core.video import plans


def test_uniform_takes_both_ends_and_spreads_evenly():
    # 0, 99/3 = 33, 66, 99
    assert plans.uniform(100, 4) == (0, 33, 66, 99)


def test_sixteen_of_nine_frames_are_the_nine_there_are():
    assert [len(plans.uniform(9, k)) for k in (16, 9, 4, 1)] == [9, 9, 4, 1]
    assert plans.uniform(9, 16) == tuple(range(9))
    assert plans.uniform(9, 4) == (0, 3, 5, 8)  # 0, 2.67, 5.33, 8


@pytest.mark.parametrize("n", [1, 2, 9, 16, 17, 31, 32, 1189])
@pytest.mark.parametrize("k", [1, 2, 4, 16, 32])
def test_uniform_indices_are_different_sorted_and_inside(n: int, k: int):
    indices = plans.uniform(n, k)
    assert len(indices) == min(n, k)
    assert sorted(set(indices)) == list(indices)
    assert indices[0] >= 0
    assert indices[-1] <= n - 1
    if min(n, k) >= 2:
        assert (indices[0], indices[-1]) == (0, n - 1)


def test_a_single_uniform_frame_is_the_middle_one():
    assert plans.uniform(9, 1) == (4,)


def test_seeds_give_the_same_frames_in_another_interpreter():
    script = (
        "from core.video import plans\n"
        "print(plans.one_random(1189, 'q7'), plans.shuffled(range(16), 3))"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert said == f"{plans.one_random(1189, 'q7')} {plans.shuffled(range(16), 3)}"


def test_seeds_are_pinned_forever():
    # Stored answers say which frames were shown only as long as these never change.
    assert plans.one_random(1000, "a") == (255,)
    assert plans.shuffled(range(6), "a") == (2, 1, 0, 3, 5, 4)


def test_the_number_one_and_the_text_one_are_different_seeds():
    assert plans.shuffled(range(16), 1) != plans.shuffled(range(16), "1")


def test_shuffled_keeps_the_frames_and_never_their_order():
    for seed in range(200):
        assert sorted(plans.shuffled((3, 8), seed)) == [3, 8]
        assert plans.shuffled((3, 8), seed) == (8, 3)
    assert plans.shuffled((5,), 0) == (5,)
    assert plans.shuffled((), 0) == ()


def test_one_random_frame_reaches_every_frame():
    drawn = {plans.one_random(7, seed)[0] for seed in range(300)}
    assert drawn == set(range(7))


def test_chosen_frames_must_be_in_the_video():
    assert plans.chosen(5, [4, 0]) == (4, 0)
    with pytest.raises(ValueError, match=r"Frame 5 was chosen of 5 frames: allowed are 0\.\.4"):
        plans.chosen(5, [1, 5])
    with pytest.raises(ValueError, match="at least one"):
        plans.chosen(5, [])


@pytest.mark.parametrize(("n", "k"), [(0, 4), (4, 0)])
def test_no_frames_are_refused(n: int, k: int):
    with pytest.raises(ValueError, match="at least 1"):
        plans.uniform(n, k)
