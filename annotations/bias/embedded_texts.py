"""Vectors of all texts of a measurement, and how many of the texts the model read only in part."""

from collections.abc import Callable, Sequence
from typing import Any

from annotations.bias import measure
from annotations.bias.instructions import Job
from annotations.bias.material import Material
from annotations.bias.measure import Setting
from annotations.bias.vectors import IsCut, VectorStore
from annotations.workspace import Workspace
from core.model import LoadOptions
from core.model_loading import load_model

Say = Callable[[str, int, int], None]


def quiet(what: str, done: int, total: int) -> None:
    """Say nothing."""


def embedded(
    workspace: Workspace,
    material: Material,
    setting: Setting,
    jobs: Sequence[Job],
    model: str,
    options: LoadOptions | None,
    say: Say,
) -> tuple[VectorStore, dict[str, Any]]:
    """Vectors of all texts; the model is loaded only where one is lacking."""
    store = VectorStore.open(workspace.root, model)
    texts = list(dict.fromkeys(measure.texts_needed(material, setting.told, jobs)))
    if store.missing(texts):
        say("Loading the embedding model", 0, 1)
        encoder = load_model("embedding", model, options)
        is_cut: IsCut = getattr(encoder, "is_cut", None) or _unknown
        store.tell_stand_in(encoder.stand_in_words if encoder.is_stand_in else "")
        store.add(
            texts, encoder.embed, is_cut, lambda done, total: say("Embedding texts", done, total)
        )
    return store, {
        "model": model,
        "instructions": setting.told,
        "texts": len(texts),
        "embedded_now": store.new,
        "cut": store.count_cut(texts),
        "cut_of": _cut_of(material, store, setting, jobs),
        "stand_in": store.stand_in,
    }


def _cut_of(
    material: Material, store: VectorStore, setting: Setting, jobs: Sequence[Job]
) -> list[dict[str, Any]]:
    """How many different texts of each concept were cut: a few cut sequences are a cell's ruin."""
    rows: list[dict[str, Any]] = []
    for (concept, span), texts in measure.asked_texts(material, setting.told, jobs).items():
        once = [text for text in dict.fromkeys(texts) if text]
        rows.append({"concept": concept, "of": span, "texts": len(once),
                     "cut": store.count_cut(once)})  # fmt: skip
    return rows


def _unknown(texts: Sequence[str]) -> list[int]:
    """Not known of any text whether it was cut: servers do not say."""
    return [-1] * len(texts)
