"""The sixteen numbers again, by a few lines of scikit-learn on the same vectors."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import normalize

from core.bias import classification, retrieval
from core.bias.regression import Regularisation, learn
from core.bias.representation import CONCEPTS, TIMES, Represented, unit

VIDEOS, FRAMES, SIZE, CLASSES = 90, 8, 12, 7


@pytest.fixture(params=range(4), ids=CONCEPTS)
def made(request):
    """Vectors that lean towards their class, so that neither all nor none are right."""
    random = np.random.default_rng(request.param)
    classes = unit(random.normal(size=(CLASSES, SIZE)).astype(np.float32))
    truth = random.integers(0, CLASSES, VIDEOS)
    noise = random.normal(size=(VIDEOS, FRAMES, SIZE)) + 0.7 * random.normal(size=(VIDEOS, 1, SIZE))
    frames = unit((noise + 1.5 * classes[truth][:, None]).astype(np.float32))
    sequence = unit((noise.mean(axis=1) + classes[truth]).astype(np.float32))
    return Represented(frames, sequence), classes, truth


def test_accuracies_are_those_of_scikit_learn(made):
    represented, classes, truth = made
    frames = represented.frames
    each = np.stack([cosine_similarity(frames[:, i], classes) for i in range(FRAMES)], axis=1)
    average = normalize(frames.astype(float).mean(axis=1))
    wanted = {
        "middle": accuracy_score(truth, each[:, 3].argmax(axis=1)),
        "best": float((each.argmax(axis=2) == truth[:, None]).any(axis=1).mean()),
        "average": accuracy_score(truth, cosine_similarity(average, classes).argmax(axis=1)),
        "sequence": accuracy_score(
            truth, cosine_similarity(represented.sequence, classes).argmax(axis=1)
        ),
    }
    times, chosen = classification.by_time(represented, classes, truth)
    assert {name: times[name].right.mean() for name in TIMES} == pytest.approx(wanted, abs=1e-9)
    surest = each.max(axis=2).argmax(axis=1)
    honest = accuracy_score(truth, each[np.arange(VIDEOS), surest].argmax(axis=1))
    assert chosen.right.mean() == pytest.approx(honest, abs=1e-9)
    assert 0.2 < wanted["middle"] < wanted["best"] < 1


def test_recalls_are_those_of_scikit_learn(made):
    represented, _, _ = made
    frames = represented.frames
    random = np.random.default_rng(9)
    own = np.arange(VIDEOS)
    noise = 1.2 * random.normal(size=(VIDEOS, SIZE))
    captions = unit((noise + 3 * represented.average).astype(np.float32))

    def recall(similarity):
        return float((similarity.argmax(axis=1) == own).mean())

    each = [cosine_similarity(captions, frames[:, i]) for i in range(FRAMES)]
    average = normalize(frames.astype(float).mean(axis=1))
    wanted = {
        "middle": recall(each[3]),
        "best": float(np.any([one.argmax(axis=1) == own for one in each], axis=0).mean()),
        "average": recall(cosine_similarity(captions, average)),
        "sequence": recall(cosine_similarity(captions, represented.sequence)),
    }
    times, chosen = retrieval.by_time(represented, captions, own)
    assert {name: times[name].mean() for name in TIMES} == pytest.approx(wanted, abs=1e-9)
    assert chosen.mean() == pytest.approx(recall(np.max(each, axis=0)), abs=1e-9)
    assert 0 < wanted["middle"] < wanted["best"] < 1


def test_the_regression_is_scikit_learns(made):
    represented, _, truth = made
    train, test = represented.sequence[:60], represented.sequence[60:]
    model = LogisticRegression(C=2.0, max_iter=500).fit(train, truth[:60])
    predicted, table = learn(train, truth[:60], CLASSES, Regularisation(2.0, 500)).predict(test)
    assert predicted.tolist() == model.predict(test).tolist()
    assert np.allclose(table[:, model.classes_], model.predict_proba(test), atol=1e-12)
