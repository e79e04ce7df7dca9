import numpy as np
import pytest

from core.model_loading import load_model


def likeness(first: str, second: str) -> float:
    vectors = load_model("embedding", "words:counted").embed([first, second])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    return float(vectors[0] @ vectors[1])


def test_texts_are_alike_by_the_words_that_they_share_in_any_form():
    assert likeness("A dog runs.", "dogs running") == pytest.approx(1)
    assert likeness("a horse", "a saddle") == 0, "what belongs together is not known"
    # Dog once and ball once against dog four times: (1 * 2) / (sqrt 2 * 2).
    assert likeness("dog, ball", "dog dog dog dog") == pytest.approx(2**-0.5)


def test_what_every_text_has_in_front_does_not_count():
    plain = "Frame 1: dog Frame 2: ball"
    assert likeness(f"Instruct: name the activity\nQuery: {plain}", "dog, ball") == pytest.approx(1)


def test_an_empty_text_is_zeros_and_nothing_is_cut():
    model = load_model("embedding", "words:counted")
    assert not model.embed(["", "..."]).any()
    assert model.is_cut(["word " * 5000]) == [False]
    assert "nothing is understood" in model.stand_in_words
