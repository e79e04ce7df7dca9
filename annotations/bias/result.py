"""A measurement of bias as it is kept and shown: figures as JSON, and who solved what as arrays.

A result belongs to one state of the data: descriptions, labels, captions, model and settings. When
one of them changes, it is measured again, and only texts that are new are embedded.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from annotations.bias.embedded_texts import Say, embedded, quiet
from annotations.bias.instructions import JOBS, Job
from annotations.bias.job_figures import classification_figures, retrieval_figures
from annotations.bias.material import Material, gather
from annotations.bias.measure import Setting, setting_for
from annotations.bias.object_reports import hallucinations
from annotations.bias.vectors import VectorStore
from annotations.description import stored
from annotations.description.stored import DescriptionSet, the_set
from annotations.workspace import Workspace
from core.bias.representation import CONCEPTS, FRAMES
from core.half_made import whole
from core.model import LoadOptions
from core.number_text import percent_text
from core.statistics import bootstrap

FOLDER = "cache/bias"
EMBEDDINGS = "package:minilm"
COUNTED = "words:counted"
VERSION = 3


@dataclass(frozen=True, eq=False)
class Result:
    """A measurement.

    Attributes:
        figures: JSON values, as `rushes bias --json` prints them.
        arrays: by name, such as 'classification/right/objects/sequence'.
    """

    figures: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]


def key_of(workspace: Workspace, described: DescriptionSet, model: str) -> str:
    """24 hex digits that differ where a measurement might."""
    [labels] = workspace.store.rows(
        "SELECT (SELECT group_concat(video_id || ' ' || part || ' ' || label, char(10))"
        " FROM (SELECT * FROM video_label ORDER BY video_id)) AS labels,"
        " (SELECT group_concat(video_id || ' ' || text, char(10))"
        " FROM (SELECT * FROM video_caption ORDER BY video_id, position)) AS captions"
    )
    setting = json.dumps(asdict(setting_for(model)))
    parts = [str(VERSION), model, setting, stored.version(workspace, described),
             labels["labels"] or "", labels["captions"] or ""]  # fmt: skip
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def kept(workspace: Workspace, set_name: str = "", model: str = EMBEDDINGS) -> Result | None:
    """The measurement of the data as they are now, where it was made before; else None.

    Raises:
        Refusal: if there are no descriptions, or none of that name.
    """
    path = _path(workspace, key_of(workspace, the_set(workspace, set_name), model))
    if not path.is_file() or not path.with_suffix(".npz").is_file():
        return None
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    figures["hallucination"] = hallucinations(workspace, figures["descriptions"])
    with np.load(path.with_suffix(".npz")) as arrays:
        return Result(figures, {name: arrays[name] for name in arrays.files})


def models_measured(workspace: Workspace, set_name: str = "") -> list[str]:
    """The embedding models with which the data as they are now were measured, the newest first."""
    described = the_set(workspace, set_name)
    files = sorted(
        (workspace.root / FOLDER).glob("*.json"), key=lambda path: -path.stat().st_mtime_ns
    )
    names = (json.loads(path.read_text(encoding="utf-8"))["embeddings"]["model"] for path in files)
    return [
        name for name in dict.fromkeys(names)
        if _path(workspace, key_of(workspace, described, name)) in files
    ]  # fmt: skip


def measured(
    workspace: Workspace,
    set_name: str = "",
    model: str = EMBEDDINGS,
    *,
    options: LoadOptions | None = None,
    say: Say = quiet,
) -> Result:
    """The measurement of the data as they are now: kept, or made and kept.

    Stopped or killed, it goes on where it was: vectors are kept as they come.

    Raises:
        Refusal: if there is nothing to measure; says what is lacking.
        ModelError: if the embedding model cannot be had.
    """
    found = kept(workspace, set_name, model)
    if found is not None:
        return found
    described = the_set(workspace, set_name)
    key = key_of(workspace, described, model)
    material = gather(workspace, described)
    setting = setting_for(model)
    jobs: list[Job] = [job for job in JOBS if not material.why_not(job)]
    store, embedding = embedded(workspace, material, setting, jobs, model, options, say)
    result = _measure(material, store, setting, say)
    result.figures["embeddings"] = embedding
    _keep(_path(workspace, key), result)
    result.figures["hallucination"] = hallucinations(workspace, described.name)
    return result


def _measure(material: Material, store: VectorStore, setting: Setting, say: Say) -> Result:
    arrays: dict[str, npt.NDArray[Any]] = {
        "video_id": material.video_id,
        "family": material.family,
    }
    figures: dict[str, Any] = {
        "descriptions": material.described.name,
        "videos": {
            "test": int((~material.train).sum()),
            "train": int(material.train.sum()),
            "labelled_test": int(material.tested.sum()),
            "labelled_train": int(material.trained.sum()),
            "without_description": material.undescribed,
            "incomplete": material.missing,
        },
        "captions": len(material.captions),
        "classes": list(material.classes),
        "texts": _texts(material),
        "settings": {
            "interval": (
                f"{percent_text(bootstrap.LEVEL, 0)} percentile bootstrap, resampled by video"
            ),
            "resamples": bootstrap.RESAMPLES, "seed": bootstrap.SEED,
            "bootstrap_seeds": list(setting.seeds), "c": setting.how.c,
            "iterations": setting.how.iterations,
        },
        "classification": classification_figures(material, store, setting, arrays, say),
        "retrieval": retrieval_figures(material, store, setting, arrays, say),
    }  # fmt: skip
    return Result(figures, arrays)


def _texts(material: Material) -> dict[str, Any]:
    tested = np.flatnonzero(~material.train).tolist()
    empty: dict[str, Any] = {}
    for concept in CONCEPTS:
        counts = [sum(not text for text in material.frames[concept][video]) for video in tested]
        empty[concept] = {
            "empty_frames": sum(counts), "frames": FRAMES * len(counts),
            "empty_videos": sum(count == FRAMES for count in counts),
        }  # fmt: skip
    leaking, names = material.leaking()
    return {"empty": empty, "objects": names, "objects_that_say_more": leaking}


def _path(workspace: Workspace, key: str) -> Path:
    return workspace.root / FOLDER / f"{key}.json"


def _keep(path: Path, result: Result) -> None:
    """Write arrays first: figures without them would be shown and could not be opened."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path.with_suffix(".npz")) as part, part.open("wb") as file:
        # The names of numpy's keyword arguments are the arrays' own.
        np.savez_compressed(file, **cast("dict[str, Any]", result.arrays))
    with whole(path) as part:
        part.write_text(json.dumps(result.figures, ensure_ascii=False), encoding="utf-8")
