"""Bias of 10,000 videos: all sixteen, both jobs and the splits, from vectors that are there.

    python tests/benchmarks/bias.py [--videos 10000] [--classes 100] [--train 6000]

Texts are made; their vectors lean towards their class and have MiniLM's 384 numbers. Embedding is
not part of the time: its speed is the model's (22.6 texts a CPU-second for MiniLM).
"""

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from annotations.bias import measure
from annotations.bias.labels import import_labels
from annotations.bias.material import gather
from annotations.bias.result import EMBEDDINGS, measured
from annotations.bias.splits import make_split
from annotations.bias.vectors import VectorStore
from annotations.description.import_published import import_published
from annotations.description.stored import the_set
from annotations.workspace import Workspace
from core.bias.representation import Floats32, unit

SIZE = 384
KINDS = ("objects+composition+activities", "objects", "activities", "verbs",
         "objects+composition+activities_15_words")  # fmt: skip


def main() -> None:
    """Make the data set, measure it, and print what it took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--videos", type=int, default=10_000)
    parser.add_argument("--train", type=int, default=6_000)
    parser.add_argument("--classes", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.create(Path(folder) / "workspace")
        prepare(workspace, Path(folder), arguments)
        began, cpu = time.monotonic(), time.process_time()
        result = measured(workspace)
        split = make_split(workspace, "debiased", result, "debiased", "classification")
        make_split(workspace, "balanced", result, "balanced", "classification")
        make_split(workspace, "retrieval", result, "debiased", "retrieval")
        seconds, cpu = time.monotonic() - began, time.process_time() - cpu
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{arguments.videos:,} videos, {result.figures['captions']:,} captions, "
            f"{result.figures['embeddings']['texts']:,} texts: {seconds:.1f} s, {cpu:.1f} s of CPU,"
            f" {memory:.2f} GB at most; {len(split.kept):,} of {len(split.full):,} kept"
        )
        again = time.monotonic()
        measured(workspace)
        print(f"asked again: {time.monotonic() - again:.2f} s")
        workspace.close()


def prepare(workspace: Workspace, folder: Path, arguments: argparse.Namespace) -> None:
    """Descriptions, labels, captions, and a vector of each text."""
    began = time.monotonic()
    records: dict[str, dict[str, list[str]]] = {}
    rows = ["video,label,part,caption"]
    for number in range(arguments.videos):
        label = number % arguments.classes
        records[f"v{number}"] = {
            kind: [f"{kind} {frame} of {number} in class {label}" for frame in range(8)]
            for kind in KINDS
        }
        part = "train" if number < arguments.train else "test"
        rows.append(f"v{number},class {label},{part},caption of {number} in class {label}")
    (folder / "texts.json").write_text(json.dumps(records), encoding="utf-8")
    (folder / "labels.csv").write_text("\n".join(rows), encoding="utf-8")
    import_published(workspace, folder / "texts.json", "made")
    import_labels(workspace, folder / "labels.csv")
    material = gather(workspace, the_set(workspace))
    store = VectorStore.open(workspace.root, EMBEDDINGS)
    random = np.random.default_rng(0)
    centres = random.normal(size=(arguments.classes, SIZE)).astype(np.float32)

    def embed(texts: list[str]) -> Floats32:
        labels = [int(text.rpartition("class ")[2].split()[0]) for text in texts]
        noise = 4 * random.normal(size=(len(texts), SIZE)).astype(np.float32)
        return unit(centres[labels] + noise)

    texts = measure.texts_needed(material, False, ("classification", "retrieval"))
    store.add(texts, embed, lambda some: [0] * len(some))  # type: ignore[arg-type]
    print(f"made in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
