"""The bias of a data set, measured: sixteen representations, the nine, and what they rest on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from annotations.bias.instructions import (
    CAPTIONS_THRICE,
    OBJECTS_THRICE,
    Job,
    Span,
    follows_instructions,
    for_text,
    instructed,
)  # fmt: skip
from annotations.bias.material import Material
from annotations.bias.vectors import VectorStore
from core.bias import classification, debiasing, regression, retrieval
from core.bias.regression import Regularisation
from core.bias.representation import (
    CONCEPTS,
    FRAMES,
    TIMES,
    Bools,
    Concept,
    Floats32,
    Ints,
    Represented,
    Time,
)
from core.metrics import accuracy
from core.refusal import Refusal
from core.statistics import bootstrap
from core.statistics.metric import Estimate

SEEDS = (1, 2, 3)
Cell = tuple[Concept, Time]
Say = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Sixteen:
    """The sixteen numbers of one kind of bias.

    Attributes:
        cells: accuracy or recall at 1 of each concept and time, with its interval by video.
        chosen: of each concept, by the frame that is chosen without knowing the answer.
        right: (samples,) of each cell, whether it is solved.
        predicted: (samples,) class or video that objects in sequence give.
    """

    cells: dict[Cell, Estimate] = field(default_factory=dict[Cell, Estimate])
    chosen: dict[Concept, Estimate] = field(default_factory=dict[Concept, Estimate])
    right: dict[Cell, Bools] = field(default_factory=dict[Cell, Bools])
    nothing: dict[Cell, int] = field(default_factory=dict[Cell, int])


@dataclass(frozen=True, eq=False)
class Nine:
    """Nine models that see objects alone, in sequence.

    Attributes:
        predicted: (9, samples) class, or video that a caption found; -1 for nothing.
        right: (9, samples).
        confidence: (samples,) mean probability of the true class; () for retrieval.
        kappas: of classes or videos, and of right and wrong.
        converged: whether every regression came to its end.
    """

    predicted: Ints
    right: Bools
    confidence: Any
    kappas: debiasing.Kappas
    converged: bool = True


@dataclass(frozen=True)
class Setting:
    """How bias is measured; kept with every figure.

    Attributes:
        told: whether texts have an instruction in front.
        how: of the regressions.
        seeds: of the three bootstraps.
    """

    told: bool
    how: Regularisation = field(default_factory=Regularisation)
    seeds: tuple[int, ...] = SEEDS


def setting_for(model: str) -> Setting:
    """How bias is measured with an embedding model of this name."""
    return Setting(follows_instructions(model))


def asked_texts(
    material: Material, told: bool, jobs: Sequence[Job]
) -> dict[tuple[Concept, Span], list[str]]:
    """Texts about the videos by concept, and by whether one frame or the sequence is told."""
    texts: dict[tuple[Concept, Span], list[str]] = {}
    for concept in CONCEPTS:
        for job in jobs:
            texts.setdefault((concept, "frame"), []).extend(
                material.frame_texts(job, concept, told)
            )
            texts.setdefault((concept, "sequence"), []).extend(
                material.sequence_texts(job, concept, _wording(job, concept, told))
            )
    return texts


def texts_needed(material: Material, told: bool, jobs: Sequence[Job]) -> list[str]:
    """Every text that a measurement embeds, with doubles."""
    needed = [text for texts in asked_texts(material, told, jobs).values() for text in texts]
    for job in jobs:
        for span in ("frame", "sequence"):
            of_job = material.class_texts if job == "classification" else material.caption_texts
            needed += of_job(span, told)
        for wording in OBJECTS_THRICE[job]:
            needed += material.sequence_texts(job, "objects", wording)
    if "retrieval" in jobs:
        needed += [
            instructed(instruction, text)
            for instruction in CAPTIONS_THRICE
            for text in material.captions
        ]
    return [text for text in needed if text]


def _wording(job: Job, concept: Concept, told: bool) -> str:
    return for_text(job, concept, "sequence") if told else ""


def represented(
    material: Material, store: VectorStore, job: Job, concept: Concept, told: bool
) -> Represented:
    """Vectors of the videos that a job is about, for one concept."""
    frames = store.vectors(material.frame_texts(job, concept, told))
    sequence = store.vectors(material.sequence_texts(job, concept, _wording(job, concept, told)))
    return Represented(frames.reshape(len(sequence), FRAMES, -1), sequence)


def classify(
    material: Material, store: VectorStore, setting: Setting, say: Say
) -> tuple[Sixteen, Sixteen | None]:
    """Common-sense bias and data-set bias; the second is None without training videos."""
    told, tested, trained = setting.told, material.tested, material.trained
    names = store.vectors(material.class_texts("sequence", told))
    frame_names = store.vectors(material.class_texts("frame", told))
    truth, families = material.labels[tested], material.tested_families
    common, learned = Sixteen(), Sixteen()
    able = len(np.unique(material.labels[trained])) > 1
    for number, concept in enumerate(CONCEPTS):
        say("Classes by common sense and by training", number, len(CONCEPTS))
        vectors = represented(material, store, "classification", concept, told)
        test = vectors.where(tested)
        times, chosen = classification.by_time(test, names, truth, frame_names)
        for time in TIMES:
            _put(common, (concept, time), times[time].right, families, times[time].nothing)
        common.chosen[concept] = _estimate(chosen.right, families)
        if able:
            _learn(learned, concept, vectors.where(trained), test, material, setting)
    return common, learned if able and learned.cells else None


def _learn(
    learned: Sixteen,
    concept: Concept,
    train: Represented,
    test: Represented,
    material: Material,
    setting: Setting,
) -> None:
    """Data-set bias of a concept; the best frame is by the regression of the average."""
    labels, truth = material.labels[material.trained], material.labels[material.tested]
    families = material.tested_families
    tables: tuple[tuple[Time, Floats32, Floats32], ...] = (
        ("middle", train.middle, test.middle),
        ("average", train.average, test.average),
        ("sequence", train.sequence, test.sequence),
    )
    for time, seen, asked in tables:
        try:
            model = regression.learn(seen, labels, len(material.classes), setting.how)
        except Refusal:
            # A time at which hardly any training video has a text: said, and no number.
            none = Estimate(None, n=len(truth), reason="not defined: too few training texts")
            for at in (time, "best") if time == "average" else (time,):
                learned.cells[concept, at] = none
                learned.nothing[concept, at] = len(truth)
            continue
        predicted, _ = model.predict(asked)
        _put(learned, (concept, time), predicted == truth, families, int((predicted < 0).sum()))
        if time == "average":
            each = np.stack([model.predict(test.frames[:, n])[0] for n in range(FRAMES)], axis=1)
            best = np.asarray((each == truth[:, None]).any(axis=1), np.bool_)
            _put(learned, (concept, "best"), best, families, int((each < 0).all(axis=1).sum()))


def retrieve(material: Material, store: VectorStore, setting: Setting, say: Say) -> Sixteen:
    """Recall at 1 of captions among the test videos that have one."""
    own = np.searchsorted(np.unique(material.own), material.own)
    families = material.family[material.own]
    captions = store.vectors(material.caption_texts("sequence", setting.told))
    frame_captions = store.vectors(material.caption_texts("frame", setting.told))
    ranked = Sixteen()
    for number, concept in enumerate(CONCEPTS):
        say("Captions by common sense", number, len(CONCEPTS))
        vectors = represented(material, store, "retrieval", concept, setting.told)
        times, chosen = retrieval.by_time(vectors, captions, own, frame_captions)
        for time in TIMES:
            _put(ranked, (concept, time), times[time], families)
        ranked.chosen[concept] = _estimate(chosen, families)
    return ranked


def nine_classifiers(material: Material, store: VectorStore, setting: Setting, say: Say) -> Nine:
    """Three wordings times three bootstraps of the training videos, objects in sequence.

    Raises:
        Refusal: without training videos of two classes with objects.
    """
    labels, truth = material.labels[material.trained], material.labels[material.tested]
    predicted: list[Ints] = []
    confidence = np.zeros(len(truth))
    converged = True
    wordings = OBJECTS_THRICE["classification"]
    for number, wording in enumerate(wordings):
        say("Nine models of objects alone", number, len(wordings))
        vectors = store.vectors(material.sequence_texts("classification", "objects", wording))
        train, test = vectors[material.trained], vectors[material.tested]
        for seed in setting.seeds:
            times = regression.bootstrapped(len(train), seed)
            model = regression.learn(train, labels, len(material.classes), setting.how, times)
            classes, table = model.predict(test)
            predicted.append(classes)
            confidence += table[np.arange(len(truth)), truth]
            converged &= model.converged
    models = np.stack(predicted)
    right = models == truth
    kappas = debiasing.kappas(models, right, material.classes, material.tested_families)
    return Nine(models, right, confidence / len(models), kappas, converged)


def nine_rankings(material: Material, store: VectorStore, say: Say) -> Nine:
    """Three wordings for captions times three for objects, without training."""
    own_videos = np.unique(material.own)
    own = np.searchsorted(own_videos, material.own)
    predicted: list[Ints] = []
    right: list[Bools] = []
    for number, wording in enumerate(OBJECTS_THRICE["retrieval"]):
        say("Nine rankings by objects alone", number, 3)
        videos = store.vectors(material.sequence_texts("retrieval", "objects", wording))
        for asked in CAPTIONS_THRICE:
            captions = store.vectors([instructed(asked, text) for text in material.captions])
            rankings = retrieval.first(captions, videos)
            predicted.append(rankings)
            right.append(np.asarray(rankings == own, np.bool_))
    models = np.stack(predicted)
    solved = np.stack(right)
    positions: list[int] = own_videos.tolist()
    names = [material.name[position] for position in positions]
    kappas = debiasing.kappas(models, solved, names, material.family[material.own])
    return Nine(models, solved, np.zeros(0), kappas)


def _put(
    sixteen: Sixteen, cell: Cell, right: Bools, clusters: Ints | None, nothing: int = 0
) -> None:
    sixteen.right[cell] = right
    sixteen.nothing[cell] = nothing
    sixteen.cells[cell] = _estimate(right, clusters)


def _estimate(right: Bools, clusters: Ints | None) -> Estimate:
    return accuracy.with_bound(bootstrap.estimate(accuracy, accuracy.rows(right), clusters))
