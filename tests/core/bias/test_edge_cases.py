import numpy as np
import pytest

from core.bias import classification, retrieval
from core.bias.regression import Regularisation, bootstrapped, learn
from core.bias.representation import NOTHING, Represented

X, Y, NONE = (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)
CLASSES = np.array([X, Y], np.float32)


def represented(frames, sequence):
    return Represented(np.array(frames, np.float32), np.array(sequence, np.float32))


def test_a_video_without_text_predicts_nothing_and_counts_as_wrong():
    # Video 0 says nothing; video 1 says its class 1 in every frame.
    two = represented([[NONE] * 8, [Y] * 8], [NONE, Y])
    times, chosen = classification.by_time(two, CLASSES, np.array([0, 1]))
    for predicted in (*times.values(), chosen):
        assert predicted.predicted.tolist() == [NOTHING, 1]
        assert predicted.right.tolist() == [False, True]
        assert predicted.nothing == 1


def test_the_best_frame_knows_the_answer_and_the_chosen_one_does_not():
    # Frame 0 is surer of class 1 than frame 5 of class 0, which is the truth.
    sure, unsure = (0.0, 1.0), (0.8, 0.6)
    frames = [[sure, *[NONE] * 4, unsure, NONE, NONE]]
    times, chosen = classification.by_time(represented(frames, [NONE]), CLASSES, np.array([0]))
    assert times["best"].right.tolist() == [True]
    assert chosen.right.tolist() == [False]
    assert times["middle"].predicted.tolist() == [NOTHING]


def test_two_equally_near_classes_are_no_prediction():
    same = np.array([X, X, Y], np.float32)
    assert classification.predict(np.array([X, Y], np.float32), same).tolist() == [NOTHING, 2]


def test_equal_videos_share_the_mean_of_their_ranks_and_none_hits():
    # Captions 0 and 1 find two equal videos first: ranks (0 + 1) / 2. Caption 2 finds its own.
    videos = np.array([X, X, Y], np.float32)
    own = np.arange(3)
    assert retrieval.ranks(videos @ videos.T, own).tolist() == [0.5, 0.5, 0]
    assert retrieval.hits(videos, videos, own).tolist() == [False, False, True]


def test_an_empty_video_is_never_found_even_when_all_others_are_worse():
    videos = np.array([NONE, (-1.0, 0.0)], np.float32)
    captions = np.array([X, X], np.float32)
    assert retrieval.hits(captions, videos, np.array([0, 1])).tolist() == [False, False]
    times, chosen = retrieval.by_time(
        Represented(videos[:, None], videos), captions, np.array([0, 1])
    )
    assert not any(one.any() for one in (*times.values(), chosen))


def test_hits_are_the_first_ranks_also_among_equal_and_empty_videos():
    random = np.random.default_rng(3)
    # Few directions, so that many videos are equal; some are empty.
    videos = np.eye(6, dtype=np.float32)[random.integers(0, 6, 300)]
    videos[::7] = 0
    captions = np.eye(6, dtype=np.float32)[random.integers(0, 6, 40)]
    captions[:20] += random.normal(0, 0.3, (20, 6)).astype(np.float32)
    own = random.integers(0, 300, 40)
    videos[own[:20]] = captions[:20]
    wanted = (retrieval.ranks(captions @ videos.T, own) == 0) & videos[own].any(axis=1)
    assert 0 < wanted.sum() < 40
    assert retrieval.hits(captions, videos, own).tolist() == wanted.tolist()
    found = retrieval.first(captions, videos)
    assert (found[wanted] == own[wanted]).all()


def test_several_captions_of_one_video_each_look_for_it():
    videos = np.array([X, Y], np.float32)
    captions = np.array([X, (0.6, 0.8), Y], np.float32)
    assert retrieval.hits(captions, videos, np.array([0, 0, 1])).tolist() == [True, False, True]


def test_a_class_that_a_bootstrap_lost_has_probability_zero_in_its_own_column():
    vectors = np.array([X, X, Y, Y], np.float32)
    learned = learn(vectors, np.array([0, 0, 2, 2]), 4)
    predicted, table = learned.predict(np.array([X, Y, NONE], np.float32))
    assert predicted.tolist() == [0, 2, NOTHING]
    assert table[:, [1, 3]].tolist() == [[0, 0]] * 3
    assert table.sum(axis=1) == pytest.approx([1, 1, 1])


def test_nothing_can_be_learned_from_one_class():
    vectors = np.array([X, Y, NONE], np.float32)
    with pytest.raises(ValueError, match="Fewer than two classes"):
        learn(vectors, np.array([0, 0, 1]), 2)


def test_a_bootstrap_is_as_large_as_the_set_and_the_same_for_a_seed():
    times = bootstrapped(500, 3)
    assert times.sum() == len(times) == 500
    assert times.tolist() == bootstrapped(500, 3).tolist() != bootstrapped(500, 4).tolist()
    # A share of 1 - 1/e of the set is drawn at least once: 316 of 500, give or take.
    assert 290 < (times > 0).sum() < 345


def test_a_video_drawn_twice_counts_like_two():
    random = np.random.default_rng(5)
    labels = random.integers(0, 3, 60)
    vectors = (np.eye(3)[labels] + random.normal(0, 0.6, (60, 3))).astype(np.float64)
    times = bootstrapped(60, 1)
    how = Regularisation(iterations=5000)
    once = learn(vectors, labels, 3, how, times)
    repeated = learn(np.repeat(vectors, times, axis=0), np.repeat(labels, times), 3, how)
    asked = random.normal(size=(20, 3))
    # Both end where the gradient is below 1e-4, so they agree to some thousandths.
    assert np.allclose(once.probabilities(asked), repeated.probabilities(asked), atol=2e-3)
