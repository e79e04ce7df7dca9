"""Figures of the two jobs, classification and retrieval, as JSON, with the arrays behind them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from annotations.bias import measure
from annotations.bias.embedded_texts import Say
from annotations.bias.instructions import Job
from annotations.bias.material import Material
from annotations.bias.measure import Nine, Setting, Sixteen
from annotations.bias.vectors import VectorStore
from core.bias import debiasing
from core.bias.representation import CONCEPTS, TIMES
from core.refusal import Refusal
from core.statistics.metric import Estimate


def classification_figures(
    material: Material,
    store: VectorStore,
    setting: Setting,
    arrays: dict[str, npt.NDArray[Any]],
    say: Say,
) -> dict[str, Any]:
    """The figures of classification; its arrays are put among the others."""
    if why := material.why_not("classification"):
        return {"reason": why}
    common, learned = measure.classify(material, store, setting, say)
    truth = material.labels[material.tested]
    labelled = np.flatnonzero(material.truth >= 0)
    arrays |= {"classification/video": labelled[material.tested], "truth": truth}
    _arrays(arrays, "classification/right", common)
    figures: dict[str, Any] = {
        "common_sense": _cells(common),
        "common_sense_chosen_frame": _chosen(common),
        "chance": 1 / len(material.classes),
        "most_frequent": float(np.bincount(truth).max() / len(truth)),
    }
    if learned is None:
        why = "not defined: no training videos of two classes have a description"
        return figures | {"dataset_reason": why, "nine_reason": why}
    _arrays(arrays, "classification/learned", learned)
    figures["dataset"] = _cells(learned)
    try:
        nine = measure.nine_classifiers(material, store, setting, say)
    except Refusal as error:
        return figures | {"nine_reason": f"not defined: {error}"}
    choices = np.full(len(truth), len(material.classes))
    families = material.tested_families
    figures["nine"] = _nine(nine, choices, families)
    _nine_arrays(arrays, "classification", nine)
    gone = debiasing.unanimous(nine.right, families)
    fair = debiasing.balanced(
        int(gone.sum()), truth, nine.confidence, len(material.classes), families
    )
    figures["per_class"] = [
        {"class": name, "videos": int((truth == number).sum()),
         "removed": int(gone[truth == number].sum()),
         "removed_balanced": int(fair[truth == number].sum())}
        for number, name in enumerate(material.classes) if (truth == number).any()
    ]  # fmt: skip
    for name, mask in (("debiased", gone), ("balanced", fair)):
        shares = debiasing.kept_by_class(~mask, truth, len(material.classes))
        figures["nine"][f"class_spread_{name}"] = debiasing.spread(shares)
    return figures


def retrieval_figures(
    material: Material,
    store: VectorStore,
    setting: Setting,
    arrays: dict[str, npt.NDArray[Any]],
    say: Say,
) -> dict[str, Any]:
    """The figures of retrieval; its arrays are put among the others."""
    if why := material.why_not("retrieval"):
        return {"reason": why}
    common = measure.retrieve(material, store, setting, say)
    nine = measure.nine_rankings(material, store, say)
    videos = len(np.unique(material.own))
    arrays |= {"retrieval/video": material.own}
    _arrays(arrays, "retrieval/right", common)
    _nine_arrays(arrays, "retrieval", nine)
    return {
        "common_sense": _cells(common),
        "common_sense_chosen_frame": _chosen(common),
        "chance": 1 / videos,
        "videos": videos,
        "nine": _nine(nine, np.full(len(material.captions), videos), material.family[material.own]),
    }


def _arrays(arrays: dict[str, npt.NDArray[Any]], name: str, sixteen: Sixteen) -> None:
    for (concept, time), right in sixteen.right.items():
        arrays[f"{name}/{concept}/{time}"] = right


def _nine_arrays(arrays: dict[str, npt.NDArray[Any]], job: Job, nine: Nine) -> None:
    arrays |= {
        f"{job}/nine/predicted": nine.predicted,
        f"{job}/nine/right": nine.right,
        f"{job}/nine/confidence": nine.confidence,
    }


def _nine(nine: Nine, choices: npt.NDArray[Any], families: npt.NDArray[Any]) -> dict[str, Any]:
    gone = debiasing.unanimous(nine.right, families)
    single = nine.right.mean(axis=1)
    return {
        "samples": len(gone),
        "removed": int(gone.sum()),
        "removed_share": float(gone.mean()),
        "removed_by_chance": debiasing.by_chance(choices, len(nine.right)),
        "removed_by_one_model": [float(share) for share in single.tolist()],
        "kappa": {
            "over_classes": _estimate(nine.kappas.classes),
            "over_right_and_wrong": _estimate(nine.kappas.right),
        },
        "converged": nine.converged,
    }


def _cells(sixteen: Sixteen) -> list[dict[str, Any]]:
    return [
        {"concept": concept, "time": time, **_estimate(sixteen.cells[concept, time]),
         "without_prediction": sixteen.nothing[concept, time]}
        for concept in CONCEPTS for time in TIMES if (concept, time) in sixteen.cells
    ]  # fmt: skip


def _chosen(sixteen: Sixteen) -> list[dict[str, Any]]:
    return [{"concept": concept, **_estimate(chosen)} for concept, chosen in sixteen.chosen.items()]


def _estimate(estimate: Estimate) -> dict[str, Any]:
    """An estimate as plain JSON values."""
    low, high = estimate.bounds
    return {"value": estimate.value, "low": low, "high": high, "n": estimate.n,
            "videos": estimate.clusters, "reason": estimate.reason}  # fmt: skip
