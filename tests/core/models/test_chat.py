"""Chat models of five families, tiny and random, but of the true architecture."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.model import ItemError, LoadOptions, Reply, Request
from core.model_loading import load_model

torch: Any = pytest.importorskip("torch")
transformers: Any = pytest.importorskip("transformers")

Save = Callable[[str, Path], Path]
FAMILIES = ["qwen2_vl", "qwen2_5_vl", "internvl", "llava_onevision", "smolvlm"]


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: Any, tmp_path_factory: pytest.TempPathFactory, save_family: Save) -> Path:
    return save_family(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory, save_family: Save) -> Path:
    return save_family("qwen2_vl", tmp_path_factory.mktemp("qwen"))


def clip(frames: int, height: int = 60, width: int = 100, seed: int = 1) -> Any:
    return np.random.default_rng(seed).integers(0, 256, (frames, height, width, 3), np.uint8)


def requests() -> list[Request]:
    return [
        Request("Is it a cat? yes or no", clip(4), times=(0.0, 1.0, 2.0, 3.0)),
        Request("A man kicks a ball. A, B, C or D?", clip(3, 100, 60), system="Answer"),
        Request("no video at all", None),
        Request("yes", clip(4, seed=2), times=(0.0, 0.5, 1.0, 1.5)),
    ]


CHOICES = [("yes", "no"), ("A", "B", "C", "D"), ("A", "B"), ("yes", "no")]


def test_scores_are_probabilities_and_do_not_depend_on_the_company(folder: Path):
    model = load_model("chat", str(folder))
    assert model.sees
    together = model.score(requests(), CHOICES)
    alone = [
        model.score([request], [given])[0]
        for request, given in zip(requests(), CHOICES, strict=True)
    ]
    for given, row, single in zip(CHOICES, together, alone, strict=True):
        assert len(row) == len(given)
        assert sum(row) == pytest.approx(1)
        assert row == pytest.approx(single, abs=1e-4)


def test_scores_depend_on_what_is_seen_and_in_which_order(folder: Path):
    model = load_model("chat", str(folder))
    seen = clip(4)
    rows = model.score(
        [Request("A?", seen), Request("A?", clip(4, seed=9)), Request("A?", seen[::-1].copy())],
        [("A", "B")] * 3,
    )
    assert rows[0] != pytest.approx(rows[1], abs=1e-7)
    assert rows[0] != pytest.approx(rows[2], abs=1e-7)


def test_a_score_is_what_generating_would_begin_with(folder: Path):
    model = load_model("chat", str(folder))
    asked = requests()[0]
    first = model.last_logits(model.front.collate([asked]))[0].argmax().item()
    inputs = model.front.collate([asked])
    out = model.model.generate(**inputs, max_new_tokens=1, do_sample=False)
    assert out[0, -1].item() == first


def test_replies_come_in_the_order_of_the_requests(folder: Path):
    model = load_model("chat", str(folder))
    together = model.generate(requests(), 4)
    alone = [model.generate([request], 4)[0] for request in requests()]
    assert [r.text for r in together] == [r.text for r in alone]
    assert all(isinstance(r, Reply) and 0 <= r.tokens <= 4 for r in together)
    # Random weights do not stop by themselves within four tokens, or say that they did.
    assert all(r.finished or r.tokens == 4 for r in together)


def test_what_does_not_fit_the_model_costs_only_itself(qwen: Path):
    model = load_model("chat", str(qwen))
    long = Request("ball " * 5000, None)
    narrow = Request("A?", clip(2, 2, 500))
    flat = Request("A?", np.zeros((4, 4, 3), np.uint8))
    good = Request("A?", clip(2))
    rows = model.score([long, good, narrow, flat], [("A", "B")] * 4)
    assert isinstance(rows[0], ItemError)
    assert rows[0].reason == "too long"
    assert sum(rows[1]) == pytest.approx(1)
    assert isinstance(rows[2], ItemError)
    assert "too narrow" in rows[2].detail
    assert isinstance(rows[3], ItemError)


def test_choices_that_begin_alike_are_not_scored(qwen: Path):
    model = load_model("chat", str(qwen))
    (row,) = model.score([Request("A?", None)], [("A", "A")])
    assert isinstance(row, ItemError)
    assert row.reason == "choices begin alike"


def test_a_full_memory_halves_the_batch(qwen: Path):
    model = load_model("chat", str(qwen))
    asked = [Request("A?", clip(2, seed=i)) for i in range(5)]
    wanted = model.score(asked, [("A", "B")] * 5)
    sizes: list[int] = []
    real = model.last_logits

    def narrow(inputs: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB.")
        return real(inputs)

    model.last_logits = narrow
    rows = model.score(asked, [("A", "B")] * 5)
    # 5 do not fit; 2 do, and no more are tried after that.
    assert sizes == [5, 2, 2, 1]
    assert [r[0] for r in rows] == pytest.approx([w[0] for w in wanted], abs=1e-4)


def test_one_request_that_never_fits_is_told(qwen: Path):
    model = load_model("chat", str(qwen))

    def full(inputs: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    model.last_logits = full
    rows = model.score([Request("A?", clip(2))] * 2, [("A", "B")] * 2)
    assert [row.reason for row in rows] == ["out of memory"] * 2


def test_patches_of_qwen_are_those_of_the_stock_processor(qwen: Path):
    model = load_model("chat", str(qwen))
    stock = transformers.AutoImageProcessor.from_pretrained(qwen)
    for height, width in [(60, 100), (100, 60), (300, 420), (33, 31)]:
        picture = clip(1, height, width)[0]
        # The stock processor repeats a picture to fill its patch in time.
        twice = torch.from_numpy(np.stack([picture] * 2))
        got, grid = model.front.patches(twice)
        wanted = stock(images=[picture], return_tensors="pt")
        assert [list(grid)] == wanted["image_grid_thw"].tolist()
        levels = (got - wanted["pixel_values"]).abs() * 255 * 0.28
        # Noise is the worst case; what is left is rounding, see core/models/_pixels.py. For a
        # video columns come second; Pillow takes them first at 60x100.
        assert float(levels.mean()) < 0.5
        if (height, width) != (60, 100):
            assert float((levels > 0.5).float().mean()) < 0.002


def test_an_odd_frame_is_repeated_to_fill_its_patch(qwen: Path):
    model = load_model("chat", str(qwen))
    frames = torch.from_numpy(clip(3))
    odd, grid = model.front.patches(frames)
    even, _ = model.front.patches(torch.cat((frames, frames[-1:])))
    assert grid[0] == 2
    assert torch.equal(odd, even)


def test_batches_stay_below_the_largest_asked_for(qwen: Path):
    model = load_model("chat", str(qwen), LoadOptions(batch=2))
    sizes: list[int] = []
    real = model.last_logits
    model.last_logits = lambda inputs: sizes.append(len(inputs["input_ids"])) or real(inputs)
    model.score([Request("A?", clip(2))] * 5, [("A", "B")] * 5)
    assert sizes == [2, 2, 1]
