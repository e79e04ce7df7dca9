import numpy as np

from core.bias.representation import Represented, is_empty, unit


def test_the_middle_of_eight_frames_is_the_fourth():
    frames = np.eye(8, dtype=np.float32)[None]
    assert Represented(frames, frames[:, 0]).middle[0].argmax() == 3


def test_the_middle_of_three_frames_is_the_second():
    frames = np.eye(3, dtype=np.float32)[None]
    assert Represented(frames, frames[:, 0]).middle[0].argmax() == 1


def test_an_empty_frame_adds_nothing_to_the_average():
    # Two frames along x and one along y of eight; the other five are empty: (2, 1) made a unit.
    frames = np.zeros((1, 8, 2), np.float32)
    frames[0, 0], frames[0, 3], frames[0, 6] = (1, 0), (1, 0), (0, 1)
    average = Represented(frames, frames[:, 0]).average
    assert np.allclose(average, [[2 / 5**0.5, 1 / 5**0.5]])


def test_a_video_without_any_text_stays_zeros():
    nothing = np.zeros((2, 8, 4), np.float32)
    nothing[1, 0, 0] = 3
    assert is_empty(Represented(nothing, nothing[:, 0]).average).tolist() == [True, False]
    assert unit(nothing)[1, 0].tolist() == [1, 0, 0, 0]
